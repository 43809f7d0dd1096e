import assert from "node:assert/strict";
import { join } from "node:path";
import { ONE_LAYER, withTinyPolicy } from "./contexts/training_run.ts";

Deno.test("load_reward_model reads a critic's folder as it was, by its own tokenizer, and what a truncated text ended with", () =>
  withTinyPolicy(async (run) => {
    await run.run("load_critic");
    const { model } = run.resources.critic!, folder = join(run.folder, "critic");
    await run.run("export_model", { what: "critic", folder });
    const { outputs } = await run.run("load_reward_model", { model: folder });
    assert.equal(outputs!["parameters"], model.weights.layout.count);
    await run.rollout({ temperature: 2, max_new_tokens: 2 });
    await run.run("score_rewards", { rewards: [{ uses: "reward_model" }] });
    const scores = run.column<number>("completions", "reward.reward_model");
    const prompts = run.column<string>("completions", "prompt"), texts = run.column<string>("completions", "text");
    const truncated = run.column<boolean>("completions", "truncated");
    for (const [i, text] of texts.entries()) {
      const answer = run.policy.encodeAnswer(text), tokens = truncated[i] ? answer.slice(0, -1) : answer;
      const whole = Int32Array.from([...run.policy.encodePrompt(prompts[i]!, 0), ...tokens]);
      const [row] = await model.values({ prompts: [whole], group: 1, completions: [[0]] });
      assert(Math.abs(scores[i]! - row![0]!) < 1e-5, `${i}: ${scores[i]}, want ${row![0]}`);
    }
    assert(truncated.some(Boolean));
  }, ONE_LAYER));

Deno.test("load_reward_model refuses a language model, load_model a reward model: each says what it is", () =>
  withTinyPolicy(async (run) => {
    const folder = join(run.folder, "policy"), critic = join(run.folder, "critic");
    await run.run("export_model", { folder });
    await assert.rejects(
      () => run.run("load_reward_model", { model: folder }),
      /has a language head, want a model for/,
    );
    await run.run("load_critic");
    await run.run("export_model", { what: "critic", folder: critic });
    await assert.rejects(() => run.run("load_model", { model: critic }), /has a scalar head .*, want a language model/);
    await run.run("load_critic", { model: critic });
  }, ONE_LAYER));
