/** Rows that decode together: the tensors of one step, and which completion each row belongs to. @module */
import type { ModelConfig } from "../models/config.ts";
import type { Tensor } from "../ort/runtime.ts";
import { type Draw, drawRow } from "./draw_row.ts";
import { type Filters, keepRow } from "./keep_row.ts";
import type { SampleOptions } from "./options.ts";
import { changesScores, type SamplerKind } from "./pick.ts";
import type { Scope } from "./scope.ts";

/** A completion under way. */
export interface Draft {
  readonly tokens: number[];
  readonly samplerLogprobs: number[];
  readonly logprobs: number[];
  ended: boolean;
}

/** Largest float32 below 1. */
const BELOW_ONE = 1 - 2 ** -24;

/** Filled by every draw. */
const DRAW: Draw = { token: 0, drawn: 0, total: 0 };

export class Batch {
  readonly ids: Tensor;
  readonly seqlens: Tensor;
  readonly total: Tensor;
  /** int64 [B, 1], where positions are not places in the cache: the position of the token that is read. */
  readonly places: Tensor | null;
  /** By how much the position of a row's tokens is ahead of its place in the cache. */
  readonly #ahead: Int32Array;
  /** Probability of the token in the distribution drawn from, and in the plain one. */
  readonly drawn: Tensor;
  readonly plain: Tensor;
  readonly uniforms: Tensor;
  readonly seen: Tensor | null;
  /** What JavaScript draws from, float32 [B, V] each, where it does (`hostScores`). */
  readonly #host: Readonly<Partial<Record<"probabilities" | "scores" | "plain_probabilities", Tensor>>>;
  readonly #filters: Filters | null;
  readonly #suppress: ReadonlySet<number> | null;

  /** rows   the draft of each row, -1 for a filler that no draft follows */
  constructor(
    readonly rows: readonly number[],
    readonly config: Pick<ModelConfig, "vocabSize" | "vision">,
    kind: SamplerKind,
    scope: Scope,
  ) {
    const n = rows.length, { vocabSize } = config;
    this.places = config.vision ? scope.host("int64", [n, 1]) : null;
    this.#ahead = new Int32Array(n);
    this.ids = scope.host("int64", [n, 1]);
    this.seqlens = scope.host("int32", [n]);
    this.total = scope.host("int32", [1]);
    this.drawn = scope.host("float32", [n]);
    this.plain = scope.host("float32", [n]);
    this.uniforms = scope.host("float32", [n, 1]);
    this.seen = kind.repetitionPenalty ? scope.host("bool", [n, vocabSize]) : null;
    const all = () => scope.host("float32", [n, vocabSize]);
    this.#filters = typeof kind.host === "object" ? kind.host : null;
    this.#host = {
      ...(kind.host ? { probabilities: all() } : {}),
      ...(this.#filters ? { scores: all() } : {}),
      ...(this.#filters && changesScores(kind) ? { plain_probabilities: all() } : {}),
    };
    this.#suppress = kind.host === true && kind.suppress ? new Set(kind.suppress) : null;
  }

  get vocabSize(): number {
    return this.config.vocabSize;
  }

  get size(): number {
    return this.rows.length;
  }

  /** The cache holds that many tokens of the row, minus the one about to be drawn; `next` is the position of that one. */
  setPrompt(row: number, prompt: ArrayLike<number>, next = prompt.length): void {
    (this.seqlens.data as Int32Array)[row] = prompt.length - 1;
    this.#ahead[row] = next - prompt.length;
    for (let i = 0; this.seen && i < prompt.length; i++) this.#markSeen(row, prompt[i]!);
  }

  #markSeen(row: number, id: number): void {
    (this.seen!.data as Uint8Array)[row * this.vocabSize + id] = 1;
  }

  /** Inputs of the sampler part of a graph. */
  samplerTensors(kind: SamplerKind, options: SampleOptions, scope: Scope): Record<string, Tensor> {
    const scalar = (value: number) => scope.host("float32", [1], Float32Array.of(value));
    return {
      ...(kind.greedy || kind.host ? {} : { uniforms: this.uniforms }),
      ...(kind.temperature && !kind.greedy ? { temperature: scalar(options.temperature) } : {}),
      ...(kind.topP ? { top_p: scalar(options.topP) } : {}),
      ...(kind.minP ? { min_p: scalar(options.minP) } : {}),
      ...(this.seen ? { repetition_penalty: scalar(options.repetitionPenalty), seen: this.seen } : {}),
    };
  }

  /** Outputs of the sampler part of a graph; the token is the next step's input. */
  outputs(): Record<string, Tensor> {
    if (this.#host.probabilities) return { ...this.#host };
    return { token: this.ids, drawn: this.drawn, plain: this.plain };
  }

  /** What the sampler part of a graph does otherwise: fills ids, drawn and plain. */
  #draw(): void {
    const { vocabSize } = this, probabilities = this.#host.probabilities!.data as Float32Array;
    const scores = this.#host.scores?.data as Float32Array | undefined;
    const plainly = (this.#host.plain_probabilities?.data ?? probabilities) as Float32Array;
    const ids = this.ids.data as BigInt64Array, uniforms = this.uniforms.data as Float32Array;
    const drawn = this.drawn.data as Float32Array, plain = this.plain.data as Float32Array;
    for (let i = 0; i < this.rows.length; i++) {
      const filters = this.#filters;
      if (filters) {
        drawRow(keepRow(scores!, probabilities, i, vocabSize, filters), 0, vocabSize, uniforms[i]!, null, DRAW);
        drawn[i] = DRAW.drawn / DRAW.total;
      } else {
        drawRow(probabilities, i, vocabSize, uniforms[i]!, this.#suppress, DRAW);
        drawn[i] = DRAW.drawn;
      }
      ids[i] = BigInt(DRAW.token);
      plain[i] = plainly[i * vocabSize + DRAW.token]!;
    }
  }

  fillUniforms(draw: (row: number, token: number) => number, token: number): void {
    const uniforms = this.uniforms.data as Float32Array;
    this.rows.forEach((row, i) => uniforms[i] = row < 0 ? 0 : Math.min(Math.fround(draw(row, token)), BELOW_ONE));
  }

  /** Adds the tokens just drawn to their drafts; returns how many rows go on. */
  collect(drafts: readonly Draft[], ends: ReadonlySet<number>): number {
    if (this.#host.probabilities) this.#draw();
    const ids = this.ids.data as BigInt64Array;
    const drawn = this.drawn.data as Float32Array, plain = this.plain.data as Float32Array;
    let going = 0;
    for (let i = 0; i < this.rows.length; i++) {
      const draft = drafts[this.rows[i]!];
      if (!draft || draft.ended) continue;
      const id = Number(ids[i]);
      draft.tokens.push(id);
      draft.samplerLogprobs.push(Math.log(drawn[i]!));
      draft.logprobs.push(Math.log(plain[i]!));
      if (this.seen) this.#markSeen(i, id);
      draft.ended = ends.has(id);
      if (!draft.ended) going++;
    }
    return going;
  }

  /** Makes room for the next token of rows that go on; the others write over their last place. */
  advance(drafts: readonly Draft[]): void {
    const seqlens = this.seqlens.data as Int32Array;
    let most = 0;
    for (let i = 0; i < this.rows.length; i++) {
      const draft = drafts[this.rows[i]!];
      if (draft && !draft.ended) seqlens[i]!++;
      most = Math.max(most, seqlens[i]!);
      if (this.places) (this.places.data as BigInt64Array)[i] = BigInt(seqlens[i]! + this.#ahead[i]!);
    }
    (this.total.data as Int32Array)[0] = most + 1;
  }

  /** Which rows to keep when those that go on fit half the batch: padded to a power of two by the first of them. */
  halved(drafts: readonly Draft[], going: number, least = 1): { source: readonly number[]; kept: number } | null {
    const size = Math.max(least, 2 ** Math.ceil(Math.log2(going)));
    if (size > this.size / 2) return null;
    const kept = this.rows.flatMap((row, i) => (row >= 0 && !drafts[row]!.ended ? [i] : []));
    return { source: Array.from({ length: size }, (_, i) => kept[i] ?? kept[0]!), kept: kept.length };
  }

  /** The batch of the rows `source`; those past `kept` become fillers. */
  select({ source, kept }: { source: readonly number[]; kept: number }, kind: SamplerKind, scope: Scope): Batch {
    const to = new Batch(source.map((row, i) => (i < kept ? this.rows[row]! : -1)), this.config, kind, scope);
    const v = this.vocabSize;
    source.forEach((row, i) => {
      (to.ids.data as BigInt64Array)[i] = (this.ids.data as BigInt64Array)[row]!;
      (to.seqlens.data as Int32Array)[i] = (this.seqlens.data as Int32Array)[row]!;
      to.#ahead[i] = this.#ahead[row]!;
      if (to.seen) {
        (to.seen.data as Uint8Array).set((this.seen!.data as Uint8Array).subarray(row * v, (row + 1) * v), i * v);
      }
    });
    return to;
  }
}
