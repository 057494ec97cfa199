// Adding samples: a file is read here and goes to the server as text; the list of
// senders is searched here.

import { shownText } from "./copy";
import { FileForm, saveFile } from "./file_form";

const most = 1 << 20; // bytes of one sample, as the server has it

/** The text of a file, UTF-16 of a Windows program too. */
async function textOf(file: File): Promise<string> {
  const bytes = new Uint8Array(await file.arrayBuffer());
  const marks = bytes[0] === 0xff && bytes[1] === 0xfe ? "utf-16le" : bytes[0] === 0xfe && bytes[1] === 0xff ? "utf-16be" : "utf-8";
  return new TextDecoder(marks, { fatal: true }).decode(bytes);
}

// What a file of many deliveries is for: the link stands below the samples of a rule.
const fileTest = "To test all its deliveries at once, make the key with one of them as a sample, then choose Test with a file below the samples.";

// <sample-form> takes a file as a sample.
class SampleForm extends FileForm {
  protected override async take(files: File[]): Promise<void> {
    this.say("");
    const [file] = files;
    if (!file) return;
    if (files.length > 1) return this.say("Choose one file at a time: each is one sample, or one list of samples.");
    if (/\.xlsx?$/i.test(file.name)) return this.say(`This is a spreadsheet. Copy a row with its head here. ${fileTest}`);
    if (file.size > most) {
      const size = (file.size / 1e6).toFixed(1);
      return this.say(`This file has ${size} MB, and a sample may have 1 MB at most. ${fileTest}`);
    }
    let text: string;
    try {
      text = await textOf(file);
    } catch {
      return this.say("This file is not text, so it cannot be a sample.");
    }
    const field = this.querySelector<HTMLTextAreaElement>("textarea[name=text]");
    if (!field) return;
    field.value = text;
    this.querySelector("form")?.requestSubmit(this.querySelector<HTMLButtonElement>("[data-add]"));
  }
}

customElements.define("sample-form", SampleForm);

// <filter-list> shows what holds the words of its search, and a few before that.
class FilterList extends HTMLElement {
  #shown: string | undefined;

  connectedCallback(): void {
    this.#follow();
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
    this.#follow();
  }

  // The sample whose values are shown stays in sight of a list that scrolls.
  #follow(): void {
    const list = this.querySelector<HTMLElement>(".samples-many");
    const row = list?.querySelector<HTMLElement>(".sample-shown");
    if (!list || !row || row.dataset.words === this.#shown) return;
    this.#shown = row.dataset.words;
    const [seen, at] = [list.getBoundingClientRect(), row.getBoundingClientRect()];
    if (at.top < seen.top || at.bottom > seen.bottom) list.scrollTop += at.top - seen.top - (seen.height - at.height) / 2;
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
      saveFile(this.dataset.name ?? "rule.yaml", "application/yaml", shownText(source));
    });
  }
}

customElements.define("save-button", SaveButton);
