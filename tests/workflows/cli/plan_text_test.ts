import assert from "node:assert/strict";
import { join } from "node:path";
import { STEPS } from "../../../steps/mod.ts";
import { printPlan } from "../../../workflows/cli/plan_text.ts";
import { parseWorkflow } from "../../../workflows/language/parse.ts";
import { planWorkflow } from "../../../workflows/plan/plan_workflow.ts";
import { captured } from "./in_process.ts";
import { TINY } from "./tiny.ts";

const PLAN = planWorkflow(parseWorkflow(TINY, "tiny.yaml", { kinds: STEPS }), STEPS);
const printed = (json: boolean) => captured(async () => (await printPlan(PLAN, json), 0));

Deno.test("printPlan() shows blocks with their steps, what each reads and writes, parameters and estimates", async () => {
  const { out } = await printed(false);
  assert.match(out, /^tiny\n/);
  assert.match(out, /^ {2}repeat 6 times\n {4}sample_groups .*\n? *reads prompts.*writes completions/m);
  assert.match(out, /group_size=4/);
  assert.match(out, /^ {2}before \(evaluate\)/m);
  assert.match(out, /9 steps, 6 rounds/);
  assert.match(out, /estimated: .* of memory/);
  for (const line of out.split("\n")) assert(line.length <= 100 && line === line.trimEnd(), line);
});

Deno.test("printPlan() names the verifier that was chosen for a file", async () => {
  const folder = Deno.makeTempDirSync();
  try {
    Deno.writeTextFileSync(join(folder, "a.jsonl"), '{"prompt":"a","answer":"b"}');
    const steps = [{
      uses: "load_prompts",
      with: { file: "a.jsonl", splits: { train: 1, validation: 0, held_out: 0 } },
    }];
    const loaded = parseWorkflow(JSON.stringify({ name: "a", steps }), "a.yaml", { kinds: STEPS, folder });
    const { out } = await captured(async () => (await printPlan(planWorkflow(loaded, STEPS), false), 0));
    assert.match(out, /a\.jsonl is read as prompt, answer: .*verifier: exact/);
  } finally {
    Deno.removeSync(folder, { recursive: true });
  }
});

Deno.test("printPlan() with --json is one line that holds the same", async () => {
  const { out } = await printed(true);
  const plan = JSON.parse(out);
  assert.deepEqual([plan.event, plan.name, plan.stepCount, plan.rounds], ["plan", "tiny", 9, 6]);
  assert(plan.estimate.memoryBytes > 1e8);
});

Deno.test("printPlan() says what cannot work, and nothing of a plan that can", async () => {
  const text = TINY.replace("model: tiny_qwen2", "model: ./absent");
  const absent = planWorkflow(parseWorkflow(text, "tiny.yaml", { kinds: STEPS }), STEPS);
  const problems = async (json: boolean) => (await captured(async () => (await printPlan(absent, json), 0))).out;
  assert.match(await problems(false), /^tiny\.yaml:8:\d+: error: there is no model "\.\/absent"/m);
  const [first] = JSON.parse(await problems(true)).problems;
  assert.deepEqual([first.rule, first.severity, first.line], ["model", "error", 8]);
  assert.deepEqual(JSON.parse((await printed(true)).out).problems, []);
});
