import assert from "node:assert/strict";
import { join } from "node:path";
import { STEPS } from "../../../steps/mod.ts";
import type { RunEvent } from "../../../workflows/engine/run_plan.ts";
import { parseWorkflow } from "../../../workflows/language/parse.ts";
import { planWorkflow } from "../../../workflows/plan/plan_workflow.ts";
import { runWorkflowPlan } from "../../../workflows/run/run_workflow.ts";
import { TINY } from "../cli/tiny.ts";

async function runIn(runs: string, text: string) {
  const options = { kinds: STEPS, folder: runs };
  const plan = planWorkflow(parseWorkflow(text, "tiny.yaml", options), STEPS, { params: { train_steps: 1 } });
  const heard: RunEvent[] = [];
  const result = await runWorkflowPlan(plan, {
    runsFolder: runs,
    projectFolder: runs,
    onEvent: (event) => heard.push(event),
  });
  return { result, heard };
}

Deno.test("runWorkflowPlan() leaves a report of a run that fails, with the reason", async () => {
  const runs = await Deno.makeTempDir();
  try {
    // Right answers, on which a reward is tried before the run, are few.
    const bad =
      "export default ({ texts }) => { if (texts.length > 2) throw new Error('no reward today'); return [1, 1]; };";
    await Deno.writeTextFile(join(runs, "bad.js"), bad);
    const { result, heard } = await runIn(runs, TINY.replace("uses: verifier", "uses: ./bad.js"));
    assert.equal(result.status, "failed");
    assert.match(result.reason!, /no reward today/);
    assert.match(await Deno.readTextFile(join(result.folder, "report.html")), /no reward today/);
    assert.equal(heard.at(-1)!.event, "run_finished");
  } finally {
    await Deno.remove(runs, { recursive: true });
  }
});

Deno.test("runWorkflowPlan() refuses a plan that cannot work before it makes a run folder", async () => {
  const runs = await Deno.makeTempDir();
  try {
    await assert.rejects(
      runIn(runs, TINY.replace("task: addition, digits: 1", "file: nowhere.jsonl")),
      /tiny\.yaml:7:\d+: Cannot load prompts from nowhere\.jsonl/,
    );
    assert.deepEqual([...Deno.readDirSync(runs)], []);
  } finally {
    await Deno.remove(runs, { recursive: true });
  }
});
