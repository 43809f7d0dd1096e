import assert from "node:assert/strict";
import { table } from "arquero";
import { emptyTable } from "../../data/tables/mod.ts";
import { filterGroups } from "../../steps/filter_groups.ts";
import type { StepContext, TableName, TableWrites } from "../../steps/step.ts";
import { stepContext } from "./contexts/reward_steps.ts";

/** Groups of two with these rewards, prompts numbered from `first`. */
const completions = (rewards: readonly [number, number][], first = 0) =>
  table({
    prompt_id: rewards.flatMap((_, i) => [first + i, first + i]),
    sample: rewards.flatMap(() => [0, 1]),
    reward: rewards.flat(),
    correct: rewards.flat().map((reward) => reward === 1),
  });
const MIXED: [number, number] = [0, 1], FLAT: [number, number] = [1, 1];

/** Runs the step on one sampling after another, as the engine does, until it is satisfied. */
async function filtered(given: Record<string, unknown>, samplings: ReturnType<typeof completions>[]) {
  const params = filterGroups.params.parse(given);
  const tables: TableWrites = { groups: emptyTable("groups"), kept: emptyTable("kept") };
  const events: unknown[] = [];
  for (const [i, sampling] of samplings.entries()) {
    const context: StepContext = {
      ...stepContext({}),
      table: (name: TableName) => name === "completions" ? sampling : tables[name] ?? emptyTable(name),
      history: () => emptyTable("completions"),
      emit: (event) => void events.push(event["text"]),
    };
    const result = await filterGroups.run(params, context);
    Object.assign(tables, result.tables);
    if (result.again !== undefined) continue;
    return { batches: i + 1, outputs: result.outputs!, kept: tables.completions!, groups: tables.groups!, events };
  }
  throw new Error("the step wants another sampling");
}
const prompts = (kept: ReturnType<typeof completions>) => Array.from(kept.array("prompt_id") as ArrayLike<number>);

Deno.test("filter_groups samples again until enough groups passed, and keeps the first of them", async () => {
  const first = completions([MIXED, FLAT, FLAT]), second = completions([FLAT, MIXED, MIXED], 10);
  const { batches, kept, outputs, groups } = await filtered({ groups: 2 }, [first, second]);
  assert.equal(batches, 2);
  assert.deepEqual(prompts(kept), [0, 0, 11, 11]);
  assert.deepEqual(outputs, { sampled: 6, passed: 3, groups: 2, replayed: 0, batches: 2 });
  assert.deepEqual(Array.from(groups.array("generation_batch")), [1, 1, 1, 2, 2, 2]);
  assert.deepEqual(Array.from(groups.array("passed")), [true, false, false, false, true, true]);
  assert.deepEqual(Array.from(groups.array("pass_rate")), [0.5, 1, 1, 1, 0.5, 0.5]);
});

Deno.test("filter_groups goes on with fewer when the samplings are used up, cut to a multiple where minibatches ask", async () => {
  const sampling = completions([MIXED, MIXED, MIXED, FLAT]);
  const { kept, events } = await filtered({ groups: 4, max_batches: 1 }, [sampling]);
  assert.deepEqual(prompts(kept), [0, 0, 1, 1, 2, 2]);
  assert.deepEqual(events, ["3 of 4 groups passed the filter: the train step is smaller"]);
  const cut = await filtered({ groups: 4, max_batches: 1, multiple_of: 2 }, [sampling]);
  assert.deepEqual(prompts(cut.kept), [0, 0, 1, 1]);
});

Deno.test("filter_groups trains on what it has where no group passed, and says so", async () => {
  const { kept, events, outputs } = await filtered({ groups: 2, max_batches: 1 }, [completions([FLAT, FLAT])]);
  assert.deepEqual(prompts(kept), [0, 0, 1, 1]);
  assert.deepEqual(events, ["No group passed the filter: the last sampling is trained on as it is"]);
  assert.equal(outputs["passed"], 0);
});

Deno.test("filter_groups with too_few: stop is an error that counts", async () => {
  await assert.rejects(
    () => filtered({ groups: 2, max_batches: 1, too_few: "stop" }, [completions([MIXED, FLAT])]),
    /Cannot fill the train step with 2 groups: 1 of 2 passed the filter in 1 samplings; raise max_batches/,
  );
});

Deno.test("filter_groups with keep: all only keeps count", async () => {
  const { kept, outputs } = await filtered({ keep: "all", groups: 3 }, [completions([FLAT, MIXED, FLAT])]);
  assert.equal(kept.numRows(), 6);
  assert.deepEqual(outputs, { sampled: 3, passed: 3, groups: 3, replayed: 0, batches: 1 });
});

Deno.test("filter_groups refuses options that nothing reads, and bounds the wrong way round", () => {
  const problems = (given: Record<string, unknown>) => filterGroups.check!(filterGroups.params.parse(given)).join("\n");
  assert.equal(problems({}), "");
  assert.match(problems({ range: [0.1, 0.9] }), /Cannot use "range": keep is spread, want range/);
  assert.match(problems({ keep: "range", range: [1, 0] }), /Cannot keep groups between 1 and 0/);
  assert.match(problems({ keep: "all", max_batches: 3 }), /Cannot use "max_batches": keep is all/);
  assert.match(problems({ replay_steps: 3 }), /Cannot use "replay_steps": too_few is fewer, want replay/);
});
