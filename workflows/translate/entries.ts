/** Entries that the tables of all systems are made of. @module */
import { isUnresolved, shownValue, type Value } from "./written.ts";
import type { Entry, Given, Made, Settings, Target } from "./table.ts";

/** A number that goes over as it is; `here` is what our objective does where nothing is said. */
export function number(target: Target, fallback?: number, here?: number): Entry {
  return {
    ...(fallback === undefined ? {} : { default: fallback }),
    make: (value) =>
      typeof value !== "number" || !Number.isFinite(value)
        ? noNumber(value)
        : value === here
        ? { equal: `${target} is ${here} here too` }
        : { set: { [target]: value } },
  };
}

/** What is no number: that system's default stands in its place, where there is one. */
export function noNumber(value: Value): Made {
  return { lacks: `it is "${shownValue(value)}", want a number`, unread: true };
}

/** A method that is none of the system's: what would be trained in its place is not what the file asks for. */
export function noSuch(value: Value, system: string, known: readonly string[]): Made {
  const name = shownValue(value), list = `want one of ${system}'s: ${known.join(", ")}`;
  return value === null || isUnresolved(value) || Array.isArray(value) && value.some(isUnresolved)
    ? { lacks: `it is "${name}", ${list}`, unread: true }
    : { lacks: `"${name}" is none that is here; ${list}`, refuses: true };
}

/** Settings computed from the value and the others. */
export function computed(
  fallback: Value | undefined,
  make: (value: Value, given: Given) => Made,
  more: Partial<Entry> = {},
): Entry {
  return { ...more, ...(fallback === undefined ? {} : { default: fallback }), make };
}

/** An option that is not here: why, and what happens instead; at `same` nothing is lost. */
export function lacking(
  why: string,
  same?: { readonly at: readonly Value[]; readonly text: string },
  more: Partial<Entry> = {},
): Entry {
  return {
    asText: true,
    ...more,
    make: (value) => same && same.at.some((one) => one === value) ? { equal: same.text } : { lacks: why },
  };
}

/** An option without effect on a number, or with the only value there is here. */
export function alike(text: string): Entry {
  return { asText: true, make: () => ({ equal: text }) };
}

/** One of some words, each with its settings; others are not supported. */
export function choice(
  fallback: string | undefined,
  words: Readonly<Record<string, Settings | Made>>,
  otherwise: string,
): Entry {
  return {
    ...(fallback === undefined ? {} : { default: fallback }),
    make(value) {
      const word = isUnresolved(value)
        ? value.unresolved
        : Array.isArray(value) && value.length === 1
        ? String(value[0])
        : String(value);
      if (!Object.hasOwn(words, word)) return { lacks: `"${shownValue(value)}" is not here; ${otherwise}` };
      const made = words[word]!;
      return "set" in made || "equal" in made || "lacks" in made ? made as Made : { set: made as Settings };
    },
  };
}

/** Many names with one entry. */
export function each(names: string, entry: Entry): Readonly<Record<string, Entry>> {
  return Object.fromEntries(names.trim().split(/\s+/).map((name) => [name, entry]));
}

/** A path or name as a folder or file beside the workflow. */
export function placeOf(name: string, folder: string, ending = ""): string {
  if (/^\.{0,2}\//.test(name) && name.length > 1) return name;
  const last = name.replace(/\/+$/, "").split("/").at(-1)!.replaceAll(/[^\w.-]+/g, "_");
  return `./${folder}/${last}${ending !== "" && last.endsWith(ending) ? "" : ending}`;
}
