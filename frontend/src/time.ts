// <time-ago> keeps "4 minutes ago" true while the page stays open, and puts the
// exact local time into the tooltip. The first words come from the server.
import { pageLanguage } from "./language";

// The ledger's clock may be shifted for tests, so ages are counted from the time
// the server wrote on the page, never from this computer's clock alone.
const served = Date.parse(document.documentElement.dataset.now ?? "");
const shift = Number.isNaN(served) ? 0 : served - Date.now();

const exact = new Intl.DateTimeFormat(pageLanguage, { dateStyle: "medium", timeStyle: "long" });
const words = new Intl.RelativeTimeFormat("en", { numeric: "always" });

/** Returns the words for a moment, seen from now, or "" beyond a week. */
export function relative(at: number, now: number): string {
  const seconds = Math.round((at - now) / 1000);
  const size = Math.abs(seconds);
  if (size < 5) return "just now";
  if (size < 60) return words.format(seconds, "second");
  if (size < 3600) return words.format(Math.trunc(seconds / 60), "minute");
  if (size < 86_400) return words.format(Math.trunc(seconds / 3600), "hour");
  if (size < 7 * 86_400) return words.format(Math.trunc(seconds / 86_400), "day");
  return "";
}

class TimeAgo extends HTMLElement {
  #timer = 0;

  connectedCallback(): void {
    const time = this.querySelector("time");
    const at = Date.parse(time?.dateTime ?? "");
    if (!time || Number.isNaN(at)) return;
    time.title = exact.format(at);
    this.#timer = window.setInterval(() => this.#tick(), 10_000);
  }

  disconnectedCallback(): void {
    clearInterval(this.#timer);
  }

  // Reads the element each time, because a morph may have changed it.
  #tick(): void {
    const time = this.querySelector("time");
    if (!time) return;
    const at = Date.parse(time.dateTime);
    const text = Number.isNaN(at) ? "" : relative(at, Date.now() + shift);
    if (text && text !== time.textContent) time.textContent = text;
  }
}

customElements.define("time-ago", TimeAgo);
