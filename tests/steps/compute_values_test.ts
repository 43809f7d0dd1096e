import assert from "node:assert/strict";
import { lists, ONE_LAYER, withTinyPolicy } from "./contexts/training_run.ts";

Deno.test("compute_values writes the value before each token, one per token of the completion", () =>
  withTinyPolicy(async (run) => {
    await run.run("load_critic");
    await run.rollout({ temperature: 1.5 });
    const { outputs } = await run.run("compute_values", { prompts_per_pass: 3 });
    const table = run.tables.table("completions"), values = lists(table, "values"), ids = lists(table, "token_ids");
    assert.deepEqual(values.map(({ length }) => length), ids.map(({ length }) => length));
    const prompts = run.column<string>("completions", "prompt");
    const { critic } = run.resources;
    for (const i of [0, 5]) {
      const prompt = run.policy.encodePrompt(prompts[i]!, 0);
      for (const t of ids[i]!.keys()) {
        const [alone] = await critic!.model.values({
          prompts: [Int32Array.from([...prompt, ...ids[i]!.slice(0, t)])],
          group: 1,
          completions: [[0]],
        });
        assert(Math.abs(values[i]![t]! - alone![0]!) < 1e-5, `${i}, ${t}: ${values[i]![t]} and ${alone![0]}`);
      }
    }
    const all = values.flat();
    assert(Math.abs(Number(outputs!["value_mean"]) - all.reduce((a, b) => a + b, 0) / all.length) < 1e-6);
  }, ONE_LAYER));

Deno.test("compute_values of a critic on the policy's body follows the policy", () =>
  withTinyPolicy(async (run) => {
    await run.run("load_critic", { body: "policy" });
    await run.rollout();
    const values = async () => {
      await run.run("compute_values");
      return lists(run.tables.table("completions"), "values").flat();
    };
    const before = await values(), head = run.resources.critic!.model.weights.toHuggingFace().get("score.weight")!;
    run.policy.model.weights.values.upload(run.weights().map((x, i) => x * (1 + 0.1 * Math.sin(i))));
    assert.notDeepEqual(await values(), before);
    const { weights } = run.resources.critic!.model;
    assert.deepEqual(weights.toHuggingFace().get("score.weight"), head);
    const body = run.policy.model.weights.toHuggingFace().get("model.embed_tokens.weight");
    assert.deepEqual(weights.toHuggingFace().get("model.embed_tokens.weight"), body);
  }, ONE_LAYER));

Deno.test("compute_values refuses a critic that is not finite, and a train step without completions", () =>
  withTinyPolicy(async (run) => {
    await run.run("load_critic");
    await assert.rejects(() => run.run("compute_values"), /Cannot compute values: table "completions" has no row/);
    await run.rollout();
    const { values, layout } = run.resources.critic!.model.weights;
    values.upload(new Float32Array(layout.size).fill(NaN));
    await assert.rejects(() => run.run("compute_values"), /completion 0 has the value NaN, want finite numbers/);
    assert.equal(run.tables.table("completions").column("values"), undefined);
  }, ONE_LAYER));
