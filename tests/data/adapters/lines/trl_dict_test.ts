import assert from "node:assert/strict";
import { column, readText } from "../read_text.ts";

Deno.test("TRL_DICT takes the train step from OpenRLHF's Global step", async () => {
  const run = await readText(
    "(PPOTrainer pid=123) ✨ Global step 7: {'policy_loss': 0.01, 'actor_lr': 1e-06, 'kl': 0.002, 'reward': 0.5, " +
      "'response_length': 120.5, 'group_reward_std': 0.3, 'truncated': 0.0, 'vllm_kl': 0.0001}\n" +
      "✨ Global step 8: {'policy_loss': nan, 'actor_lr': 1e-06, 'kl': nan, 'reward': 0.25}\n",
  );
  assert.deepEqual(run.metrics.train_step, [7, 8]);
  assert.deepEqual(column(run, "policy_loss"), [0.01, NaN]);
  assert.deepEqual(column(run, "group_reward_std"), [0.3, null]);
  assert.deepEqual(column(run, "loss"), [0.01, NaN], "the policy loss stands in for the loss");
  assert.equal(run.system, "openrlhf");
});

Deno.test("TRL_DICT reads ms-swift's step out of '5/3766'", async () => {
  const run = await readText(
    "{'loss': 0.0, 'grad_norm': 0.25, 'reward': 0.5, 'epoch': 0.1, 'global_step/max_steps': '5/3766', 'memory(GiB)': 2}\n",
  );
  assert.deepEqual(run.metrics.train_step, [5]);
  assert.deepEqual(column(run, "process_memory"), [2 * 2 ** 30]);
  assert.equal(run.system, "ms-swift");
});

Deno.test("TRL_DICT reads LLaMA-Factory's trainer_log.jsonl", async () => {
  const run = await readText(
    '{"current_steps": 10, "total_steps": 100, "loss": 0.5, "lr": 1e-05, "epoch": 0.1, "percentage": 10.0, ' +
      '"elapsed_time": "0:01:00"}\n{"current_steps": 20, "total_steps": 100, "loss": 0.25, "lr": 1e-05, "epoch": 0.2}\n',
  );
  assert.deepEqual(run.metrics.train_step, [10, 20]);
  assert.deepEqual(column(run, "learning_rate"), [1e-5, 1e-5]);
  assert.equal(run.system, "llamafactory");
});

Deno.test("TRL_DICT reads verl's file logger: the nested data are the metrics", async () => {
  const run = await readText(
    '{"step": 1, "data": {"actor/pg_loss": 0.0123456, "actor/grad_norm": NaN, "critic/score/mean": 0.5}}\n' +
      '{"step": 2, "data": {"actor/pg_loss": 0.5, "val-core/gsm8k/acc/mean@1": 0.75}}\n',
  );
  assert.deepEqual(run.metrics.train_step, [1, 2]);
  assert.deepEqual(column(run, "grad_norm"), [NaN, null]);
  assert.deepEqual(run.evaluations.columns.get("accuracy"), [0.75]);
});

Deno.test("TRL_DICT reads TRL's PPO names, new and old", async () => {
  const run = await readText(
    "{'eps': 3, 'objective/kl': 2.5, 'objective/rlhf_reward': -0.1, 'objective/scores': 0.2, 'policy/approxkl_avg': 0.01, " +
      "'policy/clipfrac_avg': 0.05, 'loss/value_avg': 0.5, 'val/ratio': 1.01, 'lr': 3e-06, 'episode': 64, 'epoch': 0.1}\n",
  );
  assert.deepEqual(column(run, "kl_sequence"), [2.5], "summed over a sequence: not per token");
  assert.deepEqual(column(run, "kl"), undefined);
  assert.deepEqual(column(run, "ratio_mean"), [1.01]);
  assert.equal(run.algorithm, "ppo");
  const old = await readText(
    "{'ppo/loss/value': 0.5, 'ppo/policy/clipfrac': 0.1, 'ppo/mean_scores': 0.25, 'epoch': 1}\n",
  );
  assert.deepEqual(column(old, "value_loss"), [0.5]);
});

Deno.test("TRL_DICT reads numbers inside np.float64() and tensor()", async () => {
  const run = await readText(
    "{'loss': np.float64(0.5), 'reward': tensor(0.25, device='cuda:0'), 'kl': tensor(nan), 'grad_norm': tensor([1., 2.]), 'epoch': 1}\n",
  );
  assert.deepEqual([column(run, "loss"), column(run, "reward"), column(run, "kl")], [[0.5], [0.25], [NaN]]);
  assert.equal(column(run, "grad_norm"), undefined, "a list of values is no value");
});

Deno.test("TRL_DICT takes a dict of options for settings, and a parent's name with it", async () => {
  const run = await readText(
    "generation_kwargs: {'temperature': 0.01, 'top_p': 0.001}\n" +
      "{'num_generations': 8, 'max_completion_length': 256, 'loss_type': 'dapo', 'beta': 0.0}\n",
  );
  assert.equal(run.metrics.rows, 0);
  assert.deepEqual(run.settings.map(({ name, value }) => [name, value]), [
    ["generation_kwargs.temperature", 0.01],
    ["generation_kwargs.top_p", 0.001],
    ["num_generations", 8],
    ["max_completion_length", 256],
    ["beta", 0],
    ["loss_type", "dapo"],
  ]);
});

Deno.test("TRL_DICT reads a paste without its opening brace only if it is whole", async () => {
  const whole = await readText("'loss': -0.0, 'grad_norm': 0.5, 'epoch': 0.1, 'kl': 0.25}\n");
  assert.deepEqual(column(whole, "kl"), [0.25]);
  const cut = await readText("'loss': -0.0, 'grad_norm': 0.5, 'epoch': 0.1, 'kl': 0.25\n");
  assert.equal(cut.metrics.rows, 0);
  assert.deepEqual(cut.skipped.map(({ reason }) => reason), ["a dict cut before its end"]);
});

Deno.test("TRL_DICT ignores dicts that hold no metric", async () => {
  const run = await readText('{\'input_ids\': 3, \'labels\': 4}\n{"event": "start", "pid": 12}\n');
  assert.equal(run.metrics.rows, 0);
});

Deno.test("TRL_DICT reads a configuration that pprint broke over lines, behind Ray's prefix", async () => {
  const ray = (lines: string[]) => lines.map((line) => `(TaskRunner pid=123) ${line}\n`).join("");
  const run = await readText(ray([
    "{'actor_rollout_ref': {'actor': {'clip_ratio': 0.2,",
    "                                 'optim': {'lr': 1e-06}},",
    "                       'rollout': {'n': 5}},",
    " 'data': {'train_batch_size': 1024, 'train_files': 'a'",
    "                                                   'b'}}",
    "step:1 - actor/pg_loss:0.1 - actor/grad_norm:0.5",
  ]));
  assert.equal(run.metrics.rows, 1);
  assert.deepEqual(run.settings.map(({ name, option, value }) => [name, option, value]), [
    ["actor_rollout_ref.actor.clip_ratio", "clip_low", 0.2],
    ["actor_rollout_ref.actor.optim.lr", "learning_rate", 1e-6],
    ["actor_rollout_ref.rollout.n", "group_size", 5],
    ["data.train_batch_size", "batch_size", 1024],
    ["data.train_files", "dataset", "ab"],
  ]);
});

Deno.test("TRL_DICT reads a dict of lists as a table in columns", async () => {
  const run = await readText('{"step": [1, 2, 3], "loss": [0.5, null, NaN], "reward": [0, 1, 2]}\n');
  assert.deepEqual(run.metrics.train_step, [1, 2, 3]);
  assert.deepEqual(column(run, "loss"), [0.5, null, NaN]);
});

Deno.test("TRL_DICT joins a record that a window has wrapped, within names and numbers too", async () => {
  const record = (loss: string) =>
    `{'loss': ${loss}, 'grad_norm': '0.6711', 'reward': -1.25e-05, 'rewards/accuracy_reward/mean': None, 'entropy': nan, 'epoch': 0.25}`;
  const log = `${record("0.1253")}\n${record("-0.5")}\n`, whole = await readText(log);
  for (let width = 20; width < record("0.1253").length; width++) {
    const run = await readText(log.replace(new RegExp(`.{${width}}`, "g"), "$&\n"));
    for (const name of ["loss", "grad_norm", "reward", "entropy", "epoch"]) {
      assert.deepEqual(column(run, name), column(whole, name), `${name} at width ${width}`);
    }
    assert.deepEqual([...run.metrics.columns.keys()], [...whole.metrics.columns.keys()], `width ${width}`);
  }
});

Deno.test("TRL_DICT reads a paste without its opening brace behind a prefix, and wrapped", async () => {
  const paste = "'loss': -0.0, 'grad_norm': 0.25, 'reward': 0.34375, 'reward_std': 0.4397946, 'epoch': 0.5}";
  for (
    const text of [
      `[rank0]: ${paste}\n`,
      `2026-03-11 14:22:07,123 ${paste}\n`,
      `${paste.slice(0, 64)}\n${paste.slice(64)}\n`,
    ]
  ) {
    assert.deepEqual(column(await readText(text), "reward_std"), [0.4397946], text);
  }
});

Deno.test("TRL_DICT reads verl's file logger with sorted keys, and leaves a configuration's data alone", async () => {
  const run = await readText(
    '{"data": {"actor/pg_loss": 0.25, "critic/score/mean": 0.5}, "step": 1}\n' +
      '{"data": {"actor/pg_loss": 0.5, "critic/score/mean": 0.75}, "step": 2}\n',
  );
  assert.deepEqual(run.metrics.train_step, [1, 2]);
  assert.deepEqual(column(run, "reward"), [0.5, 0.75]);
  const settings = await readText(
    "{'data': {'train_batch_size': 8, 'max_response_length': 64}, 'trainer': {'n': 1}}\n",
  );
  assert.deepEqual(settings.settings.map(({ name }) => name).filter((name) => name.startsWith("data.")), [
    "data.train_batch_size",
    "data.max_response_length",
  ]);
});

Deno.test("TRL_DICT takes the train step of OpenRLHF's evaluations", async () => {
  const run = await readText(
    "✨ Global step 26: {'policy_loss': 0.01, 'actor_lr': 1e-06, 'kl': 0.002, 'reward': 0.5}\n" +
      "✨ Evaluation completed, global_step 26, eval_metrics: {'eval_gsm8k_pass1': 0.25, 'eval_gsm8k_response_length_mean': 9}\n",
  );
  assert.deepEqual(run.evaluations.columns.get("accuracy"), [0.25]);
  assert.deepEqual(run.evaluations.train_step, [26]);
});

Deno.test("TRL_DICT reads a configuration with its options of evaluation, and the train steps follow from it", async () => {
  const records = Array.from({ length: 20 }, (_, i) => `{'loss': 0.1, 'reward': 0.5, 'epoch': ${(i + 1) / 20}}\n`);
  const run = await readText(
    `{'learning_rate': 2e-05, 'logging_steps': 10, 'eval_steps': 100, 'num_train_epochs': 1}\n${records.join("")}` +
      "{'eval_loss': 0.3, 'epoch': 1.0}\n",
  );
  assert.deepEqual(run.settings.map(({ option, value }) => [option, value]).slice(0, 2), [
    ["learning_rate", 2e-5],
    ["logging_steps", 10],
  ]);
  assert.equal(run.rows.log!.stepsPrinted, true);
  assert.deepEqual([...run.metrics.train_step].slice(0, 3), [10, 20, 30]);
});
