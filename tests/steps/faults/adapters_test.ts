/** What faults of adapters do to a run; that they are named is in tests/workflows/library/failures_test.ts. */
import assert from "node:assert/strict";
import { Faults } from "../../../steps/faults/inject.ts";
import { type FaultName, FAULTS } from "../../../steps/faults/mod.ts";
import { STEPS } from "../../../steps/mod.ts";
import type { Step, StepContext } from "../../../steps/step.ts";
import { same } from "../../same.ts";
import { modelFolder } from "../contexts/model_folders.ts";
import { type TrainingRun, withRun, withTinyPolicy } from "../contexts/training_run.ts";

const LORA = { lora: { target_modules: "all_linear" }, reference: "adapter_off" };

/** Runs a step of the run with a fault. */
async function faulty(run: TrainingRun, kind: FaultName, given: unknown): Promise<void> {
  const { step: uses } = FAULTS[kind], step: Step = STEPS[uses];
  const result = await new Faults([{ kind }]).run(
    uses,
    step.params.parse(given) as Record<string, unknown>,
    run.context(uses),
    (params: unknown, context: StepContext) => step.run(params, context),
  );
  run.tables.write(result.tables ?? {}, uses);
  Object.assign(run.resources, result.resources ?? {});
}

const last = (run: TrainingRun) => run.tables.table("updates").objects().at(-1) as Record<string, number | null>;

Deno.test("frozen_adapter leaves nothing to train: an update of an exact 0", () =>
  withTinyPolicy(async (run) => {
    run.release();
    await faulty(run, "frozen_adapter", { model: "tiny_qwen2", ...LORA });
    const before = run.weights();
    await run.rollout();
    await run.run("apply_update", { learning_rate: 1e-2 });
    const { grad_norm, update_size, relative_update, applied } = last(run);
    assert.deepEqual([grad_norm, update_size, relative_update, applied], [0, null, 0, true]);
    assert.equal(run.settings()["trainable_parameters"]!.value, 0);
    same(run.weights(), before);
  }));

Deno.test("adapter_without_gradient has parameters to train and no gradient; it wants an adapter", () =>
  withTinyPolicy(async (run) => {
    await run.rollout();
    await faulty(run, "adapter_without_gradient", { learning_rate: 1e-2 });
    assert.equal(last(run)["grad_norm"], 0);
    assert((run.settings()["trainable_parameters"]!.value as number) > 0);
    await run.run("load_model", { model: "tiny_qwen2" });
    await assert.rejects(
      faulty(run, "adapter_without_gradient", { learning_rate: 1e-2 }),
      /Cannot inject a fault of adapters: all weights of the policy train/,
    );
  }, LORA));

for (const recompute of [false, true]) {
  const how = recompute ? "layers computed twice" : "layers computed once";
  Deno.test(`the first update of a healthy adapter, whose B is 0, is told from one without a gradient: ${how}`, () =>
    withRun(async (run) => {
      modelFolder(run.folder, "warm_addition", { tokenizer: false });
      await run.run("load_prompts", { task: "addition", digits: 1 });
      await run.run("load_model", { model: "./warm_addition", ...LORA });
      const found = async () => {
        run.tables.write((await run.run("diagnose", { on_error: "warn" })).tables ?? {}, "diagnose");
        return run.column<string>("findings", "cause").filter((cause) => /gradient_path|trainable/.test(cause));
      };
      const update = { learning_rate: 1e-3, gradients_every: 1, recompute };
      const rollout = () => run.rollout({ prompts_per_step: 8, group_size: 8 });
      await rollout();
      await run.run("apply_update", update);
      assert(last(run)["grad_norm"]! > 0);
      assert.deepEqual(await found(), []);
      await rollout();
      await faulty(run, "adapter_without_gradient", update);
      assert.equal(last(run)["grad_norm"], 0);
      assert.deepEqual(await found(), ["broken_gradient_path"]);
    }, { seed: 11 }));
}

Deno.test("adapter_not_off gives the log-probs of another adapter as the reference's, and leaves the policy alone", () =>
  withTinyPolicy(async (run) => {
    const before = run.weights();
    run.tables.advance();
    await faulty(run, "adapter_not_off", { prompts_per_step: 2, group_size: 2, max_new_tokens: 3 });
    const [row] = run.column<Float32Array>("completions", "ref_logprobs"),
      ids = run.column<Int32Array>("completions", "token_ids");
    const sequences = run.policy.sequences([run.column<string>("completions", "prompt")[0]!], [ids[0]!]);
    const [off] = await run.resources.reference!.logprobs(sequences, 1);
    assert(off!.some((x, t) => Math.abs(x - row![t]!) > 1e-2));
    same(run.weights(), before);
  }, LORA));
