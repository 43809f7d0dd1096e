/** Critic and reward model as adapters: on the policy's base, on a base of their own, from and to folders of PEFT. */
import assert from "node:assert/strict";
import { join } from "node:path";
import { loadCritic } from "../../../steps/load_critic.ts";
import { loadRewardModel } from "../../../steps/load_reward_model.ts";
import { readAdapter } from "../../../data/hub/peft_adapter.ts";
import type { ResourceState } from "../../../steps/resources/resource.ts";
import { modelTensors } from "../../../steps/resources/adapter.ts";
import { same } from "../../same.ts";
import { modelFolder } from "../contexts/model_folders.ts";
import { type TrainingRun, withRun } from "../contexts/training_run.ts";

const LORA = { rank: 4, alpha: 8, target_modules: "all_linear" } as const;

/** One-digit addition with a policy that already adds, upon which nothing stands yet. */
function withPolicy(body: (run: TrainingRun) => Promise<void>, model: Record<string, unknown> = { lora: LORA }) {
  return withRun(async (run) => {
    modelFolder(run.folder, "warm_addition", { tokenizer: false });
    await run.run("load_prompts", { task: "addition", digits: 1 });
    await run.run("load_model", { model: "./warm_addition", ...model });
    await body(run);
  });
}

const numbers = (run: TrainingRun) => (run.policy.model.adapted!.base.values.data as Float32Array).slice();
const critic = (run: TrainingRun) => run.resources.critic!.model;
const own = (run: TrainingRun) => critic(run).weights.toHuggingFace();
const values = (run: TrainingRun) =>
  run.resources.critic!.values({
    prompts: [run.policy.encodePrompt("1+2=", 4)],
    group: 2,
    completions: [[51, 3], [52, 53, 3]],
  });
const near = (got: ArrayLike<number>, want: ArrayLike<number>, most = 1e-5) => {
  assert.equal(got.length, want.length);
  Array.from(got, (x, i) => assert(Math.abs(x - want[i]!) < most, `${i}: ${x}, want ${want[i]}`));
};

/** A rollout with values and advantages, then one update of policy and critic. */
async function trained(run: TrainingRun, rate = 1e-2): Promise<void> {
  run.tables.advance();
  await run.run("sample_groups", { prompts_per_step: 8, group_size: 1, max_new_tokens: 4 });
  await run.run("score_rewards", { rewards: [{ uses: "verifier" }] });
  await run.run("compute_values");
  await run.run("compute_advantages", { estimator: "gae", gamma: 1, lambda: 0.95 });
  await run.run("apply_update", { preset: "vanilla", learning_rate: rate });
  await run.run("update_critic", { learning_rate: rate });
}

Deno.test("a critic by lora reads the base of the policy's adapter, once in memory, and trains A, B and its head alone", () =>
  withPolicy(async (run) => {
    const { outputs } = await run.run("load_critic", { lora: LORA });
    const { model } = run.policy, before = numbers(run), fresh = own(run);
    assert.equal(critic(run).adapted!.base, model.adapted!.base, "stored once");
    const width = model.config.hiddenSize;
    assert.equal(outputs!["trainable"], model.trainable.count + width, "as the policy's adapter, and the head");
    assert.equal(run.settings()["critic_lora_rank"]!.value, 4);
    assert(![...fresh.keys()].some((name) => name.includes("lm_head")));
    const policy = model.weights.toHuggingFace();
    const a = [...fresh.keys()].find((name) => name.endsWith("lora_A.weight"))!;
    assert.notDeepEqual(fresh.get(a)!.data, policy.get(a)!.data, "draws of its own");
    await trained(run);
    same(numbers(run), before);
    const moved = own(run);
    for (const [name, { data }] of fresh) {
      const still = data.every((x, i) => x === moved.get(name)!.data[i]);
      assert.equal(still, name.endsWith("lora_A.weight"), `${name}: B is 0 at first, so A has no gradient yet`);
    }
  }));

Deno.test("a critic by lora begins as the base with its head: the values of one that trains whole", () =>
  withPolicy(async (run) => {
    await run.run("load_critic", { lora: LORA });
    const adapted = await values(run), tensors = modelTensors(critic(run));
    await run.run("load_critic");
    const whole = await values(run);
    whole.forEach((row, i) => near(adapted[i]!, row));
    assert.deepEqual([...tensors.keys()].sort(), [...critic(run).weights.toHuggingFace().keys()].sort());
  }));

Deno.test("policy and critic do not read each other's adapter", () =>
  withPolicy(async (run) => {
    await run.run("load_critic", { lora: LORA });
    const sequences = run.policy.sequences(["1+2="], [[51, 3]]);
    const [before, valued] = [await run.policy.logprobs(sequences, 1), await values(run)];
    const fill = (model: TrainingRun["policy"]["model"]) =>
      model.weights.values.upload(
        Float32Array.from({ length: model.weights.layout.size }, (_, i) => 0.1 * Math.sin(i + 1)),
      );
    fill(critic(run));
    same((await run.policy.logprobs(sequences, 1))[0]!, before[0]!);
    const moved = await values(run);
    assert(moved[0]!.some((x, t) => Math.abs(x - valued[0]![t]!) > 1e-3));
    fill(run.policy.model);
    same((await values(run))[0]!, moved[0]!);
  }));

Deno.test("the base outlives the policy that it came with, as long as a critic stands on it", () =>
  withPolicy(async (run) => {
    await run.run("load_critic", { lora: LORA });
    const before = await values(run);
    await run.run("load_model", { model: "./warm_addition", lora: LORA });
    same((await values(run))[0]!, before[0]!);
    assert.notEqual(critic(run).adapted!.base, run.policy.model.adapted!.base);
  }));

Deno.test("a critic by lora has a base of its own where the policy's weights train or another folder is named", async () => {
  await withPolicy(async (run) => {
    await run.run("load_critic", { lora: LORA });
    assert.notEqual(critic(run).adapted!.base, run.policy.model.weights);
    const before = (critic(run).adapted!.base.values.data as Float32Array).slice();
    await trained(run);
    same(
      critic(run).adapted!.base.values.data as Float32Array,
      before,
      "the policy trains, the critic's base does not",
    );
  }, {});
  await withPolicy(async (run) => {
    modelFolder(run.folder, "warm_addition", { tokenizer: false, as: "copy" });
    await run.run("load_critic", { lora: LORA, model: "./copy" });
    assert.notEqual(critic(run).adapted!.base, run.policy.model.adapted!.base);
    await run.run("load_critic", { lora: LORA, model: "./warm_addition" });
    assert.equal(critic(run).adapted!.base, run.policy.model.adapted!.base);
  });
});

Deno.test("a critic's adapter, restored into another run, goes on bitwise; upon another base it is refused", async () => {
  const lora = { ...LORA, dropout: 0.2 };
  const saved: Record<"critic" | "policy" | "optimizer", ResourceState>[] = [];
  let want = new Map<string, { readonly data: Float32Array }>();
  await withPolicy(async (run) => {
    await run.run("load_critic", { lora });
    await trained(run);
    const { critic, policy, optimizer } = run.resources;
    const state = { critic: await critic!.save(), policy: policy!.save(), optimizer: await optimizer!.save() };
    saved.push(structuredClone(state));
    const { data } = saved[0]!.critic.arrays.get("weights")!;
    assert(data.length < 0.5 * run.policy.model.adapted!.base.layout.size, "no base in it");
    await trained(run);
    want = own(run);
  });
  await withPolicy(async (run) => {
    await run.run("load_critic", { lora });
    await trained(run, 3e-2);
    run.policy.restore(saved[0]!.policy);
    await run.resources.optimizer!.restore(saved[0]!.optimizer);
    await run.resources.critic!.restore(saved[0]!.critic);
    await trained(run);
    for (const [name, { data }] of own(run)) same(data, want.get(name)!.data);
    await run.run("load_model", { model: "tiny_qwen2", lora: LORA });
    await run.run("load_critic", { lora });
    await assert.rejects(
      () => run.resources.critic!.restore(saved[0]!.critic),
      /Cannot restore the adapter: its base has other/,
    );
  });
});

Deno.test("a reward model by lora learns to rank, and is exported as PEFT's SEQ_CLS, whose scores are the same", () =>
  withPolicy(async (run) => {
    const rows = Array.from({ length: 20 }, (_, i) => ({
      prompt: `${i % 10}+1=`,
      chosen: String(i % 10 + 1),
      rejected: String((i + 3) % 10),
    }));
    const file = join(run.folder, "pairs.jsonl"), folder = join(run.folder, "reward");
    Deno.writeTextFileSync(file, rows.map((row) => JSON.stringify(row)).join("\n"));
    await run.run("load_preferences", { file });
    const { outputs } = await run.run("train_reward_model", {
      lora: LORA,
      max_updates: 40,
      batch_size: 8,
      learning_rate: 1e-2,
    });
    const { model } = run.resources.reward_model!;
    assert.equal(model.adapted!.base, run.policy.model.adapted!.base);
    assert((outputs!["loss"] as number) < 0.3, `${outputs!["loss"]}`);
    const scores = () => run.resources.reward_model!.scores(["1+1=", "1+1="], [[50, 257], [57, 257]]);
    const want = await scores();
    await run.run("export_model", { what: "reward_model", merge: false, folder });
    const config = JSON.parse(Deno.readTextFileSync(join(folder, "adapter_config.json")));
    assert.deepEqual([config.task_type, config.modules_to_save], ["SEQ_CLS", ["score"]]);
    assert.equal(config.base_model_name_or_path, "../warm_addition");
    await run.run("load_reward_model", { adapter: "./reward" });
    assert.equal(run.resources.reward_model!.model.adapted!.base, run.policy.model.adapted!.base);
    near(await scores(), want);
    modelFolder(run.folder, "warm_addition", { tokenizer: false, as: "copy" });
    await run.run("load_reward_model", { adapter: "./reward", model: "./copy" });
    near(await scores(), want);
    await run.run("load_critic", { adapter: "./reward" });
    near(
      (await run.resources.critic!.values({
        prompts: [run.policy.encodePrompt("1+1=", 1)],
        group: 1,
        completions: [[50, 257, 0]],
      }))[0]!.slice(-1),
      want.slice(0, 1),
    );
    await run.run("export_model", { what: "critic", folder: join(run.folder, "merged") });
    await run.run("load_reward_model", { model: "./merged" });
    near(await scores(), want, 1e-4);
  }));

Deno.test("an adapter without a head gets a fresh one as a critic and is refused as a reward model", () =>
  withPolicy(async (run) => {
    await run.run("export_model", { merge: false, folder: join(run.folder, "adapter") });
    await run.run("load_critic", { adapter: "./adapter" });
    const a = [...readAdapter(join(run.folder, "adapter")).pairs][0]!;
    assert.deepEqual(own(run).get(`${a[0].replace(".weight", "")}.lora_A.weight`)!.data, a[1].a.data);
    await assert.rejects(
      () => run.run("load_reward_model", { adapter: "./adapter" }),
      /Cannot load the adapter in .*adapter: it has no "score.weight", want one of task_type SEQ_CLS/,
    );
    await run.run("load_model", { model: "./warm_addition" });
    await run.run("load_critic", { lora: LORA });
    await run.run("export_model", { what: "critic", merge: false, folder: join(run.folder, "critic") });
    await assert.rejects(
      () => run.run("load_reward_model", { adapter: "./critic" }),
      /the policy's own weights train, want those that the adapter is upon; give model/,
    );
    modelFolder(run.folder, "qwen2");
    await assert.rejects(
      () => run.run("load_reward_model", { adapter: "./critic", model: "./qwen2" }),
      /Cannot load the adapter in .*critic: it was trained upon other weights/,
    );
  }));

Deno.test("load_critic and load_reward_model say before the run which options do nothing or lack", () => {
  const problems = (given: unknown) => loadCritic.check!(loadCritic.params.parse(given)).join();
  assert.match(problems({ body: "policy", lora: {} }), /Cannot use "lora": body is "policy", want own/);
  assert.match(problems({ body: "policy", adapter: "./a" }), /Cannot use "adapter": body is "policy", want own/);
  assert.match(
    problems({ lora: { rank: 2 }, adapter: "./a" }),
    /Cannot use "lora": adapter is \.\/a.* one of the two$/,
  );
  const reward = (given: unknown) => loadRewardModel.check!(loadRewardModel.params.parse(given)).join();
  assert.match(reward({}), /want model, a folder or a run, or adapter/);
  assert.match(reward({ adapter: "./a", chat_template: true }), /without model the policy reads the prompts/);
  assert.equal(reward({ model: "./a" }), "");
});

Deno.test("PPO learns with a policy and a critic that are adapters on one base, the reference being that base", () =>
  withPolicy(async (run) => {
    await run.run("load_critic", { lora: LORA });
    const rewards: number[] = [], before = numbers(run);
    for (let step = 0; step < 12; step++) {
      run.tables.advance();
      await run.run("sample_groups", { prompts_per_step: 64, group_size: 1, max_new_tokens: 4 });
      await run.run("score_rewards", { rewards: [{ uses: "regex", with: { pattern: "^[5-9]" } }] });
      const given = run.column<number>("completions", "reward");
      rewards.push(given.reduce((a, b) => a + b, 0) / given.length);
      await run.run("compute_values");
      await run.run("compute_advantages", { estimator: "gae", gamma: 1, lambda: 0.95 });
      await run.run("apply_update", { preset: "vanilla", learning_rate: 5e-3, kl_coef: 0.001 });
      await run.run("update_critic", { learning_rate: 1e-2 });
    }
    const mean = (of: number[]) => of.reduce((a, b) => a + b, 0) / of.length;
    const [first, last] = [mean(rewards.slice(0, 3)), mean(rewards.slice(-3))];
    assert(last > first + 0.3, `${first} to ${last}`);
    same(numbers(run), before);
    assert.equal(run.resources.reference!.model().weights, run.policy.model.adapted!.base);
  }, { lora: LORA, reference: "adapter_off" }));

Deno.test("a critic shares a base of 8 bits too, and trains upon it", () =>
  withPolicy(async (run) => {
    await run.run("load_critic", { lora: LORA });
    const { base } = critic(run).adapted!, before = own(run);
    assert.equal(base, run.policy.model.adapted!.base);
    assert.equal(base.bits, 8);
    await trained(run);
    const b = [...before.keys()].find((name) => name.endsWith("lora_B.weight"))!;
    assert.notDeepEqual(own(run).get(b)!.data, before.get(b)!.data);
  }, { lora: LORA, weights: "int8" }));
