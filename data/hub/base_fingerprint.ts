/** A short text that tells the weights of one model's folder from those of another, whatever the folder is called. @module */
import { createHash } from "node:crypto";
import { orElse } from "../file_system.ts";
import { float32ToBfloat16 } from "./dtypes.ts";
import { openModelTensors } from "./model_tensors.ts";

/** Numbers that are read at each of so many places of a tensor: some kilobytes of a model of gigabytes. */
const NUMBERS = 16, PLACES = 4;
const DIGITS = 16;

/** What a folder may have or lack without being another model: a head that is the embedding, one of another kind, buffers. */
const LEFT_OUT = /^(?:lm_head|score)\.|\.inv_freq$/;

/**
 * Of names, shapes and some numbers of every tensor, as bfloat16: a copy in float32 has the fingerprint of its original.
 * Null for a folder without weights, or with such that cannot be read.
 */
export function baseFingerprint(folder: string): string | null {
  return orElse(() => {
    using file = openModelTensors(folder);
    const hash = createHash("sha256");
    for (const name of [...file.tensors.keys()].filter((name) => !LEFT_OUT.test(name)).sort()) {
      const { shape } = file.tensors.get(name)!, size = shape.reduce((a, b) => a * b, 1);
      hash.update(`${name} ${shape}\0`);
      for (const from of placesIn(size)) {
        const values = new Float32Array(Math.min(NUMBERS, size));
        file.read(name, values, from);
        hash.update(float32ToBfloat16(values));
      }
    }
    return hash.digest("hex").slice(0, DIGITS);
  }, null);
}

/** Where numbers are read of a tensor of so many: at its ends and between. */
function placesIn(size: number): number[] {
  const last = Math.max(0, size - NUMBERS);
  return [...new Set(Array.from({ length: PLACES }, (_, i) => Math.floor(i * last / (PLACES - 1))))];
}
