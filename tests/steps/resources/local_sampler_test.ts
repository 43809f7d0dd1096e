import assert from "node:assert/strict";
import { uniform } from "../../../data/random.ts";
import type { LanguageModel } from "../../../gpu/language_model.ts";
import type { SampleOptions } from "../../../gpu/sampling/sampler.ts";
import { PLAIN_SAMPLING } from "../../../steps/options/sampling_settings.ts";
import { LocalSampler } from "../../../steps/resources/local_sampler.ts";
import type { SampleRequest } from "../../../steps/resources/sampler.ts";
import { withTinyPolicy } from "../contexts/training_run.ts";

const REQUEST: SampleRequest = {
  group: 2,
  maxNewTokens: 5,
  values: PLAIN_SAMPLING,
  draws: { seed: 3, stream: "test", trainStep: 1 },
};

Deno.test("LocalSampler.sample() keeps groups together and its log-probs are those of the trainer", () =>
  withTinyPolicy(async ({ policy }) => {
    const prompts = ["1+2=", "12+34="];
    const sampled = await policy.sampler.sample(prompts, { ...REQUEST, group: 3, maxNewTokens: 6 });
    assert.equal(sampled.length, 6);
    const { logprobs } = await policy.model.logprobs(policy.sequences(prompts, sampled.map((s) => s.tokenIds)));
    sampled.forEach(({ samplerLogprobs, logprobs: own, text, tokenIds }, i) => {
      assert.equal(text, policy.decode(tokenIds));
      logprobs[i]!.forEach((p, t) => {
        assert(Math.abs(p - samplerLogprobs[t]!) < 1e-4 && Math.abs(p - own[t]!) < 1e-4);
      });
    });
  }));

Deno.test("LocalSampler.sample() passes a safe point after every token and stops where it throws", () =>
  withTinyPolicy(async ({ policy }) => {
    let points = 0;
    const safePoint = () => {
      points++;
      return points === 3 ? Promise.reject(new Error("stop")) : Promise.resolve();
    };
    await assert.rejects(() => policy.sampler.sample(["1+2="], REQUEST, safePoint), /stop/);
    assert.equal(points, 3);
    assert.equal((await policy.sampler.sample(["1+2="], REQUEST)).length, 2, "and samples again");
  }));

Deno.test("LocalSampler.sample() hands every setting on: each filter at its narrowest leaves the likeliest token", () =>
  withTinyPolicy(async ({ policy }) => {
    const texts = async (values: Partial<SampleRequest["values"]>) =>
      (await policy.sampler.sample(["1+2=", "3+4="], {
        ...REQUEST,
        group: 1,
        values: { ...PLAIN_SAMPLING, ...values },
      })).map(({ tokenIds }) => [...tokenIds]);
    const greedy = await texts({ temperature: 0 });
    assert.notDeepEqual(await texts({}), greedy);
    for (const narrow of [{ top_k: 1 }, { top_p: 1e-6 }, { min_p: 1 }, { temperature: 1e-4 }]) {
      assert.deepEqual(await texts(narrow), greedy, JSON.stringify(narrow));
    }
    assert.notDeepEqual(await texts({ temperature: 0, repetition_penalty: 1e6 }), greedy);
  }));

Deno.test("a request that went through JSON, as to another process, gives the same completions", () =>
  withTinyPolicy(async ({ policy }) => {
    const prompts = ["1+2=", "3+4="], request = { ...REQUEST, rowsAtOnce: 2, suppressIds: [7] };
    const sent = JSON.parse(JSON.stringify(request)) as SampleRequest;
    assert.deepEqual(await policy.sampler.sample(prompts, sent), await policy.sampler.sample(prompts, request));
    const other = await policy.sampler.sample(prompts, { ...request, draws: { ...request.draws, trainStep: 2 } });
    assert.notDeepEqual(other, await policy.sampler.sample(prompts, request), "the draws are those of the train step");
  }));

Deno.test("LocalSampler.sample() hands on rows at once, least rows, ids never drawn, and draws of its stream", async () => {
  let prompts: unknown, group: unknown, given: SampleOptions | null = null;
  const model = {
    sample(...[rows, size, options]: Parameters<LanguageModel["sample"]>) {
      [prompts, group, given] = [rows, size, options];
      return Promise.resolve([]);
    },
  } as unknown as LanguageModel;
  const encoded = Int32Array.of(1, 2);
  const sampler = new LocalSampler({
    model,
    tokenizer: { eosIds: [9] },
    leastRows: 2,
    encodePrompt: (prompt, maxNewTokens) => (assert.deepEqual([prompt, maxNewTokens], ["1+2=", 5]), encoded),
    decode: () => "",
  });
  await sampler.sample(["1+2="], { ...REQUEST, rowsAtOnce: 4, suppressIds: [7] });
  const { uniforms, onToken, rowsAtOnce, leastRows, suppressIds, eosIds, maxNewTokens } = given!;
  assert.deepEqual([prompts, group, onToken], [[encoded], 2, undefined]);
  assert.deepEqual([rowsAtOnce, leastRows, suppressIds, eosIds, maxNewTokens], [4, 2, [7], [9], 5]);
  assert.equal(uniforms(3, 4), uniform(3, "test", 1, 3, 4));
});
