/** Weights of few bits beneath an adapter through the steps: what is stored, the gap of the sampler, resume, export. */
import assert from "node:assert/strict";
import { join } from "node:path";
import { columnArray, tableOf } from "../../data/tables/mod.ts";
import { LanguageModel } from "../../gpu/language_model.ts";
import { loadModel } from "../../steps/load_model.ts";
import { adapterOfModel, modelTensors } from "../../steps/resources/adapter.ts";
import { readTensors } from "../../steps/resources/model_source.ts";
import { Policy } from "../../steps/resources/policy.ts";
import { merged } from "../../data/hub/peft_adapter.ts";
import { same } from "../same.ts";
import { modelFolder } from "./contexts/model_folders.ts";
import { lists, type TrainingRun, withRun } from "./contexts/training_run.ts";

const LORA = { rank: 4, alpha: 8, target_modules: "all_linear" } as const;
const WEIGHTS = ["int8", "int4"] as const;

/** One-digit addition with a policy that already adds, its weights rounded, and an adapter on it. */
function withRounded(
  weights: (typeof WEIGHTS)[number],
  body: (run: TrainingRun) => Promise<void>,
  model: Record<string, unknown> = {},
): Promise<void> {
  return withRun(async (run) => {
    modelFolder(run.folder, "warm_addition", { tokenizer: false });
    await run.run("load_prompts", { task: "addition", digits: 1 });
    await run.run("load_model", { model: "./warm_addition", lora: LORA, weights, ...model });
    await body(run);
  });
}

const update = (run: TrainingRun, given: Record<string, unknown> = {}) =>
  run.run("apply_update", { learning_rate: 1e-2, ...given });
const metric = (run: TrainingRun, name: string) => columnArray(run.tables.table("metrics"), name)[0] as number;
const bits = (run: TrainingRun) => [...run.policy.model.adapted!.base.words()].map((words) => words.slice());

/** A rollout in which every completion has its own advantage, and an update on it. */
async function step(run: TrainingRun, given: Record<string, unknown> = {}): Promise<void> {
  await run.rollout();
  const table = run.tables.table("completions");
  const columns = Object.fromEntries(table.columnNames().map((name) => [name, Array.from(columnArray(table, name))]));
  const advantage = Array.from({ length: table.numRows() }, (_, i) => [1.5, -0.5, -1, 0][i % 4]);
  run.tables.write({ completions: tableOf("completions", { ...columns, advantage }) }, "test");
  await update(run, given);
}

for (const weights of WEIGHTS) {
  Deno.test(`${weights}: an adapter trains, the rounded base stays bit for bit, and the gap to the sampler is logged as it is`, () =>
    withRounded(weights, async (run) => {
      const before = bits(run);
      assert.equal(run.settings()["weights"]!.value, weights);
      await step(run);
      await step(run, { old_logprobs: "trainer" });
      const table = run.tables.table("completions");
      const [old, sampled] = [lists(table, "old_logprobs"), lists(table, "sampler_logprobs")];
      const gaps = old.flatMap((row, r) => row.map((x, t) => Math.abs(x - sampled[r]![t]!)));
      assert(Math.abs(metric(run, "sampler_logprob_gap") - Math.max(...gaps)) < 1e-9);
      assert(metric(run, "sampler_logprob_gap") > 1e-5, "samples are drawn by rounded products");
      assert(metric(run, "sampler_logprob_gap_mean") < 0.05, `${metric(run, "sampler_logprob_gap_mean")}`);
      assert(metric(run, "grad_norm") > 0);
      bits(run).forEach((words, i) => same(words, before[i]!));
    }));

  Deno.test(`${weights}: importance weights of the sampler are its ratios, and change what is trained`, async () => {
    const trained: Float32Array[] = [];
    for (const given of [{}, { sampler_weights: "token" }]) {
      await withRounded(weights, async (run) => {
        await step(run, { learning_rate: 3e-2 });
        await step(run, given);
        trained.push(run.weights());
        if (!("sampler_weights" in given)) return;
        const table = run.tables.table("completions");
        const [old, sampled, mask] = ["old_logprobs", "sampler_logprobs", "completion_mask"].map((name) =>
          lists(table, name)
        );
        const ratios = old!.flatMap((row, r) =>
          row.flatMap((x, t) => mask![r]![t] ? [Math.exp(x - sampled![r]![t]!)] : [])
        );
        const mean = ratios.reduce((a, b) => a + b) / ratios.length;
        assert(
          Math.abs(metric(run, "sampler_ratio_mean") - mean) < 1e-4,
          `${metric(run, "sampler_ratio_mean")}, want ${mean}`,
        );
        assert(Math.abs(metric(run, "sampler_ratio_max") - Math.max(...ratios)) < 1e-4);
        assert(Math.max(...ratios) > 1 + 1e-5);
      });
    }
    assert.notDeepEqual(trained[0], trained[1]);
  });
}

Deno.test("int8: stopped after a step and restored into another run, training goes on bitwise the same", async () => {
  let want: Float32Array = new Float32Array(), half: { policy: unknown; optimizer: unknown } | null = null;
  await withRounded("int8", async (run) => {
    await step(run);
    half = structuredClone({ policy: run.policy.save(), optimizer: await run.resources.optimizer!.save() });
    run.seed = 11;
    await step(run);
    want = run.weights();
  });
  await withRounded("int8", async (run) => {
    const saved = half as unknown as { policy: ReturnType<typeof run.policy.save>; optimizer: never };
    run.policy.restore(saved.policy);
    await run.resources.optimizer!.restore(saved.optimizer);
    run.tables.advance();
    run.seed = 11;
    await step(run);
    same(run.weights(), want);
  });
  await withRounded("int4", (run) => {
    const saved = half as unknown as { policy: ReturnType<typeof run.policy.save> };
    assert.throws(() => run.policy.restore(saved.policy), /its base has other weights/);
    return Promise.resolve();
  });
});

Deno.test("export_model merges the adapter into the folder's own weights, never rounded ones, and says so", () =>
  withRounded("int4", async (run) => {
    await step(run);
    const folder = join(run.folder, "merged");
    await run.run("export_model", { folder });
    const exact = merged(readTensors(join(run.folder, "warm_addition")), adapterOfModel(run.policy.model));
    const written = readTensors(folder), rounded = modelTensors(run.policy.model);
    for (const [name, { data }] of exact) same(written.get(name)!.data, data, name);
    const other = [...rounded].filter(([name, { data }]) => data.some((x, i) => x !== written.get(name)!.data[i]));
    assert(other.length >= 15, "the rounded ones are others");
    const said = run.events.flatMap((event) => event.event === "message" ? [String(event.text)] : []);
    assert(
      said.some((text) =>
        /upon weights of int4; it is merged into those of .*warm_addition, which are not rounded/.test(text)
      ),
    );
  }));

Deno.test("reference adapter_off reads the rounded base: the KL is 0 at first", () =>
  withRounded("int8", async (run) => {
    await step(run, { kl_coef: 0.1 });
    assert.equal(metric(run, "kl"), 0);
    assert.equal(run.resources.reference!.model().weights, run.policy.model.adapted!.base, "stored once");
  }, { reference: "adapter_off" }));

for (const weights of WEIGHTS) {
  Deno.test(`${weights} where all weights train: they stay float32, samples come from their rounded copy, and the gap is told and corrected`, async () => {
    const trained: Float32Array[] = [];
    for (const given of [{}, { sampler_weights: "token" }]) {
      await withRounded(weights, async (run) => {
        const { model } = run.policy;
        assert.deepEqual([model.adapted, model.weights.bits, model.samplingBits], [
          null,
          null,
          weights === "int8" ? 8 : 4,
        ]);
        await step(run, { learning_rate: 3e-2, old_logprobs: "trainer" });
        const gap = metric(run, "sampler_logprob_gap");
        assert(gap > 1e-4, `samples are drawn by rounded weights: ${gap}`);
        await step(run, given);
        trained.push(run.weights());
        if (!("sampler_weights" in given)) return;
        const table = run.tables.table("completions");
        const [old, sampled] = [lists(table, "old_logprobs"), lists(table, "sampler_logprobs")];
        const ratios = old.flatMap((row, r) => row.map((x, t) => Math.exp(x - sampled[r]![t]!)));
        assert(Math.abs(metric(run, "sampler_ratio_max") - Math.max(...ratios)) < 1e-4);
        assert(Math.max(...ratios) > 1 + 1e-4);
      }, { lora: undefined });
    }
    assert.notDeepEqual(trained[0], trained[1]);
  });

  Deno.test(`${weights} where all weights train: greedy tokens are those of the updated weights, rounded`, () =>
    withRounded(weights, async (run) => {
      const greedy = async (policy: Pick<TrainingRun["policy"], "sampler">) =>
        (await policy.sampler.sample(["3+4=", "9+8=", "1+1="], {
          group: 1,
          maxNewTokens: 6,
          values: { temperature: 0, top_k: 0, top_p: 1, min_p: 0, repetition_penalty: 1 },
          draws: { seed: 1, stream: "greedy", trainStep: 1 },
        })).map(({ tokenIds }) => [...tokenIds]);
      const before = await greedy(run.policy);
      await step(run, { learning_rate: 0.3 });
      const after = await greedy(run.policy), { model } = run.policy;
      assert.notDeepEqual(after, before);
      const rounded = LanguageModel.create(model.runtime, model.config, weights === "int8" ? 8 : 4);
      rounded.weights.fromHuggingFace(model.weights.viewHuggingFace());
      const { tokenizer, generationConfig, files, format } = run.policy;
      const other = new Policy(rounded, tokenizer, generationConfig, files, format);
      assert.deepEqual(after, await greedy(other));
      rounded.release();
    }, { lora: undefined }));
}

Deno.test("int8 where all weights train: restored into another run, training goes on bitwise the same", async () => {
  let want: Float32Array = new Float32Array(), half: { policy: unknown; optimizer: unknown } | null = null;
  for (const resumed of [false, true]) {
    await withRounded("int8", async (run) => {
      if (resumed) {
        const saved = half as unknown as { policy: ReturnType<typeof run.policy.save>; optimizer: never };
        await run.policy.sampler.sample(["1+1="], { // The copy of other weights is there before.
          ...{ group: 1, maxNewTokens: 1, draws: { seed: 1, stream: "before", trainStep: 1 } },
          values: { temperature: 1, top_k: 0, top_p: 1, min_p: 0, repetition_penalty: 1 },
        });
        run.policy.restore(saved.policy);
        await run.resources.optimizer!.restore(saved.optimizer);
        run.tables.advance();
      } else {
        await step(run);
        half = structuredClone({ policy: run.policy.save(), optimizer: await run.resources.optimizer!.save() });
      }
      run.seed = 11;
      await step(run);
      if (resumed) same(run.weights(), want);
      else want = run.weights();
    }, { lora: undefined });
  }
});

Deno.test("load_model refuses rounded weights that an adapter is merged into beneath another, before the run", () => {
  const check = (given: Record<string, unknown>) => loadModel.check!(loadModel.params.parse({ model: "x", ...given }));
  assert.deepEqual(check({ weights: "int8" }), []);
  assert.deepEqual(check({ weights: "int8", adapter: "./a", merge: true }), []);
  assert.match(
    check({ weights: "int4", lora: {}, adapter: "./a", merge: true })[0]!,
    /an adapter is merged into them; leave it apart/,
  );
  assert.deepEqual(check({ weights: "int4", lora: {} }), []);
  assert.throws(() => loadModel.params.parse({ model: "x", weights: "int2" }));
});
