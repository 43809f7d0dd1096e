/** Logs that no case has, as runs that go on: who learns is never called dead, who dies is told while there is log left. */
import assert from "node:assert/strict";
import { followText } from "./followed_cases.ts";
import { DEAD, HEALTHY, PRINTED, shapedLog, STEPS } from "./followed_shapes.ts";

/** One a system, in turn: each shape meets every seed, each system every shape. A seed has the same values in all prints. */
const SEEDS = [1, 2, 3];
const bytes = (lines: readonly string[]) => lines.map((line) => new TextEncoder().encode(line));

/** What is true when it is told, and is over at the end: that most groups have no spread yet. */
const MAY_WARN: Readonly<Record<string, string>> = { "a sparse reward": "zero_reward_variance" };

for (const [i, [system, print]] of Object.entries(PRINTED).entries()) {
  const seed = SEEDS[i % SEEDS.length]!;
  Deno.test(`follow() of ${system}: runs that learn are called healthy, on the way and at the end`, async () => {
    for (const [shape, change] of Object.entries(HEALTHY)) {
      const { told, verdict } = await followText(bytes(shapedLog(print, change, seed))), name = `${shape}, ${seed}`;
      const alarms = told.filter(({ cause, severity }) => severity !== "warning" || cause !== MAY_WARN[shape]);
      assert.deepEqual(alarms, [], name);
      assert.deepEqual([verdict.at(-1)!.diagnosis.verdict, verdict.at(-1)!.records], ["benign", STEPS], name);
    }
  });

  Deno.test(`follow() of ${system}: runs that die are told, by a cause that is true, before nine tenths of their log`, async () => {
    for (const [shape, { change, from, causes }] of Object.entries(DEAD)) {
      const { told } = await followText(bytes(shapedLog(print, change, seed))), name = `${shape}, ${seed}`;
      assert(told.length > 0, name);
      for (const { cause } of told) assert((causes as readonly string[]).includes(cause), `${name}: ${cause}`);
      assert(told[0]!.share < 0.9 && told[0]!.share * STEPS > from, `${name}: ${told[0]!.share}`);
    }
  });
}
