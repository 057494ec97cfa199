// Testing a key with a file. The page keeps the file and adds it to each request from
// inside <file-test>, so that a table can be saved, and deliveries taken as samples,
// without the server keeping anything.
import { FileForm, saveFile } from "./file_form";
import { announce } from "./toast";

/** A file as base64 in the alphabet of addresses, which a form does not lengthen. */
function base64Of(file: File): Promise<string> {
  return new Promise((done, failed) => {
    const reader = new FileReader();
    reader.onerror = () => failed(reader.error);
    reader.onload = () => {
      const [, text = ""] = (reader.result as string).split(",", 2);
      done(text.replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, ""));
    };
    reader.readAsDataURL(file);
  });
}

class FileTest extends FileForm {
  #sent: Record<string, string> | null = null; // the file, and how it was read last

  override connectedCallback(): void {
    super.connectedCallback();
    this.addEventListener("htmx:config:request", this.#attach);
    this.addEventListener("htmx:before:request", this.#busy);
    this.addEventListener("htmx:finally:request", this.#busy);
    this.#form.addEventListener("htmx:after:swap", this.#found);
    this.addEventListener("click", this.#cancel);
    this.addEventListener("click", this.#paste);
  }

  get #form(): HTMLFormElement {
    return this.querySelector<HTMLFormElement>("form[data-test]")!;
  }

  protected override async take(files: File[]): Promise<void> {
    this.say("");
    const [file] = files;
    if (!file) return;
    if (files.length > 1) return this.say("Choose one file at a time.");
    const size = (file.size / (1 << 20)).toFixed(1);
    if (file.size > Number(this.dataset.most)) {
      return this.say(`This file has ${size} MB, and the page takes 20 MB. Use ${this.dataset.larger} on the command line.`);
    }
    try {
      this.#sent = { name: file.name, file: await base64Of(file) };
    } catch {
      return this.say("This file could not be read. It may have been moved or changed meanwhile: choose it again.");
    }
    this.querySelector("[data-file-name]")!.textContent = file.name;
    this.querySelector("[data-file-size]")!.textContent = file.size < 1 << 20 ? `${Math.ceil(file.size / 1024)} KB` : `${size} MB`;
    this.querySelector<HTMLElement>("[data-again]")!.hidden = false;
    await this.#stop(); // a test of the file before
    this.#form.requestSubmit();
  }

  // How a table is read is taken from the form when it is tested, and stays so for what
  // is done with the result.
  #attach = (event: Event): void => {
    const { request, sourceElement } = (event as CustomEvent).detail.ctx;
    if (!this.#sent) return;
    if (sourceElement === this.#form) {
      for (const name of ["column", "sheet"]) this.#sent[name] = String(request.body.get(name) ?? "");
    }
    for (const [name, value] of Object.entries(this.#sent)) request.body.set(name, value);
  };

  #busy = (event: Event): void => {
    if ((event as CustomEvent).detail.ctx.sourceElement !== this.#form) return;
    const on = event.type === "htmx:before:request";
    this.querySelector<HTMLElement>("[data-cancel]")!.hidden = !on;
    this.querySelector<HTMLElement>("[data-again]")!.hidden = on || !this.#sent;
    if (on) announce("Testing");
  };

  #cancel = (event: Event): void => {
    if (!(event.target as Element).closest("[data-cancel]")) return;
    void this.#stop();
    announce("Cancelled");
    this.querySelector<HTMLElement>("[data-pick]")?.focus();
  };

  // What is pasted is a file like any other. Its name says that it is a table, since one
  // column of keys looks like plain text.
  #paste = (event: Event): void => {
    const button = (event.target as Element).closest<HTMLElement>("[data-paste]");
    if (!button) return;
    const text = this.querySelector<HTMLTextAreaElement>("#" + button.dataset.paste)?.value ?? "";
    if (text.trim() === "") return this.say("Paste some rows first.");
    void this.take([new File([text], "pasted-rows.csv", { type: "text/csv" })]);
  };

  #found = (): void => announce(this.querySelector("#file-found .notice")?.textContent?.trim() ?? "");

  // Stops a test and waits until the form is free again, which is after the event.
  #stop(): Promise<void> {
    const form = this.#form;
    if (form.getAttribute("aria-busy") !== "true") return Promise.resolve();
    return new Promise((done) => {
      form.addEventListener("htmx:finally:request", () => setTimeout(done), { once: true });
      form.dispatchEvent(new Event("htmx:abort"));
    });
  }
}

customElements.define("file-test", FileTest);

// <save-now> is a file in an answer: it is saved once, and leaves.
class SaveNow extends HTMLElement {
  connectedCallback(): void {
    const text = atob(this.textContent ?? "");
    saveFile(this.dataset.name ?? "table", this.dataset.kind ?? "", Uint8Array.from(text, (c) => c.charCodeAt(0)));
    this.remove();
  }
}

customElements.define("save-now", SaveNow);
