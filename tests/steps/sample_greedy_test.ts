import assert from "node:assert/strict";
import { table } from "arquero";
import { columnArray } from "../../data/tables/mod.ts";
import { sampleGreedy } from "../../steps/sample_greedy.ts";
import { ONE_LAYER, type TrainingRun, withTinyPolicy } from "./contexts/training_run.ts";

async function greedyRun(run: TrainingRun) {
  run.tables.advance();
  await run.run("sample_groups", { prompts_per_step: 2, group_size: 3, max_new_tokens: 3 });
  return await run.run("sample_greedy");
}

Deno.test("sample_greedy writes one greedy completion per prompt, beside each completion of it", () =>
  withTinyPolicy(async (run) => {
    const { outputs } = await greedyRun(run);
    assert.equal(outputs!["prompts"], 2);
    const prompts = run.column<string>("completions", "prompt"),
      texts = run.column<string>("completions", "greedy_text");
    assert.equal(new Set([0, 1, 2].map((row) => texts[row])).size, 1);
    const [alone] = await run.policy.sampler.sample([prompts[3]!], {
      group: 1,
      maxNewTokens: 3,
      values: { temperature: 0, top_k: 0, top_p: 1, min_p: 0, repetition_penalty: 1 },
      draws: { seed: 99, stream: "other", trainStep: 5 },
    });
    assert.equal(texts[3], alone!.text, "no draw decides it");
    assert.deepEqual(run.column("completions", "greedy_tokens").slice(3), Array(3).fill(alone!.tokenIds.length));
    assert.equal(run.column<number[]>("completions", "token_ids").length, 6, "the rollout is what it was");
  }, ONE_LAYER));

Deno.test("score_rewards scores greedy completions too, and remax compares with them", () =>
  withTinyPolicy(async (run) => {
    await greedyRun(run);
    const greedy = "greedy_text", answers = run.column<string>("completions", "answer");
    const completions = run.tables.table("completions");
    // The first prompt's greedy completion is right, the other's is not.
    const texts = answers.map((answer, row) => row < 3 ? answer : `${answer}0`);
    run.tables.write({ completions: completions.assign(table({ [greedy]: texts, text: answers })) }, "test");
    await run.run("score_rewards", { rewards: [{ uses: "verifier" }] });
    assert.deepEqual(run.column("completions", "reward"), [1, 1, 1, 1, 1, 1]);
    assert.deepEqual(run.column("completions", "greedy_reward"), [1, 1, 1, 0, 0, 0]);
    await run.run("compute_advantages", { estimator: "remax" });
    assert.deepEqual(run.column("completions", "advantage"), [0, 0, 0, 1, 1, 1]);
    const settings = run.settings();
    assert.deepEqual([settings["compares_groups"]!.value, settings["sums_to_zero"]!.value], [false, false]);
  }, ONE_LAYER));

Deno.test("sample_greedy refuses an empty table, and asks how long where nobody said", () =>
  withTinyPolicy(async (run) => {
    run.tables.advance();
    await assert.rejects(run.run("sample_greedy"), /Cannot sample: table "completions" has no rows/);
    run.tables.write({ completions: table({ prompt_id: [0], prompt: ["1+1="] }) }, "test");
    await assert.rejects(run.run("sample_greedy"), /set max_new_tokens of sample_greedy/);
    assert.equal((await run.run("sample_greedy", { max_new_tokens: 2 })).outputs!["prompts"], 1);
    assert(columnArray(run.tables.table("completions"), "greedy_text"));
    assert(sampleGreedy.needs.includes("policy"));
  }, ONE_LAYER));
