import assert from "node:assert/strict";
import { readText } from "../read_text.ts";

/** The evaluation columns of a log with one record of training before each of evaluations. */
async function evaluated(...records: readonly Record<string, number>[]): Promise<Record<string, (number | null)[]>> {
  const lines = records.flatMap((record, i) => [
    JSON.stringify({ step: 10 * i + 10, loss: 0.5, reward: 0.25, grad_norm: 1 }),
    JSON.stringify({ step: 10 * i + 10, ...record }),
  ]);
  const { columns } = (await readText(lines.join("\n") + "\n")).evaluations;
  return Object.fromEntries(columns);
}

Deno.test("nameDataSets() gives each set of a Hugging Face trainer its own columns", async () => {
  const columns = await evaluated(
    { eval_math_loss: 0.5, eval_math_reward: 0.25, "eval_math_rewards/accuracies": 0.6, eval_math_runtime: 3 },
    { eval_code_loss: 0.4, eval_code_reward: 0.75, "eval_code_rewards/accuracies": 0.7, eval_code_runtime: 4 },
  );
  assert.deepEqual(columns["math/reward"], [0.25, null]);
  assert.deepEqual(columns["code/reward"], [null, 0.75]);
  assert.deepEqual(columns["code/preference_accuracy"], [null, 0.7]);
  assert.equal(columns["reward"], undefined, "neither is the run's own");
});

Deno.test("nameDataSets() does not take a reward function for a data set", async () => {
  const columns = await evaluated({ eval_loss: 0.5, eval_format_reward: 0.5, eval_reward: 0.25, eval_runtime: 3 });
  assert.deepEqual(columns["reward"], [0.25]);
  assert.deepEqual(columns["format_reward"], [0.5]);
});

Deno.test("nameDataSets() keeps verl's data sets apart, whichever has more values", async () => {
  const columns = await evaluated(
    { "val-core/openai/gsm8k/reward/mean@4": 0.25, "val-core/aime24/reward/mean@4": 0.0625 },
    { "val-core/aime24/reward/mean@4": 0.125 },
  );
  assert.deepEqual(columns["openai/gsm8k/reward"], [0.25, null]);
  assert.deepEqual(columns["aime24/reward"], [0.0625, 0.125]);
});

Deno.test("nameDataSets() gives the only set, and one called held out, the plain names", async () => {
  assert.deepEqual(await evaluated({ "val-core/openai/gsm8k/acc/mean@1": 0.5 }).then(({ accuracy }) => accuracy), [
    0.5,
  ]);
  const columns = await evaluated({ "eval_held_out/accuracy": 0.5, "eval_other/accuracy": 0.25 });
  assert.deepEqual([columns["accuracy"], columns["other/accuracy"]], [[0.5], [0.25]]);
});

Deno.test("nameDataSets() splits what TRL prints under one name by the set that is timed in a record", async () => {
  const add = { eval_reward: 0.25, eval_add_runtime: 3, eval_add_samples_per_second: 9 };
  const rev = { eval_reward: 0.75, eval_rev_runtime: 4, eval_rev_samples_per_second: 8 };
  const columns = await evaluated(add, rev, { ...add, eval_reward: 0.5 }, { ...rev, eval_reward: 0.625 });
  assert.deepEqual(columns["add/reward"], [0.25, null, 0.5, null]);
  assert.deepEqual(columns["rev/reward"], [null, 0.75, null, 0.625]);
  assert.equal(columns["reward"], undefined, "one name for two things is none");
});

Deno.test("nameDataSets() splits nothing that only one of the sets prints, nor where one set is timed", async () => {
  const columns = await evaluated(
    { eval_reward: 0.25, eval_add_runtime: 3 },
    { eval_loss: 0.5, eval_rev_runtime: 4 },
  );
  assert.deepEqual([columns["reward"], columns["loss"]], [[0.25, null], [null, 0.5]]);
  const one = await evaluated({ eval_reward: 0.25, eval_add_runtime: 3 }, { eval_reward: 0.5, eval_add_runtime: 3 });
  assert.deepEqual(one["reward"], [0.25, 0.5]);
});

Deno.test("nameDataSets() leaves the only set its name where that says another task", async () => {
  const columns = await evaluated({ general_eval_acc: 0.5 }, { general_eval_acc: 0.25 });
  assert.deepEqual([columns["general/accuracy"], columns["accuracy"]], [[0.5, 0.25], undefined]);
});
