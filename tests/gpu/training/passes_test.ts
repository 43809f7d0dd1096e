import assert from "node:assert/strict";
import { fill, logprobsPass, trainPass } from "../../../gpu/training/passes.ts";
import { RopeTensors } from "../../../gpu/models/rope_tensors.ts";
import { same } from "../../same.ts";
import { withModel } from "../golden_model.ts";

const READING = { shape: { prompts: 1, group: 2, promptTokens: 4, completionTokens: 3 }, temperature: 1 };
const SLICE = { prompts: [[5, 6, 7]], group: 2, completions: [[8, 9, 503], [10, 503]], first: 0 };
const ONES = { unit: "token", rows: [[1, 1, 1], [1, 1]] } as const;

Deno.test("trainPass() and logprobsPass() compute the same log-probs; accumulating doubles the gradient", async () => {
  await withModel("qwen2", async (model) => {
    const { weights, runtime, config } = model;
    const tables = new RopeTensors(runtime, config).get(7), all = weights.trainable();
    const plain = await logprobsPass(model, tables, READING);
    fill(plain, SLICE, config, {});
    await plain.run.run();
    const gradients: Float32Array[] = [];
    for (const accumulate of [false, true]) {
      const settings = { loss: { objective: "cross_entropy" }, accumulate } as const;
      const pass = await trainPass(model, tables, all, READING, settings);
      fill(pass, SLICE, config, { rows: { coefficients: ONES, completion_mask: ONES } });
      await pass.run.run();
      const want = plain.outputs.logprobs!.data as Float32Array, got = pass.outputs.logprobs!.data as Float32Array;
      [0, 1, 2, 3, 4].forEach((i) => assert(Math.abs(got[i]! - want[i]!) <= 1e-6));
      const loss = -(want[0]! + want[1]! + want[2]! + want[3]! + want[4]!);
      assert(Math.abs((pass.outputs.loss!.data as Float32Array)[0]! - loss) <= 1e-4);
      gradients.push((weights.gradients.data as Float32Array).slice());
      pass.release();
    }
    plain.release();
    gradients[1]!.forEach((g, i) => assert(Math.abs(g - 2 * gradients[0]![i]!) <= 1e-4 + 1e-4 * Math.abs(g), `${i}`));
    assert(gradients[0]!.some((g) => g !== 0));
  });
});

Deno.test("trainPass() over a row of several blocks has the same gradient to the bit with layers computed again", async () => {
  await withModel("qwen2", async (model) => {
    const { weights, runtime, config } = model, prompt = Array.from({ length: 1030 }, (_, i) => 3 + (i * i) % 400);
    const shape = { prompts: 1, group: 2, promptTokens: 1030, completionTokens: 3 };
    const tables = new RopeTensors(runtime, config).get(1033), gradients: Float32Array[] = [];
    for (const recompute of [false, true]) {
      const settings = { loss: { objective: "cross_entropy" }, accumulate: false } as const;
      const pass = await trainPass(model, tables, weights.trainable(), { shape, temperature: 1, recompute }, settings);
      fill(pass, { ...SLICE, prompts: [prompt] }, config, { rows: { coefficients: ONES, completion_mask: ONES } });
      await pass.run.run();
      pass.release();
      gradients.push((weights.gradients.data as Float32Array).slice());
    }
    same(gradients[1], gradients[0]);
    assert(gradients[0]!.some((g) => Math.abs(g) > 1e-3));
  });
});
