// Loads the formula editor where a page has one. It is a script of its own, so that
// other pages stay light; until it is there, and where it fails, the plain field is
// used.
function load(): void {
  const editor = document.querySelector<HTMLElement>("formula-editor[data-script]");
  if (!editor || document.querySelector("script[data-formula]")) return;
  const script = document.createElement("script");
  script.src = editor.dataset.script ?? "";
  script.dataset.formula = "";
  document.head.append(script);
}

load();
document.addEventListener("htmx:after:swap", load);

/** What the rest of the page asks of the editor around a field, if it is there. */
export interface Editor extends HTMLElement {
  insert(text: string): void;
  select(line: number, column: number, length: number): void;
}

/** The editor around a field, null where the plain field is used. */
export function editorOf(field: Element): Editor | null {
  const around = field.closest<Editor>("formula-editor");
  return around && "select" in around ? around : null; // else its script is not there
}
