// Behaviour of the page "steps" alone.
import { FileForm } from "./file_form";

/** <print-page> holds one button, which opens the browser's print dialog. */
class PrintPage extends HTMLElement {
  connectedCallback(): void {
    this.addEventListener("click", this.#print);
  }

  disconnectedCallback(): void {
    this.removeEventListener("click", this.#print);
  }

  #print = (event: Event): void => {
    if ((event.target as Element).closest("button")) window.print();
  };
}

customElements.define("print-page", PrintPage);

// On paper nothing is folded. What was, folds again afterwards.
let folded: HTMLDetailsElement[] = [];

matchMedia("print").addEventListener("change", ({ matches }) => {
  folded.forEach((d) => { d.open = false; });
  folded = matches ? [...document.querySelectorAll<HTMLDetailsElement>("#checklist details:not([open])")] : [];
  folded.forEach((d) => { d.open = true; });
});

// The button "I understand" goes away when it is pressed. The focus goes on to what
// it opened: Copy.
let understood = "";

document.addEventListener("htmx:before:request", (event) => {
  const source = (event as CustomEvent).detail.ctx.sourceElement as Element;
  if (source.getAttribute("hx-post") === "/steps/understood") understood = source.closest(".step")?.id ?? "";
});

document.addEventListener("htmx:after:swap", () => {
  if (!understood || document.querySelector(`#${understood} [hx-post="/steps/understood"]`)) return;
  document.querySelector<HTMLElement>(`#${understood} copy-button button`)?.focus();
  understood = "";
});

/**
 * <understood-here for="step"> holds a button that opens Copy in that step on this page
 * alone: who may only look reads the warning, and nothing is kept.
 */
class UnderstoodHere extends HTMLElement {
  connectedCallback(): void {
    this.addEventListener("click", this.#open);
  }

  disconnectedCallback(): void {
    this.removeEventListener("click", this.#open);
  }

  #open = (event: Event): void => {
    if (!(event.target as Element).closest("button")) return;
    const step = document.getElementById(this.getAttribute("for") ?? "");
    const copy = step?.querySelector<HTMLButtonElement>("copy-button button");
    if (!copy) return;
    copy.disabled = false;
    copy.focus();
    step?.querySelector("[data-gate]")?.remove();
    this.replaceWith("Understood, on this page.");
  };
}

customElements.define("understood-here", UnderstoodHere);

// An answer to a question comes back with the details as they were sent. What was typed
// since then stays.
type Typed = HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement;

const details = (): Map<string, string> =>
  new Map([...document.querySelectorAll<Typed>("#ask-form [id^=detail-]")].map((f) => [f.id, f.value]));
let sent = new Map<string, string>();
let since = new Map<string, string>();

const answers = (event: Event): boolean =>
  ((event as CustomEvent).detail.ctx.sourceElement as Element).getAttribute("hx-post") === "/steps/answer";

document.addEventListener("htmx:before:request", (event) => {
  if (answers(event)) sent = details();
});

document.addEventListener("htmx:before:swap", (event) => {
  if (answers(event)) since = new Map([...details()].filter(([id, value]) => sent.get(id) !== value));
});

document.addEventListener("htmx:after:swap", () => {
  for (const [id, value] of since) {
    const field = document.getElementById(id) as Typed | null;
    if (field) field.value = value;
  }
  since.clear();
});

// As much as the server takes.
const mostBytes = 1_000_000;

/** <check-file> puts a chosen or dropped file's text into its field, and sends it. */
class CheckFile extends FileForm {
  protected async take(files: File[]): Promise<void> {
    const [file] = files;
    if (!file) return;
    if (files.length > 1) return this.say("Choose one file.");
    if (file.size > mostBytes) return this.say(`${file.name} is larger than 1 MB.`);
    let text: string;
    try {
      text = await file.text();
    } catch {
      return this.say(`${file.name} could not be read.`);
    }
    this.say("");
    this.querySelector("textarea")!.value = text;
    this.querySelector<HTMLInputElement>("[data-name]")!.value = file.name;
    this.querySelector("form")!.requestSubmit();
  }
}

customElements.define("check-file", CheckFile);
