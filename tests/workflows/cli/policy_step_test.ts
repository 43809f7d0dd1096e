import assert from "node:assert/strict";
import { join } from "node:path";
import { openRunFolder } from "../../../data/open_run_folder.ts";
import { chatSettings, policyStep } from "../../../workflows/cli/policy_step.ts";
import { withTinyRun } from "./tiny_run.ts";

Deno.test("policyStep() is the step that gave the policy; chatSettings() what it says of templates", () =>
  withTinyRun(
    async ({ folder }) => {
      const run = openRunFolder(folder), { step, params, workflow } = (await policyStep(run))!;
      assert.deepEqual([step.uses, params["model"]], ["load_model", "tiny_qwen2"]);
      const want = { always: false, kwargs: { depth: 2 }, tools: null, own: null };
      assert.deepEqual(chatSettings(run, { params, workflow }), want);
      assert.equal(chatSettings(run, { params: { chat_template: true }, workflow }).always, true);
      const file = join(folder, "own.jinja");
      Deno.writeTextFileSync(file, "{{ messages }}");
      const { always, own } = chatSettings(run, { params: { chat_template: "own.jinja" }, workflow: folder });
      assert.deepEqual([always, own], [true, { text: "{{ messages }}", file }]);
    },
    (text) =>
      text.replace(
        "model: tiny_qwen2",
        "model: tiny_qwen2, chat_template_kwargs: { depth: 2 }",
      ),
  ));
