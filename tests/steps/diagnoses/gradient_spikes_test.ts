/** The rule gradient_spikes: its fault and its look-alikes. */
import assert from "node:assert/strict";
import { DIAGNOSES } from "../../../steps/diagnoses/mod.ts";
import { between, healthyRuns, longRun, noisy, uniform } from "./long_run.ts";
import { testRule, viewOf } from "./synthetic.ts";

const usual = noisy(() => 0.8, 0.1);
/** The usual gradient with spikes of so many times at these records. */
const spiked = (at: readonly number[], times = 60) =>
  usual.map((value, record) => at.includes(record) ? times * value : value);

testRule("gradient_spikes", {
  fires: {
    "four spikes of 60 times the usual": longRun({ grad_norm: spiked([70, 120, 200, 260]) }),
    "one record in twelve": longRun({ grad_norm: spiked(Array.from({ length: 24 }, (_, i) => 12 * i + (i % 3) + 7)) }),
  },
  silent: {
    "one spike": longRun({ grad_norm: spiked([150]) }),
    "three spikes in the warm-up": longRun({ grad_norm: spiked([2, 6, 10]) }),
    "one spike of several records": longRun({ grad_norm: spiked([150, 151, 152, 153]) }),
    "four spikes in a thousand records": longRun(
      {
        grad_norm: noisy(() => 0.8, 0.1, { records: 1200 }).map((g, i) =>
          [200, 500, 700, 1100].includes(i) ? 60 * g : g
        ),
      },
      { records: 1200 },
    ),
    "spikes of ten times": longRun({ grad_norm: spiked([70, 120, 200, 260], 10) }),
    "a gradient of heavy tails": longRun({ grad_norm: usual.map((value, i) => i % 7 === 0 ? 8 * value : value) }),
    "a gradient that is 0 where all groups tie": longRun({
      grad_norm: usual.map((value, i) => i > 100 && i % 12 !== 0 ? value / 1000 : value),
    }),
  },
});

Deno.test("gradient_spikes names each train step, the largest and how often they come", () => {
  const grad_norm = spiked([70, 120, 200, 260]).map((value, record) => record === 200 ? 3 * value : value);
  const found = DIAGNOSES.gradient_spikes.check(viewOf(longRun({ grad_norm })));
  assert(found !== null && "message" in found);
  assert.deepEqual(found.trainSteps, [71, 121, 201, 261]);
  assert.match(found.message, /^4 gradients .* times at train step 201: 1.333 per 100 train steps$/);
});

Deno.test("gradient_spikes says that larger gradients of the warm-up are left out, and nothing of smaller ones", () => {
  const told = (first: number) => {
    const grad_norm = spiked([70, 120, 200, 260]).map((value, record) => record === 5 ? first : value);
    const found = DIAGNOSES.gradient_spikes.check(viewOf(longRun({ grad_norm })));
    assert(found !== null && "message" in found);
    return found.message;
  };
  assert.match(told(900), /; larger ones of the warm-up \(up to 900 at train step 6\) are left out$/);
  assert.doesNotMatch(told(20), /warm-up/);
});

Deno.test("gradient_spikes is silent on sixty healthy runs, and on gradients of a log-normal", () => {
  for (const run of healthyRuns()) assert.equal(DIAGNOSES.gradient_spikes.check(viewOf(run)), null);
  for (let seed = 1; seed <= 20; seed++) {
    const draw = uniform(seed);
    const grad_norm = usual.map(() =>
      Math.exp(0.6 * Math.sqrt(-2 * Math.log(draw())) * Math.cos(2 * Math.PI * draw()))
    );
    assert.equal(DIAGNOSES.gradient_spikes.check(viewOf(longRun({ grad_norm }))), null);
  }
});

Deno.test("gradient_spikes clips at some times the usual norm, and where the run already does takes smaller steps", () => {
  const remedy = (settings: Record<string, unknown>, size = 1) => {
    const grad_norm = spiked([70, 120, 200, 260]).map((norm) => size * norm);
    const found = DIAGNOSES.gradient_spikes.check(viewOf(longRun({ grad_norm }, { settings, system: "mlx" })));
    assert(found !== null && "message" in found);
    return found.remedy!.map((patch) =>
      "key" in patch && patch.set === undefined ? patch.key : ["max_grad_norm", patch.set]
    );
  };
  const clip = ["max_grad_norm", 2];
  assert.deepEqual(remedy({}), [clip, "learning_rate"], "no clip is known");
  assert.deepEqual(remedy({ max_grad_norm: 0 }), [clip, "learning_rate"], "0 is none");
  assert.deepEqual(remedy({ max_grad_norm: 10 }), [clip, "learning_rate"], "too far out");
  assert.deepEqual(remedy({ max_grad_norm: 1 }), ["learning_rate"], "it clips, and that is not enough");
  assert.deepEqual(remedy({ max_grad_norm: 1 }, 0.1), [["max_grad_norm", 0.2], "learning_rate"], "by the usual norm");
});

Deno.test("gradient_spikes takes the largest of several in a row, and advises no looser clip than the trainer's own", () => {
  const at: Record<number, number> = { 70: 60, 71: 200, 120: 60, 200: 60, 260: 60 };
  const grad_norm = usual.map((value, record) => value * (at[record] ?? 1));
  const of = (system: string) => {
    const found = DIAGNOSES.gradient_spikes.check(viewOf(longRun({ grad_norm }, { system })));
    assert(found !== null && "message" in found);
    return found;
  };
  assert.deepEqual(of("verl").trainSteps, [72, 121, 201, 261]);
  const clips = (system: string) => of(system).remedy!.some((patch) => "key" in patch && patch.key === "max_grad_norm");
  assert.deepEqual(["trl", "verl", "mlx"].map(clips), [false, false, true]);
});

Deno.test("gradient_spikes are none where gradients have been as large by themselves: five times the highest level is", () => {
  // 10 in the first twentieth and a half of the run, and 0.1 from there on: hundreds of times what is usual then.
  const of = (size: number) => {
    const grad_norm = usual.map((value, i) =>
      value * ([100, 150, 200, 250].includes(i) ? size : i < 24 ? 12.5 : 0.125)
    );
    return DIAGNOSES.gradient_spikes.check(viewOf(longRun({ grad_norm })));
  };
  assert.equal(of(12.5 * 4), null);
  assert.notEqual(of(12.5 * 7), null);
});

Deno.test("gradient_spikes is silent near the top, and between the passes over one rollout while the run learns", () => {
  const grad_norm = noisy(() => 0.5, 0.02).map((value, i) => [80, 140, 200, 260].includes(i) ? 40 : value);
  const said = (reward: readonly number[], settings: Record<string, unknown> = {}) =>
    DIAGNOSES.gradient_spikes.check(viewOf(longRun({ grad_norm, reward, "reward.accuracy_reward": [] }, { settings })));
  const learns = noisy(between(0.2, 0.6), 0.02), stays = noisy(() => 0.4, 0.02);
  assert.notEqual(said(learns), null);
  assert.equal(said(noisy(between(0.5, 0.97, 0, 0.6), 0.005)), null, "near the top");
  assert.equal(said(learns, { num_iterations: 4 }), null);
  assert.notEqual(said(learns, { num_iterations: 3 }), null);
  assert.notEqual(said(stays, { num_iterations: 8 }), null, "it does not learn");
});
