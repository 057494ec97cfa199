// Undo and redo by key, and what happens where two tabs change one draft: the
// second is told, and decides.
import htmx from "htmx.org/dist/htmx.esm.js";
import { giveUp } from "./design_unsaved";
import { typing } from "./shortcuts";

const editor = (): HTMLElement | null => document.getElementById("design");

document.addEventListener("keydown", (event) => {
  if (!editor() || typing(event) || event.altKey || !(event.ctrlKey || event.metaKey)) return;
  const key = event.key.toLowerCase();
  const act = key === "z" ? (event.shiftKey ? "redo" : "undo") : key === "y" && event.ctrlKey ? "redo" : "";
  if (!act || !pastButton(act)) return;
  event.preventDefault();
  if (pastButton(act)?.form?.getAttribute("aria-busy") === "true") pressed.push(act);
  else pastButton(act)?.click();
});

// Keys that are pressed while the answer to the last one is on its way.
const pressed: string[] = [];
const pastButton = (act: string) => document.querySelector<HTMLButtonElement>(`[data-past="${act}"]`);

document.addEventListener("htmx:finally:request", (event) => {
  const source = (event as CustomEvent).detail.ctx.sourceElement as Element;
  if (pressed.length > 0 && source.querySelector("[data-past]")) pastButton(pressed.shift() ?? "")?.click();
});

// Each request carries the state that the page shows when it leaves, not when it was
// asked for: those of one tab wait in line and follow one another.
document.addEventListener("htmx:before:request", (event) => {
  const { request, sourceElement } = (event as CustomEvent).detail.ctx;
  const rev = editor()?.dataset.rev;
  if (rev !== undefined && request.body instanceof URLSearchParams && editor()?.contains(sourceElement)) request.body.set("rev", rev);
});

let refused: { action: string; values: Record<string, string> } | null = null;

document.addEventListener("htmx:response:error", (event) => {
  const { ctx } = (event as CustomEvent).detail;
  if (ctx.response.status !== 409 || !String(ctx.text).includes("\"overtaken\"") || !(ctx.request.body instanceof URLSearchParams)) return;
  ctx.told = true;
  refused = { action: ctx.request.action, values: Object.fromEntries(ctx.request.body) };
  const pattern = document.getElementById("design-overtaken-pattern") as HTMLTemplateElement | null;
  if (!pattern || document.getElementById("design-overtaken")) return;
  editor()?.before(pattern.content.cloneNode(true));
  document.getElementById("design-overtaken")?.scrollIntoView({ block: "nearest" });
}, true);

document.addEventListener("click", (event) => {
  const choice = (event.target as Element).closest<HTMLElement>("[data-overtaken]")?.dataset.overtaken;
  if (!choice) return;
  document.getElementById("design-overtaken")?.remove();
  if (choice === "newest" || !refused) {
    giveUp();
    location.reload();
    return;
  }
  const { action, values } = refused;
  delete values.unsaved; // comes with the request, as it stands by now
  refused = null;
  htmx.ajax("POST", action, { source: editor(), target: "#design", swap: "outerMorph", values: { ...values, over: "1" } });
});

// Notes that were opened stay open when the page is drawn again.
let open: string[] = [];

document.addEventListener("htmx:before:swap", () => {
  open = [...(editor()?.querySelectorAll<HTMLDetailsElement>("details[id][open]") ?? [])].map((d) => d.id);
});

document.addEventListener("htmx:after:swap", () => {
  for (const id of open) (document.getElementById(id) as HTMLDetailsElement | null)?.setAttribute("open", "");
});
