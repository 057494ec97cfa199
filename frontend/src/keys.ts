// Behaviour of the page "keys" alone: moving through the list by keyboard, copying
// the key that has the focus, and exact times in this computer's zone.
import { pageLanguage } from "./language";
import { typing } from "./shortcuts";

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
