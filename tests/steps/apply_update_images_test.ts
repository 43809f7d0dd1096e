/** Prompts with images through a train step: what reads their pixels, and what of the model moves. */
import assert from "node:assert/strict";
import { columnArray } from "../../data/tables/mod.ts";
import { partOf } from "../../gpu/models/vision_parameters.ts";
import { lists, type TrainingRun } from "./contexts/training_run.ts";
import { exchangeImages, visualRollout, withVisual } from "./contexts/visual_run.ts";

const TRAINER = { learning_rate: 1e-3, old_logprobs: "trainer" };
const metric = (run: TrainingRun, name: string) =>
  Array.from(columnArray(run.tables.table("metrics"), name) as ArrayLike<number>).at(-1)!;

/** Every value of a list column in one list. */
const flat = (run: TrainingRun, name: string) =>
  lists(run.tables.table("completions"), name).flatMap((row) => Array.from(row));
const gap = (a: readonly number[], b: readonly number[]) => Math.max(...a.map((x, i) => Math.abs(x - b[i]!)));

for (const temperature of [1, 0.7]) {
  Deno.test(`the sampler reads images as the trainer does, at temperature ${temperature}, also once the tower moved`, () =>
    withVisual(async (run) => {
      for (let step = 0; step < 2; step++) {
        await visualRollout(run, { temperature });
        await run.run("apply_update", TRAINER);
        assert(gap(flat(run, "old_logprobs"), flat(run, "sampler_logprobs")) < 1e-4, `train step ${step + 1}`);
      }
    }));
}

Deno.test("log-probs depend on which prompt has which image", () =>
  withVisual(async (run) => {
    await visualRollout(run);
    exchangeImages(run);
    await run.run("apply_update", TRAINER);
    const off = gap(flat(run, "old_logprobs"), flat(run, "sampler_logprobs"));
    assert(off > 1e-2, `exchanged images change a log-prob by ${off} at most`);
  }, { model: "warm_visual" }));

Deno.test("the reference reads images too: the KL is 0 until the policy has moved, and only then not", () =>
  withVisual(async (run) => {
    await visualRollout(run);
    assert(gap(flat(run, "ref_logprobs"), flat(run, "sampler_logprobs")) < 1e-4);
    await run.run("apply_update", { ...TRAINER, kl_coef: 0.1 });
    assert(Math.abs(metric(run, "kl")) < 1e-9, `${metric(run, "kl")}`);
    await visualRollout(run);
    await run.run("apply_update", { ...TRAINER, kl_coef: 0.1 });
    assert(metric(run, "kl") > 1e-6, `${metric(run, "kl")}`);
  }, { reference: "copy" }));

/** How many of the parameters of each part changed, and how many there are. */
function moved(run: TrainingRun, before: Float32Array) {
  const after = run.weights(), counts = { tower: [0, 0], merger: [0, 0], text: [0, 0] };
  for (const { name, offset, size } of run.policy.model.weights.layout.parameters) {
    const count = counts[partOf(name)];
    count[1]!++;
    if (after.subarray(offset, offset + size).some((x, i) => x !== before[offset + i])) count[0]!++;
  }
  return Object.fromEntries(
    Object.entries(counts).map(([part, [some, all]]) => [part, some === 0 ? "none" : some === all ? "all" : "some"]),
  );
}

for (
  const [what, trainable, want] of [
    ["everything", ["*"], { tower: "all", merger: "all", text: "all" }],
    ["merger and text", ["model.*", "visual.merger.*"], { tower: "none", merger: "all", text: "all" }],
    ["the text alone", ["model.*"], { tower: "none", merger: "none", text: "all" }],
    ["the tower alone", ["visual.blocks.*", "visual.patch_embed.*"], { tower: "all", merger: "none", text: "none" }],
    ["the merger alone", ["visual.merger.*"], { tower: "none", merger: "all", text: "none" }],
  ] as const
) {
  Deno.test(`where ${what} trains, that moves, and what is frozen stays bit by bit`, () =>
    withVisual(async (run) => {
      const before = run.weights();
      await visualRollout(run);
      await run.run("apply_update", { ...TRAINER, weight_decay: 0 });
      assert.deepEqual(moved(run, before), want);
    }, { trainable }));
}
