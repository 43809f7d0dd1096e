import assert from "node:assert/strict";
import { arrivalAt, arrivalText, plannedSteps } from "../../../../steps/diagnoses/view/arrival.ts";
import { course } from "../../../../steps/diagnoses/view/course.ts";
import { between, type Curve, longRun, noisy } from "../long_run.ts";
import { viewOf } from "../synthetic.ts";

const stepsOf = (records: number, every = 1) => Array.from({ length: records }, (_, i) => every * (i + 1));

function arrival(values: readonly number[], border: number, every = 1) {
  return arrivalAt(course("entropy", values)!, stepsOf(values.length, every), border);
}

Deno.test("arrivalAt() of an exact decay is the train step at which it crosses", () => {
  // 0.6 halves every 60 train steps: 0.02 is reached at 60 log2(30) = 294.4.
  const values = stepsOf(240).map((step) => 0.6 * 0.5 ** (step / 60));
  const found = arrival(values, 0.02)!;
  assert(Math.abs(found.trainStep - 295) <= 2, String(found.trainStep));
  assert(Math.abs(found.doubling - 60) < 0.01, String(found.doubling));
  const sparse = arrival(values, 0.02, 10)!;
  assert(Math.abs(sparse.trainStep - 2950) <= 20, "in train steps, not in records");
});

Deno.test("arrivalAt() of growth crosses upwards, and never a border that lies behind", () => {
  const values = stepsOf(240).map((step) => 0.001 * 2 ** (step / 40));
  // 0.001 doubles every 40 train steps: 0.2 is reached at 40 log2(200) = 305.8.
  assert(Math.abs(arrival(values, 0.2)!.trainStep - 306) <= 2);
  assert.equal(arrival(values, 0.01), null, "passed already");
  assert.equal(arrival(values, 1e-5), null, "the other way");
});

Deno.test("arrivalAt() is null where nothing can be told", () => {
  const decay = stepsOf(240).map((step) => 0.6 * 0.5 ** (step / 60));
  assert.equal(arrival(decay.map((value, i) => i === 100 ? value : value - 0.6), 0.02), null, "values below 0");
  assert.equal(arrivalAt(course("kl", decay)!, decay.map((_, i) => i % 100), 0.02), null, "train steps that go back");
  assert.equal(arrival(decay, 1e-6), null, "farther away than the run is long");
  assert.equal(arrival(decay, 0), null, "no logarithm of 0");
  assert.equal(arrival(stepsOf(240).map(() => 0.5), 0.02), null, "a constant");
  const settling = stepsOf(240).map((step) => 0.1 + 0.5 * Math.exp(-step / 60));
  assert.equal(arrival(settling, 0.09), null, "it slows down");
});

Deno.test("arrivalAt() is not turned by a spike", () => {
  const values = stepsOf(240).map((step) => 0.6 * 0.5 ** (step / 60) * (step >= 200 && step < 210 ? 30 : 1));
  assert(Math.abs(arrival(values, 0.02)!.trainStep - 295) <= 12);
});

const FAR: readonly (readonly [string, Curve, number, number])[] = [
  ["an entropy that falls with a rising reward", between(0.6, 0.4), 0.02, 0.02],
  ["an entropy that settles early", (at) => 0.2 + 0.5 * Math.exp(-at / 0.15), 0.02, 0.02],
  ["a flat entropy that wanders", () => 0.3, 0.02, 0.06],
  ["a KL that grows steadily", (at) => 0.01 + 0.04 * at, 0.002, 0.5],
  ["a share of truncated ones that stays", () => 0.05, 0.015, 0.5],
  ["a share of truncated ones that creeps a little", between(0.04, 0.06), 0.01, 0.5],
];

for (const part of [0.3, 0.4, 0.5, 0.7]) {
  Deno.test(`arrivalAt() claims hardly ever what settles above the border, in ${part} of the run`, () => {
    let claimed = 0;
    for (let seed = 1; seed <= 100; seed++) {
      const values = noisy((at) => 0.04 + 0.5 * Math.exp(-at / part), 0.004, { records: 240, seed, memory: 0.5 });
      if (arrival(values.map((value) => Math.max(value, 1e-3)), 0.02) !== null) claimed++;
    }
    assert(claimed <= 5, String(claimed));
  });
}

for (const [what, curve, noise, border] of FAR) {
  Deno.test(`arrivalAt() claims none of ${what}, in 98 of 100 runs at any time`, () => {
    let claimed = 0, looks = 0;
    for (let seed = 1; seed <= 150; seed++) {
      const values = noisy(curve, noise, {
        records: [60, 150, 300, 600][seed % 4]!,
        seed,
        memory: [0, 0.3, 0.8][seed % 3]!,
      })
        .map((value) => Math.max(value, 1e-3));
      for (const part of [0.5, 0.75, 1]) {
        looks++;
        if (arrival(values.slice(0, Math.round(part * values.length)), border) !== null) claimed++;
      }
    }
    assert(claimed <= 0.02 * looks, `${claimed} of ${looks}`);
  });
}

Deno.test("arrivalAt() sees a noisy decay, near its true crossing, in nine of ten runs", () => {
  let near = 0;
  for (let seed = 1; seed <= 100; seed++) {
    const rough = noisy(() => 1, 0.1, { records: 240, seed });
    const found = arrival(rough.map((factor, i) => factor * 0.6 * 0.5 ** (i / 60)), 0.02);
    if (found !== null && Math.abs(found.trainStep - 294) <= 30 && found.latest >= found.trainStep) near++;
  }
  assert(near >= 90, String(near));
});

Deno.test("plannedSteps() are those of the configuration, else of the epochs", () => {
  const columns = { epoch: [0.25, 0.5, 0.75, 1] };
  assert.equal(plannedSteps(viewOf({ columns, settings: { max_steps: 500 } })), 500);
  assert.equal(plannedSteps(viewOf({ columns, settings: { max_steps: -1, num_train_epochs: 3 } })), 12);
  assert.equal(plannedSteps(viewOf({ columns })), null);
});

Deno.test("arrivalText() says the pace and when, inside what is left of the run", () => {
  const entropy = stepsOf(240).map((step) => 0.6 * 0.5 ** (step / 60));
  const said = (settings: Record<string, unknown>) =>
    arrivalText(viewOf(longRun({ entropy }, { records: 240, settings })), course("entropy", entropy)!, 0.02);
  assert.equal(said({}), "; it halves every 60 train steps, at that rate below 0.02 in about 55");
  assert.equal(
    said({ max_steps: 400 }),
    "; it halves every 60 train steps, at that rate below 0.02 in about 55 of the 160 that are left",
  );
  assert.equal(said({ max_steps: 260 }), "", "the run ends before");
});

Deno.test("arrivalAt() believes what two standard errors of its slope leave within a run's length", () => {
  // 24 stretches of ten train steps, which fall by 1 % a step and lie `by` above and below that in turn. Their noise is
  // 2.42 times as much (second differences of 4), over the root of 4200, the spread of the last eight: the error is 3.7 % of
  // `by` a step. At 1 % a step the border is 150 steps off; as near as a slope of 1 % less two errors comes to it: 188 at an
  // error of 0.1 %, 250 at one of 0.2 %, of the 240 that a line is believed for.
  const of = (error: number) => {
    const by = error / 0.0374, at = (stretch: number) => -0.1 * stretch + (stretch % 2 === 0 ? by : -by);
    const values = Array.from({ length: 240 }, (_, i) => Math.exp(at(Math.floor(i / 10))));
    return arrival(values, Math.exp(-0.1 * 23.5 - 1.5));
  };
  assert(Math.abs(of(0.001)!.latest - of(0.001)!.trainStep - 37.5) < 6, JSON.stringify(of(0.001)));
  assert.equal(of(0.002), null);
});
