// Behaviour of the page "design" alone. All that counts is decided by the server;
// here is the keyboard, and what a morph cannot keep.
import "./design_fields";
import "./design_file";
import "./design_samples";
import "./design_past";
import "./design_unsaved";
import "./field_names";
import { editorOf } from "./formula_load";
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
  const editing = editorOf(field);
  if (editing) {
    editing.select(Number(button.dataset.line), Number(button.dataset.column), Number(button.dataset.length));
    return;
  }
  const at = offsetOf(field.value, Number(button.dataset.line), Number(button.dataset.column));
  field.focus();
  field.setSelectionRange(at, at + Number(button.dataset.length));
  const lineHeight = parseFloat(getComputedStyle(field).lineHeight) || 20;
  field.scrollTop = Math.max(0, (Number(button.dataset.line) - 3) * lineHeight);
});

document.addEventListener("field-wanted", (event) => intoFormula((event as CustomEvent<string>).detail));

/** Puts text into the formula at its caret, as if typed. */
function intoFormula(text: string): void {
  const field = document.getElementById("formula") as HTMLTextAreaElement | null;
  if (!field) return;
  const editing = editorOf(field);
  if (editing) {
    editing.insert(text);
    return;
  }
  const at = field.selectionStart;
  field.setRangeText(text, at, field.selectionEnd, "end");
  field.focus();
  field.dispatchEvent(new Event("input", { bubbles: true }));
}

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

// A rule that was just put to use: what to do next is where the keyboard goes on.
document.getElementById("design-used")?.focus();

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
  const lost = document.activeElement === document.body || document.activeElement === null;
  const wanted = root.querySelector<HTMLElement>("[data-focus]");
  if (wanted && !asked) {
    wanted.focus();
  } else if (lost && section) {
    document.getElementById(`${section}-title`)?.focus();
  }
});
