/** A short text that tells the weights of one model's folder from those of another, whatever the folder is called. @module */
import { createHash } from "node:crypto";
import { orElse } from "../file_system.ts";
import { DTYPES, float32ToBfloat16 } from "./dtypes.ts";
import { openModelTensors } from "./model_tensors.ts";

/** Numbers that are read at each of so many places of a tensor: some kilobytes of a model of gigabytes. */
const NUMBERS = 16, PLACES = 4;
const DIGITS = 16;
/** Numbers of all tensors that stand in a fingerprint themselves, and how far rounding to another dtype may move one. */
const KEPT = 256, ROUNDING = 2 ** -7, SMALLEST = 1e-6;

/** What a folder may have or lack without being another model: a head that is the embedding, one of another kind, buffers. */
const LEFT_OUT = /^(?:lm_head|score)\.|\.inv_freq$/;

/**
 * A hash of names, shapes and some numbers of every tensor, as bfloat16, and a few of these numbers: a copy in float32 has
 * the fingerprint of its original. Null for a folder without weights, or with such that cannot be read.
 */
export function baseFingerprint(folder: string): string | null {
  return orElse(() => {
    using file = openModelTensors(folder);
    return fingerprintOf(file.tensors, (name, into, from) => file.read(name, into, from));
  }, null);
}

/** The same of tensors that are read by `read`: numbers of one from a place on. */
export function fingerprintOf(
  tensors: ReadonlyMap<string, { readonly shape: readonly number[] }>,
  read: (name: string, into: Float32Array, from: number) => void,
): string {
  const hash = createHash("sha256"), seen: number[] = [];
  const names = [...tensors.keys()].filter((name) => !LEFT_OUT.test(name)).sort();
  const each = Math.max(1, Math.floor(KEPT / names.length));
  for (const name of names) {
    const { shape } = tensors.get(name)!, size = shape.reduce((a, b) => a * b, 1);
    hash.update(`${name} ${shape}\0`);
    for (const from of placesIn(size)) {
      const values = new Float32Array(Math.min(NUMBERS, size));
      read(name, values, from);
      const rounded = float32ToBfloat16(values);
      hash.update(rounded);
      if (from === 0) seen.push(...rounded.subarray(0, each));
    }
  }
  const kept = new Uint8Array(Uint16Array.from(seen.slice(0, KEPT)).buffer).toHex();
  return `${hash.digest("hex").slice(0, DIGITS)} ${kept}`;
}

/**
 * Whether two fingerprints are of one model: its numbers are the same, or `near`, as rounding to another dtype and back
 * leaves them.
 */
export function compareFingerprints(a: string, b: string): "same" | "near" | "other" {
  if (a === b) return "same";
  const [x, y] = [numbersIn(a), numbersIn(b)];
  if (x === null || y === null || x.length !== y.length) return "other";
  return x.every((value, i) => areNear(value, y[i]!)) ? "near" : "other";
}

/** Whether both can be one number that was rounded to dtypes of at least 8 bits of precision. */
export function areNear(a: number, b: number): boolean {
  return Math.abs(a - b) <= Math.max(SMALLEST, ROUNDING * Math.max(Math.abs(a), Math.abs(b)));
}

/** The hash alone, for people. */
export function shortFingerprint(fingerprint: string): string {
  return fingerprint.slice(0, DIGITS);
}

/** Null where it is no fingerprint, as in an adapter that was changed by hand. */
function numbersIn(fingerprint: string): Float32Array | null {
  return orElse(() => {
    const bytes = Uint8Array.fromHex(fingerprint.slice(DIGITS + 1)), values = new Float32Array(bytes.length / 2);
    DTYPES.BF16.toFloat32(bytes, values);
    return values;
  }, null);
}

/** Where numbers are read of a tensor of so many: at its ends and between. */
function placesIn(size: number): number[] {
  const last = Math.max(0, size - NUMBERS);
  return [...new Set(Array.from({ length: PLACES }, (_, i) => Math.floor(i * last / (PLACES - 1))))];
}
