// Signing in. `dedupe open` prints an address that ends in #code=…; the fragment
// never reaches a server by itself. It is posted once and taken off the address
// first, so that it is in no history and a reload does not try a used code.
//
// The right to change things is a header that a tab keeps for itself. A new tab asks
// the other tabs of this address for it, and a tab that signed in tells them: the
// browser's cookie is then the new session's, so their own header is worth nothing
// any more. A channel reaches one origin only, its port included, so no other
// program's page hears it.
import { inWindow, keepSession, keptSession, openCommand, post } from "./requests";
import { announce, errorToast, toast } from "./toast";

type Message = { ask: true } | { answer: string } | { opened: string };

const channel = inWindow || !("BroadcastChannel" in window) ? null : new BroadcastChannel("dedupe-session");
const tell = (message: Message): void => channel?.postMessage(message);

/** How long the other tabs have to answer, in milliseconds. */
const patience = 500;

// The header that the server refused, which no other tab need offer again.
let refused = "";
let waiting = 0;

function takeCode(): string {
  const code = new URLSearchParams(location.hash.slice(1)).get("code") ?? "";
  if (code) history.replaceState(null, "", location.pathname + location.search);
  return code;
}

const door = document.querySelector("[data-door]");

// Shows a part of the locked page; false where another page is open.
function say(part: "asking" | "refused" | "silent"): boolean {
  door?.querySelectorAll<HTMLElement>("[data-door-part]").forEach((p) => {
    p.hidden = p.dataset.doorPart !== part;
  });
  return door !== null;
}

async function signIn(code: string): Promise<void> {
  say("asking");
  let answer: Response;
  try {
    answer = await post("/session", { code });
  } catch {
    say("silent");
    errorToast("The background helper did not answer. Is Dedupe Desk running?", "gone");
    return;
  }
  if (!answer.ok) {
    if (say("refused")) return;
    errorToast(`This address was used before or is too old. Run ${openCommand} for a new one.`, "signed-out");
    return;
  }
  const { header } = await answer.json();
  keepSession(header);
  tell({ opened: header });
  location.reload();
}

// The notice that this tab cannot change anything. A page without the pattern, such
// as that of a person who may only look, needs none.
function lookOnly(yes: boolean): void {
  const shown = document.getElementById("tab-looks");
  if (!yes) shown?.remove();
  const pattern = document.getElementById("tab-looks-pattern") as HTMLTemplateElement | null;
  if (!yes || shown || !pattern) return;
  document.querySelector(".page-inner")?.prepend(pattern.content.cloneNode(true));
  announce(document.getElementById("tab-looks")?.textContent?.trim() ?? "");
}

function take(header: string): void {
  clearTimeout(waiting);
  waiting = 0;
  keepSession(header);
  lookOnly(false);
  document.dispatchEvent(new Event("session:taken"));
}

function ask(): void {
  if (!channel || waiting) return;
  tell({ ask: true });
  waiting = window.setTimeout(() => {
    waiting = 0;
    lookOnly(keptSession() === null || keptSession() === refused);
  }, patience);
}

channel?.addEventListener("message", ({ data }: MessageEvent<Message>) => {
  if ("ask" in data) {
    const kept = keptSession();
    if (kept && kept !== refused) tell({ answer: kept });
  } else if ("answer" in data) {
    if ((keptSession() !== null && !refused) || data.answer === refused) return;
    take(data.answer);
    if (refused) toast("This tab may change things again. Press the button once more.", "signed-in");
    refused = "";
  } else if ("opened" in data) {
    take(data.opened);
    refused = "";
    if (door) location.reload();
  }
});

// A change was refused: the session of this tab is over, or another one took its
// place while this tab slept.
document.addEventListener("session:refused", () => {
  refused = keptSession() ?? "";
  ask();
});

const code = inWindow ? "" : takeCode();
if (code) void signIn(code);
else if (!door && !inWindow && keptSession() === null) ask();

// The same tab may be given a new address while the page is open.
window.addEventListener("hashchange", () => {
  const late = inWindow ? "" : takeCode();
  if (late) void signIn(late);
});
