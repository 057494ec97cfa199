// Single keys, never while typing and never while a dialog is open.
import { inWindow } from "./requests";

const places: Record<string, string> = { h: "/", d: "/design", s: "/steps", k: "/keys", c: "/connect" };
let waiting = 0;

/** True when a key press belongs to a field or a dialog and not to the page. */
export function typing(event: KeyboardEvent): boolean {
  const target = event.composedPath()[0] as HTMLElement; // an editor stands in a shadow root
  return event.defaultPrevented || event.isComposing || target.isContentEditable ||
    target.matches("input:not([type=checkbox]), textarea, select") || document.querySelector("dialog[open]") !== null;
}

function focusSearch(event: KeyboardEvent): void {
  const box = document.getElementById("search") as HTMLInputElement | null;
  if (!box) return;
  event.preventDefault();
  box.focus();
  box.select();
}

document.addEventListener("keydown", (event) => {
  // The native window has no find of its own.
  if (inWindow && event.key.toLowerCase() === "f" && (event.ctrlKey || event.metaKey)) focusSearch(event);
  if (typing(event) || event.ctrlKey || event.metaKey || event.altKey) return;
  if (waiting && Date.now() - waiting < 1500 && places[event.key]) {
    location.assign(places[event.key]);
  } else if (event.key === "/") {
    focusSearch(event);
  } else if (event.key === "?") {
    openHelp();
  }
  waiting = event.key === "g" ? Date.now() : 0;
});

function openHelp(): void {
  (document.getElementById("shortcuts") as HTMLDialogElement | null)?.showModal();
}

document.addEventListener("click", (event) => {
  if ((event.target as Element).closest("[data-open-shortcuts]")) openHelp();
});
