/**
 * A language model that can be read, trained and sampled from: what the steps see of gpu/.
 *
 * Rows are unpadded lists; padding to repeating sizes, sessions per size and micro-batches are inside.
 *
 *     const model = LanguageModel.create(runtime, modelConfig(json));
 *     model.weights.fromHuggingFace(tensors);                       // or weights.initialize(normals)
 *     const completions = await model.sample(prompts, 8, options);
 *     const { loss } = await model.accumulateGradient(batch, settings);   // the first call writes, further calls add
 *     const { applied } = await model.applyUpdate(adamw);           // the next accumulateGradient starts a new gradient
 * @module
 */
import { type Aggregation, type AggregationTotals, tokenCoefficients } from "./losses/aggregations.ts";
import type { Loss } from "./losses/objectives.ts";
import type { AdamW } from "./optimizers/adamw.ts";
import { Optimizer, type OptimizerState, type ParameterNorms, type UpdateResult } from "./optimizers/optimizer.ts";
import { type Completion, type SampleOptions, Sampler } from "./sampling/sampler.ts";
import type { Runtime } from "./session.ts";
import { type Trainable, Weights } from "./weights/weights.ts";
import type { ModelConfig } from "./models/config.ts";
import type { BatchShape } from "./models/forward.ts";
import { bucketLength, longest, type Rows, unpad } from "./models/padding.ts";
import { fillFloats, fillTokens, logprobsPass, type Pass, trainPass } from "./training/passes.ts";
import { RopeTensors } from "./models/rope_tensors.ts";
import { SessionCache } from "./ort/session_cache.ts";
import { type Sequences, slicesOf, tokenRows, type TrainBatch } from "./training/train_batch.ts";
import { nonFiniteInput, type NonFiniteValue, nonFiniteWeight, watchBatch } from "./training/watch.ts";

export type { Sequences, TrainBatch } from "./training/train_batch.ts";

export interface TrainSettings {
  readonly loss: Loss;
  readonly aggregation: Aggregation;
  /** Counts of the whole update, where this batch is only a part of it. */
  readonly totals?: Partial<AggregationTotals>;
  /** Logits are divided by it, as when sampling. */
  readonly temperature: number;
  /** Prompts (with their groups) per run of the graph: bounds memory, changes nothing else. All where absent. */
  readonly promptsPerPass?: number;
}

/**
 * Means are over tokens that count, those of the ratio over completions where it is one per completion (TRL
 * `clip_ratio/region_mean`); null where the loss has no such thing.
 */
export interface TrainResult {
  readonly loss: number;
  /** Tokens that count. */
  readonly tokens: number;
  /** Nats per token of each completion, as the graph computed them. */
  readonly logprobs: Float32Array[];
  readonly clipFraction: number | null;
  /** Null also where no token counts. */
  readonly ratioMean: number | null;
  /** Nats per token, by the loss's estimator. */
  readonly kl: number | null;
  /** Nats per token at the given temperature. */
  readonly entropy: number;
}

export class LanguageModel {
  readonly weights: Weights;
  readonly #passes = new SessionCache<Pass>(16);
  readonly #rope: RopeTensors;
  #trainable: Trainable;
  #optimizer: Optimizer | null = null;
  #sampler: Sampler | null = null;
  /** Loss of the gradient so far; null = the next accumulateGradient starts a new one. */
  #loss: number | null = null;

  private constructor(readonly runtime: Runtime, readonly config: ModelConfig) {
    this.weights = new Weights(runtime, config);
    this.#rope = new RopeTensors(runtime, config);
    this.#trainable = this.weights.trainable();
  }

  /** A model with all weights 0: fill `weights` before use. */
  static create(runtime: Runtime, config: ModelConfig): LanguageModel {
    return new LanguageModel(runtime, config);
  }

  /** A frozen twin with its own copy of the weights: the reference policy. */
  copy(): LanguageModel {
    const twin = new LanguageModel(this.runtime, this.config);
    twin.weights.copyFrom(this.weights);
    return twin;
  }

  get trainable(): Trainable {
    return this.#trainable;
  }
  /** Chooses what trains by patterns of checkpoint names (`*`); before the first update. Forgets moments. */
  setTrainable(patterns: readonly string[]): void {
    this.#trainable = this.weights.trainable(patterns);
    this.#optimizer?.release();
    this.#optimizer = null;
    this.#passes.release();
    this.#loss = null;
  }

  /** Nats per token of each completion: log-probs, and entropy of the whole distribution. */
  async logprobs(
    sequences: Sequences,
    { temperature = 1, promptsPerPass = sequences.prompts.length } = {},
  ): Promise<{ logprobs: Float32Array[]; entropy: Float32Array[] }> {
    const result = { logprobs: [] as Float32Array[], entropy: [] as Float32Array[] };
    for (const part of slicesOf(sequences, promptsPerPass)) {
      const shape = this.#shape(part);
      const pass = await this.#passes.get(
        key("logprobs", shape, temperature),
        () => logprobsPass(this.weights, this.#rope, shape, temperature),
      );
      fillTokens(pass, part.prompts, part.completions, shape);
      await pass.run.run();
      const read = (name: string) =>
        unpad(pass.outputs[name]!.data as Float32Array, shape.completionTokens, part.completions);
      result.logprobs.push(...read("logprobs"));
      result.entropy.push(...read("entropy"));
    }
    return result;
  }

  /**
   * Loss of a batch and its gradient, added to what `accumulateGradient` computed since the last `applyUpdate`.
   * Throws a RangeError where a list is missing or lengths do not fit.
   */
  async accumulateGradient(batch: TrainBatch, settings: TrainSettings): Promise<TrainResult> {
    const { rows, tokens } = perTokenRows(batch, settings);
    const started = this.#loss !== null;
    try {
      return await this.#passesOf(batch, settings, rows, tokens);
    } catch (error) {
      if (!started) this.#loss = null; // a gradient of half a batch is none
      throw error;
    }
  }

  /**
   * The first value of a batch's forward and backward pass that is not finite, in the order of computation, or null.
   * Computes everything again with every value watched; weights, gradient and loss so far stay as they are.
   */
  async locateNonFinite(batch: TrainBatch, settings: TrainSettings): Promise<NonFiniteValue | null> {
    const weight = nonFiniteWeight(this.weights);
    if (weight !== null) return weight;
    const { rows } = perTokenRows(batch, settings);
    const input = nonFiniteInput(rows);
    if (input !== null) return input;
    for (const part of slicesOf(batch, settings.promptsPerPass ?? batch.prompts.length)) {
      const found = await watchBatch(
        this.weights,
        this.#rope,
        this.#trainable,
        this.#shape(part),
        settings,
        (pass, shape) => {
          fillTokens(pass, part.prompts, part.completions, shape);
          for (const [name, values] of Object.entries(rows)) {
            fillFloats(pass, name, values.slice(part.first, part.first + part.completions.length), shape);
          }
        },
      );
      if (found !== null) return found;
    }
    return null;
  }

  async #passesOf(
    batch: TrainBatch,
    settings: TrainSettings,
    all: Readonly<Record<string, Rows>>,
    tokens: number,
  ): Promise<TrainResult> {
    const { loss, temperature } = settings, logprobs: Float32Array[] = [], sums = [0, 0, 0, 0];
    let total = 0;
    for (const part of slicesOf(batch, settings.promptsPerPass ?? batch.prompts.length)) {
      const shape = this.#shape(part), accumulate = this.#loss !== null;
      const pass = await this.#passes.get(
        key("train", shape, temperature, loss, accumulate),
        () => trainPass(this.weights, this.#rope, this.#trainable, shape, { loss, temperature, accumulate }),
      );
      fillTokens(pass, part.prompts, part.completions, shape);
      for (const [name, values] of Object.entries(all)) {
        fillFloats(pass, name, values.slice(part.first, part.first + part.completions.length), shape);
      }
      await pass.run.run();
      const value = (pass.outputs.loss!.data as Float32Array)[0]!;
      total += value;
      this.#loss = (this.#loss ?? 0) + value;
      (pass.outputs.metrics!.data as Float32Array).forEach((sum, i) => sums[i]! += sum);
      logprobs.push(...unpad(pass.outputs.logprobs!.data as Float32Array, shape.completionTokens, part.completions));
    }
    const mean = (i: number, count = tokens) => sums[i]! / Math.max(count, 1);
    const ratios = loss.objective === "clipped" ? loss : null;
    const counted = ratios?.ratioLevel === "sequence" ? batch.completions.length : tokens;
    return {
      loss: total,
      tokens,
      logprobs,
      clipFraction: ratios ? mean(0, counted) : null,
      ratioMean: ratios && tokens > 0 ? mean(1, counted) : null,
      kl: ratios?.kl ? mean(2) : null,
      entropy: mean(3),
    };
  }

  /** Clips the gradient and applies AdamW in place; without effect (`applied: false`) where loss or norm is not finite. */
  async applyUpdate(adamw: AdamW, decay: "matrices" | "all" = "matrices"): Promise<UpdateResult> {
    if (this.#loss === null) {
      throw new RangeError("Cannot apply an update: no gradient was computed; call accumulateGradient first");
    }
    const result = await (await this.optimizer()).apply(adamw, this.#loss, decay);
    this.#loss = null;
    return result;
  }

  /** Norms of every parameter, its gradient and its last change; before the next accumulateGradient. */
  async parameterNorms(applied = true): Promise<ParameterNorms[]> {
    return await (await this.optimizer()).parameterNorms(applied);
  }

  /** The optimizer with its moments, made when first asked for. */
  async optimizer(): Promise<Optimizer> {
    return this.#optimizer ??= await Optimizer.create(this.weights, this.#trainable);
  }
  async saveOptimizer(): Promise<OptimizerState> {
    return (await this.optimizer()).save();
  }
  async restoreOptimizer(state: OptimizerState): Promise<void> {
    (await this.optimizer()).restore(state);
  }

  /** Samples `group` completions per prompt; see `Sampler.sample`. */
  async sample(prompts: Rows, group: number, options: SampleOptions): Promise<Completion[]> {
    this.#sampler ??= new Sampler(this.weights);
    return await this.#sampler.sample(prompts, group, options);
  }

  #shape({ prompts, group, completions }: Sequences): BatchShape {
    const tokens = longest(prompts) + longest(completions);
    if (tokens > this.config.maxPositions) {
      throw new RangeError(
        `Cannot read sequences of ${tokens} tokens: the model has ${this.config.maxPositions} positions`,
      );
    }
    return {
      prompts: prompts.length,
      group,
      promptTokens: bucketLength(longest(prompts)),
      completionTokens: Math.max(2, bucketLength(longest(completions))),
    };
  }

  /** Frees sessions and memory. */
  release(): void {
    this.#passes.release();
    this.#optimizer?.release();
    this.#sampler?.release();
    this.weights.release();
  }
}

/** The per-token inputs of the loss with the coefficients of the aggregation, and the number of tokens that count. */
function perTokenRows(batch: TrainBatch, { loss, aggregation, totals }: TrainSettings) {
  const rows = tokenRows(batch, loss), width = longest(batch.completions);
  const padded = new Float32Array(batch.completions.length * width);
  rows.completion_mask.forEach((row, r) => padded.set(row as ArrayLike<number>, r * width));
  const weights = tokenCoefficients(aggregation, padded, width, totals);
  const all: Readonly<Record<string, Rows>> = { ...rows, coefficients: unpad(weights, width, batch.completions) };
  return { rows: all, tokens: padded.reduce((a, b) => a + b, 0) };
}

function key(purpose: string, shape: BatchShape, temperature: number, ...more: unknown[]): string {
  const { prompts, group, promptTokens, completionTokens } = shape;
  return JSON.stringify([purpose, prompts, group, promptTokens, completionTokens, temperature, ...more]);
}
