// What the editor offers while a formula is typed: the fields of the samples with
// their values, and the functions with a sentence and an example. The server knows
// them; they are asked for once for each set of samples.
import {
  Completion, CompletionContext, CompletionResult, pickedCompletion, snippetCompletion,
} from "@codemirror/autocomplete";
import { EditorView } from "@codemirror/view";

interface Field { text: string; name: string; value: string; kind: string }
interface Func { name: string; method: boolean; signature: string; help: string; example: string; gives: string }
export interface Words { fields: Field[]; functions: Func[] }

const kept = new Map<string, Promise<Words>>();

function wordsOf(address: string): Promise<Words> {
  let words = kept.get(address);
  if (!words) {
    words = fetch(address, { headers: { Accept: "application/json" } })
      .then((answer) => (answer.ok ? answer.json() : Promise.reject(new Error(String(answer.status)))));
    words.catch(() => kept.delete(address));
    kept.set(address, words);
  }
  return words;
}

/** Asks for the words before they are needed. */
export function ready(address: string): void {
  if (address) wordsOf(address).catch(() => undefined);
}

function about(...lines: [text: string, code: boolean][]): () => HTMLElement {
  return () => {
    const box = document.createElement("div");
    for (const [text, code] of lines) {
      if (text === "") continue;
      const line = document.createElement("p");
      const holder = code ? line.appendChild(document.createElement("code")) : line;
      holder.textContent = text;
      box.append(line);
    }
    return box;
  };
}

function ofFunction(f: Func): Completion {
  const open = f.signature.endsWith("()") ? `${f.name}()` : `${f.name}(\${})`;
  return snippetCompletion(open, {
    label: f.name, displayLabel: f.signature, type: "function", boost: f.method ? -50 : 0,
    info: about([f.help, false], [f.example && `${f.example}  gives  ${f.gives}`, true]),
  });
}

function ofField(f: Field, label: string, insert: string): Completion {
  return {
    label, detail: f.value || f.kind, type: "property", boost: 20,
    info: f.value.length > 30 ? about([f.value, true]) : undefined,
    apply: insert,
  };
}

// A path as far as its last dot, and what stands after that.
const member = /((?:body|headers|query|item)(?:\.\w+|\[(?:\d+|"(?:[^"\\]|\\.)*")\])*)\.(\w*)$/;
const method = /[\w\])"']\.(\w*)$/;

function afterPath(words: Words, path: string, typed: string, pos: number): CompletionResult {
  const from = pos - typed.length;
  const options: Completion[] = [];
  for (const f of words.fields) {
    const rest = f.text.startsWith(path) ? f.text.slice(path.length) : "";
    if (rest.startsWith(".")) {
      options.push(ofField(f, rest.slice(1), rest.slice(1)));
    } else if (rest !== "") {
      // A name that a dot cannot reach: the brackets take the dot's place.
      options.push({ ...ofField(f, f.name, rest), apply: (view: EditorView, picked: Completion, start: number, to: number) => {
        view.dispatch({ changes: { from: start - 1, to, insert: rest }, selection: { anchor: start - 1 + rest.length },
          userEvent: "input.complete", annotations: pickedCompletion.of(picked) });
      } });
    }
  }
  options.push(...methods(words));
  return { from, options, validFor: /^\w*$/ };
}

const methods = (words: Words): Completion[] => words.functions.filter((f) => f.method).map(ofFunction);

/** The completions at a place, from the words at an address. */
export function completions(address: () => string) {
  return async (context: CompletionContext): Promise<CompletionResult | null> => {
    if (!address()) return null;
    const before = context.state.sliceDoc(Math.max(0, context.pos - 400), context.pos);
    if (quoted(before)) return null;
    const path = member.exec(before);
    const called = path ? null : method.exec(before);
    const typed = /[A-Za-z_]\w*$/.exec(before)?.[0] ?? "";
    if (!path && !called && typed === "" && !context.explicit) return null;
    const words = await wordsOf(address()).catch(() => null);
    if (!words || context.aborted) return null;
    if (path) return afterPath(words, path[1], path[2], context.pos);
    if (called) return { from: context.pos - called[1].length, options: methods(words), validFor: /^\w*$/ };
    const options = words.fields.filter((f) => f.kind !== "object" && f.kind !== "list").map((f) => ofField(f, f.text, f.text));
    options.push(...words.functions.filter((f) => !f.method).map(ofFunction));
    return { from: context.pos - typed.length, options, validFor: /^\w*$/ };
  };
}

/** True inside a text, where a name means nothing. */
function quoted(before: string): boolean {
  let quote = "";
  for (let i = 0; i < before.length; i++) {
    const c = before[i];
    if (quote && c === "\\") i++;
    else if (quote && c === quote) quote = "";
    else if (!quote && (c === "\"" || c === "'")) quote = c;
  }
  return quote !== "";
}
