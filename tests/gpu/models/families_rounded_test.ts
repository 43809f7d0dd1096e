/** Every family with its matrices rounded, tied or not, and with whole matrices that a copy replaces. */
import assert from "node:assert/strict";
import { LanguageModel } from "../../../gpu/language_model.ts";
import { modelConfig } from "../../../gpu/models/config.ts";
import type { AdapterPlan } from "../../../gpu/weights/adapter.ts";
import type { Bits } from "../../../gpu/weights/quantized.ts";
import { cpuRuntime } from "../golden_model.ts";
import { readJson, readSafetensors } from "../safetensors.ts";

const ROOT = new URL("../../goldens/families/", import.meta.url);
const CASES = [...Deno.readDirSync(ROOT)].map(({ name }) => name).sort();
const PROMPTS = [[3, 4, 5], [6]].map((row) => Int32Array.from(row));
const GREEDY = {
  temperature: 0,
  topK: 0,
  topP: 1,
  minP: 0,
  repetitionPenalty: 1,
  maxNewTokens: 6,
  eosIds: [],
  uniforms: () => 0.5,
};
/** Nats by which the sampler, which rounds what it multiplies by too, may be off the trainer on one token: 0.09 was seen. */
const APART = 0.2;

/** What is adapted, and what has a copy in place of a rounded matrix; phi3 has one matrix for q, k and v. */
const PLANS: Readonly<Record<string, readonly [targets: RegExp, saved: RegExp | null]>> = {
  "an adapter alone": [/_proj\.weight$/, null],
  "a copy of the embedding": [/_proj\.weight$/, /embed_tokens/],
  "copies of q, k and v": [/o_proj\.weight$/, /\.(q|k|v|qkv)_proj\./],
  "a copy of down": [/o_proj\.weight$/, /down_proj\./],
};

function planOf(model: LanguageModel, what: string): AdapterPlan {
  const [targets, saved] = PLANS[what]!, names = model.weights.layout.parameters.map(({ name }) => name);
  const of = (pattern: RegExp | null) => new Set(names.filter((name) => pattern?.test(name)));
  const plan = { rank: 2, alpha: 3, rslora: false, scaling: 1.5, dropout: 0, targets: of(targets), saved: of(saved) };
  assert(plan.targets.size > 0 && (saved === null || plan.saved.size > 0), what);
  return plan;
}

/** The model of a golden, rounded to `bits`, and the float32 model of the rounded numbers; both with the same adapter. */
async function withRounded(
  name: string,
  bits: Bits,
  what: string,
  body: (rounded: LanguageModel, plain: LanguageModel) => Promise<void>,
): Promise<void> {
  const config = modelConfig(readJson(`goldens/families/${name}/config.json`)), runtime = await cpuRuntime();
  const tensors = readSafetensors(new URL(`${name}/model.safetensors`, ROOT).pathname);
  const bases = [LanguageModel.create(runtime, config, bits), LanguageModel.create(runtime, config)] as const;
  bases[0].weights.fromHuggingFace(tensors);
  bases[1].weights.fromHuggingFace(bases[0].weights.viewHuggingFace());
  const [rounded, plain] = bases.map((base) => {
    const model = LanguageModel.adapt(base, planOf(base, what), null), { weights } = model;
    const values = [...weights.toHuggingFace()].map(([name, { shape, data }]) => {
      const own = tensors.get(name);
      return [name, { shape, data: data.map((_, i) => (own?.data[i] ?? 0) + 0.05 * Math.sin(i * 0.7 + 1)) }] as const;
    });
    weights.fromHuggingFace(new Map(values));
    return model;
  }) as [LanguageModel, LanguageModel];
  try {
    await body(rounded, plain);
  } finally {
    [rounded, plain].forEach((model) => model.release());
    runtime.release();
  }
}

function apart(got: readonly ArrayLike<number>[], want: readonly ArrayLike<number>[]): number {
  return Math.max(...got.flatMap((row, r) => Array.from(row, (x, t) => Math.abs(x - want[r]![t]!))));
}

for (const name of CASES) {
  for (const bits of [8, 4] as const) {
    Deno.test(`${name} of int${bits}: log-probs of greedy decoding are the trainer's but for rounding`, async () => {
      for (const what of Object.keys(PLANS)) {
        await withRounded(name, bits, what, async (rounded) => {
          const drawn = await rounded.sample(PROMPTS, 2, GREEDY), completions = drawn.map(({ tokenIds }) => tokenIds);
          const { logprobs } = await rounded.logprobs({ prompts: PROMPTS, group: 2, completions });
          const off = apart(drawn.map(({ logprobs }) => logprobs), logprobs);
          assert(off < APART, `with ${what} ${off} nats apart`);
        });
      }
    });

    Deno.test(`${name} of int${bits}: log-probs at temperature 0.7 are those of the rounded numbers in float32`, async () => {
      await withRounded(name, bits, "copies of q, k and v", async (rounded, plain) => {
        const completions = [[7, 8, 9, 10], [11, 12, 13]].map((row) => Int32Array.from(row));
        const sequences = { prompts: PROMPTS, group: 1, completions };
        const [got, want] = [rounded, plain].map((model) => model.logprobs(sequences, { temperature: 0.7 }));
        const off = apart((await got!).logprobs, (await want!).logprobs);
        assert(off < 2e-5, `${off} nats apart`);
      });
    });
  }
}
