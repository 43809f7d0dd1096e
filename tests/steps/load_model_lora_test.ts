/** Low-rank adapters through the steps: what trains, what stays, what a checkpoint and an export hold. */
import assert from "node:assert/strict";
import { withCached } from "../data/hub/remote/cached.ts";
import { join } from "node:path";
import { adapterBase } from "../../data/hub/remote/hub_folder.ts";
import { readAdapter, writeAdapterFolder } from "../../data/hub/peft_adapter.ts";
import { writeSafetensors } from "../../data/hub/safetensors_write.ts";
import { columnArray, tableOf } from "../../data/tables/mod.ts";
import { loadModel } from "../../steps/load_model.ts";
import { readTensors } from "../../steps/resources/model_source.ts";
import { adapterOfModel, modelTensors } from "../../steps/resources/adapter.ts";
import { same } from "../same.ts";
import { modelFolder } from "./contexts/model_folders.ts";
import { lists, type TrainingRun, withRun } from "./contexts/training_run.ts";

const ALL = { rank: 4, alpha: 8, target_modules: "all_linear" } as const;

/** One-digit addition with a policy that already adds, and an adapter on it. */
function withAdapter(
  body: (run: TrainingRun) => Promise<void>,
  lora: Record<string, unknown> = ALL,
  model: Record<string, unknown> = {},
): Promise<void> {
  return withRun(async (run) => {
    modelFolder(run.folder, "warm_addition", { tokenizer: false });
    await run.run("load_prompts", { task: "addition", digits: 1 });
    await run.run("load_model", { model: "./warm_addition", lora, ...model });
    await body(run);
  });
}

/** A rollout in which every completion has its own advantage. */
async function rollout(run: TrainingRun): Promise<void> {
  await run.rollout();
  const table = run.tables.table("completions");
  const columns = Object.fromEntries(table.columnNames().map((name) => [name, Array.from(columnArray(table, name))]));
  const advantage = Array.from({ length: table.numRows() }, (_, i) => [1.5, -0.5, -1, 0][i % 4]);
  run.tables.write({ completions: tableOf("completions", { ...columns, advantage }) }, "test");
}

const update = (run: TrainingRun, given: Record<string, unknown> = {}, options = {}) =>
  run.run("apply_update", { learning_rate: 1e-2, ...given }, options);
const base = (run: TrainingRun) => (run.policy.model.adapted!.base.values.data as Float32Array).slice();
const metric = (run: TrainingRun, name: string) => columnArray(run.tables.table("metrics"), name)[0] as number;

Deno.test("load_model trains an adapter: how much, and what the settings say of it", () =>
  withAdapter(async (run) => {
    await Promise.resolve();
    // Widths 64, 32 of k and v, 176 of the MLP; two layers.
    const sizes = [[64, 64], [64, 32], [64, 32], [64, 64], [64, 176], [64, 176], [176, 64]];
    const count = 2 * 4 * sizes.reduce((sum, [inner, outer]) => sum + inner! + outer!, 0);
    const settings = run.settings();
    assert.equal(run.policy.model.trainable.count, count);
    assert.equal(settings["trainable_parameters"]!.value, count);
    assert.equal(settings["adapter_parameters"]!.value, count);
    assert.equal(settings["parameters"]!.value, run.policy.model.adapted!.base.layout.count + count);
    assert.equal(settings["lora_rank"]!.value, 4);
    assert.equal(settings["lora_alpha"]!.value, 8);
  }));

Deno.test("the sampler agrees with the trainer once an adapter has moved", () =>
  withAdapter(async (run) => {
    await rollout(run);
    await update(run, { learning_rate: 3e-2 });
    await rollout(run);
    await update(run, { old_logprobs: "trainer" });
    const table = run.tables.table("completions");
    const [old, sampled] = [lists(table, "old_logprobs"), lists(table, "sampler_logprobs")];
    old.forEach((row, r) =>
      row.forEach((x, t) => assert(Math.abs(x - sampled[r]![t]!) < 5e-5, `${r} ${t}: ${x} ${sampled[r]![t]}`))
    );
  }));

Deno.test("reference adapter_off is the same weights without the adapter: the KL is exactly 0 at first, not later", () =>
  withAdapter(
    async (run) => {
      const before = base(run);
      await rollout(run);
      await update(run, { kl_coef: 0.1 });
      assert.equal(metric(run, "kl"), 0);
      assert.equal(run.resources.reference!.model().weights, run.policy.model.adapted!.base, "stored once");
      await rollout(run);
      await update(run, { kl_coef: 0.1 });
      assert(metric(run, "kl") > 1e-5, `${metric(run, "kl")}`);
      same(base(run), before);
    },
    ALL,
    { reference: "adapter_off" },
  ));

Deno.test("load_model refuses adapter_off without an adapter, before the run", () => {
  const check = (given: Record<string, unknown>) => loadModel.check!(loadModel.params.parse({ model: "x", ...given }));
  assert.match(check({ reference: "adapter_off" })[0]!, /^Cannot use reference "adapter_off": all weights train/);
  assert.deepEqual(check({ reference: "adapter_off", lora: {} }), []);
  assert.deepEqual(check({ reference: "adapter_off", adapter: "./a" }), []);
  assert.match(check({ reference: "adapter_off", adapter: "./a", merge: true })[0]!, /all weights train/);
  assert.match(check({ lora: {}, adapter: "./a" })[0]!, /Cannot use "lora": adapter is \.\/a, .* or set merge: true/);
  assert.deepEqual(check({ lora: {}, adapter: "./a", merge: true }), []);
  assert.match(check({ merge: true })[0]!, /Cannot use "merge": there is no adapter to merge/);
});

Deno.test("load_model refuses modules that match nothing, and an adapter that trainable freezes", () =>
  withAdapter(async (run) => {
    const load = (given: Record<string, unknown>) => run.run("load_model", { model: "./warm_addition", ...given });
    await assert.rejects(load({ lora: { target_modules: ["q_prj"] } }), /did you mean "q_proj"\?/);
    await assert.rejects(
      load({ lora: ALL, trainable: ["*.lora_A.weight"] }),
      /Cannot train the adapter: trainable leaves out lora_B of ".*", which is 0, so nothing .* add "\*\.lora_B\.weight"/,
    );
    await assert.rejects(
      load({ lora: ALL, trainable: ["*.mlp.up_proj.weight"] }),
      /matches no parameter, want one of model/,
    );
    await load({ lora: ALL, trainable: ["*layers.0*lora_B*"] });
    await load({ lora: { ...ALL, init: false }, trainable: ["*.lora_A.weight"] });
    await load({ lora: ALL, trainable: ["*.lora_B.weight"] });
    assert(run.policy.model.trainable.count < run.policy.model.weights.layout.count);
  }));

Deno.test("apply_update with an adapter, stopped between updates and restored into another run, is bitwise the same", async () => {
  const given = { updates_per_rollout: 3, kl_coef: 0.05 }, lora = { ...ALL, dropout: 0.2 };
  const model = { reference: "adapter_off" };
  let want: Float32Array = new Float32Array(), frozen: Float32Array = new Float32Array();
  await withAdapter(
    async (run) => {
      await rollout(run);
      await update(run, given);
      [want, frozen] = [run.weights(), base(run)];
    },
    lora,
    model,
  );
  await withAdapter(
    async (run) => {
      await rollout(run);
      const safePoint = (position?: number) => {
        if (position === 2) throw new Error("stop");
      };
      await assert.rejects(() => update(run, given, { safePoint }), /stop/);
      const saved = structuredClone({ policy: run.policy.save(), optimizer: await run.resources.optimizer!.save() });
      assert.deepEqual(
        [...saved.policy.arrays.values()].map(({ data }) => data.length),
        [want.length],
        "no base in it",
      );
      await run.run("load_model", { model: "./warm_addition", lora, ...model });
      run.policy.restore(saved.policy);
      await run.resources.optimizer!.restore(saved.optimizer);
      await update(run, given, { position: 2 });
      same(run.weights(), want);
      same(base(run), frozen);
    },
    lora,
    model,
  );
});

Deno.test("a checkpoint of an adapter is refused upon another base", () =>
  withAdapter(async (run) => {
    const state = structuredClone(run.policy.save());
    await run.run("load_model", { model: "tiny_qwen2", lora: ALL });
    assert.throws(() => run.policy.restore(state), /Cannot restore the adapter: its base has other weights/);
  }));

Deno.test("dropout is drawn by the seed: the same run twice, another with another seed or without", async () => {
  const trained = async (lora: Record<string, unknown>) => {
    let weights: Float32Array = new Float32Array();
    await withAdapter(async (run) => {
      await rollout(run);
      await update(run);
      weights = run.weights();
    }, { ...ALL, ...lora });
    return weights;
  };
  const once = await trained({ dropout: 0.3 });
  same(await trained({ dropout: 0.3 }), once);
  assert.notDeepEqual(await trained({}), once);
});

Deno.test("old_logprobs are those of the policy without dropout, as the sampler's are, however the rollout is cut", () =>
  withAdapter(async (run) => {
    await rollout(run);
    await update(run, { learning_rate: 3e-2 }); // B is 0 before: dropout would change nothing
    const options = [{}, { updates_per_rollout: 2 }, { minibatches: 2, updates_per_rollout: 2 }, {
      old_logprobs: "sampler",
    }, { sampler_weights: "token" }];
    for (const given of options) {
      await rollout(run);
      await run.run("measure_tokens");
      const clean = lists(run.tables.table("completions"), "old_logprobs");
      await update(run, { learning_rate: 0, ...given });
      const old = lists(run.tables.table("completions"), "old_logprobs");
      const off = Math.max(...old.flatMap((row, i) => row.map((x, t) => Math.abs(x - clean[i]![t]!))));
      assert(off < 1e-5, `${JSON.stringify(given)}: ${off}`);
      assert(metric(run, "sampler_logprob_gap") < 1e-4, `${metric(run, "sampler_logprob_gap")}`);
      if (Object.keys(given).length === 0) assert.equal(metric(run, "ratio_mean"), 1, "by the policy's own pass");
    }
  }, { ...ALL, alpha: 32, dropout: 0.1 }));

Deno.test("fine_tune trains an adapter on what its base has not learned, and the base stays bit for bit", () =>
  withAdapter(async (run) => {
    const before = base(run);
    await run.run("load_prompts", { task: "subtraction", digits: 1 });
    await run.run("fine_tune", { max_updates: 24, batch_size: 16, learning_rate: 5e-3, evaluate_every: 24 });
    const losses = Array.from(run.tables.history("metrics", 100).array("loss") as ArrayLike<number>);
    const mean = (from: number, to: number) => losses.slice(from, to).reduce((a, b) => a + b, 0) / (to - from);
    assert(mean(18, 24) < 0.8 * mean(0, 6), `${mean(0, 6)} ${mean(18, 24)}`);
    same(base(run), before);
  }, { ...ALL, alpha: 16, rslora: true }));

Deno.test("train_preferences trains an adapter beside its base: rewards are 0 before the first update, and then grow apart", () =>
  withAdapter(
    async (run) => {
      const before = base(run);
      await run.run("load_preferences", { task: "addition", digits: 1 });
      await run.run("train_preferences", { loss: "dpo", max_updates: 8, batch_size: 16, learning_rate: 5e-3 });
      const margins = Array.from(run.tables.history("metrics", 100).array("reward_margin") as ArrayLike<number>);
      assert.equal(margins[0], 0);
      assert(margins.at(-1)! > 0.1, `${margins}`);
      same(base(run), before);
    },
    ALL,
    { reference: "adapter_off" },
  ));

Deno.test("export_model writes the merged model, or PEFT's folder, from which training goes on", () =>
  withAdapter(async (run) => {
    await rollout(run);
    await update(run);
    const adapter = join(run.folder, "adapter"), merged = join(run.folder, "merged"), weights = run.weights();
    await run.run("export_model", { folder: adapter, merge: false });
    await run.run("export_model", { folder: merged });
    assert.deepEqual(readTensors(merged), modelTensors(run.policy.model));
    const { rank, alpha, pairs } = readAdapter(adapter);
    assert.deepEqual([rank, alpha, pairs.size], [4, 8, 14]);
    const config = JSON.parse(Deno.readTextFileSync(join(adapter, "adapter_config.json")));
    assert.equal(config.base_model_name_or_path, "../warm_addition");
    assert.equal(adapterBase(adapter), join(run.folder, "warm_addition"));
    await run.run("load_model", { model: "./warm_addition", adapter: "./adapter" });
    same(run.weights(), weights);
    await run.run("load_model", { model: "./warm_addition" });
    await assert.rejects(
      run.run("export_model", { folder: adapter, merge: false }),
      /Cannot write an adapter: the model has none/,
    );
  }));

/** 9.5 M parameters. */
const MIDDLE = {
  model_type: "qwen2",
  hidden_size: 256,
  intermediate_size: 1104,
  num_hidden_layers: 9,
  num_attention_heads: 8,
  num_key_value_heads: 4,
  max_position_embeddings: 64,
  tie_word_embeddings: false,
};

Deno.test("gradient and moments of an adapter of rank 8 on all linear layers take at most 5 % of those of 9.5 M weights", () =>
  withRun(async (run) => {
    await run.run("load_prompts", { task: "addition", digits: 1 });
    const bytes = async (given: Record<string, unknown>) => {
      await run.run("load_model", { model: MIDDLE, ...given });
      const { model } = run.policy, { moments } = await model.optimizer();
      return { held: 4 * model.weights.gradients.size + moments.bytes, parameters: model.parameters };
    };
    const whole = await bytes({}), adapter = await bytes({ lora: { target_modules: "all_linear" } });
    assert(Math.abs(whole.parameters / 9.5e6 - 1) < 0.05, `${whole.parameters}`);
    const share = adapter.held / whole.held;
    console.log(`gradient and moments: ${adapter.held} of ${whole.held} bytes, ${(100 * share).toFixed(2)} %`);
    assert(share <= 0.05, `${share}`);
  }));

Deno.test("load_model names an adapter of another model by its shapes, trained on or merged, before it reads weights", () =>
  withRun(async (run) => {
    const folder = modelFolder(run.folder, "warm_addition", { tokenizer: false });
    const adapter = modelFolder(run.folder, "qwen2_lora", { tokenizer: false });
    Deno.truncateSync(join(folder, "model.safetensors"), 10); // Not read.
    for (const given of [{ adapter }, { adapter, merge: true }]) {
      await assert.rejects(
        run.run("load_model", { model: folder, ...given }),
        /Cannot load the adapter in .*qwen2_lora: is it another model's\? its ".*lora_[AB]\.weight" is \[/,
      );
    }
  }));

Deno.test("an adapter of ours is refused upon other weights of the same shapes, one of PEFT's that names them is told", () =>
  withAdapter(async (run) => {
    await run.run("export_model", { folder: join(run.folder, "adapter"), merge: false });
    const other = modelFolder(run.folder, "warm_addition", { tokenizer: false, as: "other" });
    const load = (given: Record<string, unknown>) =>
      run.run("load_model", { model: "./other", adapter: "./adapter", ...given });
    await load({}); // The same weights under another name.
    const tensors = new Map(
      [...readTensors(other)].map(([name, { shape, data }]) => [name, { shape, data: data.map((x) => x / 2) }]),
    );
    Deno.removeSync(join(other, "model.safetensors"));
    writeSafetensors(join(other, "model.safetensors"), tensors);
    const refused =
      /Cannot load the adapter in .*adapter: it was trained upon other weights \(.*warm_addition\) than those in/;
    await assert.rejects(load({}), refused);
    await assert.rejects(load({ merge: true }), refused);
    await load({ adapter: undefined, lora: ALL });
    await assert.rejects(Promise.resolve().then(() => run.run("load_critic", { adapter: "./adapter" })), refused);
    const texts = () => run.events.filter(({ text }) => /names? another|says that it was trained upon/.test(`${text}`));
    assert.equal(texts().length, 0);
    const { pairs, ...settings } = readAdapter(join(run.folder, "adapter"));
    writeAdapterFolder(join(run.folder, "adapter"), { ...settings, pairs }, { base: "org/warm", files: new Map() });
    await load({});
    assert.match(
      String(texts()[0]!["text"]),
      /says that it was trained upon org\/warm, and the model is .*other: shapes fit/,
    );
  }));

Deno.test("an adapter is named by its folder, the Hub's address or the run that exported it, to train on and to merge", () =>
  withCached({ "org/tiny_lora": "tests/models/qwen2_lora" }, (folders) =>
    withRun(async (run) => {
      modelFolder(run.folder, "qwen2");
      const folder = folders["org/tiny_lora"]!, earlier = join(run.folder, "runs", "earlier", "model");
      Deno.mkdirSync(earlier, { recursive: true });
      for (const { name } of Deno.readDirSync(folder)) Deno.copyFileSync(join(folder, name), join(earlier, name));
      const load = (given: Record<string, unknown>) => run.run("load_model", { model: "./qwen2", ...given });
      const want = readAdapter(folder).pairs, [name] = want.keys();
      for (const adapter of [folder, "hf:org/tiny_lora", `hf:org/tiny_lora@${"1".repeat(40)}`, "earlier"]) {
        await load({ adapter });
        assert.equal(run.policy.model.adapted!.adapter.targets.size, want.size, adapter);
        same(adapterOfModel(run.policy.model).pairs.get(name!)!.a.data, want.get(name!)!.a.data);
        await load({ adapter, merge: true });
        assert.equal(run.policy.model.adapted, null, adapter);
        await run.run("load_critic", { adapter });
        const critic = run.resources.critic!.model;
        same(adapterOfModel(critic).pairs.get(name!)!.b.data, want.get(name!)!.b.data);
      }
      await assert.rejects(load({ adapter: "hf:org/none" }), /Cannot load "hf:org\/none": it is not in the cache/);
    })));

Deno.test("an adapter upon a model of the Hub is exported with its name and commit, and loaded again by them", () =>
  withCached({ "org/tiny": "tests/models/qwen2" }, (folders) =>
    withRun(async (run) => {
      for (const file of Deno.readDirSync("tests/models/tokenizer")) {
        Deno.copyFileSync(`tests/models/tokenizer/${file.name}`, `${folders["org/tiny"]}/${file.name}`);
      }
      await run.run("load_model", { model: "hf:org/tiny", lora: { rank: 2 } });
      const { outputs } = await run.run("export_model", { merge: false });
      const folder = String(outputs!["folder"]),
        written = JSON.parse(Deno.readTextFileSync(`${folder}/adapter_config.json`));
      assert.deepEqual([written.base_model_name_or_path, written.revision], ["org/tiny", "1".repeat(40)]);
      assert.match(Deno.readTextFileSync(`${folder}/README.md`), /^---\nbase_model: "org\/tiny"\nlibrary_name: peft/);
      await run.run("load_model", { model: folder });
    })));
