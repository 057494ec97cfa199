// The tree of fields: one tab stop; arrows move, open and close, Enter adds, * opens
// what stands beside, letters jump. The server draws the rows; what a person opened
// and searched for is kept here and said with each request.

type Editor = { beyond: boolean; chosen: Set<string> };

function editor(): Editor {
  const root = document.getElementById("design");
  const chosen = root?.dataset.chosen ?? "";
  return { beyond: root?.dataset.beyond !== undefined, chosen: new Set(chosen === "" ? [] : chosen.split("\n")) };
}

class FieldTree extends HTMLElement {
  #at = ""; // id of the row that is the tab stop
  #typed = "";
  #typedAt = 0;
  #searching = 0;
  #find = "";
  #goIn = false; // the first row found gets the focus
  #open = new Set<string>();
  #shut = new Set<string>();
  #more: string[] = [];

  connectedCallback(): void {
    this.addEventListener("keydown", this.#key);
    this.addEventListener("input", this.#input);
    this.addEventListener("focusin", this.#focus);
    this.addEventListener("click", this.#click, true);
    this.refresh();
  }

  disconnectedCallback(): void {
    clearTimeout(this.#searching);
  }

  /** Says how the tree stands, so that an answer need not send it again. */
  say(body: FormData): void {
    body.set("tree", this.querySelector<HTMLElement>("#field-rows")?.dataset.version ?? "");
    if (this.#find !== "") body.set("find", this.#find);
    for (const path of this.#open) body.append("open", path);
    for (const path of this.#shut) body.append("shut", path);
    for (const path of this.#more) body.append("more", path);
  }

  /** Marks the fields of the key and the one tab stop, after the rows were drawn. */
  refresh(): void {
    const { chosen } = editor();
    const rows = this.#rows();
    const box = this.querySelector<HTMLInputElement>("#field-search");
    if (this.#goIn && box && this.#found(box)) {
      this.#goIn = false;
      rows[0]?.focus();
    }
    const stop = rows.find((r) => r.id === this.#at) ?? rows[0];
    for (const row of rows) {
      const index = row === stop ? 0 : -1;
      if (row.tabIndex !== index) row.tabIndex = index;
      if (row.hasAttribute("aria-checked")) {
        const checked = String(chosen.has(row.getAttribute("value") ?? ""));
        if (row.getAttribute("aria-checked") !== checked) row.setAttribute("aria-checked", checked);
      }
    }
  }

  /** True where the rows are those of the search as it is typed. */
  #found(box: HTMLInputElement): boolean {
    return (this.querySelector<HTMLElement>("#field-rows")?.dataset.find ?? "") === box.value.trim();
  }

  #rows(): HTMLElement[] {
    return [...this.querySelectorAll<HTMLElement>("[role=treeitem]")];
  }

  // No submit: that would wait for the answer to the last one, which is out of date.
  #ask(): void {
    this.querySelector("#field-form")?.dispatchEvent(new Event("fold"));
  }

  #input = (event: Event): void => {
    const box = event.target as HTMLInputElement;
    if (box.id !== "field-search") return;
    clearTimeout(this.#searching);
    this.#goIn = false;
    this.#searching = window.setTimeout(() => {
      this.#searching = 0;
      this.#find = box.value.trim();
      this.#ask();
    }, 120);
  };

  #focus = (event: FocusEvent): void => {
    const row = (event.target as Element).closest<HTMLElement>("[role=treeitem]");
    if (!row || row.id === this.#at) return;
    this.#at = row.id;
    this.refresh();
  };

  #click = (event: Event): void => {
    const row = (event.target as Element).closest<HTMLElement>("[role=treeitem]");
    if (!row) return;
    if (row.dataset.branch !== undefined) {
      this.#fold([row], row.getAttribute("aria-expanded") !== "true");
    } else if (row.dataset.more !== undefined) {
      this.#more.push(row.dataset.more);
      this.#ask();
    } else if (row.getAttribute("aria-disabled") === "true") {
      event.preventDefault();
    } else if (editor().beyond) {
      // A formula beyond blocks takes the field at its caret instead.
      event.preventDefault();
      event.stopPropagation();
      this.dispatchEvent(new CustomEvent("field-wanted", { bubbles: true, detail: row.getAttribute("value") }));
    }
  };

  #fold(rows: HTMLElement[], open: boolean): void {
    for (const row of rows) {
      const path = row.dataset.branch ?? "";
      (open ? this.#open : this.#shut).add(path);
      (open ? this.#shut : this.#open).delete(path);
      row.setAttribute("aria-expanded", String(open));
    }
    this.#ask();
  }

  #key = (event: KeyboardEvent): void => {
    const target = event.target as HTMLElement;
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const rows = this.#rows();
    if (target.id === "field-search") {
      if (event.key === "ArrowDown") {
        event.preventDefault();
        if (this.#found(target as HTMLInputElement)) rows[0]?.focus();
        else this.#goIn = true;
      } else if (event.key === "Enter") {
        event.preventDefault();
      }
      return;
    }
    const here = rows.indexOf(target);
    if (here < 0 || !this.#move(event.key, here, rows)) return;
    event.preventDefault();
    event.stopPropagation();
  };

  /** Does what a key means in the tree; false where it means nothing. */
  #move(key: string, here: number, rows: HTMLElement[]): boolean {
    const row = rows[here];
    const level = (r: HTMLElement) => Number(r.getAttribute("aria-level"));
    const expanded = row.getAttribute("aria-expanded");
    switch (key) {
      case "ArrowDown": rows[Math.min(here + 1, rows.length - 1)].focus(); return true;
      case "ArrowUp": rows[Math.max(here - 1, 0)].focus(); return true;
      case "Home": rows[0].focus(); return true;
      case "End": rows[rows.length - 1].focus(); return true;
      case "ArrowRight":
        if (expanded === "false") this.#fold([row], true);
        else if (expanded === "true") rows[Math.min(here + 1, rows.length - 1)].focus();
        return true;
      case "ArrowLeft":
        if (expanded === "true") this.#fold([row], false);
        else rows.slice(0, here).findLast((r) => level(r) < level(row))?.focus();
        return true;
      case "*":
        this.#fold(this.#beside(here, rows).filter((r) => r.getAttribute("aria-expanded") === "false"), true);
        return true;
    }
    return this.#jump(key, here, rows);
  }

  /** The rows that lie under the same one. */
  #beside(here: number, rows: HTMLElement[]): HTMLElement[] {
    const level = (i: number) => Number(rows[i].getAttribute("aria-level"));
    let first = here;
    let last = here;
    while (first > 0 && level(first - 1) >= level(here)) first--;
    while (last < rows.length - 1 && level(last + 1) >= level(here)) last++;
    return rows.slice(first, last + 1).filter((_, i) => level(first + i) === level(here));
  }

  #jump(key: string, here: number, rows: HTMLElement[]): boolean {
    if (key.length !== 1 || key === " " || key === "/" || key === "?") return false;
    const now = Date.now();
    this.#typed = now - this.#typedAt < 800 ? this.#typed + key.toLowerCase() : key.toLowerCase();
    this.#typedAt = now;
    const named = (r: HTMLElement) => (r.querySelector(".field-name")?.textContent ?? "").toLowerCase().startsWith(this.#typed);
    const from = this.#typed.length > 1 ? here : here + 1;
    for (let n = 0; n < rows.length; n++) {
      const row = rows[(from + n) % rows.length];
      if (!named(row)) continue;
      row.focus();
      break;
    }
    return true;
  }
}

customElements.define("field-tree", FieldTree);

function tree(): FieldTree | null {
  return document.querySelector<FieldTree>("field-tree");
}

document.addEventListener("htmx:config:request", (event) => {
  const { request, sourceElement } = (event as CustomEvent).detail.ctx;
  if (request.method === "POST" && (sourceElement as Element).closest("#design")) tree()?.say(request.body as FormData);
});

// An answer that leaves the tree out leaves it as it stands.
document.addEventListener("htmx:before:swap", (event) => {
  const { ctx } = (event as CustomEvent).detail;
  const kept = ctx.response?.headers?.get("Dedupe-Fields") === "same";
  document.getElementById("design-fields")?.toggleAttribute("hx-morph-skip", kept);
});

document.addEventListener("htmx:after:swap", () => tree()?.refresh());
