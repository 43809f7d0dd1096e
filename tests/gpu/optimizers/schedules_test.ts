import assert from "node:assert/strict";
import { learningRate, type Schedule } from "../../../gpu/optimizers/schedules.ts";
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
      const rate = learningRate(schedule, update, { peak: golden.base_lr, updates, warmup, floor });
      assert(Math.abs(rate - want) <= 1e-12, `update ${update}: ${rate}, want ${want}`);
    });
  });
}

Deno.test("learningRate() of cosine stays at 0 past the end", () => {
  assert.equal(learningRate("cosine", 29, { peak: 1, updates: 25 }), 0);
});
