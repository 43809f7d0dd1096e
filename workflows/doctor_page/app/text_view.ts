/** The text of a run's files, a window of lines at a time, with the lines that prove something marked. @module */
import type { Strings } from "../language/mod.ts";
import type { ReadFile, ShownLine, ShownLines } from "../reading/messages.ts";
import { button, element } from "./element.ts";
import { markedParts, type Proof, writtenOf } from "./marked_parts.ts";
import { proofsWithin } from "./proofs.ts";

/** Lines that are fetched at a time, shown at most, and before one that is gone to; pixels from an edge where more come. */
const SOME = 120, MOST = 720, BEFORE = 40, EDGE = 240;

/** By line by file: what evidence names there. */
type Proofs = ReadonlyMap<string, ReadonlyMap<number, readonly Proof[]>>;

type Lines = (
  path: string,
  from: number,
  count: number,
  words: Record<number, readonly string[]>,
) => Promise<ShownLines>;

export class TextView {
  readonly root: HTMLElement;
  readonly #box: HTMLElement;
  readonly #where = element("span", { class: "where", attributes: { "aria-live": "polite" } });
  readonly #select: HTMLSelectElement;
  #file: ReadFile;
  #from = 1;
  #next = 1;
  #total = 0;
  #chosen = 0;
  #busy = false;
  #back: HTMLElement | null = null;

  constructor(
    readonly files: readonly ReadFile[],
    readonly proofs: Proofs,
    readonly ask: Lines,
    readonly say: Strings,
  ) {
    this.#file = files[0]!;
    this.#box = element("div", {
      class: "lines",
      attributes: { tabindex: "0", role: "group", "aria-label": say.text },
      on: { scroll: () => this.#more() },
    });
    this.#select = element(
      "select",
      {
        attributes: { "aria-label": say.textOf },
        on: { change: () => this.#open(files[this.#select.selectedIndex]!, this.#firstProof()) },
      },
      ...files.map(({ shown }) => element("option", {}, shown === "-" ? say.pasted : shown)),
    );
    const go = element("input", {
      attributes: { type: "number", min: "1", "aria-label": say.goToLine, placeholder: say.goToLine },
      on: { change: () => go.value !== "" && this.#open(this.#file, Number(go.value)) },
    });
    this.root = element(
      "section",
      { id: "text", class: "text", attributes: { "aria-labelledby": "text-title" } },
      element("h2", { id: "text-title" }, say.text),
      element(
        "div",
        { class: "row" },
        this.#select,
        go,
        ...proofs.size === 0 ? [] : [
          step("↑", say.previousEvidence, () => this.#step(-1)),
          step("↓", say.nextEvidence, () => this.#step(1)),
        ],
        this.#where,
        button(say.toReport, () => this.#return(), "narrow"),
      ),
      this.#box,
    );
    this.root.addEventListener("keydown", ({ key }) => key === "Escape" && this.#return());
    this.#open(this.#file, this.#firstProof());
  }

  /** Whether it shows a file, by the name that evidence has for it. */
  has(source: string): boolean {
    return this.files.some(({ shown }) => shown === source);
  }

  /** Goes to a line; Escape leads back to where it was asked for. */
  async goTo(source: string, line: number, back: HTMLElement): Promise<void> {
    this.#back = back;
    const file = this.files.find(({ shown }) => shown === source);
    if (file === undefined) return;
    await this.#open(file, line);
    this.root.scrollIntoView({ block: "nearest" });
    this.#box.querySelector<HTMLElement>(".chosen")?.focus({ preventScroll: true });
  }

  #return(): void {
    this.#back?.scrollIntoView({ block: "center" });
    this.#back?.focus({ preventScroll: true });
  }

  #firstProof(): number | null {
    const file = this.files[Math.max(0, this.#select?.selectedIndex ?? 0)]!;
    // What proves most stands first, wherever its line is.
    return this.proofs.get(file.shown)?.keys().next().value ?? null;
  }

  #proven(file: ReadFile): number[] {
    return [...this.proofs.get(file.shown)?.keys() ?? []].sort((a, b) => a - b);
  }

  /** To the next line that proves something, or the one before. */
  #step(by: 1 | -1): void {
    const lines = this.#proven(this.#file);
    const next = by > 0 ? lines.find((line) => line > this.#chosen) : lines.findLast((line) => line < this.#chosen);
    if (next !== undefined) this.#open(this.#file, next);
  }

  async #open(file: ReadFile, line: number | null): Promise<void> {
    this.#file = file;
    this.#select.selectedIndex = this.files.indexOf(file);
    const got = await this.#linesFrom(Math.max(1, (line ?? 1) - BEFORE), SOME);
    this.#total = got.total;
    // Of a text that proves nothing no line is marked before one is asked for.
    this.#chosen = line === null ? 0 : Math.max(1, Math.min(line, got.total));
    [this.#from, this.#next] = [got.from, got.from + got.lines.length];
    if (got.total === 0) this.#box.replaceChildren(element("p", { class: "about" }, this.say.noText));
    else this.#box.replaceChildren(...this.#rows(got));
    this.#where.textContent = got.total === 0 ? "" : this.say.lineOf(Math.max(1, this.#chosen), got.total);
    const row = this.#box.querySelector<HTMLElement>(".chosen");
    if (row !== null) this.#box.scrollTop = row.offsetTop - this.#box.offsetTop - this.#box.clientHeight / 3;
  }

  #linesFrom(from: number, count: number): Promise<ShownLines> {
    const proofs = [...this.proofs.get(this.#file.shown) ?? []];
    const words = proofs.map(([line, some]) => [line, some.flatMap(wordsOf)] as const);
    return this.ask(this.#file.path, from, count, Object.fromEntries(words));
  }

  /** Fetches lines before the first or behind the last one that is shown, when its edge is near. */
  async #more(): Promise<void> {
    const { scrollTop, scrollHeight, clientHeight } = this.#box;
    const isUp = scrollTop < EDGE && this.#from > 1;
    const isDown = !isUp && scrollHeight - scrollTop - clientHeight < EDGE && this.#next <= this.#total;
    if (this.#busy || !(isUp || isDown)) return;
    this.#busy = true;
    const file = this.#file, from = isUp ? Math.max(1, this.#from - SOME) : this.#next;
    const got = await this.#linesFrom(from, isUp ? this.#from - from : SOME).finally(() => this.#busy = false);
    if (file !== this.#file || (isUp ? from + got.lines.length !== this.#from : from !== this.#next)) return;
    const rows = this.#rows(got);
    if (isUp) {
      this.#from = from;
      this.#box.prepend(...rows);
      this.#box.scrollTop += this.#box.scrollHeight - scrollHeight;
    } else {
      this.#next += rows.length;
      this.#box.append(...rows);
    }
    this.#trim(isUp);
  }

  /** Takes lines away at the other end: the window stays small, however far a person goes. */
  #trim(isUp: boolean): void {
    while (this.#box.children.length > MOST) {
      if (isUp) {
        this.#box.lastElementChild!.remove();
        this.#next--;
      } else {
        const { scrollHeight } = this.#box;
        this.#box.firstElementChild!.remove();
        this.#from++;
        this.#box.scrollTop -= scrollHeight - this.#box.scrollHeight;
      }
    }
  }

  #rows({ from, lines }: ShownLines): HTMLElement[] {
    const proofs = proofsWithin(this.proofs.get(this.#file.shown) ?? new Map(), from, lines.map(({ text }) => text));
    return lines.map((line, i) => this.#row(from + i, line, proofs.get(from + i) ?? null));
  }

  #row(number: number, { text, before, behind }: ShownLine, proofs: readonly Proof[] | null): HTMLElement {
    const parts = proofs === null
      ? [text]
      : markedParts(text, proofs).map(({ text, marked }) => marked ? element("mark", {}, text) : text);
    const cut = (count: number) => count > 0 ? element("i", {}, this.say.cut(count)) : null;
    const look = `${proofs === null ? "" : " proof"}${number === this.#chosen ? " chosen" : ""}`;
    return element(
      "div",
      { class: `shown${look}`, attributes: { "data-line": String(number), ...(proofs ? { tabindex: "-1" } : {}) } },
      element("span", { class: "number" }, String(number)),
      element("span", { class: "said" }, cut(before), ...parts, cut(behind)),
    );
  }
}

/** What a long line is looked through for. */
const wordsOf = ({ name, value }: Proof) => typeof value === "string" ? [writtenOf(value), name] : [name];

function step(sign: string, name: string, act: () => void): HTMLElement {
  const made = button(sign, act, "step");
  made.setAttribute("aria-label", name);
  made.title = name;
  return made;
}
