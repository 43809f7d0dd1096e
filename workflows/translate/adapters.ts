/** Options of low-rank adapters, by the names that each system has for them, as `lora` of load_model. @module */
import { computed, each, lacking } from "./entries.ts";
import type { Given, Made, Settings, Table } from "./table.ts";
import { isRecord, isUnresolved, shownValue, type Value } from "./written.ts";

/** A system's names of an adapter's settings, and what stands there where nothing is written. */
export interface AdapterNames {
  readonly rank: readonly [name: string, otherwise: number];
  readonly alpha: readonly [name: string, otherwise: number | ((rank: number) => number)];
  readonly dropout?: readonly [name: string, otherwise: number];
  /** Null is PEFT's own choice: q_proj and v_proj for these families. */
  readonly targets: readonly [name: string, otherwise: readonly string[] | "all_linear" | null];
  readonly saved?: string;
  readonly rslora?: string;
  readonly excluded?: string;
  readonly layers?: string;
  readonly layersPattern?: string;
  readonly rankPattern?: string;
  readonly alphaPattern?: string;
  readonly init?: string;
  /** Modules that the system keeps an adapter off besides, as a regular expression; null for none. */
  readonly kept?: (given: Given) => string | null;
}

const nameOf = (one: string | undefined) => one === undefined ? [] : [one];

/** The names of all settings. */
const namesOf = (
  { rank, alpha, dropout, targets, kept: _, ...others }: AdapterNames,
) => [rank[0], alpha[0], ...nameOf(dropout?.[0]), targets[0], ...Object.values<string>(others)];

const EVERY_LINEAR = /^(?:all|all[-_]linear)$/;

/** Names of modules: a list, one with commas, a word that means every linear layer, or a regular expression. */
function modules(value: Value): readonly string[] | string | null {
  if (isUnresolved(value) || value === null) return null;
  const list = Array.isArray(value) ? value : typeof value === "string" ? value.split(",") : [];
  const names = list.filter((one): one is string => typeof one === "string").map((name) => name.trim()).filter(Boolean);
  if (names.length === 0) return null;
  if (names.some((name) => EVERY_LINEAR.test(name))) return "all_linear";
  const [only] = names;
  return names.length === 1 && /[*+()|\\^$]/.test(only!) ? only! : names;
}

/** Numbers by the names of modules; null where there are none. */
function pattern(value: Value): Readonly<Record<string, number>> | null {
  if (!isRecord(value) || Object.keys(value).length === 0) return null;
  return Object.values(value).every((one) => typeof one === "number") ? value as Record<string, number> : null;
}

/** Numbers of layers: one or a list. */
function layerNumbers(value: Value): readonly number[] | null {
  const list = Array.isArray(value) ? value : [value];
  return list.length > 0 && list.every((one) => typeof one === "number") ? list as number[] : null;
}

/** How A is drawn, where that is here; null for PEFT's default. */
const initOf = (value: Value) => value === "gaussian" || value === false ? value : null;

/** Both of what is excluded: modules, or a regular expression, that are written and those that the system keeps out. */
function besides(written: readonly string[] | string | null, kept: string | null): readonly string[] | string | null {
  if (written === null || kept === null) return kept ?? written;
  if (written === kept) return kept;
  const own = typeof written === "string"
    ? written
    : `(?:.*\\.)?(?:${written.map((name) => name.replaceAll(".", "\\.")).join("|")})`;
  return `(?:${own})|(?:${kept})`;
}

/** What PEFT's less common settings are here, by the name of the option. */
function furtherOf(given: Given, names: AdapterNames): Readonly<Record<string, unknown>> {
  const read = <Found>(name: string | undefined, as: (value: Value) => Found | null) =>
    name === undefined ? null : as(given.value(name));
  const found = {
    exclude_modules: besides(read(names.excluded, modules), names.kept?.(given) ?? null),
    layers: read(names.layers, layerNumbers),
    layers_pattern: read(names.layersPattern, modules),
    rank_pattern: read(names.rankPattern, pattern),
    alpha_pattern: read(names.alphaPattern, pattern),
    init: read(names.init, initOf),
  };
  return Object.fromEntries(Object.entries(found).filter(([, value]) => value !== null));
}

/** The setting `lora` of load_model. */
export function loraOf(given: Given, names: AdapterNames): Settings {
  const rank = given.count(...names.rank), [alpha, otherwise] = names.alpha;
  const targets = modules(given.value(names.targets[0])) ?? names.targets[1];
  const saved = names.saved === undefined ? null : modules(given.value(names.saved));
  const dropout = names.dropout === undefined ? 0 : given.number(...names.dropout);
  return {
    "load_model.lora": {
      rank,
      alpha: given.number(alpha, typeof otherwise === "number" ? otherwise : otherwise(rank)),
      ...(dropout === 0 ? {} : { dropout }),
      ...(names.rslora !== undefined && given.value(names.rslora) === true ? { rslora: true } : {}),
      ...(targets === null ? {} : { target_modules: targets }),
      ...(Array.isArray(saved) ? { modules_to_save: saved } : {}),
      ...furtherOf(given, names),
    },
  };
}

/** What is not read of an adapter's settings. */
const unread = (value: Value): Made | null =>
  isUnresolved(value) ? { lacks: `it is "${shownValue(value)}", which only the program knows`, unread: true } : null;

/** Entries of all settings; `isOn` says whether an adapter trains. */
export function adapterEntries(names: AdapterNames, isOn: (given: Given) => boolean): Table {
  const make = (value: Value, given: Given): Made =>
    !isOn(given) ? { equal: "all weights train" } : unread(value) ?? { set: loraOf(given, names) };
  const drawn = (value: Value, given: Given): Made =>
    value === null || value === true || initOf(value) !== null ? make(value, given) : {
      lacks: `"${
        shownValue(value)
      }" is not here: A is drawn as PEFT's default does, B zero; init of lora takes gaussian`,
    };
  return {
    ...each(namesOf(names).join(" "), computed(undefined, make, { asText: true })),
    ...(names.init === undefined ? {} : { [names.init]: computed(undefined, drawn, { asText: true }) }),
  };
}

/** Adapters of another form than LoRA's, and what quantizes or begins them in another way. */
export const otherAdapters = (names: string) =>
  each(
    names,
    lacking("plain LoRA is what trains here: A drawn as PEFT does, B zero, no quantization", {
      at: [null, false, "none", "CAUSAL_LM"],
      text: "as here",
    }),
  );
