/** Options of low-rank adapters, by the names that each system has for them, as `lora` of load_model. @module */
import { computed, each, lacking } from "./entries.ts";
import type { Given, Made, Settings, Table } from "./table.ts";
import { isUnresolved, shownValue, type Value } from "./written.ts";

/** A system's names of an adapter's settings, and what stands there where nothing is written. */
export interface AdapterNames {
  readonly rank: readonly [name: string, otherwise: number];
  readonly alpha: readonly [name: string, otherwise: number | ((rank: number) => number)];
  readonly dropout?: readonly [name: string, otherwise: number];
  /** Null is PEFT's own choice: q_proj and v_proj for these families. */
  readonly targets: readonly [name: string, otherwise: readonly string[] | "all_linear" | null];
  readonly saved?: string;
  readonly rslora?: string;
}

const nameOf = (one: string | undefined) => one === undefined ? [] : [one];

/** The names of all settings. */
const namesOf = (
  { rank, alpha, dropout, targets, saved, rslora }: AdapterNames,
) => [rank[0], alpha[0], ...nameOf(dropout?.[0]), targets[0], ...nameOf(saved), ...nameOf(rslora)];

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
  return each(namesOf(names).join(" "), computed(undefined, make, { asText: true }));
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
