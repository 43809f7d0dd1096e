/** What a person reads: the place, the change, the command. */
import assert from "node:assert/strict";
import { join } from "node:path";
import { PROJECT } from "../../../workflows/terminal/caller.ts";
import { commandLine } from "../../../workflows/terminal/command_line.ts";
import { describeEdit, suggestionLines } from "../../../workflows/repair/advice.ts";
import { patchPlan } from "../../../workflows/repair/patch_plan.ts";
import { STEPS } from "../../../steps/mod.ts";
import { parseWorkflow } from "../../../workflows/language/parse.ts";
import { type PlanOptions, planRuns } from "../../../workflows/plan/plan_workflow.ts";
import { planText, smallPlan } from "../preflight/small_plans.ts";

const PLAN = smallPlan({ sample: { temperature: 0.01 } }, "/data");

Deno.test("describeEdit() points at the value, or at the step where it is not written", () => {
  const edits = [["temperature", 1], ["top_p", 0.9]].map(([key, set]) => {
    const patched = patchPlan(PLAN, [{ step: "sample_groups", key: key as string, set: set as number }], 3e-4);
    return describeEdit(PLAN, patched.plan === null ? assert.fail(patched.problem) : patched.edits[0]!);
  });
  assert.match(edits[0]!, /^small\.yaml:\d+:\d+: temperature of sample_groups 0\.01 -> 1$/);
  assert.match(edits[1]!, /^small\.yaml:\d+:\d+: top_p of sample_groups 1 -> 0\.9$/);
});

Deno.test("suggestionLines() resumes where there is a checkpoint and starts again where there is none", () => {
  const patched = patchPlan(PLAN, [{ step: "sample_groups", key: "temperature", set: 1 }], 3e-4);
  const edits = patched.plan === null ? [] : patched.edits;
  const ended = (folder: string, checkpoint: string | null) =>
    suggestionLines(PLAN, edits, { runId: "run_1", folder, checkpoint })[1];
  const [here, elsewhere] = [join(PROJECT, "runs", "run_1"), "/other/run_1"];
  const command = (...words: string[]) =>
    `Then after changing small.yaml: ${commandLine(["run", "small.yaml", ...words])}`;
  assert.equal(ended(here, "3.1"), command("--resume", "run_1", "--allow-drift"));
  assert.equal(ended(here, null), command());
  assert.equal(ended(elsewhere, "3.1"), command("--resume", "run_1", "--allow-drift", "--runs", "/other"));
});

Deno.test("suggestionLines() starts again where the changed step runs once, checkpoint or not", () => {
  const plan = smallPlan({ tune: { max_updates: 40, learning_rate: 1 } }, "/data");
  const patched = patchPlan(plan, [{ step: "fine_tune", key: "learning_rate", usual: true }], 1e-3);
  const edits = patched.plan === null ? [] : patched.edits;
  const lines = suggestionLines(plan, edits, { runId: "r", folder: join(PROJECT, "runs", "r"), checkpoint: "40.0" });
  assert.match(lines[0]!, /^To change: small\.yaml:\d+:\d+: learning_rate of fine_tune 1 -> 0\.001$/);
  assert.deepEqual(lines.slice(1), [`Then after changing small.yaml: ${commandLine(["run", "small.yaml"])}`]);
});

Deno.test("suggestionLines() repeats what the command line gave, without what the change sets anew", () => {
  const text = planText({ sample: { temperature: "${{params.heat}}" } })
    .replace(
      "steps:",
      "strategy: { matrix: { size: [1, 2] } }\nparams: { heat: 1, note: a, sizes: [1], same: 2 }\nsteps:",
    );
  const given: PlanOptions = {
    params: { heat: "0.01", note: "it's $HOME; a\tb", sizes: "3,4", same: "2" },
    settings: { seed: 7, device: "cpu" },
  };
  const plan = planRuns(parseWorkflow(text, "small.yaml", { kinds: STEPS }), STEPS, given)[1]!;
  const patched = patchPlan(plan, [{ step: "sample_groups", key: "temperature", set: 1 }], 3e-4);
  if (patched.plan === null) assert.fail(patched.problem);
  const ended = (checkpoint: string | null) =>
    suggestionLines(plan, patched.edits, { runId: "run_1", folder: join(PROJECT, "runs", "run_1"), checkpoint })[1];
  const command = (words: string) => `Then: ${commandLine(["run", "small.yaml"])} ${words}`;
  assert.equal(
    ended(null),
    command(`--cell 2 --device cpu --seed 7 -p 'note=it'\\''s $HOME; a\tb' -p "sizes=[3,4]" -p heat=1`),
  );
  // A run that goes on keeps its parameters and its cell.
  assert.equal(ended("3.1"), command("--resume run_1 --allow-drift --device cpu --seed 7 -p heat=1"));
});

Deno.test("suggestionLines() goes on from a checkpoint before what is spoilt, else starts again", () => {
  const patched = patchPlan(PLAN, [{ step: "sample_groups", key: "temperature", set: 1 }], 3e-4);
  const edits = patched.plan === null ? [] : patched.edits;
  const then = (checkpoint: string | null, spoiltFrom: number | null) =>
    suggestionLines(PLAN, edits, { runId: "r", folder: join(PROJECT, "runs", "r"), checkpoint }, spoiltFrom)[1];
  const resume = commandLine(["run", "small.yaml", "--resume", "r", "--allow-drift"]);
  const again = commandLine(["run", "small.yaml"]), after = "Then after changing small.yaml";
  assert.equal(then("8.1", null), `${after}: ${resume}`);
  assert.equal(then("8.1", 9), `${after} go on from checkpoint 8.1, before train step 9: ${resume}`);
  assert.equal(then("9.0", 9), `${after} start again, for the last checkpoint (9.0) is from after the break: ${again}`);
  assert.equal(then(null, 9), `${after}: ${again}`);
});
