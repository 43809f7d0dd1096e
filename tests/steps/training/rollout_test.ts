import assert from "node:assert/strict";
import { tableOf } from "../../../data/tables/mod.ts";
import { readRollout, slice } from "../../../steps/training/rollout.ts";
import { lists, type TrainingRun, withTinyPolicy } from "../contexts/training_run.ts";

const read = (run: TrainingRun, minibatches = 1, position = 0) =>
  readRollout(run.context("apply_update", { position }), run.policy, minibatches);

Deno.test("readRollout() gives one prompt per group and the rows as the graphs take them", () =>
  withTinyPolicy(async (run) => {
    await run.rollout();
    const rollout = read(run);
    const completions = run.tables.table("completions");
    assert.deepEqual([rollout.prompts.length, rollout.group, rollout.completions.length], [4, 4, 16]);
    const prompts = run.column<string>("completions", "prompt");
    rollout.prompts.forEach((ids, i) => assert.equal(run.policy.decode(ids), prompts[4 * i]));
    assert.deepEqual(rollout.lengths, lists(completions, "token_ids").map((row) => row.length));
    assert.equal(rollout.tokens, rollout.lengths.reduce((a, b) => a + b, 0));
    assert.equal(rollout.maxNewTokens, 4);
    assert.deepEqual([rollout.temperature, rollout.comparable], [1, true]);
    assert.equal(rollout.refLogprobs, undefined);
    assert.deepEqual(rollout.advantages, run.column("completions", "advantage"));
  }));

Deno.test("readRollout() knows the sampling settings: temperature 0 counts as 1, top_k is not comparable", () =>
  withTinyPolicy(async (run) => {
    await run.rollout({ temperature: 0 });
    assert.deepEqual([read(run).temperature, read(run).comparable], [1, false]);
    await run.rollout({ temperature: 0.7, top_k: 5 });
    assert.deepEqual([read(run).temperature, read(run).comparable], [0.7, false]);
    await run.rollout({ temperature: 0.7 });
    assert.equal(read(run).comparable, true);
    for (const filter of [{ top_p: 0.9 }, { min_p: 0.1 }, { repetition_penalty: 1.2 }]) {
      await run.rollout(filter);
      assert.equal(read(run).comparable, false, JSON.stringify(filter));
    }
  }));

Deno.test("readRollout() counts the tokens that the mask keeps", () =>
  withTinyPolicy(async (run) => {
    await run.rollout({ mask_truncated: true, max_new_tokens: 2 });
    const truncated = run.column<boolean>("completions", "truncated");
    const { lengths, tokens } = read(run);
    assert(truncated.some(Boolean));
    assert.deepEqual(lengths.map((length) => length === 0), truncated);
    assert.equal(tokens, lengths.reduce((a, b) => a + b, 0));
  }));

Deno.test("slice() cuts whole groups in order, with old log-probs where there are any", () =>
  withTinyPolicy(async (run) => {
    await run.rollout();
    const rollout = read(run, 2);
    const parts = [slice(rollout, 0, 2), slice(rollout, 1, 2)];
    assert.deepEqual(parts.flatMap(({ completions }) => completions), rollout.completions);
    assert.deepEqual(parts.flatMap(({ prompts }) => prompts), rollout.prompts);
    assert.deepEqual(parts.flatMap(({ inputs }) => inputs.advantages as number[]), rollout.advantages);
    assert(!("old_logprobs" in parts[0]!.inputs));
    rollout.oldLogprobs = rollout.samplerLogprobs;
    const rows = (given: readonly ArrayLike<number>[]) => given.map((row) => Array.from(row));
    assert.deepEqual(rows(slice(rollout, 1, 2).inputs.old_logprobs!), rows(rollout.samplerLogprobs.slice(8)));
  }));

Deno.test("readRollout() says what is missing or uneven", () =>
  withTinyPolicy(async (run) => {
    run.tables.advance();
    assert.throws(() => read(run), /table "completions" has no row of this train step/);
    await run.run("sample_groups", { prompts_per_step: 3, group_size: 2, max_new_tokens: 2 });
    assert.throws(() => read(run), /has no column "advantage"; run the step that writes it before/);
    const table = run.tables.table("completions");
    const columns = Object.fromEntries(table.columnNames().map((name) => [name, Array.from(table.array(name))]));
    const write = (change: Record<string, ArrayLike<unknown>>) =>
      run.tables.write({ completions: tableOf("completions", { ...columns, ...change }) }, "test");
    const advantage = Array(6).fill(0);
    write({ advantage });
    assert.throws(
      () => read(run, 2),
      /Cannot split 3 prompts into 2 minibatches: want prompts_per_step to be a multiple/,
    );
    assert.equal(read(run, 3).group, 2);
    write({ advantage, prompt_id: [1, 1, 1, 1, 2, 2], sample: [0, 1, 2, 3, 0, 1] });
    assert.throws(() => read(run), /a group has 2 completions, another 4; want equal groups/);
    write({ advantage, prompt_id: [1, 2, 3, 1, 2, 3] });
    assert.throws(() => read(run), /want equal groups, each together/);
  }));
