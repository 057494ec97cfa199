// Adding samples: a file is read here and goes to the server as text; the list of
// senders is searched here.

import { shownText } from "./copy";

const most = 1 << 20; // bytes of one sample, as the server has it

/** The text of a file, UTF-16 of a Windows program too. */
async function textOf(file: File): Promise<string> {
  const bytes = new Uint8Array(await file.arrayBuffer());
  const marks = bytes[0] === 0xff && bytes[1] === 0xfe ? "utf-16le" : bytes[0] === 0xfe && bytes[1] === 0xff ? "utf-16be" : "utf-8";
  return new TextDecoder(marks, { fatal: true }).decode(bytes);
}

// <sample-form> takes a file by its button or dropped onto it.
class SampleForm extends HTMLElement {
  connectedCallback(): void {
    this.addEventListener("click", this.#pick);
    this.addEventListener("dragover", this.#over);
    this.addEventListener("dragleave", this.#leave);
    this.addEventListener("drop", this.#drop);
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
      void this.#take([...(input.files ?? [])]);
    });
    input.addEventListener("cancel", () => input.remove());
    this.append(input);
    input.click();
  };

  #over = (event: DragEvent): void => {
    if (!event.dataTransfer?.types.includes("Files")) return;
    event.preventDefault();
    this.classList.add("sample-drop");
  };

  #leave = (): void => this.classList.remove("sample-drop");

  #drop = (event: DragEvent): void => {
    this.classList.remove("sample-drop");
    const files = [...(event.dataTransfer?.files ?? [])];
    if (files.length === 0) return;
    event.preventDefault();
    void this.#take(files);
  };

  async #take(files: File[]): Promise<void> {
    this.#say("");
    const [file] = files;
    if (!file) return;
    if (files.length > 1) return this.#say("Choose one file at a time: each is one sample, or one list of samples.");
    if (/\.xlsx?$/i.test(file.name)) return this.#say("This is a spreadsheet. To test all its rows, use dedupe rule key FILE --rule NAME --groups on the command line. Or copy a row with its head here.");
    if (file.size > most) {
      const size = (file.size / 1e6).toFixed(1);
      return this.#say(`This file has ${size} MB, and a sample may have 1 MB at most. To test many deliveries, use dedupe rule key FILE --rule NAME --groups on the command line.`);
    }
    let text: string;
    try {
      text = await textOf(file);
    } catch {
      return this.#say("This file is not text, so it cannot be a sample.");
    }
    const field = this.querySelector<HTMLTextAreaElement>("textarea[name=text]");
    if (!field) return;
    field.value = text;
    this.querySelector("form")?.requestSubmit(this.querySelector<HTMLButtonElement>("[data-add]"));
  }

  #say(text: string): void {
    const fault = this.querySelector<HTMLElement>("[data-file-fault]");
    if (!fault) return;
    fault.textContent = text;
    fault.hidden = text === "";
  }
}

customElements.define("sample-form", SampleForm);

// <filter-list> shows what holds the words of its search, and a few before that.
class FilterList extends HTMLElement {
  connectedCallback(): void {
    this.addEventListener("input", () => this.refresh());
    this.addEventListener("keydown", (event) => {
      if (event.key === "Enter" && event.target instanceof HTMLInputElement) event.preventDefault();
    });
  }

  refresh(): void {
    const words = (this.querySelector<HTMLInputElement>("input[type=search]")?.value ?? "").toLowerCase().split(/\s+/).filter(Boolean);
    let found = 0;
    for (const row of this.querySelectorAll<HTMLElement>("[data-words]")) {
      const text = (row.dataset.words ?? "").toLowerCase();
      const shown = words.length === 0 ? row.dataset.first !== undefined : words.every((w) => text.includes(w));
      row.hidden = !shown;
      if (shown) found++;
    }
    const none = this.querySelector<HTMLElement>("[data-none]");
    if (none) none.hidden = found > 0;
  }
}

customElements.define("filter-list", FilterList);

document.addEventListener("htmx:after:swap", () => {
  for (const list of document.querySelectorAll<FilterList>("filter-list")) list.refresh();
  // What is typed and not added yet stays in sight.
  const typed = document.querySelector<HTMLTextAreaElement>(".add-sample textarea.paste");
  if (typed && typed.value !== "") typed.closest("details")!.open = true;
});

// <save-button for="id"> saves exactly the text shown in that element as a file.
class SaveButton extends HTMLElement {
  connectedCallback(): void {
    this.addEventListener("click", () => {
      const source = document.getElementById(this.getAttribute("for") ?? "");
      if (!source) return;
      const link = document.createElement("a");
      link.href = URL.createObjectURL(new Blob([shownText(source)], { type: "application/yaml" }));
      link.download = this.dataset.name ?? "rule.yaml";
      link.click();
      setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
    });
  }
}

customElements.define("save-button", SaveButton);
