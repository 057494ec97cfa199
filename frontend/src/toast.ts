// Short messages. Ordinary ones are polite and leave after ten seconds, which pause
// while the pointer or the focus is on them; errors are alerts and stay. A later one
// about the same takes the place of the one before.

class ToastNote extends HTMLElement {
  #timer = 0;
  #holds = 0;

  connectedCallback(): void {
    for (const [on, off] of [["pointerenter", "pointerleave"], ["focusin", "focusout"]]) {
      this.addEventListener(on, this.#hold);
      this.addEventListener(off, this.#let);
    }
    this.addEventListener("click", this.#click);
    this.#start();
    const about = this.dataset.about;
    if (!about) return;
    for (const older of [...(this.parentElement?.querySelectorAll<HTMLElement>("toast-note[data-about]") ?? [])]) {
      if (older !== this && older.dataset.about === about) older.remove();
    }
  }

  disconnectedCallback(): void {
    clearTimeout(this.#timer);
  }

  #click = (event: Event): void => {
    if ((event.target as Element).closest("[data-toast-close]")) this.remove();
  };

  #hold = (): void => {
    this.#holds++;
    clearTimeout(this.#timer);
  };

  #let = (): void => {
    this.#holds = Math.max(0, this.#holds - 1);
    if (this.#holds === 0) this.#start();
  };

  #start(): void {
    if (this.dataset.tone === "error") return;
    clearTimeout(this.#timer);
    this.#timer = window.setTimeout(() => this.remove(), 10_000);
  }
}

customElements.define("toast-note", ToastNote);

function show(tone: "info" | "error", words: string, about: string): void {
  const region = document.getElementById(tone === "error" ? "alerts" : "toasts");
  const pattern = document.getElementById(`toast-${tone}`) as HTMLTemplateElement | null;
  if (!region || !pattern) return;
  const note = (pattern.content.cloneNode(true) as DocumentFragment).querySelector("toast-note") as HTMLElement;
  note.dataset.about = about;
  note.querySelector(".toast-words")!.textContent = words;
  region.append(note);
}

/** Shows an alert that stays until closed. A later one about the same replaces it. */
export function errorToast(words: string, about: string): void {
  show("error", words, about);
}

/** Takes the messages about something away, because it is over. */
export function dismiss(about: string): void {
  for (const note of [...document.querySelectorAll<HTMLElement>("toast-note[data-about]")]) {
    if (note.dataset.about === about) note.remove();
  }
}

/** Shows a polite message for ten seconds. */
export function toast(words: string, about: string): void {
  show("info", words, about);
}

/** Has a word read out by screen readers without showing anything. */
export function announce(words: string): void {
  const region = document.getElementById("announce");
  if (!region) return;
  region.textContent = "";
  window.setTimeout(() => { region.textContent = words; }, 50);
}
