import assert from "node:assert/strict";
import { join } from "node:path";
import { openRunFolder } from "../../../data/open_run_folder.ts";
import { listFolder } from "../../../data/file_system.ts";
import { openPolicy } from "../../../workflows/cli/open_policy.ts";
import { fabricateRun, RUN_A, withRuns } from "./fabricated_run.ts";
import { editJson, modelFolder } from "../../steps/contexts/model_folders.ts";
import { withRun } from "../../steps/contexts/training_run.ts";
import { withTinyRun } from "./tiny_run.ts";
import { same } from "../../same.ts";

/** Every saved array of a policy by name. */
function weightsOf({ policy }: Awaited<ReturnType<typeof openPolicy>>): Record<string, unknown> {
  const weights = Object.fromEntries([...policy.save().arrays].map(([name, { data }]) => [name, data.slice()]));
  policy.release();
  return weights;
}

Deno.test("openPolicy() loads the export, and without one the same weights from the newest checkpoint", () =>
  withTinyRun(async ({ folder }) => {
    const exported = await openPolicy(openRunFolder(folder));
    assert.equal(exported.from, "its export");
    const want = weightsOf(exported);
    await Deno.remove(join(folder, "model"), { recursive: true });
    const restored = await openPolicy(openRunFolder(folder));
    assert.match(restored.from, /^checkpoint 2\.\d+$/);
    const [first] = await restored.policy.sampler.sample(["1+1="], {
      group: 1,
      maxNewTokens: 2,
      values: { temperature: 1, top_k: 0, top_p: 1, min_p: 0, repetition_penalty: 1 },
      draws: { seed: 1, stream: "test", trainStep: 0 },
    });
    assert(first!.logprobs.every((value) => value < 0));
    same(weightsOf(restored), want);
    for (const name of listFolder(join(folder, "checkpoints")).reverse()) {
      Deno.writeTextFileSync(join(folder, "checkpoints", name, "state.json"), "x");
      const older = await openPolicy(openRunFolder(folder)).then((opened) => {
        opened.policy.release();
        return opened.from;
      }, (error: Error) => error.message);
      assert.match(older, new RegExp(`${name.replace(".", "\\.")}: state.json has 1 bytes, want`));
    }
    await assert.rejects(openPolicy(openRunFolder(folder)), /neither an export nor a checkpoint that can be read \(/);
  }));

Deno.test("openPolicy() says so when a run has neither an export nor a checkpoint", () =>
  withRuns(async (runs) => {
    await assert.rejects(
      openPolicy(openRunFolder(fabricateRun(runs, RUN_A))),
      /Cannot load the model of run .*aaaa: it has neither an export nor a checkpoint/,
    );
  }));

Deno.test("openPolicy() loads an adapter that is the run's only export upon the base that it names", () =>
  withRuns((runs) =>
    withRun(async (run) => {
      const base = modelFolder(run.folder, "warm_addition", { tokenizer: false });
      const folder = fabricateRun(runs, RUN_A), model = join(folder, "model"), manifest = join(folder, "run.json");
      editJson(manifest, (json) => json["threads"] = 1);
      await run.run("load_prompts", { task: "addition", digits: 1 });
      await run.run("load_model", { model: base, lora: { target_modules: "all_linear", init: false } });
      await run.run("export_model", { folder: model, merge: false });
      const sequences = run.policy.sequences(["1+2="], [[51, 257]]), want = await run.policy.logprobs(sequences, 1);
      const { policy, from } = await openPolicy(openRunFolder(folder));
      assert.equal(from, `its export, an adapter on ${base}`);
      assert.equal(policy.folder, base);
      same((await policy.logprobs(sequences, 1))[0]!, want[0]!);
      assert.equal(policy.files.has("chat_template.jinja"), false);
      policy.release();
      Deno.writeTextFileSync(join(run.folder, "own.jinja"), "Q: {{ messages[0].content }}");
      await run.run("load_model", { model: base, lora: {}, chat_template: "own.jinja" });
      await run.run("export_model", { folder: model, merge: false });
      const own = await openPolicy(openRunFolder(folder));
      assert.equal(own.policy.files.get("chat_template.jinja"), "Q: {{ messages[0].content }}");
      assert.equal(own.policy.format('[{"role":"user","content":"1+1="}]'), "Q: 1+1=");
      own.policy.release();
      Deno.removeSync(base, { recursive: true });
      await assert.rejects(openPolicy(openRunFolder(folder)), /warm_addition/);
    })
  ));

Deno.test("openPolicy() of a checkpoint keeps a template of the run's own: for texts where asked, for an export, not for raw ones", () => {
  const file = Deno.makeTempFileSync({ suffix: ".jinja" });
  Deno.writeTextFileSync(file, "Q: {{ messages[0].content }}");
  return withTinyRun(
    async ({ folder }) => {
      await Deno.remove(join(folder, "model"), { recursive: true });
      const opened = async (options: { chat?: boolean }) => {
        const { policy } = await openPolicy(openRunFolder(folder), options);
        policy.release();
        return [policy.format("1+1="), policy.files.has("chat_template.jinja")];
      };
      assert.deepEqual(await opened({ chat: true }), ["Q: 1+1=", true]);
      assert.deepEqual(await opened({ chat: false }), ["1+1=", false]);
      assert.equal((await opened({}))[1], true);
    },
    (text) => text.replace("model: tiny_qwen2", `model: tiny_qwen2, chat_template: ${JSON.stringify(file)}`),
  ).finally(() => Deno.removeSync(file));
});
