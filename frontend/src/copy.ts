// <copy-button for="id"> writes exactly the text shown in that element (a field's
// value, else its text) to the clipboard, says "Copied" for two seconds and has it
// announced.
import { announce, errorToast } from "./toast";

async function write(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return writeBySelection(text);
  }
}

// Webviews may refuse the clipboard on their own scheme; the old command still works.
function writeBySelection(text: string): boolean {
  const area = document.createElement("textarea");
  const before = document.activeElement as HTMLElement | null;
  area.value = text;
  area.className = "visually-hidden";
  area.setAttribute("aria-hidden", "true");
  (document.querySelector("dialog[open]") ?? document.body).append(area);
  area.select();
  let ok = false;
  try {
    ok = document.execCommand("copy");
  } catch {
    ok = false;
  }
  area.remove();
  before?.focus();
  return ok;
}

/** Returns the text that a copy button for this element writes. */
export function shownText(source: Element): string {
  if (source instanceof HTMLInputElement || source instanceof HTMLTextAreaElement) return source.value;
  return source.textContent ?? "";
}

class CopyButton extends HTMLElement {
  #timer = 0;

  connectedCallback(): void {
    this.addEventListener("click", this.#copy);
  }

  disconnectedCallback(): void {
    this.removeEventListener("click", this.#copy);
    clearTimeout(this.#timer);
  }

  #copy = async (event: Event): Promise<void> => {
    const button = (event.target as Element).closest("button");
    const source = document.getElementById(this.getAttribute("for") ?? "");
    if (!button || button.disabled || !source) return;
    if (!(await write(shownText(source)))) {
      getSelection()?.selectAllChildren(source);
      errorToast("The clipboard is closed to this page. The text is selected: press Ctrl+C or Cmd+C.", "clipboard");
      return;
    }
    this.#confirm();
    this.dispatchEvent(new CustomEvent("copied", { bubbles: true }));
  };

  #confirm(): void {
    const label = this.querySelector<HTMLElement>("[data-copy-label]");
    if (!label) return;
    this.dataset.before ??= label.textContent ?? "Copy";
    label.textContent = "Copied";
    this.dataset.copied = "";
    announce("Copied");
    clearTimeout(this.#timer);
    this.#timer = window.setTimeout(() => {
      label.textContent = this.dataset.before ?? "Copy";
      delete this.dataset.copied;
    }, 2000);
  }
}

customElements.define("copy-button", CopyButton);
