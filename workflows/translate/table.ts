/** What a table of another system's options is, and how one is applied: every option gets its class. @module */
import { suggest } from "../../data/did_you_mean.ts";
import { isUnresolved, shownValue, type Value, type Written } from "./written.ts";

/** A step and its option, `apply_update.kl_coef`; `workflow.seed` is the file's own. */
export type Target = `${string}.${string}`;

export type Settings = Readonly<Partial<Record<Target, unknown>>>;

/** What becomes of an option with a value. */
export type Made =
  | { readonly set: Settings; readonly note?: string }
  /** What it is here anyway. */
  | { readonly equal: string }
  /** Why it is not here, and what happens instead. */
  | {
    readonly lacks: string;
    /** The value cannot be read: the system's default stands in its place. */
    readonly unread?: true;
    /** Another method than any that is here: no workflow is written. */
    readonly refuses?: true;
  };

/** All options in force: written, else that system's default. */
export interface Given {
  value(name: string): Value;
  /** A number, or `otherwise` where it is none. */
  number(name: string, otherwise: number): number;
  /** A whole number from 1, or `otherwise` where it is none. */
  count(name: string, otherwise: number): number;
  /** It stands in the file and its value is known. */
  isWritten(name: string): boolean;
  /** Rows of the data, where they lie on this machine. */
  readonly rows?: number | null;
  /** Their ground truths are numbers. */
  readonly areNumbers?: boolean;
  /** The parameters of a script's functions. */
  readonly functions?: Readonly<Record<string, readonly string[]>>;
  /** A name is a file or folder on this machine. */
  readonly isLocal?: (name: string) => boolean;
}

/** What is known besides the options. */
export type Beside = Pick<Given, "rows" | "areNumbers" | "functions" | "isLocal">;

export interface Entry {
  /** That system's value where nothing is written; undefined where it then has none. */
  readonly default?: Value;
  /** Other names that it has or had. */
  readonly also?: readonly string[];
  /** Its own default is told as well where it is not supported. */
  readonly tell?: true;
  /** It can use a value that is only known by its text. */
  readonly asText?: true;
  readonly make: (value: Value, given: Given) => Made;
}

export type Table = Readonly<Record<string, Entry>>;

export type Class = "translated" | "equal" | "not_supported" | "unknown";

/** What became of one option. */
export interface Outcome {
  readonly option: string;
  readonly value: Value;
  /** 0 for a default of the system, which stands nowhere. */
  readonly line: number;
  readonly class: Class;
  readonly set: Settings;
  /** What to know of it. */
  readonly text: string;
}

/** A table applied: the outcome of every option, and all settings that differ from ours. */
export interface Applied {
  readonly outcomes: readonly Outcome[];
  readonly settings: Settings;
  /** Why no workflow of it would train what the file trains; null where one does. */
  readonly refusal: string | null;
}

/** Our value where a workflow says nothing; undefined where it must. */
type OurDefault = (target: Target) => unknown;

/** A table, what its trainer does whatever stands in a file, and what many options make together. */
export interface Rules {
  readonly table: Table;
  readonly fixed?: Settings;
  readonly base?: (given: Given) => Settings;
}

/** Unknown options that are looked up among the known ones: a list of more is no list of misspellings. */
const MOST_SUGGESTIONS = 100;

/** Applies a table to what is written. */
export function applyTable(
  { table: whole, fixed = {}, base = () => ({}) }: Rules,
  written: readonly Written[],
  system: string,
  ours: OurDefault,
  beside: Beside = {},
): Applied {
  const table = withFamilies(whole, written), names = canonicalNames(table), known = [...names.keys()];
  const read = written.map((option) => ({ ...option, ...named(option, names) }));
  const last = new Map(read.filter(({ key }) => key !== null).map((option) => [option.key!, option]));
  const refused = new Map<string, string>(), given = { ...givenBy(table, last, refused), ...beside };
  const settings: Record<Target, unknown> = {}, outcomes: Outcome[] = [];
  let refusal: string | null = null, strange = 0;
  const take = (set: Settings) => {
    for (const [target, value] of Object.entries(set) as [Target, unknown][]) {
      if (value === undefined || same(value, ours(target))) delete settings[target];
      else settings[target] = value;
    }
  };
  take(fixed);
  take(base(given));
  for (const [key, entry] of Object.entries(table)) {
    if (last.has(key) && given.isWritten(key) || entry.default === undefined) continue;
    const made = entry.make(entry.default, given), told = last.get(key);
    if ("set" in made) take(made.set);
    if (told !== undefined) continue;
    const base = { option: key, value: entry.default, line: 0 };
    if ("set" in made) {
      const set = differing(made.set, ours);
      if (Object.keys(set).length > 0) outcomes.push({ ...base, class: "translated", set, text: made.note ?? "" });
    } else if ("lacks" in made && entry.tell) {
      outcomes.push({ ...base, class: "not_supported", set: {}, text: made.lacks });
    }
  }
  for (const option of read) {
    const { key, name, value, line } = option, base = { option: name, value, line };
    if (key === null) {
      const near = ++strange > MOST_SUGGESTIONS ? null : suggest(name, known);
      const text = near === null ? "" : `did you mean ${near}?`;
      outcomes.push({ ...base, class: "unknown", set: {}, text });
      continue;
    }
    const entry = table[key]!, holds = last.get(key)!;
    if (holds !== option) {
      const text = `given again in line ${holds.line} as ${shownValue(holds.value)}, which holds`;
      outcomes.push({ ...base, class: "not_supported", set: {}, text });
    } else if (isUnresolved(value) && !entry.asText) {
      const instead = entry.default === undefined
        ? ""
        : `; ${system}'s default ${shownValue(entry.default)} stands in its place`;
      outcomes.push({
        ...base,
        class: "not_supported",
        set: {},
        text: `its value is only known when the program runs${instead}`,
      });
    } else {
      const made = readable(entry.make(value, given), refused.get(key!));
      if ("lacks" in made && made.unread) {
        const instead = entry.default === undefined || same(entry.default, value)
          ? null
          : entry.make(entry.default, given);
        if (instead !== null && "set" in instead) take(instead.set);
        const text = instead === null
          ? "nothing is set"
          : `${system}'s default ${shownValue(entry.default)} stands in its place`;
        outcomes.push({ ...base, class: "not_supported", set: {}, text: `${made.lacks}; ${text}` });
      } else if ("lacks" in made) {
        if (made.refuses) refusal ??= `${line > 0 ? `line ${line}: ` : ""}${name}: ${made.lacks}`;
        outcomes.push({ ...base, class: "not_supported", set: {}, text: made.lacks });
      } else if ("equal" in made) outcomes.push({ ...base, class: "equal", set: {}, text: made.equal });
      else {
        take(made.set);
        const set = differing(made.set, ours), isEqual = Object.keys(set).length === 0;
        const text = made.note ?? "";
        outcomes.push({ ...base, class: isEqual ? "equal" : "translated", set: isEqual ? made.set : set, text });
      }
    }
  }
  return { outcomes, settings, refusal };
}

/** A key `a.b.*` is the entry of every option below, which get one of their own here. */
function withFamilies(table: Table, written: readonly Written[]): Table {
  const families = Object.keys(table).filter((key) => key.endsWith(".*")).sort((a, b) => b.length - a.length);
  const names = canonicalNames(table), own: Record<string, Entry> = {};
  for (const { name } of written) {
    const family = names.has(name) ? undefined : families.find((key) => name.startsWith(key.slice(0, -1)));
    if (family !== undefined) own[name] = table[family]!;
  }
  return { ...table, ...own };
}

/** Every name of a table, its second names too, to its key. */
function canonicalNames(table: Table): Map<string, string> {
  const second = Object.entries(table).flatMap(([key, { also = [] }]) => also.map((name) => [name, key] as const));
  const own = Object.keys(table).filter((key) => !key.endsWith(".*")).map((key) => [key, key] as const);
  return new Map([...second, ...own]);
}

/** The key of an option, or null; `no_bf16` is bf16 false, `-` is `_`. */
function named({ name, value }: Written, names: ReadonlyMap<string, string>): { key: string | null; value: Value } {
  const key = names.get(name) ?? names.get(name.replaceAll("-", "_"));
  if (key !== undefined) return { key, value };
  const positive = names.get(name.replaceAll("-", "_").replace(/^no_/, ""));
  return positive !== undefined && value === true ? { key: positive, value: false } : { key: null, value };
}

/** What an entry makes; where the number itself was refused, that. */
function readable(made: Made, refused: string | undefined): Made {
  return "set" in made && refused !== undefined ? { lacks: refused, unread: true } : made;
}

/** `refused` gets the written numbers that are not of the kind that was asked for. */
function givenBy(table: Table, last: ReadonlyMap<string, Written>, refused: Map<string, string>): Given {
  const refuse = (name: string, own: Value, want: string) => {
    if (typeof own === "number" && last.has(name)) refused.set(name, `it is ${own}, want ${want}`);
  };
  const value = (name: string): Value => {
    const own = last.get(name);
    const isUsable = own !== undefined && (!isUnresolved(own.value) || table[name]?.asText);
    return isUsable ? own.value : table[name]?.default ?? null;
  };
  return {
    value,
    number(name, otherwise) {
      const own = value(name);
      if (typeof own === "number" && Number.isFinite(own)) return own;
      refuse(name, own, "a finite number");
      return otherwise;
    },
    count(name, otherwise) {
      const own = value(name);
      if (typeof own === "number" && Number.isSafeInteger(own) && own >= 1) return own;
      refuse(name, own, "a whole number of at least 1");
      return otherwise;
    },
    isWritten: (name) => last.has(name) && (!isUnresolved(last.get(name)!.value) || table[name]?.asText === true),
  };
}

const differing = (set: Settings, ours: OurDefault): Settings =>
  Object.fromEntries(
    Object.entries(set).filter(([target, value]) => value !== undefined && !same(value, ours(target as Target))),
  );

function same(a: unknown, b: unknown): boolean {
  return Object.is(a, b) || JSON.stringify(a) === JSON.stringify(b);
}
