import assert from "node:assert/strict";
import { join } from "node:path";
import { parseWorkflow } from "../../../workflows/language/parse.ts";
import { planRuns } from "../../../workflows/plan/plan_workflow.ts";
import { STEPS } from "../../../steps/mod.ts";
import { TITLES, translate, translated } from "../../../workflows/translate/translate.ts";

const CASES = join(import.meta.dirname!, "../../cases");

for await (const { name } of Deno.readDir(CASES)) {
  const file = join(CASES, name, "config.txt");
  if (!await Deno.stat(file).then(() => true, () => false)) continue;
  Deno.test(`translate() makes a plan of the configuration of ${name}, twice the same, or says why not`, async () => {
    const first = await translate(file, "config.txt", "mine").catch((error: Error) => error);
    if (first instanceof Error) {
      assert.match(first.message, /^Cannot translate "config\.txt": /);
      return;
    }
    assert.equal((await translate(file, "config.txt", "mine")).text, first.text);
    const plans = planRuns(parseWorkflow(first.text, "mine.yaml", { kinds: STEPS }), STEPS, {});
    assert.equal(plans.length, 1);
  });
}

Deno.test("translated() refuses a trainer that is not here, and lists those that are", () => {
  const foreign = { system: "trl", trainer: "grpoo", form: "x", options: [], notes: [] } as const;
  assert.throws(() => translated(foreign, "a.py", "a"), /it trains with "grpoo" of TRL.*did you mean "grpo"/);
  assert.equal(TITLES.llamafactory, "LLaMA-Factory");
});
