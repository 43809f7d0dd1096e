/** The rule excessive_clipping: its fault and its look-alikes. */
import assert from "node:assert/strict";
import { diagnoseRun } from "../../../steps/diagnoses/diagnose_run.ts";
import { flat, HEALTHY, healthyBut, testRule, viewOf } from "./synthetic.ts";
import { DIAGNOSES } from "../../../steps/diagnoses/mod.ts";
import { between, healthyRuns, longRun, noisy } from "./long_run.ts";

testRule("excessive_clipping", {
  fires: {
    "a share that grows to 0.15 over a long run": longRun({
      clip_fraction: noisy(between(0.01, 0.15), 0.005).map(Math.abs),
    }),
    "a third of the tokens in every reuse": healthyBut({ clip_fraction: flat(0).map((_, i) => i % 4 * 0.15) }, {
      settings: { num_iterations: 4 },
    }),
  },
  silent: {
    "a share of a few percent": longRun({ clip_fraction: noisy(() => 0.06, 0.01).map(Math.abs) }),
    "0 with one update per rollout": HEALTHY,
    "a tenth, as a rollout that is used twice has": healthyBut({ clip_fraction: flat(0.1) }),
    ...Object.fromEntries(
      [{ loss: "cispo", importance_level: "token" }, { loss: "clipped", importance_level: "sequence" }].map((
        settings,
      ) => [`a run of ours by ${settings.loss} at the level of a ${settings.importance_level}`, {
        ...healthyBut({ clip_fraction: flat(0.3) }),
        own: true,
        settings,
      }]),
    ),
    "a sequence-level loss": healthyBut({ clip_fraction: flat(0.3) }, {
      settings: { importance_sampling_level: "sequence" },
    }),
  },
});

Deno.test("excessive_clipping is a warning up to half of the tokens, then an error", () => {
  const severity = (share: number) =>
    diagnoseRun(viewOf(healthyBut({ clip_fraction: flat(share) }))).findings.map(({ cause, severity }) =>
      `${cause} ${severity}`
    );
  assert.deepEqual(severity(0.4), ["excessive_clipping warning"]);
  assert.deepEqual(severity(0.8), ["excessive_clipping error"]);
});

Deno.test("excessive_clipping is silent on sixty healthy long runs", () => {
  for (const run of healthyRuns()) assert.equal(DIAGNOSES.excessive_clipping.check(viewOf(run)), null);
});

Deno.test("excessive_clipping of a long run is a trend from where it began, of a short one the records that show it", () => {
  const found = (records: number) => {
    const result = DIAGNOSES.excessive_clipping.check(viewOf(healthyBut({
      clip_fraction: Array.from({ length: records }, (_, i) => i < 0.4 * records ? 0.01 : 0.4),
    })));
    assert(result !== null && "message" in result);
    return [result.trend, result.trainSteps[0]];
  };
  assert.deepEqual([found(10), found(60)], [[undefined, 5], [true, 25]]);
});
