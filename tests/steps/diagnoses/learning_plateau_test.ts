/** The rule learning_plateau: its fault, its reasons and its look-alikes. */
import assert from "node:assert/strict";
import { diagnoseRun } from "../../../steps/diagnoses/diagnose_run.ts";
import { DIAGNOSES } from "../../../steps/diagnoses/mod.ts";
import { between, healthyRuns, longRun, noisy } from "./long_run.ts";
import { testRule, viewOf } from "./synthetic.ts";
import { longPairs } from "./long_pairs.ts";

/** A reward that learns until a share of the run and stands still from there. */
const until = (share: number, noise = 0.03) => ({
  reward: noisy(between(0.2, 0.6, 0, share), noise),
  "reward.accuracy_reward": [],
});

testRule("learning_plateau", {
  fires: { "a reward that is flat from a quarter of the run on": longRun(until(0.25)) },
  silent: {
    "a reward that rises to the end": longRun(until(1)),
    "a reward that is flat in the last third": longRun(until(0.67)),
    "a reward that never rose": longRun({ reward: noisy(() => 0.4, 0.03), "reward.accuracy_reward": [] }),
    "a reward whose noise leaves it open": longRun({
      reward: noisy((at) => 0.3 + 0.2 * at, 0.6),
      "reward.accuracy_reward": [],
    }),
    "a flat reward of 100 train steps": longRun({
      reward: noisy(between(0.2, 0.6, 0, 0.25), 0.03, { records: 100 }),
      "reward.accuracy_reward": [],
    }, { records: 100 }),
  },
});

const why = (columns: Record<string, readonly number[]>) => {
  const found = DIAGNOSES.learning_plateau.check(viewOf(longRun({ ...until(0.25), ...columns })));
  assert(found !== null && "message" in found);
  return found;
};

Deno.test("learning_plateau says why, with the row that shows it", () => {
  const cases = [
    ["entropy", between(0.6, 0.02, 0, 0.3), /the entropy is down to 0\.0\d+ of 0\.\d+ nats/],
    ["truncated_fraction", between(0, 0.4, 0, 0.3), /4\d?\.?\d* % of the completions are cut|39\.\d+ % of the comp/],
    ["learning_rate", between(1e-6, 1e-9, 0, 0.3), /[Tt]he learning rate is down to \S+ since train step \d+/],
    ["zero_spread_fraction", between(0.1, 0.8, 0, 0.3), /of the groups all completions get the same reward/],
  ] as const;
  for (const [name, curve, text] of cases) {
    const found = why({ [name]: noisy(curve, 1e-12) });
    assert.match(found.message, text);
    assert(found.evidence.some((row) => row.name === name), name);
  }
  assert.match(why({}).message, /nothing that is printed says why$/);
});

Deno.test("learning_plateau begins where the last rise ends", () => {
  const first = why({}).trainSteps[0]!;
  assert(first > 45 && first < 110, String(first));
});

Deno.test("learning_plateau is silent on sixty healthy long runs", () => {
  for (const run of healthyRuns()) assert.equal(DIAGNOSES.learning_plateau.check(viewOf(run)), null);
});

Deno.test("learning_plateau of pairs is said where the rate is 0 long before the end, and they were learned before", () => {
  const run = longPairs({ seed: 1 }), rate = run.columns!.learning_rate!;
  const spent = (from: number) =>
    viewOf({
      ...run,
      columns: { ...run.columns, learning_rate: rate.map((_, i) => Math.max(0, 1e-6 * (1 - i / from))) },
    });
  const { findings, afterEffects } = diagnoseRun(spent(120));
  assert.deepEqual(findings.map(({ cause }) => cause), ["learning_plateau"]);
  assert.deepEqual(afterEffects.map(({ cause }) => cause), ["learning_rate_zero"]);
  assert.equal(findings[0]!.train_steps[0], 121);
  assert.equal(diagnoseRun(spent(250)).verdict, "benign");
});
