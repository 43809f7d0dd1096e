import assert from "node:assert/strict";
import { Policy, stateArray } from "../../../steps/resources/policy.ts";
import { withTinyPolicy } from "../contexts/training_run.ts";
import { same } from "../../same.ts";

const VALUES = { temperature: 1, top_k: 0, top_p: 1, min_p: 0, repetition_penalty: 1 };

Deno.test("Policy reads prompts by its tokenizer, ends answers, and says which prompt is too long or empty", () =>
  withTinyPolicy(({ policy }) => {
    const ids = policy.encodePrompt("1+2=", 4);
    assert.equal(policy.decode(ids), "1+2=");
    const answer = policy.encodeAnswer("3");
    assert.equal(answer.at(-1), policy.tokenizer.eosIds[0]);
    assert.equal(policy.decode(answer), "3");
    assert.throws(() => policy.encodePrompt("", 1), /Cannot read prompt "": it has no token/);
    policy.encodePrompt("x".repeat(200), 56);
    assert.throws(
      () => policy.encodePrompt("x".repeat(200), 57),
      /Cannot read prompt "x{60}…": 200 tokens and 57 new ones, want at most 256 .*shorten the prompt/,
    );
  }));

Deno.test("Policy.sample() keeps groups together and its log-probs are those of the trainer", () =>
  withTinyPolicy(async ({ policy }) => {
    const prompts = ["1+2=", "12+34="];
    const options = {
      group: 3,
      maxNewTokens: 6,
      values: VALUES,
      uniforms: (row: number, token: number) => (row * 7 + token * 3) % 10 / 10,
    };
    const sampled = await policy.sample(prompts, options);
    assert.equal(sampled.length, 6);
    const { logprobs } = await policy.model.logprobs(policy.sequences(prompts, sampled.map((s) => s.tokenIds)));
    sampled.forEach(({ samplerLogprobs, logprobs: own, text, tokenIds }, i) => {
      assert.equal(text, policy.decode(tokenIds));
      logprobs[i]!.forEach((p, t) => {
        assert(Math.abs(p - samplerLogprobs[t]!) < 1e-4 && Math.abs(p - own[t]!) < 1e-4);
      });
    });
  }));

Deno.test("Policy.sample() passes a safe point after every token and stops where it throws", () =>
  withTinyPolicy(async ({ policy }) => {
    let points = 0;
    const options = { group: 2, maxNewTokens: 5, values: VALUES, uniforms: () => 0.5 };
    const safePoint = () => {
      points++;
      return points === 3 ? Promise.reject(new Error("stop")) : Promise.resolve();
    };
    await assert.rejects(() => policy.sample(["1+2="], { ...options, safePoint }), /stop/);
    assert.equal(points, 3);
    assert.equal((await policy.sample(["1+2="], options)).length, 2, "and samples again");
  }));

Deno.test("Policy.save() and restore() are bitwise; another size is refused", () =>
  withTinyPolicy((run) => {
    const state = run.policy.save(), saved = run.weights();
    run.policy.model.weights.values.upload(run.weights().fill(1));
    run.policy.restore(state);
    same(run.weights(), saved);
    const arrays = new Map([["weights", { shape: [3], data: new Float32Array(3) }]]);
    assert.throws(() => run.policy.restore({ json: {}, arrays }), /"weights": the checkpoint holds 3 values, want \d+/);
    assert.throws(() => stateArray(arrays, "m", 3), /the checkpoint has no array "m"/);
  }));

Deno.test("Policy reads a prompt in the form that the model knows", () =>
  withTinyPolicy(({ policy: { model, tokenizer, files } }) => {
    const formatted = new Policy(model, tokenizer, null, files, (prompt) => `<${prompt}>`);
    assert.equal(formatted.decode(formatted.encodePrompt("1+2=", 4)), "<1+2=>");
  }));

Deno.test("Policy.sample() hands every setting on: each filter at its narrowest leaves the likeliest token", () =>
  withTinyPolicy(async ({ policy }) => {
    const texts = async (values: Partial<typeof VALUES>) =>
      (await policy.sample(["1+2=", "3+4="], {
        group: 1,
        maxNewTokens: 5,
        values: { ...VALUES, ...values },
        uniforms: () => 0.99,
      })).map(({ tokenIds }) => [...tokenIds]);
    const greedy = await texts({ temperature: 0 });
    assert.notDeepEqual(await texts({}), greedy);
    for (const narrow of [{ top_k: 1 }, { top_p: 1e-6 }, { min_p: 1 }, { temperature: 1e-4 }]) {
      assert.deepEqual(await texts(narrow), greedy, JSON.stringify(narrow));
    }
    assert.notDeepEqual(await texts({ temperature: 0, repetition_penalty: 1e6 }), greedy);
  }));
