/** Holds a model of ours against what transformers computed from the same folder (tests/peers/families.py). @module */
import assert from "node:assert/strict";
import { join } from "node:path";
import { modelConfig } from "../../../gpu/models/config.ts";
import { LanguageModel, type TrainSettings } from "../../../gpu/language_model.ts";
import type { Runtime } from "../../../gpu/ort/runtime.ts";
import { Decoder } from "../../../gpu/sampling/decoder.ts";
import { Scope } from "../../../gpu/sampling/scope.ts";
import { readSafetensors } from "../safetensors.ts";

export interface FamilyGolden {
  readonly rows: readonly { readonly prompt: number[]; readonly completion: number[] }[];
  /** After every token of the first row. */
  readonly logits: readonly (readonly number[])[];
  readonly logprobs: readonly (readonly number[])[];
  readonly loss: number;
  /** Norm, and product with cos(0), cos(1), …, by parameter. */
  readonly gradients: Readonly<Record<string, readonly [norm: number, along: number]>>;
  readonly greedy: readonly {
    readonly prompt: number[];
    readonly ids: readonly number[];
    readonly logprobs: readonly number[];
  }[];
}

/** Largest differences: of logits and log-probs in nats, of gradients relative to their norm. */
export interface Differences {
  logits: number;
  logprobs: number;
  gradients: number;
  greedy: number;
}

const SETTINGS: TrainSettings = { loss: { objective: "cross_entropy" }, aggregation: "token_mean", temperature: 1 };

export async function withFamily(
  runtime: Runtime,
  folder: string,
  body: (model: LanguageModel, golden: FamilyGolden) => Promise<void>,
): Promise<void> {
  const read = (file: string) => JSON.parse(Deno.readTextFileSync(join(folder, file)));
  const model = LanguageModel.create(runtime, modelConfig(read("config.json")));
  try {
    model.weights.fromHuggingFace(readSafetensors(join(folder, "model.safetensors")));
    await body(model, read("golden.json"));
  } finally {
    model.release();
  }
}

/** The batch of a golden: every row a prompt with one completion, so that prompts are padded at their left. */
export function batchOf({ rows }: FamilyGolden) {
  return {
    prompts: rows.map(({ prompt }) => prompt),
    group: 1,
    completions: rows.map(({ completion }) => completion),
    inputs: {},
  };
}

/** Everything a golden holds, by our graphs; greedy ids must be equal. */
export async function differences(model: LanguageModel, golden: FamilyGolden): Promise<Differences> {
  const batch = batchOf(golden), result = { logits: 0, logprobs: 0, gradients: 0, greedy: 0 };
  const { logprobs } = await model.logprobs(batch);
  result.logprobs = worst(golden.logprobs, logprobs);
  const { loss } = await model.accumulateGradient(batch, SETTINGS);
  assert(Math.abs(loss - golden.loss) < 1e-5 * (1 + Math.abs(golden.loss)), `loss ${loss}, want ${golden.loss}`);
  const gradients = model.weights.namedGradients();
  assert.deepEqual([...gradients.keys()].sort(), Object.keys(golden.gradients).sort());
  const total = Math.hypot(...Object.values(golden.gradients).map(([norm]) => norm));
  for (const [name, [norm, along]] of Object.entries(golden.gradients)) {
    const values = Array.from(gradients.get(name)!.data);
    const ours = [Math.hypot(...values), values.reduce((sum, x, i) => sum + x * Math.cos(i), 0)] as const;
    // Of what is nearly 0, as a key's bias under a saturated softmax, float32 leaves no digit.
    const off = Math.max(Math.abs(ours[0] - norm), Math.abs(ours[1] - along)) / (norm + 1e-3 * total);
    result.gradients = Math.max(result.gradients, off);
  }
  const { prompt, completion } = golden.rows[0]!, row = [...prompt, ...completion];
  const prefixes = row.map((_, t) => row.slice(0, t + 1));
  result.logits = worst(golden.logits, await logitsAfter(model, prefixes));
  const drawn = await model.sample(golden.greedy.map(({ prompt }) => prompt), 1, {
    maxNewTokens: golden.greedy[0]!.ids.length,
    temperature: 0,
    topK: 0,
    topP: 1,
    minP: 0,
    repetitionPenalty: 1,
    eosIds: [],
    uniforms: () => 0.5,
  });
  golden.greedy.forEach(({ ids }, r) => assert.deepEqual([...drawn[r]!.tokenIds], ids, `greedy ids of row ${r}`));
  result.greedy = worst(golden.greedy.map(({ logprobs }) => logprobs), drawn.map(({ logprobs }) => logprobs));
  return result;
}

/** Logits after each prompt, by the graph that fills the cache. */
async function logitsAfter(model: LanguageModel, prompts: readonly number[][]): Promise<Float32Array[]> {
  const decoder = new Decoder(model), scope = new Scope(model.runtime), width = prompts.at(-1)!.length;
  const { data } = await decoder.prefill(prompts, width, width, prompts.length, scope);
  const v = model.config.vocabSize, rows = prompts.map((_, r) => (data as Float32Array).slice(r * v, (r + 1) * v));
  scope.release();
  decoder.release();
  return rows;
}

function worst(want: readonly (readonly number[])[], got: readonly ArrayLike<number>[]): number {
  return want.reduce((most, row, r) => {
    assert.equal(got[r]!.length, row.length, `row ${r}`);
    return row.reduce((largest, x, i) => {
      const off = Math.abs(x - got[r]![i]!);
      return Number.isFinite(off) ? Math.max(largest, off) : Infinity;
    }, most);
  }, 0);
}
