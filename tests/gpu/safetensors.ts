/** Reads small safetensors files and goldens for the tests of gpu/, so that they need nothing of data/. @module */

const ROOT = new URL("../", import.meta.url);

export interface Stored {
  readonly shape: readonly number[];
  readonly data: Float32Array;
}

/** All tensors of a file under tests/ (or anywhere, by its absolute path), widened to float32. */
export function readSafetensors(path: string): Map<string, Stored> {
  const bytes = Deno.readFileSync(path.startsWith("/") ? path : new URL(path, ROOT));
  const length = Number(new DataView(bytes.buffer).getBigUint64(0, true));
  const header = JSON.parse(new TextDecoder().decode(bytes.subarray(8, 8 + length)));
  const tensors = new Map<string, Stored>();
  for (
    const [name, entry] of Object.entries<{ dtype: string; shape: number[]; data_offsets: [number, number] }>(header)
  ) {
    if (name === "__metadata__") continue;
    const raw = bytes.slice(8 + length + entry.data_offsets[0], 8 + length + entry.data_offsets[1]).buffer;
    if (entry.dtype === "F32") tensors.set(name, { shape: entry.shape, data: new Float32Array(raw) });
    else if (entry.dtype === "BF16") {
      const wide = Uint32Array.from(new Uint16Array(raw), (half) => half << 16);
      tensors.set(name, { shape: entry.shape, data: new Float32Array(wide.buffer) });
    } else if (entry.dtype === "U8") {
      tensors.set(name, { shape: entry.shape, data: Float32Array.from(new Uint8Array(raw)) });
    } else throw new TypeError(`Cannot read "${name}": its dtype is ${entry.dtype}, want F32, BF16 or U8`);
  }
  return tensors;
}

/** All weights of a model folder under tests/models. */
export function readModel(name: string): Map<string, Stored> {
  const files = [...Deno.readDirSync(new URL(`models/${name}`, ROOT))].map(({ name }) => name).sort();
  const weights = files.filter((file) => file.endsWith(".safetensors"));
  return new Map(weights.flatMap((file) => [...readSafetensors(`models/${name}/${file}`)]));
}

// deno-lint-ignore no-explicit-any -- goldens are plain JSON whose shape each test knows
export function readJson(path: string): any {
  return JSON.parse(Deno.readTextFileSync(new URL(path, ROOT)));
}

/** The strings "nan", "inf" and "-inf" of the formula goldens, as numbers. */
export function number(value: number | string | null): number {
  if (typeof value === "number") return value;
  return value === "inf" ? Infinity : value === "-inf" ? -Infinity : NaN;
}

/** The cases of a file of formula goldens, the strings "nan", "inf" and "-inf" of inputs and outputs as numbers. */
// deno-lint-ignore no-explicit-any
export function readCases(path: string): any[] {
  const numbers = (value: unknown): unknown =>
    value === "nan" || value === "inf" || value === "-inf"
      ? number(value)
      : Array.isArray(value)
      ? value.map(numbers)
      : typeof value === "object" && value !== null
      ? Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, numbers(inner)]))
      : value;
  // deno-lint-ignore no-explicit-any
  return readJson(path).cases.map((one: any) => ({
    ...one,
    inputs: numbers(one.inputs),
    outputs: numbers(one.outputs),
  }));
}
