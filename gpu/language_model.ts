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
import type { ModelConfig } from "./models/config.ts";
import type { Rows } from "./models/padding.ts";
import { type Adapted, type KeepDraws, parameterCount } from "./models/model.ts";
import { ImageEncoder } from "./models/vision/image_encoder.ts";
import { parameterLayout } from "./models/parameters.ts";
import type { AdamW } from "./optimizers/adamw.ts";
import { momentBytes, type OptimizerStateKind } from "./optimizers/moments.ts";
import { Optimizer, type ParameterNorms, type UpdateResult } from "./optimizers/optimizer.ts";
import type { Runtime } from "./ort/runtime.ts";
import { type Completion, type SampleOptions, Sampler } from "./sampling/sampler.ts";
import { BatchPasses, type LogprobsOptions, type TokenLogprobs, type TrainResult } from "./training/batch_passes.ts";
import type { Sequences, TrainBatch, TrainSettings } from "./training/train_batch.ts";
import type { NonFiniteValue } from "./training/watch.ts";
import { adapterOf, type AdapterPlan, readOf } from "./weights/adapter.ts";
import type { Bits } from "./weights/quantized.ts";
import { RoundedCopy } from "./weights/rounded_copy.ts";
import { type Trainable, Weights } from "./weights/weights.ts";

export type { TrainResult } from "./training/batch_passes.ts";
export type { PassLimits, Sequences, TrainBatch, TrainSettings } from "./training/train_batch.ts";

export class LanguageModel {
  /** What may train: all parameters, or with an adapter those of the adapter alone. */
  readonly weights: Weights;
  /** The adapter, with the frozen base beneath it; null where the model's own parameters train. */
  readonly adapted: Adapted | null;
  /** Reads images, where the model has a tower. */
  readonly images: ImageEncoder | null;
  readonly #passes: BatchPasses;
  #trainable: Trainable;
  #optimizer: Optimizer | null = null;
  #optimizerState: OptimizerStateKind = "float32";
  #sampler: Sampler | null = null;
  #isSampling = false;
  /** What is sampled from, where that is a rounded copy. */
  #rounded: RoundedCopy | null = null;
  /** Loss of the gradient so far; null = the next accumulateGradient starts a new one. */
  #loss: number | null = null;

  private constructor(
    readonly runtime: Runtime,
    readonly config: ModelConfig,
    /** Numbers that this model holds, and lets go of when it is released. */
    { weights, adapted = null }: { readonly weights: Weights; readonly adapted?: Adapted | null },
  ) {
    this.weights = weights;
    this.adapted = adapted;
    this.images = config.vision ? new ImageEncoder(this, () => this.#trainable.names) : null;
    this.#passes = new BatchPasses(this);
    this.#trainable = this.weights.trainable();
  }

  /** A model with all weights 0: fill `weights` before use. With `bits` its matrices are rounded, and cannot train. */
  static create(runtime: Runtime, config: ModelConfig, bits: Bits | null = null): LanguageModel {
    return new LanguageModel(runtime, config, { weights: new Weights(runtime, parameterLayout(config), bits) });
  }

  /**
   * The same model with a low-rank adapter, whose numbers are 0: fill `weights` before use. The base is shared: it stays
   * `model`'s parameters, whose numbers the new model frees in its place. `keep` is asked what dropout keeps.
   */
  static adapt(model: LanguageModel, plan: AdapterPlan, keep: KeepDraws | null): LanguageModel {
    const { runtime, config, weights: base } = model, adapter = adapterOf(base.layout, plan);
    return new LanguageModel(runtime, config, {
      weights: new Weights(runtime, adapter.layout),
      adapted: { adapter, base, keep },
    });
  }

  /**
   * A model with a scalar head and an adapter of its own upon the base of another, which stays the other's too: one
   * array in memory, freed with the last of them. `plan` trains the head whole; numbers are 0 as in `adapt`.
   */
  static beside(model: LanguageModel, plan: AdapterPlan, keep: KeepDraws | null): LanguageModel {
    const { runtime } = model, base = model.adapted?.base ?? model.weights;
    const config = { ...model.config, head: "scalar" } as const, whole = parameterLayout(config);
    const read = readOf(base.layout, whole), names = new Set(read.packed.map(({ name }) => name));
    const adapter = adapterOf(read, plan, whole.packed.filter(({ name }) => !names.has(name)));
    return new LanguageModel(runtime, config, {
      weights: new Weights(runtime, adapter.layout),
      adapted: { adapter, base: base.hold(), keep },
    });
  }

  /** A frozen twin with its own copy of the weights: the reference policy. Of an adapter, upon the same base. */
  copy(): LanguageModel {
    const { runtime, config, adapted } = this, weights = new Weights(runtime, this.weights.layout);
    weights.copyFrom(this.weights);
    adapted?.base.hold();
    return new LanguageModel(runtime, config, { weights, adapted });
  }

  /** The model without its adapter: the very numbers of its base. */
  withoutAdapter(): LanguageModel {
    const { runtime, config, adapted } = this;
    if (!adapted) throw new TypeError("Cannot switch the adapter off: the model has none");
    return new LanguageModel(runtime, config, { weights: adapted.base.hold() });
  }

  /** All parameters, those of an adapter among them. */
  get parameters(): number {
    return parameterCount(this);
  }

  get trainable(): Trainable {
    return this.#trainable;
  }
  /** It will train: a memory budget keeps room for its gradient and moments from now on. */
  willTrain(): void {
    const { size, count } = this.weights.layout;
    this.runtime.budget?.hold(this, () => 4 * size + momentBytes(this.#optimizerState, count));
  }

  /** Chooses what trains by patterns of checkpoint names (`*`); before the first update. Forgets moments. */
  setTrainable(patterns: readonly string[]): void {
    this.#trainable = this.weights.trainable(patterns);
    this.#optimizer?.release();
    this.#optimizer = null;
    this.#passes.release();
    this.#loss = null;
  }

  /** Log-probs of each completion, nats per token, and the statistics that are asked for. */
  async logprobs(
    sequences: Sequences,
    options: LogprobsOptions = {},
  ): Promise<TokenLogprobs> {
    this.#require("lm", "compute log-probs");
    return await this.#passes.logprobs(sequences, options);
  }

  /** The value before each completion token, in units of the reward; of a model with a scalar head. */
  async values(sequences: Sequences, options: { readonly promptsPerPass?: number } = {}): Promise<Float32Array[]> {
    this.#require("scalar", "compute values");
    return await this.#passes.values(sequences, options.promptsPerPass);
  }

  #require(head: ModelConfig["head"], what: string): void {
    if (this.config.head === head) return;
    throw new TypeError(`Cannot ${what}: the model's head is "${this.config.head}", want "${head}"`);
  }

  /**
   * Loss of a batch and its gradient, added to what `accumulateGradient` computed since the last `applyUpdate`.
   * Throws a RangeError where a list is missing or lengths do not fit.
   */
  async accumulateGradient(batch: TrainBatch, settings: TrainSettings): Promise<TrainResult> {
    this.willTrain();
    const result = await this.#passes.gradient(batch, settings, this.#trainable, this.#loss !== null);
    this.#loss = (this.#loss ?? 0) + result.loss;
    return result;
  }

  /** Where a batch's pass first has a value that is not finite, or null; weights, gradient and loss so far stay. */
  async locateNonFinite(batch: TrainBatch, settings: TrainSettings): Promise<NonFiniteValue | null> {
    return await this.#passes.locateNonFinite(batch, settings, this.#trainable);
  }

  /** Clips the gradient and applies AdamW in place; without effect (`applied: false`) where loss or norm is not finite. */
  async applyUpdate(adamw: AdamW, decay: "matrices" | "all" = "matrices"): Promise<UpdateResult> {
    if (this.#loss === null) {
      throw new RangeError("Cannot apply an update: no gradient was computed; call accumulateGradient first");
    }
    // Within a budget, the update, a checkpoint and the rollout that follows get what the passes took.
    if (this.runtime.budget !== null) this.runtime.trim();
    const result = await (await this.optimizer()).apply(adamw, this.#loss, decay);
    this.#loss = null;
    if (result.applied) {
      this.weights.changed();
      this.images?.updated();
    }
    return result;
  }

  /** Norms of every parameter, its gradient and its last change; before the next accumulateGradient. */
  async parameterNorms(applied = true): Promise<ParameterNorms[]> {
    return await (await this.optimizer()).parameterNorms(applied);
  }

  /** The optimizer with its moments, made when first asked for. */
  async optimizer(): Promise<Optimizer> {
    return this.#optimizer ??= await Optimizer.create(this.weights, this.#trainable, this.#optimizerState);
  }

  get optimizerState(): OptimizerStateKind {
    return this.#optimizerState;
  }
  /** How moments are stored; in another way than before forgets them. */
  setOptimizerState(kind: OptimizerStateKind): void {
    if (kind === this.#optimizerState) return;
    this.#optimizerState = kind;
    this.#optimizer?.release();
    this.#optimizer = null;
  }

  /** Samples `group` completions per prompt; see `Sampler.sample`. One call at a time: a model has one cache. */
  async sample(prompts: Rows, group: number, options: SampleOptions): Promise<Completion[]> {
    this.#require("lm", "sample");
    if (this.#isSampling) {
      throw new RangeError("Cannot sample: this model is sampling already, want one call at a time; await the first");
    }
    this.#isSampling = true;
    try {
      const sampler = await this.#samplerNow();
      return await sampler.sample(prompts, group, options);
    } finally {
      this.#isSampling = false;
    }
  }

  /**
   * From now on samples are drawn from a copy whose matrices have so many bits, made anew when the weights have changed.
   * Throws a TypeError beneath an adapter, whose base is what would be rounded.
   */
  roundForSampling(bits: Bits): void {
    if (this.adapted) throw new TypeError("Cannot round a copy for sampling: the model has an adapter; round its base");
    this.#rounded = new RoundedCopy(this.weights, bits);
  }

  /** The bits of the copy that is sampled from; null where samples are drawn from the weights themselves. */
  get samplingBits(): Bits | null {
    return this.#rounded?.bits ?? null;
  }

  async #samplerNow(): Promise<Sampler> {
    const copy = this.#rounded;
    if (copy === null) return this.#sampler ??= new Sampler(this);
    if (copy.stale) {
      // Its sessions hold what kernels made of the numbers before.
      this.#sampler?.release();
      this.#sampler = null;
      await copy.refresh();
    }
    return this.#sampler ??= new Sampler({
      config: this.config,
      weights: copy.weights,
      adapted: null,
      images: this.images,
    });
  }

  /** Frees sessions and memory. */
  release(): void {
    this.#passes.release();
    this.images?.release();
    this.#optimizer?.release();
    this.#sampler?.release();
    this.#rounded?.release();
    this.runtime.budget?.letGo(this);
    this.weights.release();
    this.adapted?.base.release();
  }
}
