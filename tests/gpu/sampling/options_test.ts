import assert from "node:assert/strict";
import { checkOptions, checkPrompts, type SampleOptions, samplerKind } from "../../../gpu/sampling/options.ts";

const OPTIONS: SampleOptions = {
  temperature: 1,
  topK: 0,
  topP: 1,
  minP: 0,
  repetitionPenalty: 1,
  maxNewTokens: 4,
  eosIds: [],
  uniforms: () => 0,
};

Deno.test("samplerKind() switches on what is not neutral, and nothing but the penalty when greedy", () => {
  const off = { greedy: false, temperature: false, topK: 0, topP: false, minP: false, repetitionPenalty: false };
  assert.deepEqual(samplerKind(OPTIONS), off);
  const all = { ...OPTIONS, temperature: 0.5, topK: 3, topP: 0.9, minP: 0.1, repetitionPenalty: 1.2 };
  assert.deepEqual(samplerKind(all), {
    greedy: false,
    temperature: true,
    topK: 3,
    topP: true,
    minP: true,
    repetitionPenalty: true,
  });
  const greedy = samplerKind({ ...all, temperature: 0 });
  assert.deepEqual([greedy.greedy, greedy.topK, greedy.topP, greedy.minP, greedy.repetitionPenalty], [
    true,
    0,
    false,
    false,
    true,
  ]);
});

Deno.test("checkOptions() and checkPrompts() accept what works", () => {
  checkOptions(OPTIONS);
  checkOptions({ ...OPTIONS, temperature: 0, topP: 0.5, minP: 1 });
  checkPrompts([[1, 2, 3], [4]], 7, 4);
});

Deno.test("checkOptions() refuses NaN", () => {
  for (const name of ["temperature", "topK", "topP", "minP", "repetitionPenalty", "maxNewTokens"] as const) {
    assert.throws(() => checkOptions({ ...OPTIONS, [name]: NaN }), /NaN: want/, name);
  }
});

Deno.test("checkPrompts() refuses a prompt that leaves no room", () => {
  assert.throws(() => checkPrompts([[1], [1, 2, 3, 4]], 7, 4), /prompt 1 has 4 tokens and max_new_tokens is 4/);
});
