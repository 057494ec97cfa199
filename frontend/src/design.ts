// Behaviour of the page "design" alone. All that counts is decided by the server;
// here is the keyboard, the search in the field list, and what a morph cannot keep.
import { typing } from "./shortcuts";

function editor(): HTMLElement | null {
  return document.getElementById("design");
}

/** The offset of a line and column, both from 1, columns in UTF-16 units. */
export function offsetOf(text: string, line: number, column: number): number {
  let start = 0;
  for (let n = 1; n < line; n++) {
    const end = text.indexOf("\n", start);
    if (end < 0) return text.length;
    start = end + 1;
  }
  return Math.min(text.length, start + column - 1);
}

// "Show the place" puts the caret on a fault.
document.addEventListener("click", (event) => {
  const button = (event.target as Element).closest<HTMLElement>("[data-go-to]");
  if (!button) return;
  const field = document.getElementById(button.dataset.goTo ?? "") as HTMLTextAreaElement | null;
  if (!field) return;
  const at = offsetOf(field.value, Number(button.dataset.line), Number(button.dataset.column));
  field.focus();
  field.setSelectionRange(at, at + Number(button.dataset.length));
  const lineHeight = parseFloat(getComputedStyle(field).lineHeight) || 20;
  field.scrollTop = Math.max(0, (Number(button.dataset.line) - 3) * lineHeight);
});

/** Puts text into the formula at its caret, as if typed. */
function intoFormula(text: string): void {
  const field = document.getElementById("formula") as HTMLTextAreaElement | null;
  if (!field) return;
  const at = field.selectionStart;
  field.setRangeText(text, at, field.selectionEnd, "end");
  field.focus();
  field.dispatchEvent(new Event("input", { bubbles: true }));
}

// <field-list> is one tab stop: arrows move, Home and End too, letters jump, Enter
// adds. Its search hides rows by name and value.
class FieldList extends HTMLElement {
  #at = "";
  #typed = "";
  #typedAt = 0;

  connectedCallback(): void {
    this.addEventListener("keydown", this.#key);
    this.addEventListener("input", this.#input);
    this.addEventListener("focusin", this.#focus);
    this.addEventListener("click", this.#click, true);
    this.refresh();
  }

  /** Brings back what a morph took away: the hidden rows and the one tab stop. */
  refresh(): void {
    const words = (this.querySelector<HTMLInputElement>("#field-search")?.value ?? "").trim().toLowerCase();
    let found = 0;
    for (const row of this.querySelectorAll<HTMLElement>(".field-row")) {
      const branch = row.querySelector(".field-branch") !== null;
      row.hidden = words !== "" && (branch || !(row.dataset.words ?? "").toLowerCase().includes(words));
      if (!row.hidden) found++;
    }
    const none = this.querySelector<HTMLElement>("[data-none]");
    if (none) none.hidden = found > 0;
    const buttons = this.#buttons();
    const stop = buttons.find((b) => b.value === this.#at) ?? buttons[0];
    for (const b of this.querySelectorAll<HTMLButtonElement>(".field-button")) b.tabIndex = b === stop ? 0 : -1;
  }

  #buttons(): HTMLButtonElement[] {
    return [...this.querySelectorAll<HTMLButtonElement>(".field-row:not([hidden]) .field-button:not(:disabled)")];
  }

  #input = (event: Event): void => {
    if ((event.target as Element).id === "field-search") this.refresh();
  };

  #focus = (event: FocusEvent): void => {
    const button = (event.target as Element).closest<HTMLButtonElement>(".field-button");
    if (!button) return;
    this.#at = button.value;
    this.refresh();
  };

  // A formula beyond blocks takes the field at its caret instead.
  #click = (event: Event): void => {
    const button = (event.target as Element).closest<HTMLButtonElement>(".field-button");
    if (!button || editor()?.dataset.beyond === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    intoFormula(button.value);
  };

  #key = (event: KeyboardEvent): void => {
    const target = event.target as Element;
    const buttons = this.#buttons();
    if (target.id === "field-search") {
      if (event.key === "ArrowDown" && buttons.length > 0) {
        event.preventDefault();
        buttons[0].focus();
      } else if (event.key === "Enter") {
        event.preventDefault();
      }
      return;
    }
    const here = buttons.indexOf(target.closest(".field-button") as HTMLButtonElement);
    if (here < 0 || event.ctrlKey || event.metaKey || event.altKey) return;
    const to = this.#target(event.key, here, buttons);
    if (to < 0) return;
    event.preventDefault();
    event.stopPropagation();
    buttons[to].focus();
  };

  #target(key: string, here: number, buttons: HTMLButtonElement[]): number {
    switch (key) {
      case "ArrowDown": return Math.min(here + 1, buttons.length - 1);
      case "ArrowUp": return Math.max(here - 1, 0);
      case "Home": return 0;
      case "End": return buttons.length - 1;
    }
    if (key.length !== 1 || key === " " || key === "/" || key === "?") return -1;
    const now = Date.now();
    this.#typed = now - this.#typedAt < 800 ? this.#typed + key.toLowerCase() : key.toLowerCase();
    this.#typedAt = now;
    const named = (b: HTMLButtonElement) => (b.querySelector(".field-name")?.textContent ?? "").toLowerCase().startsWith(this.#typed);
    const from = this.#typed.length > 1 ? here : here + 1;
    for (let n = 0; n < buttons.length; n++) {
      const i = (from + n) % buttons.length;
      if (named(buttons[i])) return i;
    }
    return -1;
  }
}

customElements.define("field-list", FieldList);

// Blocks: Alt and an arrow moves, Delete takes out. Ctrl and Enter uses the key.
document.addEventListener("keydown", (event) => {
  const target = event.target as HTMLElement;
  if (!editor()?.contains(target)) return;
  if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) {
    event.preventDefault();
    document.querySelector<HTMLButtonElement>("#design-use .btn-primary:not(:disabled)")?.click();
    return;
  }
  const block = target.closest<HTMLElement>("[data-block]");
  if (!block) return;
  if (event.altKey && (event.key === "ArrowUp" || event.key === "ArrowDown")) {
    event.preventDefault();
    block.querySelector<HTMLButtonElement>(`[data-move="${event.key === "ArrowUp" ? "up" : "down"}"]:not(:disabled)`)?.click();
  } else if (event.key === "Delete" && !typing(event)) {
    event.preventDefault();
    block.querySelector<HTMLButtonElement>("[data-remove]")?.click();
  }
});

// Where the focus was before a change, in case its element goes away.
let section = "";
let asked = false;

document.addEventListener("htmx:before:swap", () => {
  const root = editor();
  if (!root) return;
  asked = root.querySelector("[data-focus]") !== null;
  section = document.activeElement?.closest("[data-section]")?.id ?? "";
});

document.addEventListener("htmx:after:swap", () => {
  const root = editor();
  if (!root) return;
  root.querySelector<FieldList>("field-list")?.refresh();
  // A select that a person changed keeps its choice whatever its options say.
  for (const select of root.querySelectorAll("select")) {
    const chosen = [...select.options].findIndex((o) => o.hasAttribute("selected"));
    if (chosen >= 0 && select.selectedIndex !== chosen) select.selectedIndex = chosen;
  }
  const lost = document.activeElement === document.body || document.activeElement === null;
  const wanted = root.querySelector<HTMLElement>("[data-focus]");
  if (wanted && !asked) {
    wanted.focus();
  } else if (lost && section) {
    document.getElementById(`${section}-title`)?.focus();
  }
});
