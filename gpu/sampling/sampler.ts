/**
 * Samples completions: one prefill per prompt, then one token per step for all rows, on a shared KV cache.
 *
 * Draws are the caller's, keyed by row and token, so they do not depend on how rows are batched. Rows that ended are
 * dropped when the batch can be halved.
 * @module
 */
import { setImmediate } from "node:timers";
import type { Model } from "../models/model.ts";
import { bucketLength, longest, type Rows } from "../models/padding.ts";
import { promptPlaces } from "../models/vision/prompt_places.ts";
import { atOnce } from "../ort/memory_budget.ts";
import { Batch, type Draft } from "./batch.ts";
import { decodingBytes } from "./decode_bytes.ts";
import { Decoder } from "./decoder.ts";
import { checkOptions, checkPrompts, type SampleOptions, samplerKind } from "./options.ts";
import type { SamplerKind } from "./pick.ts";
import { Scope } from "./scope.ts";

export type { SampleOptions } from "./options.ts";

export interface Completion {
  readonly tokenIds: Int32Array;
  /**
   * log p per token under the distribution drawn from, nats; 0 when greedy. Without filters within 4e-5 / min(1, T) of
   * what training computes with weights of the usual size (initializer_range 0.02), three times that with ones of 0.5 to 1:
   * decoding takes other kernels.
   */
  readonly samplerLogprobs: Float32Array;
  /** log p per token under softmax(logits), nats. */
  readonly logprobs: Float32Array;
  /** Reached maxNewTokens without an end of sequence. */
  readonly truncated: boolean;
}

const TURN = 5; // The event loop gets a turn at least this often, ms: signals and timers are heard while decoding.

/** What all steps of one pass over prompts share. */
interface SamplingPass {
  readonly kind: SamplerKind;
  /** The uniform of a row of this pass, for its token of that number. */
  readonly draw: (row: number, token: number) => number;
  readonly options: SampleOptions;
  readonly scope: Scope;
  /** Fewest rows computed at once. */
  readonly least: number;
  /** Which row of all its first is. */
  readonly firstRow: number;
}

export class Sampler {
  readonly #decoder: Decoder;

  constructor(readonly model: Model) {
    this.#decoder = new Decoder(model);
  }

  /**
   * Samples `group` completions per prompt.
   *
   * prompts   token ids, unpadded, each at least one token, with the images they carry (`PromptIds`)
   * returns   prompts · group completions, those of a prompt together
   *
   * Throws a RangeError when a prompt and maxNewTokens exceed the model's positions or a setting is out of range, and
   * the reason of `options.signal` when that is aborted between two tokens.
   */
  async sample(prompts: Rows, group: number, options: SampleOptions): Promise<Completion[]> {
    checkOptions(options);
    checkPrompts(prompts, this.model.config.maxPositions, options.maxNewTokens);
    const completions: Completion[] = [], { runtime } = this.model.weights;
    for (const turn of turnsOf(prompts, group, this.#rowsAtOnce(prompts, group, options))) {
      const scope = new Scope(runtime);
      try {
        completions.push(...(await this.#pass(turn.prompts, turn.group, turn.first, options, scope)).map(finish));
      } finally {
        scope.release();
      }
    }
    this.#decoder.forget(); // What trains next needs the memory more than the next rollout an old cache.
    return completions;
  }

  /** Rows that are decoded together: what was asked for, else what the memory budget of the run holds. */
  #rowsAtOnce(prompts: Rows, group: number, options: SampleOptions): number {
    const { rowsAtOnce = 0, maxNewTokens } = options;
    const { config, adapted, weights } = this.model, { budget } = weights.runtime, all = prompts.length * group;
    if (rowsAtOnce > 0) return Math.max(rowsAtOnce, group);
    if (budget === null) return all;
    const tokens = { promptTokens: longest(prompts), completionTokens: maxNewTokens };
    const sampler = samplerKind(options, weights.runtime.device === "cpu");
    const kind = { adapter: adapted?.adapter ?? null, bits: (adapted?.base ?? weights).bits, sampler };
    const bytesOf = (prompts: number, group: number) => decodingBytes(config, { ...tokens, prompts, group }, kind);
    const whole = atOnce(budget.free, prompts.length, (count) => bytesOf(count, group));
    // A group that does not fit as a whole is decoded in parts; less than a row there is not.
    return whole > 0 ? whole * group : Math.max(1, atOnce(budget.free, group, (count) => bytesOf(1, count)));
  }

  async #pass(prompts: Rows, group: number, firstRow: number, options: SampleOptions, scope: Scope): Promise<Draft[]> {
    const kind = samplerKind(options, this.model.weights.runtime.device === "cpu");
    const draw = (row: number, token: number) => (kind.greedy ? 0 : options.uniforms(firstRow + row, token));
    const pass = { kind, draw, options, scope, least: options.leastRows ?? 1, firstRow };
    const drafts = Array.from({ length: prompts.length * group }, (): Draft => ({
      tokens: [],
      samplerLogprobs: [],
      logprobs: [],
      ended: false,
    }));
    await this.#decode(await this.#begin(prompts, group, pass), drafts, pass);
    return drafts;
  }

  /** Reads the prompts, each once, and draws the first token of every completion. */
  async #begin(prompts: Rows, group: number, { kind, draw, options, scope, least }: SamplingPass): Promise<Batch> {
    const count = prompts.length * group, decoder = this.#decoder;
    const read = Array.from({ length: Math.max(prompts.length, least) }, (_, i) => prompts[i] ?? prompts[0]!);
    /** The prompt of each row; rows past `count` are fillers. */
    const source = Array.from(
      { length: Math.max(count, least) },
      (_, row) => (row < count ? Math.floor(row / group) : 0),
    );
    const tokens = bucketLength(longest(prompts));
    const capacity = Math.max(tokens, bucketLength(longest(prompts) + options.maxNewTokens));
    const logits = await decoder.prefill(read, tokens, capacity, source.length, scope);
    if (source.length !== read.length || group > 1) await decoder.moveRows(source, scope);
    const rows = source.map((_, row) => (row < count ? row : -1));
    const batch = new Batch(rows, this.model.config, kind, scope), { vision } = this.model.config;
    const next = prompts.map((prompt) => vision ? promptPlaces(prompt, this.model.config).next : prompt.length);
    source.forEach((prompt, row) => batch.setPrompt(row, prompts[prompt]!, next[prompt]));
    batch.fillUniforms(draw, 0);
    await decoder.firstToken(logits, source, batch, kind, options, scope);
    return batch;
  }

  /** Draws token after token until every draft ended or is as long as it may be. */
  async #decode(batch: Batch, drafts: readonly Draft[], pass: SamplingPass) {
    const { kind, draw, options, scope, least, firstRow } = pass;
    const idsOf = (row: number) => drafts[row - firstRow]?.tokens ?? null;
    const ends = new Set(options.eosIds), decoder = this.#decoder;
    let step = await decoder.step(batch, kind, options, scope), turn = performance.now();
    for (let token = 1;; token++) {
      const going = batch.collect(drafts, ends);
      if (options.onToken) await options.onToken(token, going, idsOf);
      options.signal?.throwIfAborted();
      if (going === 0 || token >= options.maxNewTokens) return;
      const half = batch.halved(drafts, going, least);
      if (half) {
        await decoder.moveRows(half.source, scope);
        batch = batch.select(half, kind, scope);
        step = await decoder.step(batch, kind, options, scope);
      }
      batch.advance(drafts);
      batch.fillUniforms(draw, token);
      const running = step.run();
      if (running) await running;
      if (performance.now() - turn > TURN) {
        await new Promise<void>((resolve) => setImmediate(() => resolve()));
        turn = performance.now();
      }
    }
  }

  release(): void {
    this.#decoder.release();
  }
}

/** A batch in turns of at most `most` rows: of whole groups, or where one is more than that of parts of one. */
function turnsOf(prompts: Rows, group: number, most: number) {
  const each = Math.max(1, Math.floor(most / group)), part = most < group ? most : group;
  const turns: { readonly prompts: Rows; readonly group: number; readonly first: number }[] = [];
  for (let p = 0; p < prompts.length; p += each) {
    for (let row = 0; row < group; row += part) {
      const rows = Math.min(part, group - row);
      turns.push({ prompts: prompts.slice(p, p + each), group: rows, first: p * group + row });
    }
  }
  return turns;
}

function finish({ tokens, samplerLogprobs, logprobs, ended }: Draft): Completion {
  return {
    tokenIds: Int32Array.from(tokens),
    samplerLogprobs: Float32Array.from(samplerLogprobs),
    logprobs: Float32Array.from(logprobs),
    truncated: !ended,
  };
}
