/** Advantages per token, and what a batch of several passes reports. */
import assert from "node:assert/strict";
import type { TrainBatch, TrainSettings } from "../../../gpu/language_model.ts";
import { LanguageModel } from "../../../gpu/language_model.ts";
import type { Loss } from "../../../gpu/losses/mod.ts";
import { cpuRuntime, norm, withModel } from "../golden_model.ts";
import { withFamily } from "../models/family_golden.ts";
import { madeImage, madePrompt } from "../models/vision/made_images.ts";
import { MemoryBudget } from "../../../gpu/ort/memory_budget.ts";
import { passBytes } from "../../../gpu/training/pass_bytes.ts";
import { farthest, withVision } from "../models/vision/vision_golden.ts";

const SETTINGS: TrainSettings = {
  loss: {
    objective: "clipped",
    clipLow: 0.2,
    clipHigh: 0.2,
    ratioCap: null,
    ratioLevel: "token",
    onPolicy: false,
    kl: null,
  },
  aggregation: "sequence_mean",
  temperature: 1,
};
const SEQUENCES = {
  prompts: [[5, 6, 7], [8]],
  group: 2,
  completions: [[9, 10, 503], [11, 503], [12, 13, 14, 503], [15]],
};

Deno.test("advantages per token that are constant are those per completion, bitwise", () =>
  withModel("qwen2", async (model) => {
    const old_logprobs = (await model.logprobs(SEQUENCES)).logprobs, advantages = [1, -1, 0.5, -0.5];
    const results = [];
    for (const given of [advantages, SEQUENCES.completions.map((row, r) => row.map(() => advantages[r]!))]) {
      const batch: TrainBatch = { ...SEQUENCES, inputs: { old_logprobs, advantages: given } };
      const { loss, metrics } = await model.accumulateGradient(batch, SETTINGS);
      results.push({ loss, metrics, gradient: (model.weights.gradients.data as Float32Array).slice() });
      await model.applyUpdate({ learningRate: 0, beta1: 0, beta2: 0, epsilon: 1, weightDecay: 0, maxNorm: 1 });
    }
    assert.deepEqual(results[0], results[1]);
  }));

Deno.test("advantages per token that differ give the loss and the gradient of its own differences", () =>
  withModel("qwen2", async (model) => {
    const { logprobs } = await model.logprobs(SEQUENCES);
    const old_logprobs = logprobs.map((row) => row.map((x, t) => x + 0.03 * (t + 1)));
    const advantages = [[2, -1, 0.5], [-3, 1], [0.1, 0.2, -0.3, 0.4], [1.5]];
    const batch: TrainBatch = { ...SEQUENCES, inputs: { old_logprobs, advantages } };
    const { loss } = await model.accumulateGradient(batch, SETTINGS);
    const mean = (row: readonly number[]) =>
      row.reduce((sum, advantage, t) => sum - advantage * Math.exp(-0.03 * (t + 1)), 0) / row.length;
    const want = advantages.reduce((sum, row) => sum + mean(row), 0) / advantages.length;
    assert(Math.abs(loss - want) <= 1e-5, `${loss}, want ${want}`);
    const gradient = (model.weights.gradients.data as Float32Array).slice(), length = norm(gradient);
    const weights = (model.weights.values.data as Float32Array).slice(), epsilon = 3e-4;
    const at = async (step: number) => {
      model.weights.values.upload(weights.map((w, i) => w + step * gradient[i]! / length));
      return (await model.accumulateGradient(batch, SETTINGS)).loss;
    };
    const difference = (await at(epsilon) - await at(-epsilon)) / (2 * epsilon);
    assert(Math.abs(difference - length) <= 1e-2 * length, `${difference}, want ${length}`);
  }));

Deno.test("a ratio of no token is null, a share of none is 0, and what a loss has not is null", () =>
  withModel("qwen2", async (model) => {
    const completionMask = SEQUENCES.completions.map(({ length }) => new Float32Array(length));
    const loss = { ...SETTINGS.loss, onPolicy: true } as TrainSettings["loss"];
    const batch = { ...SEQUENCES, completionMask, inputs: { advantages: [1, -1, 1, -1] } };
    const { tokens, metrics } = await model.accumulateGradient(batch, { ...SETTINGS, loss });
    assert.equal(tokens, 0);
    const fractions = { clip_fraction: 0, clip_fraction_low: 0, clip_fraction_high: 0, dual_clip_fraction: null };
    const extremes = { clip_fraction_low_min: NaN, clip_fraction_high_max: NaN };
    const shared = { ratio_mean: null, kl: null, approx_kl: 0, policy_loss: null, entropy: 0 };
    assert.deepEqual(metrics, { ...fractions, ...extremes, ...shared });
  }));

Deno.test("a second gradient is added to the first, in as many passes as either takes", () =>
  withModel("qwen2", async (model) => {
    const halves = [0, 1].map((half): TrainBatch => ({
      prompts: [SEQUENCES.prompts[half]!],
      group: 2,
      completions: SEQUENCES.completions.slice(2 * half, 2 * half + 2),
      inputs: { advantages: [1, -0.5] },
    }));
    const settings = {
      ...SETTINGS,
      loss: { ...SETTINGS.loss, onPolicy: true } as TrainSettings["loss"],
      aggregation: "token_sum" as const,
    };
    const gradient = () => (model.weights.gradients.data as Float32Array).slice();
    const start = () =>
      model.applyUpdate({ learningRate: 0, beta1: 0, beta2: 0, epsilon: 1, weightDecay: 0, maxNorm: 1 });
    const alone: Float32Array[] = [];
    for (const half of halves) {
      await model.accumulateGradient(half, settings);
      alone.push(gradient());
      await start();
    }
    const sum = alone[0]!.map((x, i) => x + alone[1]![i]!);
    assert(norm(alone[0]!) > 0.1 && norm(alone[1]!) > 0.1 && norm(sum) > 0.1);
    const whole = { ...SEQUENCES, inputs: { advantages: [1, -0.5, 1, -0.5] } };
    for (const batches of [halves, [whole]]) {
      for (const promptsPerPass of [1, 2]) {
        for (const batch of batches) await model.accumulateGradient(batch, { ...settings, promptsPerPass });
        const off = norm(gradient().map((x, i) => x - sum[i]!));
        assert(off <= 1e-5 * norm(sum), `${batches.length} batches, ${promptsPerPass} prompts per pass: off by ${off}`);
        await start();
      }
    }
  }));

Deno.test("a sequence may fill the model's positions and not one more", () =>
  withModel("qwen2", async (model) => {
    const { maxPositions } = model.config, prompt = Array<number>(maxPositions - 2).fill(9);
    const { logprobs } = await model.logprobs({ prompts: [prompt], group: 1, completions: [[5, 6]] });
    assert(logprobs[0]!.every(Number.isFinite));
    await assert.rejects(
      () => model.logprobs({ prompts: [[...prompt, 9]], group: 1, completions: [[5, 6]] }),
      new RegExp(`Cannot read sequences of ${maxPositions + 1} tokens: the model has ${maxPositions} positions`),
    );
  }));

Deno.test("locateNonFinite() computes at the batch's temperature", () =>
  withModel("qwen2", async (model) => {
    const batch = { ...SEQUENCES, inputs: {} };
    const settings: TrainSettings = { loss: { objective: "cross_entropy" }, aggregation: "token_mean", temperature: 1 };
    assert.equal(await model.locateNonFinite(batch, settings), null);
    const found = await model.locateNonFinite(batch, { ...settings, temperature: 1e-38 });
    assert.equal(found?.kind, "forward");
  }));

const CLIPPED = SETTINGS.loss as Extract<Loss, { objective: "clipped" }>;
const KL = { estimator: "k3", coefficient: 0.1, timesRatio: false } as const;
const PAIRS = { ...SEQUENCES, completions: [[9, 10, 503], [11, 503], [12, 13, 14, 503], [15]] };

/** Losses that read more of the head than log-probs, or have more than one number per token. */
const LIMITED: Readonly<Record<string, { readonly loss: Loss; readonly temperature: number }>> = {
  "a clipped loss with KL and entropy": {
    loss: { ...CLIPPED, kl: KL, entropy: { coefficient: 0.05, aggregation: "token_mean" } } as Loss,
    temperature: 0.7,
  },
  "cross-entropy": { loss: { objective: "cross_entropy" }, temperature: 1 },
};
const LIMITS = {
  "layers computed again": { recompute: true },
  "3 rows of logits at once": { headBytes: 3 * 4 * 512 },
  "both, a prompt per pass": { recompute: true, headBytes: 3 * 4 * 512, promptsPerPass: 1 },
} as const;

for (const [what, { loss, temperature }] of Object.entries(LIMITED)) {
  for (const [how, limits] of Object.entries(LIMITS)) {
    for (const rank of [0, 2]) {
      Deno.test(`${what} has the same numbers with ${how}${rank ? ", by an adapter" : ""}`, () =>
        withModel("qwen2", async (base) => {
          const model = rank ? adapted(base, rank) : base;
          const inputs = {
            advantages: [1, -1, 0.5, -0.5],
            old_logprobs: PAIRS.completions.map((row) => row.map(() => -6)),
            ref_logprobs: PAIRS.completions.map((row) => row.map((_, t) => -6.1 - 0.1 * t)),
          };
          const settings = { loss, temperature, aggregation: "token_mean" } as const;
          const results = [];
          for (const more of [{}, limits]) {
            const { logprobs, ...told } = await model.accumulateGradient({ ...PAIRS, inputs }, {
              ...settings,
              ...more,
            });
            const read = await model.logprobs(PAIRS, { temperature, statistics: ["entropy", "top1"], ...more });
            const gradient = (model.weights.gradients.data as Float32Array).slice();
            const rows = [...logprobs, ...read.logprobs, ...[...read.statistics.values()].flat()];
            results.push({ ...told, values: [...rows.flatMap((row) => [...row])], gradient });
            await model.applyUpdate({ learningRate: 0, beta1: 0, beta2: 0, epsilon: 1, weightDecay: 0, maxNorm: 1 });
          }
          const [plain, limited] = results as [(typeof results)[0], (typeof results)[0]];
          const close = (a: number, b: number) =>
            assert(Math.abs(a - b) <= 1e-6 + 1e-5 * Math.abs(b), `${a}, want ${b}`);
          close(limited.loss, plain.loss);
          Object.entries(plain.metrics).forEach(([name, want]) =>
            want === null ? assert.equal(limited.metrics[name], null) : close(limited.metrics[name]!, want)
          );
          limited.values.forEach((value, i) => close(value, plain.values[i]!));
          const scale = norm(plain.gradient);
          assert(scale > 1e-3);
          limited.gradient.forEach((g, i) => assert(Math.abs(g - plain.gradient[i]!) <= 2e-6 * scale, `${i}`));
        }));
    }
  }
}

function adapted(base: LanguageModel, rank: number): LanguageModel {
  const targets = base.weights.layout.parameters.flatMap(({ name }) => name.endsWith("_proj.weight") ? [name] : []);
  const plan = {
    rank,
    alpha: 4,
    rslora: false,
    scaling: 2,
    dropout: 0,
    targets: new Set(targets),
    saved: new Set<string>(),
  };
  const model = LanguageModel.adapt(base, plan, null);
  model.weights.values.upload(Float32Array.from({ length: model.weights.layout.size }, (_, i) => 0.1 * Math.sin(i)));
  return model;
}

/** A model whose sequences of more than 6 tokens are read with other frequencies. */
async function withLongRope(body: (model: LanguageModel) => Promise<void>): Promise<void> {
  const runtime = await cpuRuntime();
  await withFamily(runtime, new URL("../../goldens/families/phi3_long", import.meta.url).pathname, body);
  runtime.release();
}

Deno.test("packed rows are read with the frequencies of their longest sequence, not of all of them together", () =>
  withLongRope(async (model) => {
    const settings = { loss: { objective: "cross_entropy" }, aggregation: "token_sum", temperature: 1 } as const;
    const lossOf = async (batch: TrainBatch) => (await model.accumulateGradient(batch, settings)).loss;
    const rows = [[5, 6, 7, 8, 9], [10, 11, 12, 13, 14, 15], [16, 17, 18, 19]];
    const plain = (rows: readonly number[][]) =>
      lossOf({ prompts: rows.map((row) => row.slice(0, 1)), group: 1, completions: rows.map((row) => row.slice(1)) });
    const packed = (rows: readonly number[][]) => {
      const segments = rows.flatMap((row, i) => row.map(() => i)).slice(1);
      const completionMask = [rows.flatMap((row) => row.map((_, t) => Number(t > 0))).slice(1)];
      const [first, ...completion] = rows.flat();
      return lossOf({ prompts: [[first!]], group: 1, completions: [completion], segments: [segments], completionMask });
    };
    const close = (a: number, b: number) => assert(Math.abs(a - b) <= 1e-4 * b, `${a}, want ${b}`);
    const short = await plain(rows);
    close(await packed(rows), short);
    const longer = [...rows.slice(0, 2), [16, 17, 18, 19, 20, 21, 22]], long = await plain(longer);
    close(await packed(longer), long);
    close(await packed(longer.toReversed()), long);
    assert(Math.abs(long - short) > 0.1);
  }));

Deno.test("a batch is read with the frequencies of its length, whatever was read in its shape before", () =>
  withLongRope(async (model) => {
    const rows = { prompts: [[5, 6]], group: 1, completions: [[7, 8, 9]] };
    const inputs = { advantages: [1], old_logprobs: [[-4, -4, -4]] };
    const read = async (positions: number) => {
      const given = { ...rows, positions };
      const { logprobs } = await model.accumulateGradient({ ...given, inputs }, SETTINGS);
      return [...(await model.logprobs(given)).logprobs, ...logprobs].map((row) => Array.from(row));
    };
    const [short, long, again] = [await read(5), await read(7), await read(5)];
    const apart = short!.map((row, i) => Math.max(...row.map((x, t) => Math.abs(x - long![i]![t]!))));
    assert(apart.every((gap) => gap > 1e-3), `${apart}`);
    assert.deepEqual(again, short);
  }));

Deno.test("prompts of one shape whose images have others are read by passes of their own", async () => {
  await withVision("qwen2_vl", async (model) => {
    const image = (id: string, h: number, w: number) => madeImage(id, h, w, model.config), completions = [[9, 10]];
    // 4 tokens each: one image of 4, two of 2.
    const [square, strips] = [[image("a", 4, 4)], [image("b", 2, 4), image("c", 4, 2)]];
    const [one, two] = [madePrompt(square, [6, 7], model.config), madePrompt(strips, [7], model.config)];
    assert.equal(one.length, two.length);
    const read = async (prompt: typeof one) =>
      (await model.logprobs({ prompts: [prompt], group: 1, completions })).logprobs;
    const alone = await read(two);
    model.images!.release();
    await read(one);
    assert.deepEqual(await read(two), alone);
    const settings = { loss: { objective: "cross_entropy" }, aggregation: "token_mean", temperature: 1 } as const;
    for (const prompt of [one, two, one]) {
      const { logprobs } = await model.accumulateGradient({ prompts: [prompt], group: 1, completions }, settings);
      const [want] = await read(prompt);
      logprobs[0]!.forEach((x, t) => assert(Math.abs(x - want![t]!) < 1e-5));
    }
  });
});

/** A budget that leaves so much to a pass, whatever the models hold. */
class Tight extends MemoryBudget {
  constructor(readonly left: number) {
    super(1e9);
  }
  override get free(): number {
    return this.left;
  }
}

Deno.test("a memory budget that holds one prompt with its image cuts a batch of several, and changes no gradient", () =>
  withVision("qwen2_vl", async (model) => {
    const { config, runtime } = model,
      prompts = ["a", "b", "c", "d"].map((id) => madePrompt([madeImage(id, 4, 6, config)], [3], config));
    const batch = { prompts, group: 2, completions: prompts.flatMap((_, p) => [[50 + p, 503], [60 + p, 503]]) };
    const settings: TrainSettings = { loss: { objective: "cross_entropy" }, aggregation: "token_mean", temperature: 1 };
    const gradient = async () => {
      const { loss } = await model.accumulateGradient(batch, settings);
      const found = (model.weights.gradients.data as Float32Array).slice();
      await model.applyUpdate({ learningRate: 0, beta1: 0, beta2: 0, epsilon: 1, weightDecay: 0, maxNorm: 1 });
      return { loss, found };
    };
    const whole = await gradient();
    const shape = { prompts: 1, group: 2, promptTokens: prompts[0]!.length, completionTokens: 2 };
    const images = (count: number) => ({ images: { count, patches: 24, stage: "patches" as const } });
    const one = passBytes(config, { ...shape, ...images(1) });
    assert(passBytes(config, { ...shape, ...images(4) }) > 1.2 * one, "images of the others are beyond it");
    runtime.budget = new Tight(1.1 * one);
    const cut = await gradient();
    runtime.budget = null;
    assert(Math.abs(cut.loss - whole.loss) < 1e-5);
    assert(farthest(cut.found, whole.found) < 1e-4 * norm(whole.found));
  }));
