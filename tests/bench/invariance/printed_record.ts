/** One record as it is printed, name by name with its value's text: what a transformation changes and prints again. @module */

/** A name with its value as printed: the text without quotes, a list or an inner dict as it stands. */
export interface Cell {
  readonly key: string;
  readonly value: string;
  readonly quoted: boolean;
}

/** nested: verl's file logger, the metrics under "data" beside the step. */
export type Style = "python" | "json" | "verl" | "nested";

const KEY = /\s*(['"])((?:\\.|(?!\1).)*)\1\s*:\s*/y;
const QUOTED = /(['"])((?:\\.|(?!\1)[^\\])*)\1/y;
const BARE = /[^,{}[\]()]+/y;

/** The words that a style has for what is no number; they are kept in Python's. */
const WORDS: Record<string, string> = {
  None: "null",
  nan: "NaN",
  inf: "Infinity",
  "-inf": "-Infinity",
  True: "true",
  False: "false",
};
const PYTHON = new Map(Object.entries(WORDS).map(([python, json]) => [json, python]));

/** The cells of a dict whose brace opens at `from`, and the index behind it; null where none is whole there. */
export function readDict(text: string, from: number): { cells: Cell[]; end: number } | null {
  const cells: Cell[] = [];
  for (let at = from + 1;;) {
    const close = /\s*\}/y;
    close.lastIndex = at;
    if (close.test(text)) return { cells, end: close.lastIndex };
    KEY.lastIndex = at;
    const key = KEY.exec(text);
    if (key === null) return null;
    const value = readValue(text, KEY.lastIndex);
    if (value === null) return null;
    cells.push({ key: key[2]!, value: value.text, quoted: value.quoted });
    at = value.end;
    if (text[at] === ",") at++;
  }
}

function readValue(text: string, at: number): { text: string; quoted: boolean; end: number } | null {
  if ("{[(".includes(text[at] ?? " ")) {
    const end = closing(text, at);
    return end < 0 ? null : { text: text.slice(at, end), quoted: false, end };
  }
  QUOTED.lastIndex = BARE.lastIndex = at;
  const quoted = QUOTED.exec(text);
  if (quoted !== null) return { text: quoted[2]!, quoted: true, end: QUOTED.lastIndex };
  const bare = BARE.exec(text);
  if (bare === null) return null;
  const word = bare[0].trim(), python = PYTHON.get(word) ?? word;
  return { text: python, quoted: false, end: BARE.lastIndex };
}

/** The index behind the bracket that opens at `at`; -1 where it does not close. Brackets within texts count too. */
function closing(text: string, at: number): number {
  for (let depth = 0, i = at; i < text.length; i++) {
    if ("{[(".includes(text[i]!)) depth++;
    else if ("}])".includes(text[i]!) && --depth === 0) return i + 1;
  }
  return -1;
}

const STEP = "step:";

/** The cells of verl's line from its `step:` on; null where it is no such line. */
export function readVerl(text: string): Cell[] | null {
  const parts = text.split(" - ");
  if (!parts[0]!.startsWith(STEP) || parts.length < 2) return null;
  const cells = parts.map((part): Cell | null => {
    const colon = part.lastIndexOf(":");
    return colon < 0 ? null : { key: part.slice(0, colon), value: part.slice(colon + 1).trim(), quoted: false };
  });
  return cells.every((cell) => cell !== null) ? cells : null;
}

/** How a record looks in a style. `trailing` puts a comma behind the last value. */
export function printRecord(cells: readonly Cell[], style: Style, trailing = false): string {
  if (style === "verl") return cells.map(({ key, value }) => `${key}:${value}`).join(" - ");
  if (style === "nested") return printNested(cells, trailing);
  const quote = style === "json" ? '"' : "'";
  const pairs = cells.map(({ key, value, quoted }) => {
    const word = style === "json" && !quoted ? WORDS[value] ?? value : value;
    return `${quote}${key}${quote}: ${quoted ? quote + value + quote : word}`;
  });
  return `{${pairs.join(", ")}${trailing ? "," : ""}}`;
}

/** The step stands before the data unless the cells end with it. */
function printNested(cells: readonly Cell[], trailing: boolean): string {
  const isStep = ({ key }: Cell) => key === "step", step = printRecord(cells.filter(isStep), "json").slice(1, -1);
  const data = `"data": ${printRecord(cells.filter((cell) => !isStep(cell)), "json", trailing)}`;
  return cells.length > 0 && isStep(cells.at(-1)!) ? `{${data}, ${step}}` : `{${step}, ${data}}`;
}

/** The number that a cell holds; NaN for a printed NaN, null for anything that is no number. */
export function numberIn({ value }: Cell): number | null {
  const text = value.replace(/^(?:np\.\w+|tensor)\((.*)\)$/, "$1");
  if (/^nan$/i.test(text)) return NaN;
  if (/^[-+]?inf(inity)?$/i.test(text)) return text.startsWith("-") ? -Infinity : Infinity;
  return text === "" || !/^[-+]?(\d|\.\d)/.test(text) || !Number.isFinite(Number(text)) ? null : Number(text);
}

/** The cell with another number, quoted as it was, with three decimals where it had three. */
export function withNumber(cell: Cell, number: number): Cell {
  if (Number.isFinite(number) && /^-?\d+\.\d{3}$/.test(cell.value)) return { ...cell, value: number.toFixed(3) };
  const word = Number.isNaN(number) ? "nan" : number > 0 ? "inf" : "-inf";
  return { ...cell, value: Number.isFinite(number) ? String(number) : word };
}
