/** Files that trackers themselves wrote: tests/peers/trackers_goldens.py logs one run with each. @module */
import { gunzipSync } from "node:zlib";
import { join } from "node:path";

export const TRACKERS = new URL("../../goldens/trackers/", import.meta.url).pathname;

/** Train steps that were logged. */
export const STEPS = Array.from({ length: 12 }, (_, i) => 10 * (i + 1));
/** What was logged at them. */
export const LOGGED = {
  loss: STEPS.map((_, i) => i >= 10 ? NaN : 0.25 / (i + 1)),
  reward: STEPS.map((_, i) => (i + 1) / 16),
  grad_norm: STEPS.map((_, i) => i === 2 ? Infinity : 1.5),
  completion_length: STEPS.map((_, i) => 33 + i),
} as const;

/** A packed database in a folder of its own, for the time of a test. */
export async function unpacked(name: string, body: (path: string) => Promise<void>): Promise<void> {
  const folder = await Deno.makeTempDir(), path = join(folder, name.split("/").at(-1)!.replace(/\.gz$/, ""));
  try {
    Deno.writeFileSync(path, gunzipSync(Deno.readFileSync(join(TRACKERS, name))));
    await body(path);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}
