// <formula-editor> makes an editor of the text area in it: colours, completion,
// marks where the server found faults. The text area stays in the form and carries
// the text, so that a page without this script works the same.
//
// The editor stands in a shadow root: its styles are adopted there, which the
// policy allows, and a morph of the page does not reach it, so caret, scroll and
// undo stay.
import { autocompletion, closeBrackets, closeBracketsKeymap, startCompletion } from "@codemirror/autocomplete";
import { history, historyKeymap, standardKeymap } from "@codemirror/commands";
import { bracketMatching } from "@codemirror/language";
import { Diagnostic, setDiagnostics } from "@codemirror/lint";
import { EditorState, Transaction } from "@codemirror/state";
import { EditorView, drawSelection, keymap, placeholder } from "@codemirror/view";
import { cel } from "./formula_language";
import { look } from "./formula_look";
import { completions, ready } from "./formula_words";

/** A fault as the server marks it: line and column from 1, in UTF-16 units. */
interface Mark { line: number; column: number; length: number; text: string; instead?: string }

/**
 * How long fast typing rests before it is sent, in milliseconds. A letter after a longer
 * pause is sent at once.
 */
const rest = 100;

class FormulaEditor extends HTMLElement {
  static observedAttributes = ["data-marks"];

  #view: EditorView | null = null;
  #field: HTMLTextAreaElement | null = null;
  #said: HTMLElement | null = null;
  #unsent = false;
  #onTheWay = 0;
  #timer = 0;
  #typedAt = 0;

  connectedCallback(): void {
    this.#field = this.querySelector("textarea");
    if (!this.#field || this.#view) return;
    this.#build(this.#field);
    document.addEventListener("htmx:finally:request", this.#settles);
    document.querySelector(`label[for="${this.#field.id}"]`)?.addEventListener("click", this.#take);
    this.#mark();
  }

  disconnectedCallback(): void {
    document.removeEventListener("htmx:finally:request", this.#settles);
    clearTimeout(this.#timer);
  }

  attributeChangedCallback(): void {
    this.#mark();
  }

  /** The text as it stands. */
  get value(): string {
    return this.#view?.state.doc.toString() ?? this.#field?.value ?? "";
  }

  /** Where the caret stands, or what is selected, in UTF-16 units. */
  get selected(): [number, number] {
    const at = this.#view?.state.selection.main;
    return at ? [at.from, at.to] : [0, 0];
  }

  /** Puts text in at the caret, as if typed. */
  insert(text: string): void {
    const view = this.#view;
    if (!view) return;
    view.dispatch(view.state.replaceSelection(text), { userEvent: "input.paste", scrollIntoView: true });
    view.focus();
    this.#send();
  }

  /** Selects a place: line and column from 1, in UTF-16 units. */
  select(line: number, column: number, length: number): void {
    const at = this.#offset(line, column);
    const view = this.#view;
    view?.focus(); // first: with the focus the browser brings its own selection back
    view?.dispatch({ selection: { anchor: at, head: Math.min(view.state.doc.length, at + length) }, scrollIntoView: true });
  }

  focus(): void {
    this.#view?.focus();
  }

  #take = (event: Event): void => {
    event.preventDefault();
    this.focus();
  };

  #build(field: HTMLTextAreaElement): void {
    const root = this.shadowRoot ?? this.attachShadow({ mode: "open" });
    this.#said = document.createElement("p");
    this.#said.id = "said";
    this.#said.hidden = true;
    this.#view = new EditorView({
      root,
      state: EditorState.create({ doc: field.value, extensions: this.#extensions(field) }),
    });
    root.replaceChildren(this.#view.dom, this.#said);
  }

  #extensions(field: HTMLTextAreaElement) {
    const name = this.dataset.name ?? "Formula";
    return [
      cel, look, history(), drawSelection(), bracketMatching(), closeBrackets(), EditorView.lineWrapping,
      placeholder(field.placeholder),
      EditorState.allowMultipleSelections.of(false),
      EditorView.contentAttributes.of({ "aria-label": name, "aria-describedby": "said", spellcheck: "false", autocapitalize: "off", autocorrect: "off" }),
      autocompletion({
        override: [completions(() => this.dataset.words ?? "")], icons: false, closeOnBlur: true, maxRenderedOptions: 60,
        tooltipClass: () => "cm-offers",
      }),
      // A slash where a value belongs opens the fields; elsewhere it divides. Tab
      // leaves the editor, so it is bound to nothing.
      keymap.of([
        { key: "/", run: (view) => this.#offers(view) },
        { key: "Ctrl-.", run: startCompletion },
        ...closeBracketsKeymap, ...historyKeymap, ...standardKeymap,
      ]),
      EditorView.updateListener.of((update) => {
        if (update.docChanged && !update.transactions.some((t) => t.annotation(Transaction.remote))) this.#changed();
        if (update.focusChanged && update.view.hasFocus) ready(this.dataset.words ?? "");
        if (update.focusChanged && !update.view.hasFocus && this.#unsent) this.#send();
      }),
    ];
  }

  #offers(view: EditorView): boolean {
    const before = view.state.sliceDoc(0, view.state.selection.main.from).trimEnd();
    if (before !== "" && !/[(\[,+!=<>&|?:]$/.test(before)) return false;
    return startCompletion(view);
  }

  #changed(): void {
    if (!this.#field) return;
    this.#field.value = this.value;
    this.#unsent = true;
    clearTimeout(this.#timer);
    const now = performance.now();
    const slow = this.#onTheWay === 0 && now - this.#typedAt > rest;
    this.#typedAt = now;
    this.#timer = window.setTimeout(() => this.#send(), slow ? 0 : rest);
  }

  #send(): void {
    clearTimeout(this.#timer);
    if (!this.#field || !this.isConnected) return;
    this.#unsent = false;
    this.#field.value = this.value;
    this.#onTheWay++;
    this.#field.dispatchEvent(new CustomEvent("formula:typed", { bubbles: true }));
  }

  // Answers that are older than what is typed must not take the text's place.
  #settles = (event: Event): void => {
    const { ctx } = (event as CustomEvent).detail;
    const field = this.#field;
    const view = this.#view;
    if (!field || !view) return;
    if (ctx.sourceElement === field) this.#onTheWay = Math.max(0, this.#onTheWay - 1);
    if (this.#unsent || this.#onTheWay > 0) {
      field.value = this.value;
    } else if (field.value !== this.value) {
      this.#adopt(field.value);
    }
    this.#mark();
  };

  /** Takes over what another control made of the text, changing only what differs. */
  #adopt(text: string): void {
    const view = this.#view;
    if (!view) return;
    const now = this.value;
    let from = 0;
    while (from < now.length && from < text.length && now[from] === text[from]) from++;
    let end = 0;
    while (end < now.length - from && end < text.length - from && now[now.length - 1 - end] === text[text.length - 1 - end]) end++;
    view.dispatch({
      changes: { from, to: now.length - end, insert: text.slice(from, text.length - end) },
      annotations: [Transaction.remote.of(true), Transaction.addToHistory.of(true)],
    });
  }

  #offset(line: number, column: number): number {
    const doc = this.#view?.state.doc;
    if (!doc || line < 1) return 0;
    const at = doc.line(Math.min(line, doc.lines));
    return Math.min(at.to, at.from + Math.max(0, column - 1));
  }

  /** Draws the server's marks, unless the text is another by now. */
  #mark(): void {
    const view = this.#view;
    if (!view || this.#unsent || this.#onTheWay > 0) return;
    const marks = JSON.parse(this.dataset.marks || "[]") as Mark[];
    const found = marks.map((m): Diagnostic => {
      const from = this.#offset(m.line, m.column);
      return {
        from, to: Math.min(view.state.doc.length, from + m.length), severity: "error", message: m.text,
        actions: m.instead ? [{ name: `Write ${m.instead}`, apply: (v, a, b) => {
          v.dispatch({ changes: { from: a, to: b, insert: m.instead }, userEvent: "input.fix" });
          v.focus();
          this.#send();
        } }] : undefined,
      };
    });
    view.dispatch(setDiagnostics(view.state, found));
    view.contentDOM.setAttribute("aria-invalid", String(found.length > 0));
    if (this.#said) this.#said.textContent = [this.dataset.help ?? "", ...marks.map((m) => m.text)].join(" ");
  }
}

customElements.define("formula-editor", FormulaEditor);
