// What the page shows and the draft does not have. A form that is sent as it is changed
// may fail to arrive; it then shows something else than what the server drew, and that is
// how it is found here. It stays, the head of the page says so, it is sent again, and it
// goes with every other request, so that nothing is done with an older key than the one on
// the screen.
import htmx from "htmx.org/dist/htmx.esm.js";
import { post } from "./requests";
import { announce, dismiss, errorToast } from "./toast";

type Control = HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement;

const editor = (): HTMLElement | null => document.getElementById("design");

/** What is sent as it is changed: forms, and single fields of one. */
const savers = (): HTMLElement[] => [...(editor()?.querySelectorAll<HTMLElement>('[hx-post][hx-trigger*="change"]') ?? [])];

function controls(of: HTMLElement): Control[] {
  if (of instanceof HTMLTextAreaElement) return [of];
  return [...of.querySelectorAll<Control>("input:not([type=hidden]), select, textarea")].filter((c) => !c.matches(":disabled"));
}

const ticked = (c: Control): c is HTMLInputElement => c instanceof HTMLInputElement && (c.type === "checkbox" || c.type === "radio");

const nameOf = (c: Control): string => c.id || `${c.name}=${c.value}`;

const shown = (c: Control): string => (ticked(c) ? String(c.checked) : c.value);

/** The control as the server drew it. */
function drawn(c: Control): string {
  if (ticked(c)) return String(c.defaultChecked);
  if (c instanceof HTMLSelectElement) return ([...c.options].find((o) => o.defaultSelected) ?? c.options[0])?.value ?? "";
  return c.defaultValue;
}

function show(c: Control, state: string): void {
  if (ticked(c)) c.checked = state === "true";
  else c.value = state;
}

const differs = (of: HTMLElement): boolean => controls(of).some((c) => shown(c) !== drawn(c));

// A formula with a fault is kept; a setting with one is not.
const refused = (of: HTMLElement): boolean => !(of instanceof HTMLTextAreaElement) && controls(of).some((c) => c.matches('[aria-invalid="true"]'));

const anyUnsaved = (): boolean => savers().some(differs);

const formOf = (of: HTMLElement): HTMLFormElement => of.closest("form")!;

const fields = (of: HTMLElement): URLSearchParams => new URLSearchParams([...new FormData(formOf(of))] as [string, string][]);

/** A form as another request says it: its path with its fields. */
const said = (of: HTMLElement): string => `${of.getAttribute("hx-post")}?${fields(of)}`;

// Requests whose answer is the editor, by what they are made of.
type Context = {
  sourceElement: Element; target?: Element; told?: boolean; text?: string;
  request: { action: string; body: unknown }; response?: { status: number; headers: Headers };
};

const contextOf = (event: Event): Context => (event as CustomEvent).detail.ctx;

function redraws(ctx: Context | undefined): ctx is Context {
  const root = editor();
  return root !== null && ctx?.target === root && root.contains(ctx.sourceElement);
}

// An editor that waits for an event asks every second, and saves nothing.
const waits = (ctx: Context): boolean => ctx.sourceElement.id === "catch-look";

// How the page stood when a request left, and what of it the request says.
const left = new WeakMap<object, Map<string, { state: string; sent: boolean }>>();

document.addEventListener("htmx:before:request", (event) => {
  const ctx = contextOf(event);
  if (!redraws(ctx) || !(ctx.request.body instanceof URLSearchParams)) return;
  const stood = new Map<string, { state: string; sent: boolean }>();
  for (const of of savers()) {
    const sent = say(ctx, ctx.request.body, of);
    for (const c of controls(of)) stood.set(nameOf(c), { state: shown(c), sent });
  }
  left.set(ctx, stood);
});

/** Adds to a request what it has to say of a form; false where it says nothing of it. */
function say(ctx: Context, body: URLSearchParams, of: HTMLElement): boolean {
  const { action } = ctx.request;
  const path = of.getAttribute("hx-post") ?? "";
  const whole = path === "/design/formula" || path === "/design/settings";
  if (ctx.sourceElement === of) {
    if (whole) renew(body, of);
    return true;
  }
  if (ctx.sourceElement instanceof HTMLFormElement && ctx.sourceElement.contains(of)) return true;
  if (waits(ctx) || action.endsWith("/discard")) return false;
  if (action.endsWith("/use") && whole) body.append("shown", said(of));
  if (!differs(of) && !refused(of)) return false;
  body.append("unsaved", said(of));
  return true;
}

/** A request that waited in line takes the fields as they stand when it leaves. */
function renew(body: URLSearchParams, of: HTMLElement): void {
  const now = fields(of);
  for (const name of new Set(controls(of).map((c) => c.name))) {
    body.delete(name);
    for (const value of now.getAll(name)) body.append(name, value);
  }
}

// What was changed since the request left, or was not said with it, stays. The rest is as
// the server says; where it refused something, that stays too.
let kept = new Map<string, string>();

document.addEventListener("htmx:before:swap", (event) => {
  const stood = left.get(contextOf(event));
  if (!stood) return;
  kept = new Map();
  for (const c of savers().flatMap(controls)) {
    const then = stood.get(nameOf(c));
    if (then && (shown(c) !== then.state || !then.sent && shown(c) !== drawn(c))) kept.set(nameOf(c), shown(c));
  }
});

document.addEventListener("htmx:after:swap", (event) => {
  const ctx = contextOf(event);
  if (!left.has(ctx)) return;
  for (const c of savers().flatMap(controls)) {
    const state = kept.get(nameOf(c)) ?? ((ctx.response?.status ?? 0) < 400 ? drawn(c) : shown(c));
    if (shown(c) !== state) show(c, state);
  }
  kept = new Map();
  tell();
});

// Why something is not saved: no answer, so it is sent again; signed out; or refused for
// a reason that sending it again does not change.
let trouble: "" | "again" | "out" | "stuck" = "";
let timer = 0;
let pause = 0;
let sending = false;
let leaving = false;

/** Says in the head of the page whether something is not saved. */
function tell(): void {
  if (!anyUnsaved()) trouble = "";
  const note = document.getElementById("design-unsaved");
  if (!note) return;
  note.hidden = trouble === "";
  note.querySelectorAll<HTMLElement>("[data-unsaved]").forEach((p) => { p.hidden = p.dataset.unsaved !== trouble; });
  document.getElementById("design-saved")?.toggleAttribute("hidden", trouble !== "");
}

function failed(event: Event): void {
  const ctx = contextOf(event);
  if (!redraws(ctx) || waits(ctx)) return;
  const status = ctx.response?.status ?? 0;
  if (status === 409 && String(ctx.text).includes('"unlike"')) {
    ctx.told = true;
    errorToast(JSON.parse(ctx.text ?? "").detail, "refused");
  }
  if (status === 422 || !anyUnsaved()) return;
  const before = trouble;
  trouble = status < 400 || status >= 500 ? "again" : status === 401 ? "out" : "stuck";
  tell();
  if (before === "") announce("Not saved yet");
  if (trouble !== "again") return;
  ctx.told = true;
  if (ctx.sourceElement !== editor()) {
    const pressed = savers().some((of) => of === ctx.sourceElement) ? "" : " What you pressed was not done.";
    errorToast(`The background helper did not answer.${pressed} What you changed is not saved yet: it stays on this page and is sent again by itself.`, "gone");
  }
  pause = Math.min(pause === 0 ? 1000 : pause * 2, 30_000);
  clearTimeout(timer);
  timer = window.setTimeout(sendAgain, pause);
}

document.addEventListener("htmx:error", failed, true);
document.addEventListener("htmx:response:error", failed, true);

document.addEventListener("htmx:after:request", (event) => {
  const ctx = contextOf(event);
  if (!redraws(ctx) || (ctx.response?.status ?? 0) >= 400) return;
  leaving = ctx.response?.headers.has("HX-Redirect") ?? false;
  if (waits(ctx) || trouble === "") return;
  trouble = "";
  pause = 0;
  clearTimeout(timer);
  dismiss("gone");
});

document.addEventListener("htmx:finally:request", (event) => {
  if (contextOf(event).sourceElement === editor()) sending = false;
  window.setTimeout(tell); // after the formula's editor had its say
});

function sendAgain(): void {
  clearTimeout(timer);
  const root = editor();
  if (!root || sending || !anyUnsaved()) return tell();
  sending = true;
  const draft = root.querySelector<HTMLInputElement>("input[name=draft]")?.value ?? "";
  htmx.ajax("POST", "/design/save", { source: root, target: "#design", swap: "outerMorph", values: { draft } });
}

const backAgain = (): void => { if (trouble === "again") sendAgain(); };

window.addEventListener("online", backAgain);
window.addEventListener("focus", backAgain);
document.addEventListener("session:taken", () => { if (trouble !== "") sendAgain(); });

/** Leaves what is not saved, because the person chose so. */
export function giveUp(): void {
  leaving = true;
}

// Whoever leaves is asked where something could not be saved. What is only not sent yet,
// goes out on the way.
window.addEventListener("beforeunload", (event) => {
  const root = editor();
  if (!root || leaving || !anyUnsaved()) return;
  if (trouble !== "") {
    event.preventDefault();
    return;
  }
  const body = new URLSearchParams({ draft: root.querySelector<HTMLInputElement>("input[name=draft]")?.value ?? "", rev: root.dataset.rev ?? "" });
  for (const of of savers().filter(differs)) body.append("unsaved", said(of));
  post("/design/save", body, true).catch(() => {}); // nobody is left to be told
});
