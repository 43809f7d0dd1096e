import assert from "node:assert/strict";
import { CURVES, learningRate, type Schedule, type ScheduleShape } from "../../../gpu/optimizers/schedules.ts";
import { readJson } from "../safetensors.ts";

const OURS: Record<string, Schedule> = {
  constant_with_warmup: "constant",
  linear: "linear",
  cosine: "cosine",
  cosine_with_min_lr: "cosine",
};

interface Case {
  name: string;
  options: Record<string, number>;
  num_warmup_steps: number;
  lr: number[];
}

const golden: { base_lr: number; num_training_steps: number; cases: Case[] } = readJson("goldens/torch/schedules.json");
for (const { name, options, num_warmup_steps: warmup, lr } of golden.cases) {
  const schedule = OURS[name];
  if (schedule === undefined || Object.keys(options).some((option) => !option.startsWith("min_lr"))) continue;
  const floor = options["min_lr_rate"] ?? (options["min_lr"] ?? 0) / golden.base_lr;
  Deno.test(`learningRate() of ${schedule} to ${floor} with ${warmup} warm-up updates is transformers' ${name}`, () => {
    const updates = golden.num_training_steps;
    lr.slice(0, updates + 1).forEach((want, update) => {
      const rate = learningRate(schedule, update, { peak: golden.base_lr, updates, warmup, shape: { floor } });
      assert(Math.abs(rate - want) <= 1e-12, `update ${update}: ${rate}, want ${want}`);
    });
  });
}

Deno.test("learningRate() of warmup_stable_decay grows, stays and falls on its curves down to its floor", () => {
  const settings = { peak: 1, updates: 10, warmup: 2 };
  const rates = (shape: ScheduleShape) =>
    [0, 1, 2, 6, 7, 8, 10].map((update) => learningRate("warmup_stable_decay", update, { ...settings, shape }));
  const near = (shape: ScheduleShape, want: number[]) =>
    rates(shape).forEach((rate, i) => assert(Math.abs(rate - want[i]!) < 1e-12, `${i}: ${rate}, want ${want[i]}`));
  near({ decayUpdates: 4, decayCurve: "linear" }, [0, 0.5, 1, 1, 0.75, 0.5, 0]);
  near({ decayUpdates: 4, decayCurve: "sqrt", floor: 0.2 }, [0.2, 0.6, 1, 1, 0.6, 1 - 0.8 * Math.SQRT1_2, 0.2]);
  near({ decayUpdates: 4, warmupCurve: "cosine" }, [0, 0.5, 1, 1, 0.5 + Math.SQRT1_2 / 2, 0.5, 0]);
});

Deno.test("learningRate() of inverse_sqrt never ends, that of others stays at its end unless it goes on", () => {
  assert.equal(learningRate("inverse_sqrt", 30, { peak: 1, updates: 1, shape: { timescale: 10 } }), 0.5);
  assert.equal(learningRate("inverse_sqrt", 16, { peak: 1, updates: 1, warmup: 4 }), 0.5);
  const line = { peak: 1, updates: 4, shape: { floor: 0.25, power: 2 } };
  assert.deepEqual([2, 4, 9].map((update) => learningRate("polynomial", update, line)), [0.4375, 0.25, 0.25]);
  const cosine = { peak: 1, updates: 4 };
  assert.equal(learningRate("cosine", 8, cosine), 0);
  assert.equal(learningRate("cosine", 8, { ...cosine, pastEnd: "goes on" }), 1);
});

Deno.test("CURVES fall from 1 to 0", () => {
  for (const curve of Object.values(CURVES)) {
    assert(Math.abs(curve(0, 0.5) - 1) < 1e-12 && Math.abs(curve(1, 0.5)) < 1e-12);
  }
});

Deno.test("learningRate() of cosine stays at 0 past the end", () => {
  assert.equal(learningRate("cosine", 29, { peak: 1, updates: 25 }), 0);
});
