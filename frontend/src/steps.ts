// Behaviour of the page "steps" alone.

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
