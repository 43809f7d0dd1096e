import assert from "node:assert/strict";
import { openRunFolder } from "../../../data/open_run_folder.ts";
import { chatSettings, policyStep } from "../../../workflows/cli/policy_step.ts";
import { withTinyRun } from "./tiny_run.ts";

Deno.test("policyStep() is the step that gave the policy; chatSettings() what it says of templates", () =>
  withTinyRun(
    async ({ folder }) => {
      const run = openRunFolder(folder), { step, params } = (await policyStep(run))!;
      assert.deepEqual([step.uses, params["model"]], ["load_model", "tiny_qwen2"]);
      assert.deepEqual(chatSettings(run, params), { always: false, kwargs: { depth: 2 }, tools: null });
      assert.equal(chatSettings(run, { chat_template: true }).always, true);
    },
    (text) =>
      text.replace(
        "model: tiny_qwen2",
        "model: tiny_qwen2, chat_template_kwargs: { depth: 2 }",
      ),
  ));
