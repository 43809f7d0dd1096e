import assert from "node:assert/strict";
import { join } from "node:path";
import { LanguageModel } from "../../gpu/language_model.ts";
import { tableOf } from "../../data/tables/mod.ts";
import { ONE_LAYER, type TrainingRun, withTinyPolicy } from "./contexts/training_run.ts";

/** Pairs of which the right answer is chosen: an even digit against an odd one, easy to tell. */
function givePairs(run: TrainingRun, flipped = false): void {
  const prompts = Array.from({ length: 40 }, (_, i) => `${i}:`);
  const even = prompts.map((_, i) => String(2 * (i % 5))), odd = prompts.map((_, i) => String(2 * (i % 5) + 1));
  const split = prompts.map((_, i) => i % 4 === 3 ? "held_out" : i % 4 === 2 ? "validation" : "train");
  run.tables.write({
    preferences: tableOf("preferences", {
      preference_id: prompts.map((_, i) => i),
      prompt: prompts,
      chosen: flipped ? odd : even,
      rejected: flipped ? even : odd,
      split,
    }),
  }, "test");
}
const GIVEN = { max_updates: 30, batch_size: 8, learning_rate: 3e-3, evaluate_every: 10 };

Deno.test("train_reward_model learns an order that held-out pairs follow, and says what it measured", () =>
  withTinyPolicy(async (run) => {
    givePairs(run);
    const before = run.weights(), { outputs } = await run.run("train_reward_model", GIVEN);
    assert.equal(outputs!["accuracy"], 1);
    assert(Number(outputs!["before"]) < 0.9, `${outputs!["before"]}`);
    assert.deepEqual(run.weights(), before);
    const rows = run.tables.history("metrics", 99).objects() as Record<string, number | string | null>[];
    assert.equal(rows.length, 30);
    const first = rows[0]!, last = rows.at(-1)!;
    assert.equal(first["phase"], "reward_model");
    // Two completions per pair, each a digit and its end.
    const counted = Number(first["tokens_per_second"]) * Number(first["step_ms"]) / 1000;
    assert(Math.abs(counted - 8 * 2 * 2) < 1e-6, `${counted} tokens`);
    // Scores start near 0: the loss near log 2.
    assert(Math.abs(Number(first["loss"]) - Math.log(2)) < 0.05 && Number(last["loss"]) < 0.3);
    assert.equal(
      Number(last["reward_margin"]).toFixed(4),
      (Number(last["chosen_reward"]) - Number(last["rejected_reward"])).toFixed(4),
    );
    const measured = rows.map((row) => row["validation_accuracy"]);
    assert.deepEqual(measured.flatMap((value, i) => value === null ? [] : [i]), [9, 19, 29]);
    assert.equal(measured.at(-1), 1);
    const scores = await run.resources.reward_model!.scores(
      ["7:", "7:"],
      ["4", "5"].map((x) => run.policy.encodeAnswer(x)),
    );
    assert(scores[0]! > scores[1]!, `${scores}`);
  }, ONE_LAYER));

Deno.test("train_reward_model stops at an accuracy, centres scores, and learns the other order of flipped pairs", () =>
  withTinyPolicy(async (run) => {
    givePairs(run, true);
    const given = { ...GIVEN, max_updates: 60, until_accuracy: 0.9, center_rewards: 1 };
    const { outputs } = await run.run("train_reward_model", given);
    assert(Number(outputs!["updates"]) < 60);
    const tokens = ["4", "5"].map((x) => run.policy.encodeAnswer(x));
    const [even, odd] = await run.resources.reward_model!.scores(["7:", "7:"], tokens);
    assert(odd! > even! && Math.abs(even! + odd!) < odd! - even!, `${even}, ${odd}`);
  }, ONE_LAYER));

Deno.test("train_reward_model in passes of some pairs makes the updates of one pass", async () => {
  const losses: number[][] = [], asked: unknown[] = [], gradient = LanguageModel.prototype.accumulateGradient;
  LanguageModel.prototype.accumulateGradient = function (batch, settings) {
    asked.push(settings.promptsPerPass);
    return gradient.call(this, batch, settings);
  };
  for (const passes of [{}, { prompts_per_pass: 3 }]) {
    await withTinyPolicy(async (run) => {
      givePairs(run);
      await run.run("train_reward_model", { ...GIVEN, max_updates: 6, center_rewards: 0.1, margin: 0.5, ...passes });
      const rows = run.tables.history("metrics", 6).objects() as { loss: number }[];
      losses.push(rows.map(({ loss }) => loss));
    }, ONE_LAYER);
  }
  LanguageModel.prototype.accumulateGradient = gradient;
  assert.deepEqual([...new Set(asked)], [undefined, 3]);
  const [whole, cut] = losses as [number[], number[]];
  assert(whole[5]! < 0.9 * whole[0]!, "it learns");
  whole.forEach((loss, i) => assert(Math.abs(loss - cut[i]!) < 1e-4 * loss, `${whole} against ${cut}`));
});

Deno.test("train_reward_model wants a chosen completion margin above the rejected: the loss of one pair in plain numbers", () =>
  withTinyPolicy(async (run) => {
    givePairs(run);
    for (const margin of [0, 0.5, 3]) {
      await run.run("train_reward_model", { ...GIVEN, batch_size: 1, max_updates: 4, margin });
      for (const row of run.tables.history("metrics", 4).objects() as Record<string, number>[]) {
        const want = Math.log1p(Math.exp(margin - row["reward_margin"]!));
        assert(Math.abs(row["loss"]! - want) < 1e-5 * (1 + want), `margin ${margin}: ${row["loss"]}, want ${want}`);
      }
    }
  }, ONE_LAYER));

Deno.test("train_reward_model refuses pairs that are all the same, labelled completions, and a strange vocabulary", () =>
  withTinyPolicy(async (run) => {
    givePairs(run);
    const table = run.tables.table("preferences"), chosen = Array.from(table.array("chosen"));
    run.tables.write({ preferences: table.assign(tableOf("preferences", { rejected: chosen })) }, "test");
    await assert.rejects(
      () => run.run("train_reward_model", GIVEN),
      /Cannot train a reward model: 20 pairs have equal completions: nothing to learn from/,
    );
    const some = chosen.map((text, i) => i === 0 ? text : "9");
    run.tables.write({ preferences: table.assign(tableOf("preferences", { rejected: some })) }, "test");
    await run.run("train_reward_model", { ...GIVEN, max_updates: 1, check_data: false });
    assert(run.events.some(({ text }) => /1 of 20 train pairs have the same completion twice/.test(String(text))));
  }, ONE_LAYER));

Deno.test("a reward model scores completions as a reward, is exported, and gives the same scores when loaded again", () =>
  withTinyPolicy(async (run) => {
    givePairs(run);
    await run.run("train_reward_model", { ...GIVEN, max_updates: 5 });
    await run.rollout({ temperature: 2 });
    const rewards = { rewards: [{ uses: "reward_model", with: { scale: 2 } }] };
    await run.run("score_rewards", rewards);
    const scores = run.column<number>("completions", "reward.reward_model");
    const direct = await run.resources.reward_model!.scores(
      run.column<string>("completions", "prompt"),
      run.column<Int32Array>("completions", "token_ids"),
    );
    scores.forEach((score, i) => assert(Math.abs(score - 2 * direct[i]!) < 1e-5));
    assert(new Set(scores).size > 2);
    const folder = join(run.folder, "reward"),
      { outputs } = await run.run("export_model", { what: "reward_model", folder });
    assert.equal(outputs!["folder"], folder);
    const config = JSON.parse(Deno.readTextFileSync(join(folder, "config.json")));
    assert.deepEqual([config.architectures, config.id2label], [["Qwen2ForSequenceClassification"], { 0: "LABEL_0" }]);
    assert.equal([...Deno.readDirSync(folder)].some(({ name }) => name === "generation_config.json"), false);
    await run.run("load_reward_model", { model: folder });
    const again = await run.resources.reward_model!.scores(["7:"], [run.policy.encodeAnswer("4")]);
    await run.run("train_reward_model", { ...GIVEN, max_updates: 5 });
    const trained = await run.resources.reward_model!.scores(["7:"], [run.policy.encodeAnswer("4")]);
    assert(Number.isFinite(again[0]) && Number.isFinite(trained[0]));
  }, ONE_LAYER));
