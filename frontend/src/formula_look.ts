// How the formula editor looks: the page's tokens, which reach into its shadow root.
import { EditorView } from "@codemirror/view";

export const look = EditorView.theme({
  "&": {
    border: "1px solid var(--edge-strong)", borderRadius: "var(--radius)", background: "var(--surface)", color: "var(--ink)",
    fontSize: "0.875rem", minHeight: "3.75rem",
  },
  "&.cm-focused": { outline: "2px solid var(--focus)", outlineOffset: "1px" },
  ".cm-scroller": { fontFamily: "var(--font-code)", lineHeight: "1.55", maxHeight: "16rem", overflow: "auto" },
  ".cm-content": { padding: "0.4375rem 0", caretColor: "var(--ink)", minHeight: "2.75rem" },
  ".cm-line": { padding: "0 0.6875rem" },
  ".cm-placeholder": { color: "var(--ink-soft)" },
  ".cm-cursor": { borderLeftColor: "var(--ink)" },
  "&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground": { background: "var(--brand-edge)" },
  "&.cm-focused .cm-matchingBracket": { background: "var(--brand-wash)", outline: "1px solid var(--brand-edge)" },
  "&.cm-focused .cm-nonmatchingBracket": { background: "var(--bad-wash)", outline: "1px solid var(--bad-edge)" },
  ".cm-lintRange-error": { backgroundImage: "none", textDecoration: "underline wavy var(--bad) 1.5px", textUnderlineOffset: "3px" },
  ".cm-tooltip": {
    border: "1px solid var(--edge-strong)", borderRadius: "var(--radius)", background: "var(--raised)", color: "var(--ink)",
    boxShadow: "var(--shadow-high)", overflow: "hidden", fontFamily: "var(--font-text)",
  },
  ".cm-tooltip.cm-tooltip-autocomplete > ul": { fontFamily: "var(--font-code)", fontSize: "0.8125rem", maxHeight: "15rem", maxWidth: "min(34rem, 90vw)" },
  ".cm-tooltip.cm-tooltip-autocomplete > ul > li": { padding: "0.1875rem 0.625rem", display: "flex", gap: "1rem", justifyContent: "space-between" },
  ".cm-tooltip.cm-tooltip-autocomplete > ul > li[aria-selected]": { background: "var(--brand)", color: "var(--brand-ink)" },
  ".cm-completionMatchedText": { textDecoration: "none", fontWeight: "700" },
  ".cm-completionDetail": { marginLeft: "0", fontStyle: "normal", color: "var(--ink-soft)", overflow: "hidden", textOverflow: "ellipsis", maxWidth: "14rem" },
  "li[aria-selected] .cm-completionDetail": { color: "var(--brand-ink)" },
  ".cm-tooltip.cm-completionInfo": { padding: "0.5rem 0.75rem", fontSize: "0.8125rem", maxWidth: "22rem", overflowWrap: "anywhere" },
  ".cm-completionInfo p": { margin: "0" },
  ".cm-completionInfo p + p": { marginTop: "0.375rem" },
  ".cm-completionInfo code": { fontFamily: "var(--font-code)" },
  ".cm-diagnostic": { padding: "0.5rem 0.75rem", borderLeft: "3px solid var(--bad)", fontSize: "0.8125rem" },
  ".cm-diagnosticAction": {
    display: "inline-block", margin: "0.375rem 0 0", padding: "0.25rem 0.5rem", border: "1px solid var(--edge-strong)",
    borderRadius: "var(--radius-small)", background: "var(--surface)", color: "var(--ink)", font: "inherit",
  },
});
