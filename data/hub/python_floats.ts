/** JSON whose numbers keep their type in Python: 30.0 is another type than 30 there, and is refused or taken by it. @module */

/** Keys that transformers reads as float and nothing else: with 30 in place of 30.0 a model cannot be loaded. */
const FLOATS = ["initializer_range", "rms_norm_eps", "attn_logit_softcapping", "final_logit_softcapping"] as const;

const MEMBER = /"([^"\\]+)"\s*:\s*(\[[^\]["{]*\]|-?\d[\d.eE+-]*)/g;

/** Keys of a JSON text under which a number, or one of a list, is written with a fraction or an exponent. */
export function floatKeys(text: string): Set<string> {
  const written = [...text.matchAll(MEMBER)].filter(([, , value]) => /[.eE]/.test(value!));
  return new Set(written.map(([, key]) => key!));
}

/** A number of which JSON.stringify writes the text as it is; TypeScript does not know it yet. */
const { rawJSON } = JSON as unknown as { readonly rawJSON: (text: string) => unknown };

/** Two spaces deep with a line's end, whole numbers under `floats`, and under keys that are always float, with their `.0`. */
export function jsonWithFloats(value: unknown, floats: ReadonlySet<string> = new Set()): string {
  const keys = new Set([...FLOATS, ...floats]);
  return `${JSON.stringify(spelled(value, null, keys), null, 2)}\n`;
}

function spelled(value: unknown, key: string | null, floats: ReadonlySet<string>): unknown {
  if (Array.isArray(value)) return value.map((one) => spelled(one, key, floats));
  if (typeof value === "object" && value !== null) {
    return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, spelled(one, name, floats)]));
  }
  const isWhole = typeof value === "number" && /^-?\d+$/.test(`${value}`);
  return isWhole && key !== null && floats.has(key) ? rawJSON(`${value}.0`) : value;
}
