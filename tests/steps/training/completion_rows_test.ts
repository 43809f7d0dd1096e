import assert from "node:assert/strict";
import { tableOf } from "../../../data/tables/mod.ts";
import type { Policy } from "../../../steps/resources/policy.ts";
import { completionColumn, completionSequences } from "../../../steps/training/completion_rows.ts";

const policy = {
  sequences: (prompts: readonly string[], completions: readonly ArrayLike<number>[]) => ({
    prompts,
    group: completions.length / prompts.length,
    completions,
  }),
} as unknown as Policy;

const table = (prompt_id: number[], sample: number[]) =>
  tableOf("completions", {
    prompt_id,
    sample,
    prompt: prompt_id.map((id) => `prompt ${id}`),
    token_ids: prompt_id.map((id) => Int32Array.of(id)),
  });

Deno.test("completionSequences() reads a prompt once for its group where groups are equal and stand together", () => {
  const grouped = completionSequences(table([4, 4, 5, 5], [0, 1, 0, 1]), policy);
  assert.deepEqual([grouped.prompts, grouped.group], [["prompt 4", "prompt 5"], 2]);
  for (const [ids, samples] of [[[4, 5, 4, 5], [0, 0, 1, 1]], [[4, 4, 5], [0, 1, 0]]] as const) {
    const alone = completionSequences(table([...ids], [...samples]), policy);
    assert.deepEqual([alone.prompts, alone.group], [ids.map((id) => `prompt ${id}`), 1]);
  }
});

Deno.test("completionColumn() says which step writes a column that is missing", () => {
  const rows = table([1], [0]);
  assert.deepEqual(completionColumn(rows, "prompt_id", { what: "x", before: "y" }), [1]);
  assert.throws(
    () => completionColumn(rows, "values", { what: "update the critic", before: "compute_values" }),
    /Cannot update the critic: .* no column "values"; run compute_values before/,
  );
});
