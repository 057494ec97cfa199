// What elements that take a file have in common: a button that chooses one, a file
// dropped on them, and the place that says what is wrong with it. A file is read in the
// page and goes to the server as text.

export abstract class FileForm extends HTMLElement {
  connectedCallback(): void {
    this.addEventListener("click", this.#pick);
    this.addEventListener("dragover", this.#over);
    this.addEventListener("dragleave", this.#leave);
    this.addEventListener("drop", this.#drop);
  }

  /** Takes what was chosen or dropped: one file, or what is too many. */
  protected abstract take(files: File[]): Promise<void>;

  /** Says what is wrong with a file; "" takes it back. */
  protected say(text: string): void {
    const fault = this.querySelector<HTMLElement>("[data-file-fault]");
    if (!fault) return;
    fault.textContent = text;
    fault.hidden = text === "";
  }

  // The field is made for the one press and is in no form: a file in a body would end
  // a window.
  #pick = (event: Event): void => {
    const button = (event.target as Element).closest<HTMLElement>("[data-pick]");
    if (!button) return;
    const input = document.createElement("input");
    input.type = "file";
    input.accept = button.dataset.pick ?? "";
    input.hidden = true;
    input.addEventListener("change", () => {
      input.remove();
      void this.take([...(input.files ?? [])]);
    });
    input.addEventListener("cancel", () => input.remove());
    this.append(input);
    input.click();
  };

  #over = (event: DragEvent): void => {
    if (!event.dataTransfer?.types.includes("Files")) return;
    event.preventDefault();
    this.classList.add("file-over");
  };

  #leave = (): void => this.classList.remove("file-over");

  #drop = (event: DragEvent): void => {
    this.classList.remove("file-over");
    const files = [...(event.dataTransfer?.files ?? [])];
    if (files.length === 0) return;
    event.preventDefault();
    void this.take(files);
  };
}

/** Saves a file. The native window has no place for one. */
export function saveFile(name: string, kind: string, content: BlobPart): void {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([content], { type: kind }));
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}
