/** How many tokens a second are drawn, with weights of each kind, beside transformers where a Python has it. @module */
import { openRuntime } from "../../../gpu/session.ts";
import { LanguageModel } from "../../../gpu/language_model.ts";
import { modelConfig } from "../../../gpu/models/config.ts";
import { type Bits, quantizedBytes } from "../../../gpu/weights/quantized.ts";
import { readModelConfig } from "../../../data/hub/config.ts";
import { uniform } from "../../../data/random.ts";
import { readTensors } from "../../../steps/resources/model_source.ts";
import { openPeer } from "../../peers/decode_rate.ts";
import { median } from "../rows.ts";
import { quantisedProducts } from "./decode_quantised.ts";
import type { Figure, Part, TrialContext } from "./figure.ts";
import { memoryRate } from "./memory_rate.ts";

const PROMPT = 32, NEW_TOKENS = 24, ROUNDS = 3, LONG_PROMPT = 512;

interface Goals {
  readonly bits: Bits | null;
  /** Tokens per second of one row where memory reads 28.5 GB/s, and how many times transformers' rate eight rows are to reach. */
  readonly one: number;
  readonly eightTimesPeer?: number;
}

/** Times between tokens, ms: those of prefill and of the first tokens left out. */
async function gaps(model: LanguageModel, rows: number, round: number): Promise<number[]> {
  const times: number[] = [];
  const prompts = Array.from(
    { length: rows },
    (_, r) => Int32Array.from({ length: PROMPT }, (_, t) => 1000 + 37 * r + t),
  );
  await model.sample(prompts, 1, {
    temperature: 1,
    topK: 0,
    topP: 1,
    minP: 0,
    repetitionPenalty: 1,
    maxNewTokens: NEW_TOKENS,
    eosIds: [],
    uniforms: (row, token) => uniform(1, "bench", round, row, token),
    onToken: () => void times.push(performance.now()),
  });
  return times.slice(3).map((time, i) => time - times[i + 2]!);
}

/** Tokens per second that a prompt is read with. */
async function prefill(model: LanguageModel): Promise<number> {
  const rates: number[] = [];
  const prompt = Int32Array.from({ length: LONG_PROMPT }, (_, t) => 500 + 7 * t);
  for (let round = 0; round < 2; round++) {
    const began = performance.now();
    const options = { temperature: 0, topK: 0, topP: 1, minP: 0, repetitionPenalty: 1, maxNewTokens: 1, eosIds: [] };
    await model.sample([prompt], 1, { ...options, uniforms: () => 0 });
    rates.push(LONG_PROMPT * 1000 / (performance.now() - began));
  }
  return Math.max(...rates);
}

async function rates(
  { folder, threads }: TrialContext,
  { bits, one, eightTimesPeer }: Goals,
): Promise<Figure[]> {
  const runtime = await openRuntime({ backend: "ffi", device: "cpu", threads });
  const model = LanguageModel.create(runtime, modelConfig(readModelConfig(folder)), bits), began = performance.now();
  model.weights.fromHuggingFace(readTensors(folder));
  const loaded = (performance.now() - began) / 1000, peer = bits === null ? await openPeer(folder, threads) : null;
  const ours: Record<number, number[]> = { 1: [], 8: [] }, theirs: Record<number, number[]> = { 1: [], 8: [] };
  const memory = await memoryRate(runtime);
  const reads: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    reads.push(...await memory.measure());
    for (const rows of [1, 8]) {
      ours[rows]!.push(...await gaps(model, rows, round));
      if (peer) theirs[rows]!.push(...await peer.gaps(rows, PROMPT, NEW_TOKENS));
    }
  }
  const rate = (rows: number, all: Record<number, number[]>) => rows * 1000 / median(all[rows]!);
  const best = (rows: number, all: Record<number, number[]>) => rows * 1000 / Math.min(...all[rows]!);
  const layout = model.weights.layout, bytes = bits === null ? layout.size * 4 : quantizedBytes(layout, bits);
  memory.release();
  // A token reads every weight once: the embedding is the head.
  const read = median(reads), limit = read / bytes;
  const figures: Figure[] = [
    { what: "load", value: loaded, unit: "s" },
    { what: "weights in memory", value: bytes / 1e9, unit: "GB" },
    { what: "batch 1", value: rate(1, ours), unit: "tok/s", least: one },
    { what: "batch 1, best token", value: best(1, ours), unit: "tok/s" },
    { what: "memory read", value: read / 1e9, unit: "GB/s" },
    { what: "batch 1, share of the memory's limit", value: rate(1, ours) / limit, unit: "" },
    { what: "batch 8", value: rate(8, ours), unit: "tok/s" },
    { what: "batch 8, best step", value: best(8, ours), unit: "tok/s" },
    { what: `prefill of ${LONG_PROMPT}`, value: await prefill(model), unit: "tok/s" },
  ];
  if (peer) {
    await peer.close();
    for (const rows of [1, 8]) {
      figures.push({ what: `batch ${rows}, transformers float32`, value: rate(rows, theirs), unit: "tok/s" });
      figures.push({
        what: `batch ${rows}, ours / theirs`,
        value: rate(rows, ours) / rate(rows, theirs),
        unit: "×",
        ...(rows === 8 && eightTimesPeer !== undefined ? { least: eightTimesPeer } : {}),
      });
    }
  } else if (eightTimesPeer !== undefined) {
    const note = "no Python with transformers: set NONZERO_PEERS_PYTHON";
    figures.push({ what: "batch 8, ours / theirs", value: null, unit: "×", least: eightTimesPeer, note });
  }
  model.release();
  runtime.release();
  return figures;
}

export const DECODE: Part = {
  about: "Draw tokens: float32, 8 and 4 bits, one row and eight; 8 bits in two ways",
  trials: {
    float32: (context) => rates(context, { bits: null, one: 13, eightTimesPeer: 2 }),
    int8: (context) => rates(context, { bits: 8, one: 35 }),
    int4: (context) => rates(context, { bits: 4, one: 50 }),
    dynamic_quantised: quantisedProducts,
  },
};
