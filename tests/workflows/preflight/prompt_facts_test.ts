/** Prompts are those that load_prompts would give. */
import assert from "node:assert/strict";
import { factsOf } from "../../../workflows/preflight/facts.ts";
import { smallPlan, withFiles } from "./small_plans.ts";

Deno.test("readPrompts() gives the rows of a task and of a file, or what is wrong", () =>
  withFiles(async (folder) => {
    const of = async (prompts: Record<string, unknown>) =>
      (await factsOf(smallPlan({ prompts }, folder), null)).prompts!;
    assert.equal((await of({})).rows.length, 100);
    const file = await of({ file: "sums.jsonl", answer_column: "sum" });
    assert.deepEqual([file.rows.length, file.rows.every(({ verifier }) => verifier === "exact")], [60, true]);
    const missing = await of({ file: "none.jsonl" });
    assert.equal(missing.rows.length, 0);
    assert.match(missing.problem!, /none\.jsonl/);
  }));
