/** Runs the decoding graphs of a model over its KV cache: prefill, first token, moving rows, one step. @module */
import { decodeGraph, moveRowsGraph, prefillGraph, sampleGraph } from "./decode_graph.ts";
import { KvCache } from "./kv_cache.ts";
import { promptImages } from "./prompt_images.ts";
import { type GraphOptions, graphOptions, type Model, modelInputs, parameterCount } from "../models/model.ts";
import { padIds, type Rows } from "../models/padding.ts";
import { longFrom } from "../models/rope.ts";
import { RopeTensors } from "../models/rope_tensors.ts";
import { flatRowsOf } from "../weights/graph_weights.ts";
import { SessionCache } from "../ort/session_cache.ts";
import type { Graph } from "../onnx/graph.ts";
import { encodeModel, neededInitializers } from "../onnx/proto.ts";
import type { BoundRun, Session, SharedInitializers, Tensor } from "../ort/runtime.ts";
import type { Batch } from "./batch.ts";
import type { SampleOptions } from "./options.ts";
import { graphKey, type SamplerKind } from "./pick.ts";
import type { Scope } from "./scope.ts";

/** Above this many multiply-adds per step a run leaves the event loop free instead; the call costs some 50 µs more. */
const NONBLOCKING = 1e8;
/**
 * Rows from which W·xᵀ takes less time than x·Wᵀ, for which the kernel packs all of W: measured on 2 cores, 1.8 times as
 * fast at 16 rows, and at 8 only where W comes from memory.
 */
const WIDE_ROWS = 16, WIDE_ROWS_OF_LARGE = 4;

/** Whether a step computes its products so; never where rows must have the same bits in any batch. */
function isWide(rows: number, least: number, parameters: number): boolean {
  return least === 1 && rows >= (parameters > NONBLOCKING ? WIDE_ROWS_OF_LARGE : WIDE_ROWS);
}
const SESSIONS = 12; // Sessions kept: prefills of several lengths, samplers of several kinds.

/**
 * Prompts beyond WHOLE tokens are read one by one in parts: GroupQueryAttention holds the scores of all heads at once,
 * [B, H, T, S], which of 8,192 tokens of 14 heads would be 3.8 GB. Lengths beyond it are multiples of PART (`bucketLength`).
 */
export const WHOLE = 1024, PART = 256;

interface Part {
  readonly rows: Rows;
  readonly tokens: number;
  readonly before: number;
  readonly logits: Tensor;
  /** Of a model with a tower what the prompt graph reads of these tokens. */
  readonly images: Readonly<Record<string, Tensor>>;
  readonly cache: ReturnType<KvCache["tensors"]>;
}

export class Decoder {
  readonly #sessions = new SessionCache<Session>(SESSIONS);
  readonly #weights: Readonly<Record<string, Tensor>>;
  readonly #rope: RopeTensors;
  readonly #options: GraphOptions;
  readonly #cache: KvCache;
  #constants: SharedInitializers | null = null;
  #positions: number | null = null;

  constructor(readonly model: Model) {
    const { config, weights } = model;
    this.#weights = modelInputs(model);
    this.#rope = new RopeTensors(weights.runtime, config);
    this.#cache = new KvCache(weights.runtime, config);
    this.#options = graphOptions(model);
  }

  #session(name: string, graph: () => Graph): Promise<Session> {
    return this.#sessions.get(
      name,
      () => {
        const made = graph(), { runtime } = this.model.weights, initializers = this.#constantsOf(made);
        const trim = name.startsWith("prefill");
        return runtime.session(encodeModel(made), { name, optimization: "basic", initializers, trim });
      },
    );
  }

  /** What a session is given as constants, those that it reads; all sessions share what kernels make of these. */
  #constantsOf(graph: Graph): SharedInitializers | undefined {
    const names = neededInitializers(graph).map(({ name }) => name);
    if (names.length === 0) return undefined;
    const tensors = Object.fromEntries(names.map((name) => {
      const of = flatRowsOf(name), matrix = this.#weights[of ?? name]!, { shape: [rows], size } = matrix;
      return [name, of === null ? matrix : matrix.view([rows!, size / rows!])];
    }));
    return this.#constants ??= this.model.weights.runtime.shareInitializers(tensors);
  }

  /**
   * From here on rows may have so many tokens, those to come among them: training of what they become must be told the
   * same (`Sequences.positions`), where the model has other frequencies for long rows. The cache's
   * capacity where nothing is said.
   */
  reach(positions: number): void {
    this.#positions = positions;
  }

  /** What lasts of a session's inputs: parameters that are no constants of it, rotary tables. */
  #lasting(session: Session): Record<string, Tensor> {
    const { capacity } = this.#cache, asked = new Set(session.inputs);
    const isLong = (this.#positions ?? capacity) > longFrom(this.model.config);
    return {
      ...Object.fromEntries(Object.entries(this.#weights).filter(([name]) => asked.has(name))),
      ...Object.fromEntries(
        Object.entries(this.#rope.get(capacity, isLong).tensors).filter(([name]) => asked.has(name)),
      ),
    };
  }

  /**
   * Fills the cache with prompts, padded to `tokens`; it then has room for `rows` rows of `capacity` tokens.
   * Returns logits float32 [prompts, V] after each prompt.
   */
  async prefill(prompts: Rows, tokens: number, capacity: number, rows: number, scope: Scope): Promise<Tensor> {
    const { config, weights: { runtime } } = this.model, count = prompts.length;
    this.#cache.begin(count, capacity, rows);
    const logits = scope.own(runtime.tensor("float32", [count, config.vocabSize]));
    const images = await promptImages(this.model, prompts, scope);
    const read = (part: Omit<Part, "images">, from: number) =>
      this.#read({ ...part, images: images?.inputs(part.rows.length, from, part.before, part.tokens) ?? {} }, scope);
    if (tokens <= WHOLE) {
      await read({ rows: prompts, tokens, before: 0, logits, cache: this.#cache.tensors(scope) }, 0);
      return logits;
    }
    for (const [row, prompt] of prompts.entries()) {
      const own = scope.own(logits.view([1, config.vocabSize], row * config.vocabSize)), ids = Array.from(prompt);
      const cache = this.#cache.row(row, scope);
      for (let before = 0; before < ids.length; before += PART) {
        await read({ rows: [ids.slice(before, before + PART)], tokens: PART, before, logits: own, cache }, row);
      }
    }
    return logits;
  }

  /** Reads tokens into the cache, behind the `before` that are there of each row. */
  async #read({ rows, tokens, before, logits, images, cache }: Part, scope: Scope): Promise<void> {
    const ids = scope.host("int64", [rows.length, tokens]), count = [rows.length];
    padIds(ids.data as BigInt64Array, rows, tokens, "right");
    const last = scope.host("int64", count, BigInt64Array.from(rows, ({ length }) => BigInt(length - 1)));
    // Padding is read too, after every token of its row: nothing sees it, and what it leaves is written over.
    const seqlens = scope.host("int32", count, new Int32Array(rows.length).fill(before + tokens - 1));
    const total = scope.host("int32", [1], Int32Array.of(before + tokens));
    const session = await this.#session(`prefill ${tokens}`, () => prefillGraph(this.#options, tokens));
    const inputs = { ...this.#lasting(session), ids, last, seqlens, total, ...images, ...cache.past };
    await scope.own(session.bind(inputs, { logits, ...cache.present }, { nonblocking: true })).run();
  }

  /** Row i of the cache becomes what row source[i] was. */
  async moveRows(source: readonly number[], scope: Scope): Promise<void> {
    const session = await this.#session("move_rows", () => moveRowsGraph(this.#options));
    const rows = scope.host("int64", [source.length], BigInt64Array.from(source, BigInt));
    const { past } = this.#cache.tensors(scope);
    this.#cache.turn(source.length);
    await scope.own(session.bind({ rows, ...past }, this.#cache.tensors(scope).present)).run();
  }

  /** Draws the first token of each row of the batch from the logits of prompt source[row]. */
  async firstToken(
    logits: Tensor,
    source: readonly number[],
    batch: Batch,
    kind: SamplerKind,
    options: SampleOptions,
    scope: Scope,
  ): Promise<void> {
    const session = await this.#session(`sample ${graphKey(kind)}`, () => sampleGraph(this.#options, kind));
    const rows = scope.host("int64", [source.length], BigInt64Array.from(source, BigInt));
    const inputs = { logits, rows, ...batch.samplerTensors(kind, options, scope) };
    await scope.own(session.bind(inputs, batch.outputs())).run();
  }

  /** The step that reads the batch's last tokens and draws the next. */
  async step(batch: Batch, kind: SamplerKind, options: SampleOptions, scope: Scope): Promise<BoundRun> {
    const least = options.leastRows ?? 1;
    const wide = isWide(batch.size, least, parameterCount(this.model)), name = wide ? "decode many" : "decode";
    const session = await this.#session(
      `${name} ${graphKey(kind)}`,
      () => decodeGraph(this.#options, kind, wide),
    );
    const { past, present } = this.#cache.tensors(scope);
    const { ids, seqlens, total, places } = batch;
    const inputs = { ...this.#lasting(session), ids, seqlens, total, ...(places ? { places } : {}), ...past };
    return scope.own(session.bind(
      { ...inputs, ...batch.samplerTensors(kind, options, scope) },
      { ...batch.outputs(), ...present },
      { nonblocking: batch.size * parameterCount(this.model) > NONBLOCKING },
    ));
  }

  /** Gives the cache's memory back; the next prefill takes it anew. */
  forget(): void {
    this.#cache.release();
  }

  release(): void {
    this.#sessions.release();
    this.#constants?.release();
    this.#cache.release();
    Object.values(this.#weights).forEach((view) => view.release());
  }
}
