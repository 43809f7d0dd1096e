import assert from "node:assert/strict";
import { columnArray } from "../../data/tables/mod.ts";
import { measureTokens } from "../../steps/measure_tokens.ts";
import { lists, ONE_LAYER, withTinyPolicy } from "./contexts/training_run.ts";

Deno.test("measure_tokens gives log-probs and Σp² of the sampled distribution, at the sampler's temperature", () =>
  withTinyPolicy(async (run) => {
    run.tables.advance();
    await run.run("sample_groups", { prompts_per_step: 2, group_size: 3, max_new_tokens: 3, temperature: 0.5 });
    const { outputs } = await run.run("measure_tokens");
    const table = run.tables.table("completions"), squares = lists(table, "log_sum_squares");
    const sampler = lists(table, "sampler_logprobs"), old = lists(table, "old_logprobs");
    let sum = 0, tokens = 0;
    squares.forEach((row, i) => {
      assert.equal(row.length, sampler[i]!.length);
      row.forEach((value, t) => {
        assert(Math.abs(old[i]![t]! - sampler[i]![t]!) < 1e-4, "the sampler's own log-prob");
        // Σ p² lies between p² of the sampled token and the largest p, and above 1 / V.
        assert(value < 0 && Math.exp(value) >= Math.exp(2 * old[i]![t]!) - 1e-9);
        sum += Math.exp(value);
        tokens++;
      });
    });
    assert(Math.abs((outputs!["effective_tokens"] as number) - tokens / sum) < 1e-6);
    const vocabulary = run.policy.model.config.vocabSize;
    assert(squares.flat().every((value) => Math.exp(value) >= 1 / vocabulary - 1e-9));
    const hot = await run.policy.logprobsAndSquares(
      run.policy.sequences(
        [0, 3].map((row) => (columnArray(table, "prompt") as ArrayLike<string>)[row]!),
        Array.from(columnArray(table, "token_ids") as ArrayLike<number[]>),
      ),
      1,
    );
    assert(Math.abs(hot.logSumSquares[0]![0]! - squares[0]![0]!) > 1e-6, "another temperature has another Σp²");
    await run.run("score_rewards", { rewards: [{ uses: "verifier" }] });
    await run.run("compute_advantages", { estimator: "optimal_token_baseline" });
    const written = run.tables.table("completions");
    assert.deepEqual(lists(written, "advantages").map(({ length }) => length), squares.map(({ length }) => length));
  }, ONE_LAYER));

Deno.test("measure_tokens refuses an empty table and groups of different sizes", () =>
  withTinyPolicy(async (run) => {
    run.tables.advance();
    await assert.rejects(run.run("measure_tokens"), /Cannot measure tokens: table "completions" has no rows/);
    await run.run("sample_groups", { prompts_per_step: 2, group_size: 2, max_new_tokens: 2 });
    const uneven = run.tables.table("completions").slice(0, 3);
    run.tables.write({ completions: uneven }, "test");
    await assert.rejects(run.run("measure_tokens"), /a group has 1 completions, another 2; want equal groups/);
    assert(measureTokens.needs.includes("policy"));
  }, ONE_LAYER));
