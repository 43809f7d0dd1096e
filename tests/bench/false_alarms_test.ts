/** The bench of false alarms: what it simulates, counts and writes. */
import assert from "node:assert/strict";
import { simulated, tallied, withTable } from "./false_alarms.ts";
import { series } from "./false_alarms/simulated.ts";

const SEEDS = 25;

Deno.test("series() has mean 0, variance 1 and its memory", () => {
  for (const memory of [0, 0.5, 0.9]) {
    for (const kind of ["normal", "heavy"] as const) {
      const values = series({ kind, memory }, 20_000, 1, "test");
      const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
      const variance = values.reduce((sum, value) => sum + value ** 2, 0) / values.length;
      const next = values.slice(1).reduce((sum, value, i) => sum + value * values[i]!, 0) / values.length / variance;
      assert(Math.abs(mean) < 0.1 && Math.abs(variance - 1) < 0.2, `${kind} ${memory} ${mean} ${variance}`);
      assert(Math.abs(next - memory) < 0.03, `${kind} ${memory} ${next}`);
    }
  }
});

Deno.test("of simulated healthy runs of every length hardly one alarms", () => {
  const asked = simulated(SEEDS);
  const alarmed = asked.filter(({ alarms }) => alarms.length > 0);
  assert(alarmed.length <= 0.02 * asked.length, `${alarmed.length} of ${asked.length}`);
  const errors = alarmed.filter(({ alarms }) => alarms.some(({ severity }) => severity !== "warning"));
  assert(errors.length <= 0.01 * asked.length, `${errors.length} of ${asked.length}`);
});

Deno.test("the table is written behind its mark, one row a rule", () => {
  const text = withTable("// head\n// written by the benchmark\nwhat was there\n", tallied(simulated(1)));
  assert.match(text, /^\/\/ head\n\/\/ written by the benchmark\ntype Measured = /);
  assert.match(text, /\n {2}nan_loss: \[\[0, 6\], \[0, 6\], \[0, 0\]\],\n/);
  assert(!text.includes("what was there"));
});

Deno.test("a rule is counted on the runs in which it could speak, that of flat rewards on no flat and no short ones", () => {
  const { rules } = tallied(simulated(2));
  const runs = (rule: string) => rules[rule]!.map(([, count]) => count);
  assert.deepEqual(runs("flipped_preference_labels"), [0, 12, 0]);
  assert.deepEqual(runs("kl_explosion"), [12, 0, 0]);
  assert.deepEqual(runs("critic_not_learning"), [0, 0, 0], "there is no critic");
  // Of the odd seed, 100 records and more: four of the six lengths.
  assert.deepEqual(runs("flat_reward_no_learning"), [4, 0, 0]);
});
