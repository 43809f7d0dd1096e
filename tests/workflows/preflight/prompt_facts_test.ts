/** Prompts are those that load_prompts would give. */
import assert from "node:assert/strict";
import { join } from "node:path";
import { factsOf } from "../../../workflows/preflight/facts.ts";
import { smallPlan, withFiles } from "./small_plans.ts";

Deno.test("readPrompts() gives the rows of a task and of a file, or what is wrong", () =>
  withFiles(async (folder) => {
    const of = async (prompts: Record<string, unknown>) =>
      (await factsOf(smallPlan({ prompts }, folder), null)).prompts!;
    assert.equal((await of({})).rows.length, 100);
    const file = await of({ file: "sums.jsonl", answer_column: "sum" });
    assert.deepEqual([file.rows.length, file.rows.every(({ verifier }) => verifier === "exact")], [60, true]);
    assert.match(file.told.join(), /^sums\.jsonl is read as prompt, sum: .*verifier: exact$/);
    await Deno.writeTextFile(
      join(folder, "gsm.jsonl"),
      ["#### 1", "#### 2", "dunno", "#### 4"].map((answer, i) => JSON.stringify({ question: `${i}?`, answer })).join(
        "\n",
      ),
    );
    assert.match((await of({ file: "gsm.jsonl" })).problem!, /row 3: verifier "gsm8k" cannot read its answer: "dunno"/);
    const missing = await of({ file: "none.jsonl" });
    assert.equal(missing.rows.length, 0);
    assert.match(missing.problem!, /none\.jsonl/);
  }));

Deno.test("readPrompts() leaves a large file, and a folder of such, to the run", () =>
  withFiles(async (folder) => {
    const path = join(folder, "large.jsonl"), plan = smallPlan({ prompts: { file: "large.jsonl" } }, folder);
    await Deno.writeTextFile(path, "");
    await Deno.truncate(path, 200e6); // sparse: takes no room
    assert.equal((await factsOf(plan, null)).prompts, null);
    await Deno.mkdir(join(folder, "set"));
    await Deno.rename(path, join(folder, "set", "train.jsonl"));
    assert.equal((await factsOf(smallPlan({ prompts: { file: "set" } }, folder), null)).prompts, null);
  }));

Deno.test("readPrompts() leaves no image of a task beside the workflow, nor anything else", () =>
  withFiles(async (folder) => {
    const before = [...Deno.readDirSync(folder)].map(({ name }) => name);
    const prompts = { task: "visual_detection", train_scenes: 4, validation_scenes: 1, held_out_scenes: 1 };
    const facts = (await factsOf(smallPlan({ prompts }, folder), null)).prompts!;
    assert.deepEqual([facts.problem, facts.rows.length], [null, 6]);
    assert.deepEqual([...Deno.readDirSync(folder)].map(({ name }) => name), before);
  }));

Deno.test("readPrompts() reads once what the runs of a matrix share, and each seed's own", () =>
  withFiles(async (folder) => {
    const plan = smallPlan({}, folder);
    const of = async (seed: number) =>
      (await factsOf({ ...plan, settings: { ...plan.settings, seed } }, null)).prompts!.rows;
    const rows = await of(0);
    assert.equal(await of(0), rows);
    assert.notEqual(await of(1), rows);
    assert.notEqual((await factsOf(smallPlan({}, folder), null)).prompts!.rows, rows);
  }));
