/** The rule preference_margin_blowup: its fault and its look-alikes. */
import assert from "node:assert/strict";
import { diagnoseRun } from "../../../steps/diagnoses/diagnose_run.ts";
import { DIAGNOSES } from "../../../steps/diagnoses/mod.ts";
import { flat, ramp, silentOn, testRule, viewOf } from "./synthetic.ts";
import { from, healthyPairs, longPairs, settles } from "./long_pairs.ts";

testRule("preference_margin_blowup", {
  fires: {
    "a margin that goes on growing while held-out pairs stay behind": longPairs({
      seed: 1,
      margin: (t) => settles(1.2)(t) + from(0.4, 12)(t),
      held: settles(1),
    }),
    "the same of KTO": longPairs({
      seed: 2,
      algorithm: "kto",
      margin: (t) => settles(1.2)(t) + from(0.4, 20)(t),
      held: settles(1.3),
    }),
    "a margin that grows ever faster, nothing held out": longPairs({
      seed: 3,
      margin: (t) => settles(1)(t) + from(0.5, 9)(t),
      held: null,
    }),
    "a margin of hundreds": {
      algorithm: "dpo",
      columns: {
        loss: [0.6931, ...flat(0, 29)],
        reward_margin: [0, ...ramp(60, 700, 29)],
        preference_accuracy: flat(1),
        learning_rate: flat(5e-3),
        grad_norm: ramp(3, 0.1),
      },
    },
  },
  silent: {
    "a margin that goes on growing on held-out pairs as well": longPairs({
      seed: 6,
      margin: from(0.2, 14),
      held: from(0.2, 11),
    }),
    "a margin of 8 that held-out pairs follow: the data are separable": longPairs({
      seed: 4,
      margin: settles(8),
      held: settles(7.5),
    }),
    "a margin of 7 that slows down": longPairs({ seed: 5, margin: settles(7), held: null }),
    "a margin of 2": {
      algorithm: "dpo",
      columns: { loss: ramp(0.69, 0.2), reward_margin: ramp(0, 2), preference_accuracy: ramp(0.5, 1) },
    },
  },
});

silentOn(
  "preference_margin_blowup",
  "healthy runs on pairs",
  Array.from({ length: 60 }, (_, seed) => healthyPairs(seed)),
);

Deno.test("preference_margin_blowup is silent where the held-out loss has turned: that is overfitting", () => {
  const run = longPairs({ seed: 1, margin: (t) => settles(1.2)(t) + from(0.4, 12)(t), held: settles(1) });
  const { length } = run.evaluations!.loss!;
  // Down from 0.5 to 0.4 in two fifths of the run, and up again by a share of its lowest.
  const turned = (share: number) =>
    viewOf({
      ...run,
      evaluations: {
        ...run.evaluations,
        loss: Array.from({ length }, (_, i) => {
          const at = (i + 1) / length;
          return 0.5 - 0.1 * Math.min(1, at / 0.4) + 0.4 * share * Math.max(0, at - 0.4) / 0.6;
        }),
      },
    });
  assert.notEqual(DIAGNOSES.preference_margin_blowup.check(turned(0.1)), null);
  assert.equal(DIAGNOSES.preference_margin_blowup.check(turned(0.3)), null);
  assert.deepEqual(diagnoseRun(turned(0.3)).findings.map(({ cause }) => cause), ["overfitting"]);
});
