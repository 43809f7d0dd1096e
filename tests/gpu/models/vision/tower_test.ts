import assert from "node:assert/strict";
import type { ClippedLoss } from "../../../../gpu/losses/clipped.ts";
import type { LanguageModel, TrainBatch, TrainSettings } from "../../../../gpu/language_model.ts";
import { LanguageModel as Model } from "../../../../gpu/language_model.ts";
import { partOf } from "../../../../gpu/models/vision_parameters.ts";
import { adapterNames } from "../../../../gpu/weights/adapter.ts";
import { readSafetensors, type Stored } from "../../safetensors.ts";
import { farthest, VISION_CASES, type VisionCase, type VisionGolden, withVision } from "./vision_golden.ts";

const CASES = Object.keys(VISION_CASES) as VisionCase[];

/** GRPO with every ratio 1. */
const LOSS: ClippedLoss = {
  objective: "clipped",
  clipLow: 0.2,
  clipHigh: 0.2,
  ratioCap: null,
  ratioLevel: "token",
  onPolicy: true,
  kl: null,
};
const SETTINGS: TrainSettings = { loss: LOSS, aggregation: "token_mean", temperature: 1 };

/** The golden's rows; prompts that follow each other are one group. */
function batchOf({ json, prompts, completions }: VisionGolden): TrainBatch {
  const group = json.group ?? 1;
  return {
    prompts: prompts.filter((_, row) => row % group === 0),
    group,
    completions,
    inputs: { advantages: json.grpo.advantages },
  };
}

type Gradients = Readonly<Record<string, readonly [norm: number, along: number]>>;

/** How far gradients are from goldens, of their norm and a thousandth of the norm of all. */
function offBy(want: Gradients, got: ReadonlyMap<string, Pick<Stored, "data">>, names: readonly string[]): number {
  const total = Math.hypot(...Object.values(want).map(([norm]) => norm));
  return names.reduce((most, name) => {
    const [norm, along] = want[name]!, values = Array.from(got.get(name)!.data);
    const ours = [Math.hypot(...values), values.reduce((sum, x, i) => sum + x * Math.cos(i), 0)] as const;
    return Math.max(most, Math.max(Math.abs(ours[0] - norm), Math.abs(ours[1] - along)) / (norm + 1e-3 * total));
  }, 0);
}

for (const name of CASES) {
  Deno.test(`${name}: the states of every patch and the merged features are those of transformers`, async () => {
    await withVision(name, async (model, { images, tensors }) => {
      const hidden = tensors.get("tower_hidden")!, merged = tensors.get("tower_merged")!;
      const size = hidden.data.length / hidden.shape[0]!;
      const states: number[] = [], features: number[] = [];
      for (const image of images) {
        states.push(...await model.images!.rows(image, "states"));
        features.push(...await model.images!.rows(image, "features"));
      }
      assert(farthest(states, hidden.data.slice(-size)) < 1e-4);
      assert(farthest(features, merged.data) < 1e-4);
    });
  });

  Deno.test(`${name}: log-probs of completions, and greedy ids by the cache, are those of transformers`, async () => {
    await withVision(name, async (model, golden) => {
      const { json, tensors, prompts } = golden, want = tensors.get("logprobs")!, width = want.shape[1]!;
      const { logprobs } = await model.logprobs(batchOf(golden));
      logprobs.forEach((row, r) =>
        assert(farthest(row, want.data.slice(r * width, r * width + row.length)) < 1e-4, `row ${r}`)
      );
      const rows = (json.greedy.prompts_of_row as number[]).map((row) => prompts[row]!);
      const drawn = await model.sample(rows, 1, {
        ...{ temperature: 0, topK: 0, topP: 1, minP: 0, repetitionPenalty: 1, eosIds: [], uniforms: () => 0.5 },
        maxNewTokens: json.greedy.ids[0].length,
        suppressIds: json.banned.without_images,
      });
      assert.deepEqual(drawn.map(({ tokenIds }) => Array.from(tokenIds)), json.greedy.ids);
      drawn.forEach(({ logprobs }, i) => assert(farthest(logprobs, json.greedy.logprobs[i]) < 1e-4, `prompt ${i}`));
    });
  });

  Deno.test(`${name}: the loss and the gradient of every parameter are those of transformers, in one pass and in several`, async () => {
    await withVision(name, async (model, golden) => {
      const { loss: wantLoss, gradients: want } = golden.json.grpo.plain, batch = batchOf(golden);
      for (const promptsPerPass of [undefined, 1]) {
        const { loss } = await model.accumulateGradient(batch, { ...SETTINGS, promptsPerPass });
        assert(Math.abs(loss - wantLoss) < 1e-5, `loss ${loss}, want ${wantLoss}`);
        const got = model.weights.namedGradients();
        assert.deepEqual([...got.keys()].sort(), Object.keys(want).sort());
        assert(offBy(want, got, Object.keys(want)) < 1e-4);
        for (const [key, { data }] of golden.tensors) {
          const name = key.replace(/^grad\./, "");
          if (name !== key) assert(farthest(data, got.get(name)!.data) < 1e-4, name);
        }
        await standStill(model);
      }
    });
  });

  for (const frozen of [["tower"], ["tower", "merger"]]) {
    Deno.test(`${name}: with ${frozen.join(" and ")} frozen the others have the same gradient`, async () => {
      await withVision(name, async (model, golden) => {
        const want: Gradients = golden.json.grpo.plain.gradients;
        const names = Object.keys(want).filter((name) => !frozen.includes(partOf(name)));
        model.setTrainable(names);
        assert.equal(model.images!.stage, frozen.includes("merger") ? "features" : "states");
        const { loss } = await model.accumulateGradient(batchOf(golden), SETTINGS);
        assert(Math.abs(loss - golden.json.grpo.plain.loss) < 1e-5);
        assert(offBy(want, model.weights.namedGradients(), names) < 1e-4);
      });
    });
  }

  Deno.test(`${name}: recomputed layers and blocks give the same gradient`, async () => {
    await withVision(name, async (model, golden) => {
      const want: Gradients = golden.json.grpo.plain.gradients;
      await model.accumulateGradient(batchOf(golden), { ...SETTINGS, recompute: true });
      assert(offBy(want, model.weights.namedGradients(), Object.keys(want)) < 1e-4);
    });
  });

  Deno.test(`${name}: tokens of images have no probability, in log-probs, gradients and samples alike`, async () => {
    await withVision(name, async (model, golden) => {
      const { json, tensors } = golden, banned: number[] = json.banned.without_vision;
      assert.deepEqual([...model.config.silentTokens].sort(), [...banned].sort());
      const want = tensors.get("logprobs_without_vision")!, width = want.shape[1]!, batch = batchOf(golden);
      const { logprobs } = await model.logprobs(batch);
      logprobs.forEach((row, r) =>
        assert(farthest(row, want.data.slice(r * width, r * width + row.length)) < 1e-4, `row ${r}`)
      );
      const { loss } = await model.accumulateGradient(batch, SETTINGS), own = json.grpo.without_vision;
      assert(Math.abs(loss - own.loss) < 1e-5);
      assert(offBy(own.gradients, model.weights.namedGradients(), Object.keys(own.gradients)) < 1e-4);
      const drawn = await model.sample(batch.prompts, 16, {
        ...{ temperature: 3, topK: 0, topP: 1, minP: 0, repetitionPenalty: 1, eosIds: [], maxNewTokens: 24 },
        uniforms: (row, token) => (0.618 * (row + 1) + 0.414 * (token + 1)) % 1,
      });
      const ids = drawn.flatMap(({ tokenIds }) => Array.from(tokenIds));
      assert.equal(ids.filter((id) => banned.includes(id)).length, 0);
      // What the sampler reports is what training computes.
      const read = await model.logprobs({
        prompts: batch.prompts,
        group: 16,
        completions: drawn.map(({ tokenIds }) => tokenIds),
      }, { temperature: 3 });
      read.logprobs.forEach((row, r) => assert(farthest(row, drawn[r]!.samplerLogprobs) < 1e-4, `row ${r}`));
    }, { silent: true });
  });
}

Deno.test("an adapter on tower and text has the loss and the gradients of PEFT", async () => {
  await withVision("qwen2_vl", async (base, golden) => {
    const { lora } = golden.json, stored = readSafetensors(`${lora.adapter}/adapter_model.safetensors`);
    const plainName = (name: string) =>
      name.replace(/^base_model\.model\./, "").replace("model.visual.", "visual.")
        .replace("model.language_model.", "model.");
    const targets = new Set(
      base.weights.layout.parameters.map(({ name }) => name).filter((name) =>
        [...stored.keys()].map(plainName).includes(adapterNames(name).a)
      ),
    );
    assert(
      [...targets].some((name) => name.startsWith("visual.")) && [...targets].some((name) => name.startsWith("model.")),
    );
    const { r: rank, lora_alpha: alpha } = JSON.parse(
      Deno.readTextFileSync(new URL(`../../../${lora.adapter}/adapter_config.json`, import.meta.url)),
    );
    const plan = { rank, alpha, rslora: false, scaling: alpha / rank, dropout: 0, targets, saved: new Set<string>() };
    const model = Model.adapt(base, plan, null);
    model.weights.fromHuggingFace(new Map([...stored].map(([name, tensor]) => [plainName(name), tensor])));
    try {
      assert.equal(model.images!.stage, "patches");
      const { loss } = await model.accumulateGradient(batchOf(golden), SETTINGS);
      assert(Math.abs(loss - lora.loss) < 1e-5, `loss ${loss}, want ${lora.loss}`);
      const want = Object.fromEntries(
        Object.entries(lora.gradients as Gradients).map(([name, value]) => [plainName(name), value]),
      );
      // Sums of thousands of float32 products, of gradients 50 times as large as the text's.
      assert(offBy(want, model.weights.namedGradients(), Object.keys(want)) < 2e-4);
    } finally {
      base.weights.hold();
      model.release();
    }
  });
});

/** Ends the gradient without moving a weight. */
async function standStill(model: LanguageModel): Promise<void> {
  await model.applyUpdate({ learningRate: 0, beta1: 0.9, beta2: 0.99, epsilon: 1e-8, weightDecay: 0, maxNorm: 0 });
}
