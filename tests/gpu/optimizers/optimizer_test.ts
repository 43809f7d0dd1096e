import assert from "node:assert/strict";
import type { LanguageModel, TrainBatch, TrainSettings } from "../../../gpu/language_model.ts";
import type { AdamW } from "../../../gpu/optimizers/adamw.ts";
import { OPTIMIZER_STATES } from "../../../gpu/optimizers/moments.ts";
import { norm, withModel } from "../golden_model.ts";
import { ONE_LAYER, withTinyPolicy } from "../../steps/contexts/training_run.ts";
import { same } from "../../same.ts";

const ADAM: AdamW = { learningRate: 0.01, beta1: 0.9, beta2: 0.99, epsilon: 1e-8, weightDecay: 0.1, maxNorm: 1 };
const SETTINGS: TrainSettings = { loss: { objective: "cross_entropy" }, aggregation: "token_mean", temperature: 1 };
const BATCH: TrainBatch = { prompts: [[1, 2, 3], [4]], group: 1, completions: [[5, 6, 203], [7, 203]] };

Deno.test("Optimizer leaves weights and moments bitwise when a gradient is not finite, and goes on afterwards", async () => {
  await withModel("qwen2", async (model) => {
    await model.accumulateGradient(BATCH, SETTINGS);
    assert((await model.applyUpdate(ADAM)).applied);
    const optimizer = await model.optimizer(), before = structuredClone(optimizer.save());
    const weights = (model.weights.values.data as Float32Array).slice();
    await model.accumulateGradient(BATCH, SETTINGS);
    (model.weights.gradients.data as Float32Array)[1234] = NaN;
    const refused = await model.applyUpdate(ADAM);
    assert.equal(refused.applied, false);
    assert.equal(refused.updateNorm, 0);
    assert(Number.isNaN(refused.gradNorm));
    const norms = await model.parameterNorms(false);
    assert(norms.every(({ updateNorm }) => updateNorm === 0), "nothing has changed");
    const bad = norms.filter(({ nonFinite }) => nonFinite > 0);
    assert.deepEqual(bad.map(({ parameter, nonFinite }) => [parameter, nonFinite]), [["model.embed_tokens.weight", 1]]);
    const bits = (x: Float32Array) => new Uint32Array(x.buffer, x.byteOffset, x.length);
    same(bits((model.weights.values.data as Float32Array).slice()), bits(weights));
    same(optimizer.save(), before);
    await model.accumulateGradient(BATCH, SETTINGS);
    assert((await model.applyUpdate(ADAM)).applied);
    assert.equal(optimizer.updates, 2);
  });
});

Deno.test("Optimizer does not update on a loss that is not finite", async () => {
  await withModel("qwen2", async (model) => {
    const coefficientsOfNaN = { ...SETTINGS, totals: { tokens: NaN } };
    assert(Number.isNaN((await model.accumulateGradient(BATCH, coefficientsOfNaN)).loss));
    assert.equal((await model.applyUpdate(ADAM)).applied, false);
  });
});

Deno.test("Optimizer does not update on a loss that is not finite although the gradient is", async () => {
  await withModel("qwen2", async (model) => {
    await model.accumulateGradient(BATCH, SETTINGS);
    const optimizer = await model.optimizer(), weights = (model.weights.values.data as Float32Array).slice();
    for (const loss of [NaN, Infinity]) {
      const { applied, gradNorm } = await optimizer.apply(ADAM, loss);
      assert.deepEqual([applied, Number.isFinite(gradNorm), optimizer.updates], [false, true, 0], `${loss}`);
    }
    same((model.weights.values.data as Float32Array).slice(), weights);
    assert((await optimizer.apply(ADAM, 1)).applied);
  });
});

const RULES: readonly Partial<AdamW>[] = [
  {},
  { rule: "adam" },
  { rule: "sgd", momentum: 0.9 },
  { rule: "sgd_nesterov", momentum: 0.9, maxNorm: 0.1 },
];

for (const rule of RULES) {
  const name = rule.rule ?? "adamw", settings = { ...ADAM, ...rule };
  Deno.test(`Optimizer reports per parameter what ${name} changed, by comparison with the weights before`, async () => {
    await withModel("qwen2", (model) => comparesWithBefore(model, settings));
  });

  for (const state of OPTIMIZER_STATES) {
    Deno.test(`Optimizer leaves every bit with ${name} and ${state} moments where a gradient is not finite`, async () => {
      await withModel("qwen2", async (model) => {
        model.setOptimizerState(state);
        await model.accumulateGradient(BATCH, SETTINGS);
        assert((await model.applyUpdate(settings)).applied);
        const optimizer = await model.optimizer(), before = structuredClone(optimizer.save());
        const weights = (model.weights.values.data as Float32Array).slice();
        await model.accumulateGradient(BATCH, SETTINGS);
        (model.weights.gradients.data as Float32Array)[1234] = NaN;
        assert.equal((await model.applyUpdate(settings)).applied, false);
        const bits = (x: Float32Array) => new Uint32Array(x.slice().buffer);
        same(bits(model.weights.values.data as Float32Array), bits(weights));
        const after = optimizer.save();
        same(after.moments, before.moments);
      });
    });
  }
}

const WIDE = { model: { ...ONE_LAYER.model, intermediate_size: 20_000 } };

Deno.test("norms of a tensor that is read in parts are those of the whole", () =>
  withTinyPolicy(({ policy: { model } }) => comparesWithBefore(model, ADAM), WIDE));

for (const state of OPTIMIZER_STATES) {
  Deno.test(`slices of one size share a session, with ${state} moments`, () =>
    withTinyPolicy(async ({ policy: { model } }) => {
      const { runtime } = model, session = runtime.session.bind(runtime);
      let loaded = 0;
      runtime.session = (bytes, options) => {
        if (options?.name === "update") loaded++;
        return session(bytes, options);
      };
      model.setOptimizerState(state);
      await model.accumulateGradient(BATCH, SETTINGS);
      await model.applyUpdate({ ...ADAM, weightDecay: 0 });
      assert(loaded >= 1 && loaded <= 3, `${loaded}: one, or one of each size of slice`);
    }, WIDE));
}

async function comparesWithBefore(model: LanguageModel, settings: AdamW): Promise<void> {
  for (let i = 0; i < 2; i++) {
    const before = model.weights.toHuggingFace();
    await model.accumulateGradient(BATCH, SETTINGS);
    const gradients = model.weights.namedGradients();
    const { updateNorm, weightNorm, gradNorm } = await model.applyUpdate(settings);
    const norms = await model.parameterNorms(), after = model.weights.toHuggingFace();
    const close = (a: number, b: number, what: string) =>
      assert(Math.abs(a - b) <= 1e-6 + 2e-4 * b, `${what}: ${a}, ${b}`);
    for (const row of norms) {
      const { data } = after.get(row.parameter)!, old = before.get(row.parameter)!.data;
      close(row.updateNorm, norm(data.map((x, j) => x - old[j]!)), `update of ${row.parameter}`);
      close(row.parameterNorm, norm(data), row.parameter);
      close(row.gradNorm, norm(gradients.get(row.parameter)!.data), `gradient of ${row.parameter}`);
      assert.equal(row.nonFinite, 0);
    }
    close(updateNorm, norm(norms.map((row) => row.updateNorm)), "update");
    close(weightNorm, norm(norms.map((row) => row.parameterNorm)), "weights");
    close(gradNorm, norm(norms.map((row) => row.gradNorm)), "gradient");
  }
}

Deno.test("Optimizer changes only what is trainable, also inside a packed tensor", async () => {
  await withModel("qwen2", async (model) => {
    const chosen = "model.layers.1.self_attn.k_proj.weight";
    model.setTrainable([chosen, "model.norm.weight"]);
    assert.equal(model.trainable.count, 32 * 64 + 64);
    const before = model.weights.toHuggingFace();
    await model.accumulateGradient(BATCH, SETTINGS);
    const { gradNorm } = await model.applyUpdate(ADAM);
    const gradients = model.weights.namedGradients();
    const expected = Math.hypot(norm(gradients.get(chosen)!.data), norm(gradients.get("model.norm.weight")!.data));
    assert(Math.abs(gradNorm - expected) <= 1e-5 * expected);
    for (const [name, { data }] of model.weights.toHuggingFace()) {
      const same = data.every((x, i) => x === before.get(name)!.data[i]);
      assert.equal(same, name !== chosen && name !== "model.norm.weight", name);
    }
    const idle = (await model.parameterNorms()).filter(({ updateNorm }) => updateNorm > 0).map((row) => row.parameter);
    assert.deepEqual(idle, [chosen, "model.norm.weight"]);
  });
});

Deno.test("Optimizer decays matrices by learning rate times weight decay, and no vectors unless asked", async () => {
  const stepped = async (weightDecay: number, decay?: "all") => {
    let weights = new Map<string, { shape: readonly number[]; data: Float32Array }>();
    await withModel("qwen2", async (model) => {
      const before = model.weights.toHuggingFace();
      await model.accumulateGradient(BATCH, SETTINGS);
      await model.applyUpdate({ ...ADAM, weightDecay }, decay);
      weights = model.weights.toHuggingFace();
      for (const [name, { data }] of before) {
        decayed.set(name, data.map((w) => w * ADAM.learningRate * 0.1));
      }
    });
    return weights;
  };
  const decayed = new Map<string, Float32Array>();
  const plain = await stepped(0), matrices = await stepped(0.1), all = await stepped(0.1, "all");
  let vectors = 0;
  for (const [name, { shape, data }] of plain) {
    if (shape.length === 1) vectors++;
    for (const [weights, has] of [[matrices, shape.length === 2], [all, true]] as const) {
      weights.get(name)!.data.forEach((w, i) => {
        const want = data[i]! - (has ? decayed.get(name)![i]! : 0);
        assert(Math.abs(w - want) <= 2 ** -22 * Math.abs(want) + 1e-9, `${name}[${i}]: ${w}, want ${want}`);
      });
    }
  }
  assert(vectors > 4, "norms and biases");
});

for (const kind of OPTIMIZER_STATES) {
  Deno.test(`Optimizer continues bitwise from a saved state of ${kind} moments`, async () => {
    await withModel("qwen2", async (model) => {
      model.setOptimizerState(kind);
      const step = async () => {
        await model.accumulateGradient(BATCH, SETTINGS);
        await model.applyUpdate(ADAM);
      };
      await step();
      await step();
      const state = structuredClone((await model.optimizer()).save()), weights = model.weights.toHuggingFace();
      await step();
      const straight = model.weights.toHuggingFace();
      model.weights.fromHuggingFace(weights);
      (await model.optimizer()).reset();
      (await model.optimizer()).restore(state);
      await step();
      same(model.weights.toHuggingFace(), straight);
    });
  });
}

Deno.test("LanguageModel.setOptimizerState() forgets moments of another kind, and keeps those of the same", async () => {
  await withModel("qwen2", async (model) => {
    await model.accumulateGradient(BATCH, SETTINGS);
    await model.applyUpdate(ADAM);
    model.setOptimizerState("float32");
    assert.equal((await model.optimizer()).updates, 1);
    model.setOptimizerState("int8");
    assert.equal((await model.optimizer()).updates, 0);
  });
});

Deno.test("Optimizer with int8 moments says of each parameter nearly the norms that float32 moments give", async () => {
  await withModel("qwen2", async (model) => {
    const norms: Record<string, number[]> = {}, weights = model.weights.toHuggingFace();
    for (const kind of OPTIMIZER_STATES) {
      model.weights.fromHuggingFace(weights);
      model.setOptimizerState(kind);
      for (let i = 0; i < 3; i++) {
        await model.accumulateGradient(BATCH, SETTINGS);
        await model.applyUpdate(ADAM);
      }
      norms[kind] = (await model.parameterNorms()).map(({ updateNorm }) => updateNorm);
    }
    norms["float32"]!.forEach((want, i) => near(norms["int8"]![i]!, want, `${i}`));
    function near(value: number, want: number, what: string) {
      assert(Math.abs(value - want) <= 0.15 * want + 1e-9, `${what}: ${value}, want ${want}`);
    }
  });
});

Deno.test("LanguageModel.applyUpdate() refuses without a gradient", async () => {
  await withModel("qwen2", async (model) => {
    await assert.rejects(model.applyUpdate(ADAM), /no gradient was computed; call accumulateGradient first/);
  });
});

/** How far the weights went in hundreds of updates from one gradient to another. */
async function travelled(state: (typeof OPTIMIZER_STATES)[number]): Promise<Float32Array> {
  let way: Float32Array = new Float32Array();
  await withTinyPolicy(async ({ policy: { model } }) => {
    model.setOptimizerState(state);
    await model.accumulateGradient(BATCH, SETTINGS);
    const optimizer = await model.optimizer(), gradients = model.weights.gradients.data as Float32Array;
    const values = model.weights.values.data as Float32Array, start = values.slice();
    for (let update = 0; update < 300; update++) {
      if (update % 150 === 0) gradients.forEach((_, i) => gradients[i] = Math.sin((i + 1) * (update + 1)) ** 3);
      if (update === 150) start.set(values);
      await optimizer.apply({ ...ADAM, beta1: 0.98, beta2: 0.998, learningRate: 1e-4, weightDecay: 0 }, 1);
    }
    way = values.map((x, i) => x - start[i]!);
  }, ONE_LAYER);
  return way;
}

Deno.test("int8 moments follow those of float32 over hundreds of updates: what is rounded is another each time", async () => {
  const want = await travelled("float32"), got = await travelled("int8");
  const off = norm(got.map((x, i) => x - want[i]!)) / norm(want);
  assert(off < 0.1, `${off}`);
});
