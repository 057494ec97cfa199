// One dialog asks before anything that cannot be taken back. A form, or one of its
// submit buttons, carries data-confirm-title, -body, -verb, -danger and -word; the
// button's own win. Focus starts on the safe button, Escape is safe.

class ConfirmDialog extends HTMLElement {
  #answer: ((yes: boolean) => void) | null = null;

  connectedCallback(): void {
    this.#dialog.addEventListener("close", () => this.#settle(this.#dialog.returnValue === "yes"));
    this.#word.addEventListener("input", this.#check);
  }

  /** Asks, and resolves to true only if the person pressed the verb. */
  ask(data: DOMStringMap): Promise<boolean> {
    this.#settle(false);
    this.#part("title").textContent = data.confirmTitle ?? "";
    this.#part("body").textContent = data.confirmBody ?? "";
    this.#yes.textContent = data.confirmVerb ?? "Go on";
    this.#yes.className = data.confirmDanger === undefined ? "btn btn-primary" : "btn btn-danger";
    this.#expected = data.confirmWord ?? "";
    this.#part("word-row").hidden = !this.#expected;
    this.#part("word-shown").textContent = this.#expected;
    this.#word.value = "";
    this.#check();
    this.#dialog.returnValue = "";
    this.#dialog.showModal();
    this.querySelector<HTMLElement>("[data-confirm-no]")?.focus();
    return new Promise((resolve) => { this.#answer = resolve; });
  }

  #expected = "";

  #check = (): void => {
    this.#yes.disabled = this.#expected !== "" && this.#word.value.trim() !== this.#expected;
  };

  #settle(yes: boolean): void {
    const answer = this.#answer;
    this.#answer = null;
    answer?.(yes);
  }

  #part(name: string): HTMLElement {
    return this.querySelector<HTMLElement>(`[data-confirm-${name}]`)!;
  }

  get #dialog(): HTMLDialogElement {
    return this.querySelector("dialog")!;
  }

  get #yes(): HTMLButtonElement {
    return this.querySelector<HTMLButtonElement>("[data-confirm-yes]")!;
  }

  get #word(): HTMLInputElement {
    return this.querySelector<HTMLInputElement>("[data-confirm-word]")!;
  }
}

customElements.define("confirm-dialog", ConfirmDialog);

/** Asks with the one dialog of the page. */
export function ask(data: DOMStringMap): Promise<boolean> {
  const dialog = document.querySelector<ConfirmDialog>("confirm-dialog");
  return dialog ? dialog.ask(data) : Promise.resolve(false);
}

const agreed = new WeakSet<HTMLFormElement>();

// The server says what is missing, at its field. Asking before that would ask twice.
function incomplete(form: HTMLFormElement): boolean {
  return [...form.querySelectorAll<HTMLInputElement>("[required]")].some((field) => field.value.trim() === "");
}

// In the capture phase on the document, so before htmx sees the submit.
document.addEventListener("submit", (event) => {
  const form = event.target as HTMLFormElement;
  const submitter = (event as SubmitEvent).submitter as HTMLElement | null;
  const asks = [submitter, form].find((e) => e?.dataset.confirmTitle);
  if (!asks || agreed.delete(form) || incomplete(form)) return;
  event.preventDefault();
  event.stopImmediatePropagation();
  void ask(asks.dataset).then((yes) => {
    if (!yes) return;
    agreed.add(form);
    form.requestSubmit(submitter);
    agreed.delete(form);
  });
}, true);
