// Behaviour of the page "keys" alone: moving through the list by keyboard, copying
// the key that has the focus, and exact times in this computer's zone.
import { saveFile } from "./file_form";
import { pageLanguage } from "./language";
import { typing } from "./shortcuts";
import { announce, errorToast } from "./toast";

const exact = new Intl.DateTimeFormat(pageLanguage, { dateStyle: "medium", timeStyle: "medium" });
const withZone = new Intl.DateTimeFormat(pageLanguage, { dateStyle: "full", timeStyle: "long" });

// <local-time> turns the server's UTC words into local ones, and again after a morph.
class LocalTime extends HTMLElement {
  #watch = new MutationObserver(() => this.#write());

  connectedCallback(): void {
    this.#write();
    this.#watch.observe(this, { subtree: true, attributes: true, attributeFilter: ["datetime"] });
  }

  disconnectedCallback(): void {
    this.#watch.disconnect();
  }

  #write(): void {
    const time = this.querySelector("time");
    const at = Date.parse(time?.dateTime ?? "");
    if (!time || Number.isNaN(at)) return;
    time.textContent = exact.format(at);
    time.title = withZone.format(at);
  }
}

customElements.define("local-time", LocalTime);

// <keys-list>: j and k move from row to row; Enter opens, since a link has the focus.
class KeysList extends HTMLElement {
  connectedCallback(): void {
    document.addEventListener("keydown", this.#press);
  }

  disconnectedCallback(): void {
    document.removeEventListener("keydown", this.#press);
  }

  #press = (event: KeyboardEvent): void => {
    if (typing(event) || event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === "j" || event.key === "k") this.#move(event.key === "j" ? 1 : -1);
  };

  #move(step: number): void {
    const links = [...this.querySelectorAll<HTMLElement>("[data-key-row] .keys-open")];
    const here = links.findIndex((l) => l.closest("[data-key-row]")?.contains(document.activeElement));
    const next = here < 0 ? (step > 0 ? 0 : links.length - 1) : here + step;
    const link = links[Math.min(Math.max(next, 0), links.length - 1)];
    link?.focus();
    link?.scrollIntoView({ block: "nearest" });
  }
}

customElements.define("keys-list", KeysList);

// What changed is shown in its row, which stays where it is, with its tick and its focus.
document.addEventListener("htmx:after:swap", () => {
  for (const now of document.querySelectorAll<HTMLElement>("#keys-news [data-key-now]")) {
    const row = document.querySelector(`[data-key-row="${CSS.escape(now.dataset.keyNow ?? "")}"]`);
    const cells = row?.querySelectorAll("[data-stands]");
    if (!cells) continue;
    [...now.children].forEach((cell, i) => {
      if (cells[i] && !cells[i].isEqualNode(cell)) cells[i].replaceWith(cell.cloneNode(true));
    });
  }
});

// c copies the key of the focused row, or the key of the page that shows one key.
document.addEventListener("keydown", (event) => {
  if (event.key !== "c" || typing(event) || event.ctrlKey || event.metaKey || event.altKey) return;
  const place = document.activeElement?.closest("[data-key-row]") ?? document.querySelector(".key-page .page-head-actions");
  place?.querySelector<HTMLButtonElement>("copy-button button")?.click();
});

// f and a go to the answers "it finished" and "let it run again" of a key that needs
// a decision. They only move the focus: deciding takes a second press.
document.addEventListener("keydown", (event) => {
  const decision = { f: "finished", a: "again" }[event.key];
  if (!decision || typing(event) || event.ctrlKey || event.metaKey || event.altKey) return;
  const answer = document.querySelector(`section.question input[name="decision"][value="${decision}"]`)?.closest("form");
  answer?.querySelector<HTMLButtonElement>("button")?.focus();
});

// An act that was taken back cannot be taken back again.
document.addEventListener("htmx:after:swap", (event) => {
  const note = ((event as CustomEvent).detail.ctx?.sourceElement as Element | undefined)?.closest(".toasts toast-note");
  if (!note) return;
  note.remove();
  document.querySelector<HTMLElement>(".key-said")?.focus();
});

// <form id="keys-ticks"> counts the boxes of the rows. x ticks the row that has the
// focus, Shift and x all rows from the last ticked one on.
let lastTicked = -1;

const boxes = (): HTMLInputElement[] => [...document.querySelectorAll<HTMLInputElement>("input.keys-tick")];

function countTicks(): void {
  const all = boxes();
  const ticked = all.filter((box) => box.checked).length;
  const words = document.querySelector("[data-ticked]");
  if (words) words.textContent = ticked ? `${ticked} ticked` : "None ticked";
  const act = document.querySelector<HTMLButtonElement>("[data-tick-act]");
  if (act) act.disabled = ticked === 0;
  const whole = document.querySelector<HTMLInputElement>("[data-tick-page]");
  if (whole) {
    whole.checked = ticked > 0 && ticked === all.length;
    whole.indeterminate = ticked > 0 && ticked < all.length;
  }
}

document.addEventListener("change", (event) => {
  const box = event.target as HTMLInputElement;
  if (box.matches("[data-tick-page]")) boxes().forEach((b) => { b.checked = box.checked; });
  else if (!box.matches("input.keys-tick")) return;
  lastTicked = boxes().indexOf(box);
  countTicks();
});

document.addEventListener("keydown", (event) => {
  if (event.key.toLowerCase() !== "x" || typing(event) || event.ctrlKey || event.metaKey || event.altKey) return;
  const box = document.activeElement?.closest("[data-key-row]")?.querySelector<HTMLInputElement>("input.keys-tick");
  if (!box) return;
  const all = boxes();
  const here = all.indexOf(box);
  if (event.shiftKey && lastTicked >= 0) {
    all.slice(Math.min(here, lastTicked), Math.max(here, lastTicked) + 1).forEach((b) => { b.checked = true; });
  } else {
    box.checked = !box.checked;
  }
  lastTicked = here;
  countTicks();
});

// A list that is drawn anew keeps the browser's ticks where the rows stay the same.
document.addEventListener("htmx:after:swap", countTicks);

// <keys-export> saves a file of the list while it tells how much has come. A file that
// breaks off is not saved.
class KeysExport extends HTMLElement {
  #stop: AbortController | null = null;

  connectedCallback(): void {
    this.addEventListener("click", this.#click);
  }

  disconnectedCallback(): void {
    this.removeEventListener("click", this.#click);
    this.#stop?.abort();
  }

  #click = (event: Event): void => {
    const target = event.target as Element;
    if (target.closest("[data-cancel]")) this.#stop?.abort();
    const link = target.closest<HTMLAnchorElement>("a[data-save]");
    if (!link) return;
    event.preventDefault();
    if (!this.#stop) void this.#save(link.href);
  };

  async #save(address: string): Promise<void> {
    const stop = new AbortController();
    this.#stop = stop;
    this.#busy(true);
    try {
      const answer = await fetch(address, { signal: stop.signal, headers: { Accept: "text/html" } });
      const name = /filename="?([^";]+)/.exec(answer.headers.get("Content-Disposition") ?? "")?.[1];
      if (!answer.ok || !name || !answer.body) throw new Error("refused");
      const parts: Uint8Array<ArrayBuffer>[] = [];
      let bytes = 0;
      for (const reader = answer.body.getReader(); ;) {
        const { done, value } = await reader.read();
        if (done) break;
        parts.push(value);
        bytes += value.length;
        this.#say(`${(bytes / (1 << 20)).toFixed(1)} MB so far`);
      }
      saveFile(name, answer.headers.get("Content-Type") ?? "", new Blob(parts));
      this.#say(`${name} was saved.`);
    } catch {
      if (stop.signal.aborted) {
        this.#say("Cancelled.");
        announce("Cancelled");
      } else {
        this.#say("");
        errorToast("The keys could not be saved. A spreadsheet has room for a million keys; try CSV, or narrow the filter.", "export");
      }
    }
    this.#stop = null;
    this.#busy(false);
  }

  #busy(on: boolean): void {
    this.querySelector<HTMLElement>("[data-cancel]")!.hidden = !on;
  }

  #say(text: string): void {
    const place = this.querySelector("[data-progress]");
    if (place) place.textContent = text;
  }
}

customElements.define("keys-export", KeysExport);
