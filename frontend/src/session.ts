// Signing in. `dedupe open` prints an address that ends in #code=…; the fragment
// never reaches a server by itself. It is posted once and taken off the address
// first, so that it is in no history and a reload does not try a used code.
import { inWindow, keepSession, post } from "./requests";
import { errorToast } from "./toast";

function takeCode(): string {
  const code = new URLSearchParams(location.hash.slice(1)).get("code") ?? "";
  if (code) history.replaceState(null, "", location.pathname + location.search);
  return code;
}

// Shows a part of the locked page; false where another page is open.
function say(part: "asking" | "refused" | "silent"): boolean {
  const door = document.querySelector("[data-door]");
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
    errorToast("This address was used before or is too old. Run dedupe open for a new one.", "signed-out");
    return;
  }
  keepSession((await answer.json()).header);
  location.reload();
}

const code = inWindow ? "" : takeCode();
if (code) void signIn(code);

// The same tab may be given a new address while the page is open.
window.addEventListener("hashchange", () => {
  const late = inWindow ? "" : takeCode();
  if (late) void signIn(late);
});
