// What holds for every request of the page: the session header, answers that must
// not be swapped in, and one submit at a time per form.
import htmx from "htmx.org/dist/htmx.esm.js";
import { dismiss, errorToast } from "./toast";

const headerName = "X-Dedupe-Session";
const storageName = "dedupe-session";

/** True in the native window, whose requests need no session. */
export const inWindow = document.documentElement.dataset.shell === "window";

/** The command that opens these pages on this computer, as the server says it. */
export const openCommand = document.documentElement.dataset.command || "dedupe open";

// Pages are plain links, so the browser's own history is the right one. Answers
// without a fragment of ours in them must not replace what stands on the page.
htmx.config.history = false;
htmx.config.noSwap = [204, 304, 400, 401, 403, 404, 405, 409, 413, 415, 421, "5xx"];

/** Keeps the session header of this tab. */
export function keepSession(header: string): void {
  sessionStorage.setItem(storageName, header);
}

/** The session header of this tab, or null where it has none. */
export function keptSession(): string | null {
  return sessionStorage.getItem(storageName);
}

function sessionHeaders(): Record<string, string> {
  const kept = inWindow ? null : keptSession();
  return kept ? { [headerName]: kept } : {};
}

/**
 * Posts form fields and returns the answer, whatever its status. Throws only when
 * no answer came. Never hand it a File: read the text first. With keepalive it goes
 * out although the page is being left.
 */
export function post(url: string, fields: Record<string, string> | URLSearchParams, keepalive = false): Promise<Response> {
  return fetch(url, {
    method: "POST",
    headers: { ...sessionHeaders(), Accept: "text/html" },
    body: new URLSearchParams(fields),
    credentials: "same-origin",
    keepalive,
  });
}

/** Tells the person what a refused answer means. Returns true if it was refused. */
export function tellRefusal(status: number, method: string): boolean {
  if (status === 401 && method === "GET") {
    errorToast(`You are signed out. Open the app again, or run: ${openCommand}`, "signed-out");
  } else if (status === 401) {
    errorToast(`This tab may look, but not change anything. Open the app again, or run: ${openCommand}`, "signed-out");
    document.dispatchEvent(new Event("session:refused"));
  } else if (status === 403) {
    errorToast("You may not do this: the address that you opened was made for less. Nothing was changed.", "refused");
  } else if (status === 413) {
    errorToast("That is too large. A sample may have 1 MB at most. Nothing was changed.", "refused");
  } else if (status === 409) {
    errorToast("This changed in the meantime. Reload the page to see how it stands now.", "refused");
  } else if (status >= 500) {
    errorToast("That did not work, and nothing on this page was changed. Try again in a moment.", "refused");
  } else if (status >= 400 && status !== 422) {
    errorToast("That request was not understood. Nothing was changed. Reload the page and try again.", "refused");
  } else {
    return false;
  }
  return true;
}

document.addEventListener("htmx:config:request", (event) => {
  const { request } = (event as CustomEvent).detail.ctx;
  if (request.method !== "GET") Object.assign(request.headers, sessionHeaders());
});

// The status bar, and an editor that waits for an event, ask on their own every few
// seconds; the bar tells about trouble.
function asksAlone(source: Element): boolean {
  return source.id === "status" || source.id === "catch-look";
}

document.addEventListener("htmx:response:error", (event) => {
  const { ctx } = (event as CustomEvent).detail;
  if (!asksAlone(ctx.sourceElement) && !ctx.told) tellRefusal(ctx.response.status, ctx.request.method);
});

document.addEventListener("htmx:error", (event) => {
  const { ctx } = (event as CustomEvent).detail;
  if (!ctx || ctx.told || asksAlone(ctx.sourceElement)) return;
  errorToast("The background helper did not answer. Nothing on this page was changed.", "gone");
});

document.addEventListener("htmx:after:request", (event) => {
  const { ctx } = (event as CustomEvent).detail;
  if (ctx.response.status < 400 && !asksAlone(ctx.sourceElement)) dismiss("gone");
});

// A second press while the first is on its way would ask twice.
document.addEventListener("submit", (event) => {
  const form = event.target as HTMLFormElement;
  if (form.getAttribute("aria-busy") !== "true") return;
  event.preventDefault();
  event.stopImmediatePropagation();
}, true);

document.addEventListener("htmx:before:request", (event) => {
  const source = (event as CustomEvent).detail.ctx.sourceElement as Element;
  if (source instanceof HTMLFormElement) source.setAttribute("aria-busy", "true");
});

document.addEventListener("htmx:finally:request", (event) => {
  const source = (event as CustomEvent).detail.ctx.sourceElement as Element;
  source.removeAttribute("aria-busy");
});
