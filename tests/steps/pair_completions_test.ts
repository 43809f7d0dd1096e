import assert from "node:assert/strict";
import { columnArray, tableOfRows } from "../../data/tables/mod.ts";
import { pairCompletions } from "../../steps/pair_completions.ts";
import { stepContext } from "./contexts/reward_steps.ts";

type Completion = readonly [text: string, reward: number | null, truncated?: boolean];

const PROMPTS = tableOfRows("prompts", [
  { prompt_id: 4, prompt: "2+2=", answer: "4", split: "train" },
  { prompt_id: 9, prompt: "1+1=", answer: "2", split: "held_out" },
]);

/** Runs the step on a group of each prompt. */
function paired(
  groups: readonly (readonly Completion[])[],
  given = {},
  there: readonly Record<string, unknown>[] = [],
) {
  const rows = groups.flatMap((group, g) =>
    group.map(([text, reward, truncated = false], sample) => ({
      prompt_id: [4, 9][g],
      sample,
      text,
      reward,
      truncated,
    }))
  );
  const tables = {
    prompts: PROMPTS,
    completions: tableOfRows("completions", rows),
    preferences: tableOfRows("preferences", there),
  };
  const result = pairCompletions.run(pairCompletions.params.parse(given), stepContext(tables));
  const { tables: written, outputs } = result as Exclude<typeof result, Promise<unknown>>;
  const table = written!.preferences!, columns = ["preference_id", "prompt", "split", "chosen", "rejected"];
  return {
    outputs,
    rows: Array.from({ length: table.numRows() }, (_, row) => columns.map((name) => columnArray(table, name)[row])),
  };
}

Deno.test("pair_completions sets the highest reward of a group before its lowest, with the prompt's split", () => {
  const { outputs, rows } = paired([[["5", 0.5], ["4", 1], ["3", 0], ["6", 0.2]], [["1", 0], ["2", 1]]]);
  assert.deepEqual(rows, [[0, "2+2=", "train", "4", "3"], [1, "1+1=", "held_out", "2", "1"]]);
  assert.deepEqual(outputs, { pairs: 2, groups: 2, paired: 2 });
});

Deno.test("pair_completions makes further pairs inwards while rewards differ enough and texts differ", () => {
  const group: Completion[] = [["4", 1], ["04", 0.9], ["5", 0.5], ["6", 0.4], ["7", 0]];
  assert.deepEqual(paired([group], { pairs_per_group: 9 }).rows.map((row) => row.slice(3)), [["4", "7"], ["04", "6"]]);
  assert.deepEqual(paired([group], { pairs_per_group: 9, min_gap: 0.5 }).rows.map((row) => row.slice(3)), [["4", "7"]]);
  const same = paired([[["4", 1], ["5", 0.9], ["6", 0], ["4", 0]]], { pairs_per_group: 2 });
  assert.deepEqual(same.rows.map((row) => row.slice(3)), [["5", "6"]], "one text cannot be better than itself");
});

Deno.test("pair_completions leaves out what has no reward, no end or no text, and groups with nothing to compare", () => {
  const { outputs, rows } = paired([
    [["4", 1], ["444444", -1, true], ["", -2], ["9", null], ["5", 0]],
    [["2", 1], ["2", 1]],
  ]);
  assert.deepEqual(rows.map((row) => row.slice(3)), [["4", "5"]]);
  assert.deepEqual(outputs, { pairs: 1, groups: 2, paired: 1 });
  assert.throws(
    () => paired([[["4", 1], ["5", 1]]]),
    /^RangeError: Cannot pair completions: in none of 1 groups do two that ended differ in reward by more than 0; sample/,
  );
});

Deno.test("pair_completions adds to pairs that are there and refuses labelled completions", () => {
  const there = { preference_id: 0, prompt: "p", split: "train", chosen: "a", rejected: "b" };
  assert.deepEqual(paired([[["4", 1], ["5", 0]]], {}, [there]).rows, [
    [0, "p", "train", "a", "b"],
    [1, "2+2=", "train", "4", "5"],
  ]);
  const labelled = { preference_id: 0, prompt: "p", split: "train", completion: "a", label: true };
  assert.throws(
    () => paired([[["4", 1], ["5", 0]]], {}, [labelled]),
    /holds labelled completions, want pairs or nothing/,
  );
});
