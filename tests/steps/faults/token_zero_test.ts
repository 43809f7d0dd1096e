import assert from "node:assert/strict";
import { columnArray, tableOf } from "../../../data/tables/mod.ts";
import { onlyTokenZero } from "../../../steps/faults/token_zero.ts";
import { withTinyPolicy } from "../contexts/training_run.ts";

Deno.test("onlyTokenZero() makes every completion token 0 up to the longest, with log-probs NaN", () =>
  withTinyPolicy((run) => {
    const completions = tableOf("completions", {
      train_step: [1, 1],
      prompt_id: [0, 0],
      text: ["3", "12"],
      token_ids: [[3, 9], [1, 2, 9]],
      completion_tokens: [2, 3],
      completion_mask: [[1, 1], [1, 1, 0]],
      sampler_logprobs: [[-1, -2], [-1, -2, -3]],
      truncated: [false, false],
    });
    run.tables.write({ completions }, "test");
    onlyTokenZero(run.context("apply_update"));
    const table = run.tables.table("completions");
    const column = (name: string) => Array.from(columnArray(table, name) as ArrayLike<unknown>);
    const rows = (name: string) => (column(name) as ArrayLike<number>[]).map((row) => Array.from(row));
    assert.deepEqual([rows("token_ids"), rows("completion_mask")], [[[0, 0, 0], [0, 0, 0]], [[1, 1, 1], [1, 1, 1]]]);
    assert.deepEqual([column("completion_tokens"), column("truncated")], [[3, 3], [true, true]]);
    assert.deepEqual(column("text"), Array(2).fill(run.policy.decode([0, 0, 0])));
    assert(rows("sampler_logprobs").flat().every(Number.isNaN));
    assert(!table.column("ref_logprobs"));
    return Promise.resolve();
  }));
