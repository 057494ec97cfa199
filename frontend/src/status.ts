// The status bar asks every five seconds. If no answer comes, the bar says so at once
// instead of showing an old "Protecting".
import { openCommand } from "./requests";

function bar(): HTMLElement | null {
  return document.getElementById("status");
}

function isBar(event: Event): boolean {
  return (event as CustomEvent).detail.ctx?.sourceElement?.id === "status";
}

document.addEventListener("htmx:error", (event) => {
  if (!isBar(event)) return;
  bar()?.setAttribute("data-gone", "");
});

document.addEventListener("htmx:after:swap", (event) => {
  // A refused answer ends here too, without anything swapped in.
  if (!isBar(event) || (event as CustomEvent).detail.ctx.response?.status >= 400) return;
  bar()?.removeAttribute("data-gone");
});

document.addEventListener("htmx:response:error", (event) => {
  if (!isBar(event)) return;
  const status = (event as CustomEvent).detail.ctx.response.status;
  const gone = bar()?.querySelector<HTMLElement>("[data-gone-words]");
  if (gone && status === 401) gone.textContent = `Signed out. Open the app again, or run: ${openCommand}`;
  bar()?.setAttribute("data-gone", "");
});
