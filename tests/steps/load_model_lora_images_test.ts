/** Low-rank adapters on a model that reads images: where they go, what they train, what stays. */
import assert from "node:assert/strict";
import { partOf } from "../../gpu/models/vision_parameters.ts";
import { lists, type TrainingRun } from "./contexts/training_run.ts";
import { visualRollout, withVisual } from "./contexts/visual_run.ts";

const TRAINER = { learning_rate: 1e-2, old_logprobs: "trainer" };
const TOWER = String.raw`visual\.blocks\..*\.(qkv|proj|fc1|fc2)`;
const targets = (run: TrainingRun) => [...run.policy.model.adapted!.adapter.targets];
const base = (run: TrainingRun) => new Map(run.policy.model.adapted!.base.toHuggingFace());

/** Two train steps, in which sampler and trainer read the adapter alike. */
async function train(run: TrainingRun): Promise<void> {
  for (let step = 0; step < 2; step++) {
    await visualRollout(run);
    await run.run("apply_update", TRAINER);
    const table = run.tables.table("completions");
    const [old, sampled] = [lists(table, "old_logprobs").flat(), lists(table, "sampler_logprobs").flat()];
    old.forEach((x, i) => assert(Math.abs(x - sampled[i]!) < 1e-4, `train step ${step + 1}: ${x} ${sampled[i]}`));
  }
}

for (
  const [what, target_modules, parts] of [
    ["text", ["q_proj", "v_proj"], { text: 4, tower: 0, merger: 0 }],
    ["tower", TOWER, { text: 0, tower: 8, merger: 0 }],
    ["merger", ["mlp.0", "mlp.2"], { text: 0, tower: 0, merger: 2 }],
    // As PEFT has it: neither the head nor the convolution of the patches.
    ["text, tower and merger", "all-linear", { text: 14, tower: 8, merger: 2 }],
  ] as const
) {
  Deno.test(`an adapter on the ${what} trains every one of its B, and leaves its base as it was`, () =>
    withVisual(async (run) => {
      const counts = { text: 0, tower: 0, merger: 0 };
      for (const name of targets(run)) counts[partOf(name)]++;
      assert.deepEqual(counts, parts);
      const before = base(run);
      await train(run);
      for (const [name, { data }] of run.policy.model.weights.toHuggingFace()) {
        if (name.endsWith("lora_B.weight")) assert(data.some((x) => x !== 0), name);
      }
      for (const [name, { data }] of base(run)) assert.deepEqual(data, before.get(name)!.data, name);
    }, { lora: { rank: 2, target_modules } }));
}

Deno.test("an adapter with dropout on every linear layer leaves out nothing where log-probs are read", () =>
  withVisual(train, { lora: { rank: 2, target_modules: "all-linear", dropout: 0.5 } }));

for (const weights of ["int8", "int4"]) {
  Deno.test(`an adapter upon weights of ${weights} trains on images, tower and all`, () =>
    withVisual(async (run) => {
      const before = run.weights();
      await visualRollout(run);
      await run.run("apply_update", TRAINER);
      assert.notDeepEqual(run.weights(), before);
      const [row] = run.tables.table("metrics").objects() as { grad_norm: number; non_finite: number }[];
      assert(row!.grad_norm > 0 && row!.non_finite === 0);
    }, { weights, lora: { rank: 2, target_modules: "all-linear" } }));
}

Deno.test("an adapter on the convolution of the patches is refused, with what to do", async () => {
  const load = (lora: Record<string, unknown>) => withVisual(() => Promise.resolve(), { lora });
  await assert.rejects(
    load({ target_modules: ["proj"] }),
    /Cannot add an adapter to "proj": "visual\.patch_embed\.proj" is a convolution, .* exclude_modules: \[patch_embed\.proj\]/,
  );
  await load({ target_modules: ["proj"], exclude_modules: ["patch_embed.proj"] });
  await load({ target_modules: ["attn.proj"] });
  await load({ target_modules: "all-linear", modules_to_save: ["patch_embed"] });
});
