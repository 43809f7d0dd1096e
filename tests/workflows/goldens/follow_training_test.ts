import assert from "node:assert/strict";
import { compare } from "../../../workflows/goldens/compare.ts";
import { adamwOf, followTraining, gradientChecks } from "../../../workflows/goldens/follow_training.ts";
import { withModel } from "../../../workflows/goldens/open_model.ts";
import type { Data } from "../../../workflows/goldens/topic.ts";

const OPTIMIZER = { lr: 1e-3, betas: [0.9, 0.999], eps: 1e-8, weight_decay: 0.01 } as const;
const BATCH = { prompts: [[1, 2]], group: 1, completions: [[3, 4, 503]] };
const SETTINGS = { loss: { objective: "cross_entropy" }, aggregation: "token_mean", temperature: 1 } as const;
const none = { tensors: new Map(), float32: () => new Float32Array() } as unknown as Parameters<
  typeof gradientChecks
>[3];

Deno.test("adamwOf() is torch's AdamW with a bound on the norm", () => {
  const want = { learningRate: 1e-3, beta1: 0.9, beta2: 0.999, epsilon: 1e-8, weightDecay: 0.01, maxNorm: 2 };
  assert.deepEqual(adamwOf(OPTIMIZER, 2), want);
});

Deno.test("followTraining() fails on a changed loss or norm, gradientChecks() on a changed gradient", async () => {
  await withModel("tests/models/qwen2", async (model) => {
    const { loss } = await model.accumulateGradient(BATCH, SETTINGS);
    const [known] = gradientChecks(model, "x", { "model.norm.weight": 1 }, none);
    const right = gradientChecks(model, "x", { "model.norm.weight": known!.got as number }, none);
    const { gradNorm } = await model.applyUpdate(adamwOf({ ...OPTIMIZER, lr: 0, weight_decay: 0 }, 1));
    const failing = async (off: number) => {
      const trajectory = { max_norm: 1, steps: [{ loss: loss + off, grad_norm: gradNorm }], param_norms: {} };
      const still = { ...OPTIMIZER, lr: 0 };
      const checks = await followTraining(model, "x", BATCH, SETTINGS, trajectory, still, none);
      return [...checks, ...right].filter((c) => compare(c.want as Data, c.got, c.tolerance).difference).length;
    };
    assert.equal(await failing(0), 0);
    assert.equal(await failing(0.01), 1);
    assert(compare(known!.want as Data, known!.got, known!.tolerance).difference);
  });
});
