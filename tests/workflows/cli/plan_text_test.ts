import assert from "node:assert/strict";
import { join } from "node:path";
import { STEPS } from "../../../steps/mod.ts";
import { printHalving, printPlan } from "../../../workflows/cli/plan_text.ts";
import { parseWorkflow } from "../../../workflows/language/parse.ts";
import { planHalving } from "../../../workflows/plan/halving.ts";
import { planRuns, planWorkflow } from "../../../workflows/plan/plan_workflow.ts";
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

Deno.test("printHalving() says after which train steps runs are compared, and what that saves", async () => {
  const strategy =
    "strategy: { matrix: { size: [2, 4, 8], seed: [1, 2] }, halving: { metric: metrics.reward, first: 2 } }";
  const text = TINY.replace("seed: 3\n", `seed: \${{ matrix.seed }}\n${strategy}\n`)
    .replace("group_size: 4", 'group_size: "${{ matrix.size }}"');
  const loaded = parseWorkflow(text, "tiny.yaml", { kinds: STEPS }), plans = planRuns(loaded, STEPS);
  const halving = planHalving(loaded.document, plans)!;
  const show = (json: boolean) => captured(() => Promise.resolve((printHalving(halving, plans, json), 0)));
  assert.equal(
    (await show(false)).out,
    `
  halving by metrics.reward (max): 3 combinations (6 runs, judged by their mean over seeds)
  after train step 2: 2 of 3 go on
  after train step 4: 1 of 2 go on
  1 to the end; about 24 of 36 train steps (33 % saved)
`,
  );
  const { rungs, sizes, train_steps } = JSON.parse((await show(true)).out);
  assert.deepEqual({ rungs, sizes, train_steps }, {
    rungs: [2, 4],
    sizes: [3, 2, 1],
    train_steps: { all: 36, halved: 24 },
  });
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
