// The colours of CEL. Meaning (names, types, faults) comes from the server; this
// tells texts from numbers, names from calls, and what stands after a dot.
import { HighlightStyle, StreamLanguage, StringStream, syntaxHighlighting } from "@codemirror/language";
import { tags } from "@lezer/highlight";

/** The quotes that a text over several places was opened with, "" outside one. */
interface Place { quote: string; raw: boolean; dot: boolean }

const roots = /^(body|headers|query|item)\b/;
const words = /^(true|false|null|in)\b/;

function inText(stream: StringStream, at: Place): string {
  while (!stream.eol()) {
    if (!at.raw && stream.peek() === "\\") {
      stream.next();
      stream.next();
    } else if (stream.match(at.quote)) {
      at.quote = "";
      return "string";
    } else {
      stream.next();
    }
  }
  if (at.quote.length === 1) at.quote = ""; // a text in plain quotes ends with its line
  return "string";
}

function token(stream: StringStream, at: Place): string | null {
  if (at.quote) return inText(stream, at);
  if (stream.eatSpace()) return null;
  const afterDot = at.dot;
  at.dot = false;
  if (stream.match("//")) {
    stream.skipToEnd();
    return "comment";
  }
  const opened = stream.match(/^([bB]?[rR]?|[rR][bB])("""|'''|"|')/) as RegExpMatchArray | null;
  if (opened) {
    at.quote = opened[2];
    at.raw = /r/i.test(opened[1]);
    return inText(stream, at);
  }
  if (stream.match(/^(0x[0-9a-fA-F]+|\d+(\.\d+)?([eE][+-]?\d+)?)[uU]?/)) return "number";
  if (!afterDot && stream.match(words)) return "keyword";
  if (!afterDot && stream.match(roots)) return "root";
  if (stream.match(/^[A-Za-z_]\w*/)) {
    if (stream.match(/^\s*\(/, false)) return "call";
    return afterDot ? "field" : "name";
  }
  if (stream.eat(".")) {
    stream.eat("?");
    at.dot = true;
    return null;
  }
  if (stream.match(/^[-+*/%!=<>&|?:]/)) return "operator";
  stream.next();
  return null;
}

const language = StreamLanguage.define<Place>({
  name: "cel",
  startState: () => ({ quote: "", raw: false, dot: false }),
  copyState: (at) => ({ ...at }),
  token,
  tokenTable: {
    root: tags.special(tags.variableName), call: tags.function(tags.variableName),
    field: tags.propertyName, name: tags.variableName,
  },
  languageData: { closeBrackets: { brackets: ["(", "[", "\"", "'"] } },
});

// The page's own colours, so light and dark follow it.
const colours = HighlightStyle.define([
  { tag: tags.string, color: "var(--ok)" },
  { tag: [tags.number, tags.keyword], color: "var(--warn)" },
  { tag: tags.special(tags.variableName), color: "var(--busy)" },
  { tag: tags.function(tags.variableName), color: "var(--brand)", fontWeight: "600" },
  { tag: [tags.propertyName, tags.variableName], color: "var(--ink)" },
  { tag: [tags.operator, tags.comment], color: "var(--ink-soft)" },
]);

export const cel = [language, syntaxHighlighting(colours)];
