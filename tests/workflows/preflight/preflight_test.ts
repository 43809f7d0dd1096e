/** Preflight as a whole: order, what it leaves alone, what it refuses. */
import assert from "node:assert/strict";
import { join } from "node:path";
import { STEPS } from "../../../steps/mod.ts";
import { WorkflowError } from "../../../workflows/language/problems.ts";
import { loadWorkflow } from "../../../workflows/language/parse.ts";
import { planRuns } from "../../../workflows/plan/plan_workflow.ts";
import { preflight, preflightOrRefuse } from "../../../workflows/preflight/preflight.ts";
import { smallPlan, withFiles } from "./small_plans.ts";

Deno.test("preflight() is silent on a plan that can work, and takes errors first", () =>
  withFiles(async (folder) => {
    assert.deepEqual(await preflight(smallPlan({}, folder)), []);
    const found = await preflight(
      smallPlan(
        { model: { reference: "copy" }, update: { learning_rate: 0, schedule: "linear", schedule_updates: 2 } },
        folder,
      ),
    );
    assert.deepEqual(found.map(({ severity }) => severity), ["error", "warning", "info"]);
  }));

Deno.test("preflight() leaves alone what is known only during the run", () =>
  withFiles(async (folder) => {
    const open = { max_new_tokens: "${{ steps.load_prompts.outputs.max_new_tokens }}", group_size: 1 };
    assert.deepEqual(await preflight(smallPlan({ sample: open }, folder)), []);
  }));

Deno.test("preflight() finds the model of an earlier run in the runs folder", () =>
  withFiles(async (folder) => {
    const plan = smallPlan({ model: { model: "yesterday" } }, folder);
    const [missing] = await preflight(plan, { runsFolder: join(folder, "runs") });
    assert.match(missing!.message, /there is no model "yesterday"/);
    Deno.mkdirSync(join(folder, "runs", "yesterday"), { recursive: true });
    Deno.renameSync(join(folder, "cold"), join(folder, "runs", "yesterday", "model"));
    const found = await preflight(plan, { runsFolder: join(folder, "runs") });
    assert.deepEqual(found.filter(({ severity }) => severity !== "info"), []);
  }));

Deno.test("preflightOrRefuse() throws what no run survives, with places, and returns the rest", () =>
  withFiles(async (folder) => {
    const [greedy] = await preflightOrRefuse(smallPlan({ sample: { temperature: 0 } }, folder));
    assert.equal(greedy!.rule, "near_greedy");
    await assert.rejects(
      () => preflightOrRefuse(smallPlan({ sample: { group_size: 1, temperature: 0 } }, folder)),
      (error) => {
        assert(error instanceof WorkflowError);
        assert.match(error.message, /^small\.yaml:\d+:\d+: group_size is 1, want at least 2/);
        assert.equal(error.issues.length, 1);
        return true;
      },
    );
  }));

Deno.test("preflightOrRefuse() throws at a learning rate of 0, whichever step trains", () =>
  withFiles(async (folder) => {
    const pairs = { preferences: { file: "pairs.jsonl" }, model: { reference: "copy" } };
    for (
      const given of [
        { update: { learning_rate: 0 } },
        { tune: { max_updates: 3, learning_rate: 0 } },
        { ...pairs, prefer: { loss: "dpo", learning_rate: 0 } },
      ]
    ) {
      await assert.rejects(() => preflightOrRefuse(smallPlan(given, folder)), {
        name: "WorkflowError",
        message: /^small\.yaml:\d+:\d+: learning_rate is 0: no weight ever changes/,
      }, JSON.stringify(given));
    }
  }));

const LIBRARY = new URL("../../../workflows/library/", import.meta.url);

/** Workflow files of a folder of the library. */
const filesOf = (folder: string) =>
  [...Deno.readDirSync(new URL(folder, LIBRARY))].filter(({ name }) => name.endsWith(".yaml"))
    .map(({ name }) => decodeURIComponent(new URL(`${folder}${name}`, LIBRARY).pathname)).sort();

Deno.test("preflight() finds no error or warning in the library, but in the one that shows a fault in its settings", async () => {
  const files = [...filesOf("./"), ...filesOf("failures/clean/")];
  assert(files.length > 20);
  for (const file of files) {
    // A model that is pulled is not here.
    const params: Record<string, string | boolean | number> = file.endsWith("gsm8k_grpo.yaml")
      ? { model: "tiny_qwen2", chat_template: false, max_new_tokens: 8 }
      : {};
    for (const plan of planRuns(await loadWorkflow(file, { kinds: STEPS }), STEPS, { params })) {
      const found = (await preflight(plan)).filter(({ severity }) => severity !== "info");
      const rules = [...new Set(found.map(({ rule }) => rule))];
      assert.deepEqual(rules, file.endsWith("zero_loss.yaml") && !file.includes("clean") ? ["near_greedy"] : [], file);
      assert(found.every(({ refuses }) => !refuses));
    }
  }
});
