/** Runs batches through the graphs of a model: log-probs, loss with its gradient, the first value that is not finite. @module */
import { objectiveOf } from "../losses/mod.ts";
import type { StatisticName } from "../losses/objective.ts";
import type { BatchShape } from "../models/forward.ts";
import type { Model } from "../models/model.ts";
import { bucketLength, longest, unpad } from "../models/padding.ts";
import { longFrom } from "../models/rope.ts";
import { type BatchImages, imageLoad, imageShape, loadShape } from "../models/vision/image_batch.ts";
import { imagesOf, NO_TOWER } from "../models/vision/image_input.ts";
import { RopeTensors } from "../models/rope_tensors.ts";
import { SessionCache } from "../ort/session_cache.ts";
import type { Trainable } from "../weights/weights.ts";
import { passLimit } from "./pass_limit.ts";
import { addMetrics, metricsOf } from "./loss_terms.ts";
import { fill, logprobsPass, type Pass, type Reading, trainGraphOptions, trainPass, valuesPass } from "./passes.ts";
import { fillDropout } from "./dropout.ts";
import {
  inputRows,
  longestRow,
  longestSequence,
  type PassLimits,
  type Sequences,
  type Slice,
  slicesOf,
  type TrainBatch,
  type TrainSettings,
} from "./train_batch.ts";
import { trainGraph } from "./train_graph.ts";
import { nonFiniteInput, type NonFiniteValue, nonFiniteWeight, watchBatch } from "./watch.ts";

export interface TrainResult {
  readonly loss: number;
  /** Tokens that count. */
  readonly tokens: number;
  /** Nats per token of each completion, as the graph computed them; none of a scalar head. */
  readonly logprobs: Float32Array[];
  /** The objective's metrics by name, null where its settings have no such thing, and entropy in nats per token. */
  readonly metrics: Readonly<Record<string, number | null>>;
}

/** How log-probs are taken. */
export interface LogprobsOptions extends PassLimits {
  readonly temperature?: number;
  /** What else is asked of each token. */
  readonly statistics?: readonly StatisticName[];
}

export interface TokenLogprobs {
  readonly logprobs: Float32Array[];
  readonly statistics: ReadonlyMap<StatisticName, Float32Array[]>;
}

/** Said of packed rows with images. */
const NOT_PACKED =
  "Cannot pack rows with images: a row holds several sequences, of which only the first has a prompt; leave packing out";

/** Passes kept per model, each a session and the tensors of one batch shape; fewer where memory is bounded. */
const PASSES = 16, PASSES_IN_BUDGET = 4;

export class BatchPasses {
  readonly #passes: SessionCache<Pass>;
  readonly #rope: RopeTensors;

  constructor(readonly model: Model) {
    this.#passes = new SessionCache(model.weights.runtime.budget === null ? PASSES : PASSES_IN_BUDGET);
    this.#rope = new RopeTensors(model.weights.runtime, model.config);
  }

  /** Log-probs of each completion, nats per token, and the `statistics` that are asked for. */
  async logprobs(
    sequences: Sequences,
    { temperature = 1, promptsPerPass, headBytes, statistics = [] }: LogprobsOptions = {},
  ): Promise<TokenLogprobs> {
    const rows = () => [] as Float32Array[];
    const result = { logprobs: rows(), statistics: new Map(statistics.map((name) => [name, rows()])) };
    const limit = this.#most(sequences, { promptsPerPass, headBytes }, "values");
    for (const slice of slicesOf(sequences, limit)) {
      const images = await this.#images(slice), shape = this.#shape(slice, images);
      const reading = { shape, temperature, headBytes };
      const pass = await this.#passes.get(
        key("logprobs", reading, statistics),
        () => logprobsPass(this.model, this.#tables(reading.shape), reading, statistics),
      );
      fill(pass, slice, this.model.config, { images });
      await pass.run.run();
      result.logprobs.push(...perCompletion(pass, "logprobs", slice));
      for (const [name, rows] of result.statistics) rows.push(...perCompletion(pass, `statistic.${name}`, slice));
    }
    return result;
  }

  /** The value before each completion token, by a scalar head. */
  async values(sequences: Sequences, promptsPerPass?: number): Promise<Float32Array[]> {
    const result: Float32Array[] = [], limit = this.#most(sequences, { promptsPerPass }, "values");
    for (const slice of slicesOf(sequences, limit)) {
      const images = await this.#images(slice), shape = this.#shape(slice, images);
      const pass = await this.#passes.get(
        key("values", { shape, temperature: 1 }),
        () => valuesPass(this.model, this.#tables(shape), shape),
      );
      fill(pass, slice, this.model.config, { images });
      await pass.run.run();
      result.push(...perCompletion(pass, "values", slice));
    }
    return result;
  }

  /** Loss of a batch and its gradient, which is written, or with `accumulate` added to what is there. */
  async gradient(
    batch: TrainBatch,
    settings: TrainSettings,
    trainable: Trainable,
    accumulate: boolean,
  ): Promise<TrainResult> {
    const { loss } = settings, { inputs, tokens } = inputRows(batch, settings);
    const limit = this.#limit(batch, settings);
    const sums: number[] = [], logprobs: Float32Array[] = [];
    let total = 0;
    for (const slice of slicesOf(batch, limit)) {
      const images = await this.#images(slice, true), reading = this.#reading(slice, settings, images);
      const add = accumulate || slice.first > 0;
      const pass = await this.#passes.get(
        key("train", reading, loss, add),
        () => trainPass(this.model, this.#tables(reading.shape), trainable, reading, { loss, accumulate: add }),
      );
      fill(pass, slice, this.model.config, { rows: inputs, images });
      this.#drop(pass, slice, settings, images);
      await pass.run.run();
      total += (pass.outputs.loss!.data as Float32Array)[0]!;
      addMetrics(loss, sums, pass.outputs.metrics!.data as Float32Array);
      if (pass.outputs.logprobs) logprobs.push(...perCompletion(pass, "logprobs", slice));
    }
    return { loss: total, tokens, logprobs, metrics: metricsOf(loss, sums, tokens, batch.completions.length) };
  }

  /**
   * The first value of a batch's forward and backward pass that is not finite, in the order of computation, or null.
   * Computes everything again with every value watched; weights and gradient stay as they are.
   */
  async locateNonFinite(
    batch: TrainBatch,
    settings: TrainSettings,
    trainable: Trainable,
  ): Promise<NonFiniteValue | null> {
    const weight = nonFiniteWeight(this.model);
    if (weight !== null) return weight;
    const { inputs } = inputRows(batch, settings), input = nonFiniteInput(inputs);
    if (input !== null) return input;
    for (const slice of slicesOf(batch, this.#limit(batch, settings))) {
      const images = await this.#images(slice, true);
      const reading = this.#reading(slice, settings, images), tables = this.#tables(reading.shape);
      const options = trainGraphOptions(this.model, tables, reading);
      const build = () => trainGraph(options, settings.loss, trainable.packed, { accumulate: false });
      const found = await watchBatch(build, this.model, tables, (pass) => {
        fill(pass, slice, this.model.config, { rows: inputs, images });
        this.#drop(pass, slice, settings, images);
      });
      if (found !== null) return found;
    }
    return null;
  }

  /** Prompts that a pass for the gradient reads at once. Throws a RangeError for a loss that cannot be cut so. */
  #limit(batch: TrainBatch, settings: TrainSettings): number {
    refuseCut(batch, settings);
    const limit = this.#most(batch, settings, "gradient");
    refuseCut(batch, { ...settings, promptsPerPass: limit }, "give more memory");
    return limit;
  }

  #most(sequences: Sequences, limits: PassLimits, reads: "gradient" | "values"): number {
    const { promptsPerPass = sequences.prompts.length } = limits;
    if (this.model.weights.runtime.budget === null) return promptsPerPass;
    slicesOf(sequences, promptsPerPass); // refuses what is no batch
    const { vision } = this.model.config, stage = reads === "gradient" ? this.model.images?.stage : undefined;
    const whole = vision && imageShape(sequences.prompts, vision, stage ?? "features");
    const load = whole && imageLoad(sequences.prompts, whole.stage);
    return passLimit(this.model, this.#shape(sequences), limits, reads, (prompts) => {
      if (whole === null || vision === null) return {};
      const own = load === null ? whole : loadShape(load, prompts, vision);
      return { images: { ...own, count: Math.min(own.count, whole.count) } };
    });
  }

  /** Says what an adapter with dropout leaves out of a training pass. */
  #drop({ inputs }: Pass, slice: Slice, { draws: key }: TrainSettings, images: BatchImages | null): void {
    fillDropout(inputs, slice, { keep: this.model.adapted?.keep ?? null, key, images });
  }

  #tables({ promptTokens, completionTokens, long }: BatchShape) {
    return this.#rope.get(promptTokens + completionTokens, long ?? false);
  }

  #reading(slice: Slice, { temperature, recompute, headBytes }: TrainSettings, images: BatchImages | null): Reading {
    return { shape: this.#shape(slice, images), temperature, recompute, headBytes };
  }

  /** The images of a slice: of a gradient from the first part on that trains. Throws where a model has no tower for them. */
  async #images({ prompts }: Slice, trains = false): Promise<BatchImages | null> {
    const { images = null } = this.model;
    if (images !== null) return await images.batch(prompts, trains ? images.stage : "features");
    if (prompts.some((prompt) => imagesOf(prompt).length > 0)) throw new TypeError(NO_TOWER);
    return null;
  }

  /** All slices of a batch have the same frequencies: those of its longest sequence, as in one pass over all of them. */
  #shape(sequences: Sequences, images: BatchImages | null = null): BatchShape {
    const { prompts, group, completions, segments, positions = 0 } = sequences;
    const { maxPositions } = this.model.config, tokens = longestRow(prompts, group, completions);
    if (tokens > maxPositions) {
      throw new RangeError(`Cannot read sequences of ${tokens} tokens: the model has ${maxPositions} positions`);
    }
    if (segments && images && images.images.length > 0) throw new TypeError(NOT_PACKED);
    return {
      prompts: prompts.length,
      group,
      promptTokens: bucketLength(longest(prompts)),
      completionTokens: Math.max(2, bucketLength(longest(completions))),
      ...(segments ? { packed: true } : {}),
      ...(images ? { images: images.shape } : {}),
      ...(Math.max(positions, longestSequence(sequences)) > longFrom(this.model.config) ? { long: true } : {}),
    };
  }

  /** Frees sessions and memory. */
  release(): void {
    this.#passes.release();
  }
}

/** Throws a RangeError where a loss that needs the whole batch at once would see parts of it. */
function refuseCut(
  { prompts }: TrainBatch,
  { loss, promptsPerPass = prompts.length }: TrainSettings,
  remedy = "leave prompts_per_pass out",
): void {
  if (promptsPerPass >= prompts.length || !objectiveOf(loss).wholeBatch?.(loss)) return;
  throw new RangeError(
    `Cannot compute the loss in passes of ${promptsPerPass} prompts: it needs all ${prompts.length} of the batch at once; ` +
      `${remedy}, or lower the batch size`,
  );
}

/** An output [B, Tc] without its padding. */
function perCompletion({ outputs }: Pass, name: string, { completions }: Sequences): Float32Array[] {
  const { data, shape } = outputs[name]!;
  return unpad(data as Float32Array, shape[1]!, completions);
}

function key(
  purpose: string,
  { shape, temperature, recompute = false, headBytes }: Reading,
  ...more: unknown[]
): string {
  const { prompts, group, promptTokens, completionTokens, packed = false, long = false, images = null } = shape;
  const sizes = [prompts, group, promptTokens, completionTokens, packed, long, images];
  return JSON.stringify([purpose, sizes, temperature, recompute, headBytes, ...more]);
}
