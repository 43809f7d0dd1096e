import assert from "node:assert/strict";
import { join } from "node:path";
import { STEPS } from "../../../steps/mod.ts";
import { parseWorkflow } from "../../../workflows/language/parse.ts";
import { stepsOf } from "../../../workflows/plan/plan.ts";
import { planWorkflow } from "../../../workflows/plan/plan_workflow.ts";
import { factsOf } from "../../../workflows/preflight/facts.ts";
import { rewardsThere } from "../../../workflows/preflight/data_rules.ts";
import { readRewards } from "../../../workflows/preflight/reward_facts.ts";
import { planText, smallPlan, withFiles } from "./small_plans.ts";

/** What is said of one reward entry, written after `uses:`. */
async function problem(folder: string, reward: string, step = "", prompts = {}): Promise<string | null> {
  const text = planText({ reward, prompts }).replace("{ rewards: [", `{ ${step}rewards: [`);
  const plan = planWorkflow(parseWorkflow(text, "small.yaml", { folder, kinds: STEPS }), STEPS);
  const { rewards } = await factsOf(plan, null);
  assert.equal(rewards.length, 1);
  return rewards[0]!.problem;
}

Deno.test("readRewards() never runs a file that may do more than compute", () =>
  withFiles(async (folder) => {
    const mark = join(folder, "ran");
    await Deno.writeTextFile(join(folder, "marks.ts"), `Deno.writeTextFileSync(${JSON.stringify(mark)}, "");`);
    assert.equal(await problem(folder, "./marks.ts, trusted: true"), null);
    assert.equal(await problem(folder, "./marks.ts, permissions: { net: [localhost] }"), null);
    assert.match((await problem(folder, "./marks.ts"))!, /has no write access/);
    await assert.rejects(Deno.stat(mark), Deno.errors.NotFound);
  }));

Deno.test("readRewards() leaves to the run what it would drop, and what a check has no time for", () =>
  withFiles(async (folder) => {
    assert.equal(await problem(folder, "./nan.ts", "on_error: drop, "), null);
    await Deno.writeTextFile(join(folder, "loops.ts"), "export const score = () => { for (;;); };");
    assert.match((await problem(folder, "./loops.ts", "timeout_seconds: 0.2, "))!, /gave no answer within 0.2 s/);
  }));

Deno.test("readRewards() tells a reward that gives no answer while a check waits, and leaves it to the run", () =>
  withFiles(async (folder) => {
    await Deno.writeTextFile(join(folder, "loops.ts"), "export const score = () => { for (;;); };");
    const plan = smallPlan({ reward: "./loops.ts" }, folder);
    const step = stepsOf(plan.steps).find(({ uses }) => uses === "score_rewards")!;
    const known = { step, params: step.params as never, rounds: 1, block: null };
    const prompts = [{ prompt: "1+1=", answer: "2" }] as never;
    const rewards = await readRewards([known], prompts, folder, 200);
    const text =
      "./loops.ts, tried on right answers, gave no answer within 0.2 s; a run ends at a batch that takes more than 10 s " +
      "(timeout_seconds)";
    assert.deepEqual(rewards, [{ step, index: 0, problem: text, slow: true }]);
    const [report] = rewardsThere({ rewards } as never);
    assert.deepEqual([report!.severity, report!.refuses], ["warning", false]);
  }));

Deno.test("readRewards() hands the options of the entry to the function", () =>
  withFiles(async (folder) => {
    await Deno.writeTextFile(
      join(folder, "options.ts"),
      "export const score = ({ texts }: any, { scale }: any) => texts.map(() => scale * 1);",
    );
    assert.equal(await problem(folder, "./options.ts, with: { scale: 2 }"), null);
    assert.match((await problem(folder, "./options.ts"))!, /gave NaN/);
  }));

Deno.test("readRewards() tries nothing where no answer is known, and still loads the file", () =>
  withFiles(async (folder) => {
    const file = join(folder, "parses.js"), prompts = { file: "asked.jsonl", verifier: "none" };
    await Deno.writeTextFile(join(folder, "asked.jsonl"), '{"prompt":"a","answer":""}\n{"prompt":"b","answer":""}\n');
    await Deno.writeTextFile(file, "export const score = ({ texts }) => texts.map((text) => JSON.parse(text).length);");
    assert.equal(await problem(folder, "./parses.js", "", prompts), null);
    await Deno.writeTextFile(file, "export const score = ");
    assert.match((await problem(folder, "./parses.js", "", prompts))!, /does not load/);
  }));
