import assert from "node:assert/strict";
import { join } from "node:path";
import { loadCritic } from "../../steps/load_critic.ts";
import { modelFolder } from "./contexts/model_folders.ts";
import { ONE_LAYER, withTinyPolicy } from "./contexts/training_run.ts";

const tensors = (model: { weights: { toHuggingFace(): Map<string, { data: Float32Array }> } }) =>
  model.weights.toHuggingFace();

Deno.test("load_critic takes the policy's body, draws a small head by the seed, and trains all of it", () =>
  withTinyPolicy(async (run) => {
    const { outputs } = await run.run("load_critic");
    const policy = tensors(run.policy.model), critic = tensors(run.resources.critic!.model);
    assert.deepEqual([...critic.keys()].filter((name) => !policy.has(name)), ["score.weight"]);
    for (const [name, { data }] of policy) assert.deepEqual(critic.get(name)!.data, data, name);
    const head = critic.get("score.weight")!.data, width = head.length;
    const spread = Math.sqrt(head.reduce((sum, x) => sum + x * x, 0) / width);
    assert(spread > 0.7 / (width + 1) && spread < 1.4 / (width + 1), `${spread}`);
    assert.deepEqual(outputs, {
      parameters: run.policy.model.weights.layout.count + width,
      trainable: outputs!["parameters"],
    });
    await run.run("load_critic");
    assert.deepEqual(tensors(run.resources.critic!.model).get("score.weight")!.data, head);
    run.seed = 8;
    await run.run("load_critic");
    assert.notDeepEqual(tensors(run.resources.critic!.model).get("score.weight")!.data, head);
    assert.equal(run.settings()["critic_body"]!.value, "own");
  }, ONE_LAYER));

Deno.test("load_critic on the policy's body trains the head alone", () =>
  withTinyPolicy(async (run) => {
    const { outputs } = await run.run("load_critic", { body: "policy" });
    assert.equal(outputs!["trainable"], run.policy.model.config.hiddenSize);
  }, ONE_LAYER));

Deno.test("load_critic starts from a folder: its body, its head where it has one; another vocabulary is refused", () =>
  withTinyPolicy(async (run) => {
    const folder = modelFolder(run.folder, "qwen2");
    const other = run.run("load_critic", { model: folder });
    await assert.rejects(() => other, /Cannot load the critic from .*: it has \d+ tokens, want \d+ as the policy/);
    await run.run("export_model", { folder: join(run.folder, "policy") });
    const before = tensors(run.policy.model).get("model.norm.weight")!.data.slice();
    run.policy.model.weights.values.upload(run.weights().map((x) => x + 1));
    await run.run("load_critic", { model: join(run.folder, "policy") });
    assert.deepEqual(tensors(run.resources.critic!.model).get("model.norm.weight")!.data, before);
    await assert.rejects(
      () => Promise.resolve(run.run("load_critic", { model: "nothing" })),
      /Cannot load model "nothing"/,
    );
  }, ONE_LAYER));

Deno.test("load_critic says what does nothing on the policy's body", () => {
  const problems = loadCritic.check!(loadCritic.params.parse({ body: "policy", trainable: ["score.weight"] }));
  assert.match(problems.join(), /Cannot use "trainable": body is "policy", want own/);
  assert.deepEqual(loadCritic.check!(loadCritic.params.parse({})), []);
});
