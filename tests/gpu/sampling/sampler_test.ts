import assert from "node:assert/strict";
import { modelConfig } from "../../../gpu/models/config.ts";
import { LanguageModel } from "../../../gpu/language_model.ts";
import type { IdsOf } from "../../../gpu/sampling/options.ts";
import type { SampleOptions } from "../../../gpu/sampling/sampler.ts";
import { cpuRuntime, unmasked, withModel } from "../golden_model.ts";
import { readJson } from "../safetensors.ts";

/** A hash of (row, token) in [0, 1): what data/random.ts is to the steps. */
function uniform(row: number, token: number): number {
  let x = Math.imul(row + 1, 0x9e3779b1) ^ Math.imul(token + 7, 0x85ebca6b);
  x = Math.imul(x ^ (x >>> 15), 0x2c1b3c6d);
  x = Math.imul(x ^ (x >>> 12), 0x297a2d39);
  return ((x ^ (x >>> 15)) >>> 8) / 2 ** 24;
}
const OPTIONS: SampleOptions = {
  temperature: 1,
  topK: 0,
  topP: 1,
  minP: 0,
  repetitionPenalty: 1,
  maxNewTokens: 24,
  eosIds: [503, 501],
  uniforms: uniform,
};
const PROMPTS = [[502, 82, 88, 13], [336, 204, 1, 9, 77, 41, 5], [17], [504, 21, 15, 400, 3]];

for (const name of ["qwen2", "qwen3", "llama", "qwen2_bf16_sharded"]) {
  Deno.test(`Sampler is greedy on ${name} as transformers is`, async () => {
    await withModel(name, async (model) => {
      for (const { prompt_ids, prompt_mask, completions } of readJson(`goldens/torch/forward_${name}.json`).greedy) {
        const prompts = unmasked(prompt_ids, prompt_mask);
        const sampled = await model.sample(prompts, 1, { ...OPTIONS, temperature: 0 });
        assert.deepEqual(sampled.map(({ tokenIds }) => [...tokenIds]), completions);
        for (const { tokenIds, truncated, samplerLogprobs } of sampled) {
          assert.equal(truncated, ![501, 503].includes(tokenIds.at(-1)!));
          assert(samplerLogprobs.every((x) => x === 0));
        }
      }
    });
  });

  Deno.test(`Sampler reports on ${name} the log-probs that training computes, plain and tempered`, async () => {
    await withModel(name, async (model) => {
      for (const temperature of [1, 0.7, 0.3]) {
        for (let seed = 0; seed < 3; seed++) {
          const uniforms = (row: number, token: number) => uniform(row + 1000 * seed, token);
          const sampled = await model.sample(PROMPTS, 3, { ...OPTIONS, temperature, uniforms });
          const sequences = { prompts: PROMPTS, group: 3, completions: sampled.map(({ tokenIds }) => tokenIds) };
          await compare(model, sequences, sampled.map((row) => row.logprobs), 1);
          await compare(model, sequences, sampled.map((row) => row.samplerLogprobs), temperature);
        }
      }
    });
  });
}

/**
 * Nats at temperature 1 and above; rounding of logits counts 1/T times below. Over 40 seeds, 4 models and temperatures
 * 0.3 to 1.5 the largest gap was 2.2e-5 at 1 and above, and 1.7e-5 / T below.
 */
const GAP = 4e-5;

async function compare(
  model: LanguageModel,
  sequences: Parameters<LanguageModel["logprobs"]>[0],
  reported: Float32Array[],
  temperature: number,
): Promise<void> {
  const { logprobs } = await model.logprobs(sequences, { temperature });
  logprobs.forEach((row, r) =>
    row.forEach((value, t) => {
      const gap = Math.abs(value - reported[r]![t]!);
      assert(
        gap <= GAP / Math.min(1, temperature),
        `row ${r}, token ${t}, temperature ${temperature}: ${value} and ${reported[r]![t]}`,
      );
    })
  );
}

/** Heads, kv heads, head size and vocabulary: with a kernel and without, many to one, wider and narrower than the model. */
const SHAPES: readonly (readonly [heads: number, kv: number, headDim: number, vocabulary: number])[] = [
  [4, 2, 24, 512],
  [4, 2, 20, 512],
  [4, 2, 6, 512],
  [7, 1, 80, 512],
  [14, 2, 96, 512],
  [9, 3, 16, 512],
  [3, 3, 128, 512],
  [1, 1, 256, 512],
  [2, 1, 10, 262_144],
];

for (const [heads, kv, head_dim, vocab_size] of SHAPES) {
  for (const name of vocab_size > 512 ? ["llama"] : ["qwen2", "qwen3"]) {
    const shape = `${heads} heads and ${kv} of keys, each ${head_dim} wide, ${vocab_size} tokens`;
    Deno.test(`Sampler reports on a ${name} of ${shape}, what training computes`, async () => {
      const runtime = await cpuRuntime();
      const model = LanguageModel.create(
        runtime,
        modelConfig({
          ...readJson(`models/${name}/config.json`),
          num_attention_heads: heads,
          num_key_value_heads: kv,
          vocab_size,
          head_dim,
          initializer_range: 0.3,
        }),
      );
      try {
        model.weights.initialize((count) => {
          let state = head_dim;
          return Float32Array.from({ length: count }, () => {
            state = Math.imul(state, 1664525) + 1013904223 | 0;
            return state / 2 ** 30;
          });
        });
        const sampled = await model.sample(PROMPTS, 2, { ...OPTIONS, eosIds: [] });
        const sequences = { prompts: PROMPTS, group: 2, completions: sampled.map(({ tokenIds }) => tokenIds) };
        await compare(model, sequences, sampled.map((row) => row.logprobs), 1);
      } finally {
        model.release();
        runtime.release();
      }
    });
  }
}

Deno.test("Sampler's draws do not depend on batching: one pass, several, and rows dropped on the way", async () => {
  await withModel("qwen2", async (model) => {
    const options = { ...OPTIONS, eosIds: Array.from({ length: 60 }, (_, i) => i * 8) };
    const whole = await model.sample(PROMPTS, 4, options);
    assert.equal(whole.length, 16);
    assert(new Set(whole.map(({ tokenIds }) => tokenIds.length)).size > 3, "lengths differ, so rows were dropped");
    const apart = await model.sample(PROMPTS, 4, { ...options, rowsAtOnce: 4 });
    assert.deepEqual(apart.map((row) => [...row.tokenIds]), whole.map((row) => [...row.tokenIds]));
    for (const { tokenIds, truncated } of whole) {
      const end = tokenIds.findIndex((id) => options.eosIds.includes(id));
      assert.equal(end, truncated ? -1 : tokenIds.length - 1);
      if (truncated) assert.equal(tokenIds.length, options.maxNewTokens);
    }
  });
});

Deno.test("Sampler decodes whole groups, also where fewer rows than one group are asked for at once", async () => {
  await withModel("qwen2", async (model) => {
    const whole = await model.sample(PROMPTS, 3, OPTIONS),
      apart = await model.sample(PROMPTS, 3, { ...OPTIONS, rowsAtOnce: 2 });
    assert.deepEqual(apart.map((row) => [...row.tokenIds]), whole.map((row) => [...row.tokenIds]));
  });
});

Deno.test("Sampler stops with the last row that ends, and at maxNewTokens 1 after one token", async () => {
  await withModel("qwen2", async (model) => {
    let steps = 0;
    const onToken = (tokens: number) => void (steps = tokens);
    const ends = await model.sample(PROMPTS, 2, {
      ...OPTIONS,
      eosIds: Array.from({ length: 256 }, (_, i) => 2 * i),
      onToken,
    });
    assert.equal(steps, Math.max(...ends.map(({ tokenIds }) => tokenIds.length)));
    assert(steps < OPTIONS.maxNewTokens);
    const one = await model.sample(PROMPTS, 2, { ...OPTIONS, maxNewTokens: 1, onToken });
    assert.equal(steps, 1);
    assert(one.every(({ tokenIds }) => tokenIds.length === 1));
  });
});

Deno.test("Sampler with leastRows 2 gives a row the same bits alone, in a group and in a batch, on one thread", async () => {
  await withModel("qwen2", async (model) => {
    const options = { ...OPTIONS, leastRows: 2, eosIds: Array.from({ length: 60 }, (_, i) => i * 8) };
    const prompts = PROMPTS.slice(0, 2).map((prompt) => prompt.slice(0, 4));
    const whole = await model.sample(prompts, 2, options);
    for (const [p, prompt] of prompts.entries()) {
      const shifted = (row: number, token: number) => uniform(row + 2 * p, token);
      const group = await model.sample([prompt], 2, { ...options, uniforms: shifted });
      assert.deepEqual(group, whole.slice(2 * p, 2 * p + 2));
      assert.deepEqual(await model.sample([prompt], 1, { ...options, uniforms: shifted }), [whole[2 * p]!]);
    }
  });
});

Deno.test("Sampler draws the first token from the model's distribution: 4096 rows against exp(logprobs)", async () => {
  await withModel("qwen2", async (model) => {
    const rows = 4096, stratified = (row: number) => (row + 0.5) / rows;
    const sampled = await model.sample([PROMPTS[0]!], rows, { ...OPTIONS, maxNewTokens: 1, uniforms: stratified });
    const counts = new Map<number, { count: number; p: number }>();
    for (const { tokenIds, logprobs } of sampled) {
      const entry = counts.get(tokenIds[0]!) ?? { count: 0, p: Math.exp(logprobs[0]!) };
      counts.set(tokenIds[0]!, { ...entry, count: entry.count + 1 });
    }
    // stratified uniforms hit a token of probability p in floor or ceil of rows · p strata, one more at each edge
    for (const [id, { count, p }] of counts) assert(Math.abs(count - rows * p) <= 1.01, `token ${id}: ${count}, ${p}`);
  });
});

Deno.test("Sampler with top_p among its filters draws from what they leave: 4096 rows against their log-probs", async () => {
  await withModel("qwen2", async (model) => {
    const rows = 4096, stratified = (row: number, token: number) => (((row * (1 + 2 * token)) % rows) + 0.5) / rows;
    const [likeliest] =
      (await model.sample([PROMPTS[0]!], 1, { ...OPTIONS, temperature: 0, maxNewTokens: 1 }))[0]!.tokenIds;
    const filters = { temperature: 0.7, topP: 0.8, minP: 0.02, repetitionPenalty: 1.3, suppressIds: [likeliest!] };
    for (const given of [{ topP: 0.8 }, { topP: 0.8, topK: 9 }, filters]) {
      const options = { ...OPTIONS, ...given, maxNewTokens: 2, eosIds: [], uniforms: stratified };
      const sampled = await model.sample([PROMPTS[0]!], rows, options), counts = new Map<number, [number, number]>();
      for (const { tokenIds: [id], samplerLogprobs: [logprob] } of sampled) {
        counts.set(id!, [(counts.get(id!)?.[0] ?? 0) + 1, Math.exp(logprob!)]);
      }
      for (const [id, [count, p]] of counts) assert(Math.abs(count - rows * p) <= 1.01, `token ${id}: ${count}, ${p}`);
      const all = [...counts.values()].reduce((sum, [, p]) => sum + p, 0);
      assert(Math.abs(all - 1) < 1e-5, `${counts.size} tokens have ${all} together`);
      assert(counts.size < 300 && (!("topK" in given) || counts.size <= 9), `${counts.size} tokens`);
      assert.equal(counts.has(likeliest!), !("suppressIds" in given));
      const sequences = { prompts: [PROMPTS[0]!], group: rows, completions: sampled.map(({ tokenIds }) => tokenIds) };
      await compare(model, sequences, sampled.map(({ logprobs }) => logprobs), 1);
    }
  });
});

Deno.test("Sampler with top_k 1 is greedy, with repetition_penalty 1e9 never repeats", async () => {
  await withModel("qwen2", async (model) => {
    const texts = async (options: Partial<SampleOptions>) =>
      (await model.sample(PROMPTS, 1, { ...OPTIONS, ...options })).map(({ tokenIds }) => [...tokenIds]);
    const greedy = await texts({ temperature: 0 });
    assert.deepEqual(await texts({ topK: 1 }), greedy);
    assert.deepEqual(await texts({ topP: 1e-6, topK: 50, minP: 0.1, temperature: 0.5 }), greedy);
    assert.deepEqual(await texts({ minP: 1 }), greedy);
    const fresh = await texts({ temperature: 0, repetitionPenalty: 1e9, eosIds: [] });
    fresh.forEach((ids, r) => {
      const all = [...PROMPTS[r]!, ...ids];
      assert.equal(new Set(all).size, all.length);
    });
  });
});

Deno.test("Sampler stops between two tokens when aborted, and counts tokens and rows", async () => {
  await withModel("qwen2", async (model) => {
    const controller = new AbortController(), seen: number[][] = [];
    const onToken = (tokens: number, rows: number) => {
      seen.push([tokens, rows]);
      if (tokens === 3) controller.abort(new Error("enough"));
    };
    const options = { ...OPTIONS, eosIds: [], onToken, signal: controller.signal };
    await assert.rejects(model.sample(PROMPTS, 1, options), /enough/);
    assert.deepEqual(seen, [[1, 4], [2, 4], [3, 4]]);
    assert.equal((await model.sample(PROMPTS, 1, { ...OPTIONS, maxNewTokens: 2 })).length, 4);
  });
});

Deno.test("Sampler tells the ids that a row has so far, by its place among all, also where a few are decoded at once", async () => {
  await withModel("qwen2", async (model) => {
    const told = new Map<number, number[]>();
    const onToken = (_tokens: number, _rows: number, idsOf: IdsOf) => {
      for (let row = 0; row < 2 * PROMPTS.length; row++) {
        const ids = idsOf(row);
        if (ids !== null) told.set(row, [...ids]);
      }
    };
    for (const rowsAtOnce of [0, 2]) {
      told.clear();
      const made = await model.sample(PROMPTS, 2, { ...OPTIONS, rowsAtOnce, onToken });
      assert.deepEqual(made.map(({ tokenIds }) => [...tokenIds]), made.map((_, row) => told.get(row)));
    }
  });
});

Deno.test("Sampler refuses settings and prompts that cannot work", async () => {
  const wrong: [Partial<SampleOptions>, RegExp][] = [
    [{ temperature: -1 }, /temperature -1/],
    [{ topP: 0 }, /top_p 0/],
    [{ topK: 1.5 }, /top_k 1.5/],
    [{ minP: 2 }, /min_p 2/],
    [{ repetitionPenalty: 0 }, /repetition_penalty 0/],
    [{ maxNewTokens: 0 }, /max_new_tokens 0/],
    [{ maxNewTokens: 2047 }, /prompt 0 has 4 tokens and max_new_tokens is 2047, want at most 2048 together/],
  ];
  await withModel("qwen2", async (model) => {
    for (const [change, message] of wrong) {
      await assert.rejects(model.sample(PROMPTS, 1, { ...OPTIONS, ...change }), message);
    }
    await assert.rejects(model.sample([[1], []], 1, OPTIONS), /prompt 1 has no tokens/);
  });
});

Deno.test("Sampler asks for one draw per row and token, counted from 0, and for none twice", async () => {
  await withModel("qwen2", async (model) => {
    const asked: string[] = [];
    const uniforms = (row: number, token: number) => {
      asked.push(`${row} ${token}`);
      return uniform(row, token);
    };
    await model.sample(PROMPTS.slice(0, 2), 1, { ...OPTIONS, eosIds: [], maxNewTokens: 3, uniforms });
    assert.deepEqual(asked, ["0 0", "1 0", "0 1", "1 1", "0 2", "1 2"]);
  });
});
