/**
 * Computes what a model makes of images, each by itself, and keeps what does not change: an image that stands in several
 * prompts, groups or train steps is computed once while what computes it is frozen.
 *
 * One image per run: its numbers do not depend on which images came with it, so a resumed run has the same.
 * @module
 */
import { encodeModel } from "../../onnx/proto.ts";
import { SessionCache } from "../../ort/session_cache.ts";
import type { BoundRun, Tensor } from "../../ort/runtime.ts";
import { graphOptions, type Model, modelInputs } from "../model.ts";
import { type Rows } from "../padding.ts";
import type { VisionConfig } from "../vision_config.ts";
import { type BatchImages, fillPatchPlaces, imageShape } from "./image_batch.ts";
import { type ImageInput, uniqueImages } from "./image_input.ts";
import { encoderGraph, type EncoderPart, encodingBytes } from "./encoder_graph.ts";
import { stageOf } from "./image_stage.ts";
import { keptBytes, KeptRows } from "./kept_rows.ts";
import type { ImageStage } from "./tower.ts";

const SESSIONS = 8; // Image sizes times two graphs.

/** One graph for images of so many patches. */
interface ImageRun {
  readonly inputs: Readonly<Record<string, Tensor>>;
  readonly output: Tensor;
  readonly run: BoundRun;
  release(): void;
}

export class ImageEncoder {
  readonly #runs = new SessionCache<ImageRun>(SESSIONS);
  readonly #states: KeptRows;
  readonly #features: KeptRows;
  #weights: Readonly<Record<string, Tensor>> | null = null;
  /** Versions of the weights that what is kept was computed with. */
  #version = "";

  constructor(
    readonly model: Pick<Model, "config" | "weights" | "adapted">,
    private readonly names: () => Iterable<string>,
  ) {
    const { budget } = model.weights.runtime, most = keptBytes(budget?.bytes ?? null);
    [this.#states, this.#features] = [new KeptRows(most), new KeptRows(most)];
    // All of it from the beginning: what a pass gets of a budget does not depend on which images were seen before.
    budget?.hold(this, () => 2 * most);
  }

  get #vision(): VisionConfig {
    return this.model.config.vision!;
  }

  /** How far images are computed before a graph that trains: up to the first part that does. */
  get stage(): ImageStage {
    return stageOf(this.names());
  }

  /** The images of these prompts for a graph that reads them at `stage`. */
  async batch(prompts: Rows, stage: ImageStage): Promise<BatchImages> {
    this.#forgetStale(); // Before an update, which takes what it finds for computed with the weights before it.
    const shape = imageShape(prompts, this.#vision, stage), images = uniqueImages(prompts);
    const rows = [];
    for (const image of images) rows.push(await this.rows(image, shape.stage));
    return { shape, images, rows };
  }

  /** The numbers of one image: its patches, the tower's states of them, or its features. */
  async rows(image: ImageInput, stage: ImageStage): Promise<Float32Array> {
    if (stage === "patches") return await patchesOf(image, this.#vision);
    this.#forgetStale();
    if (stage === "states") return await this.#states.get(image.id, () => this.#compute(image, "tower"));
    return await this.#features.get(image.id, () => this.#compute(image, "merger"));
  }

  /** To be called after an update: what it has changed is no longer kept, what is frozen stays. */
  updated(): void {
    const { stage } = this;
    if (stage !== "features") this.#features.clear();
    if (stage === "patches") this.#states.clear();
    this.#version = this.#versions();
  }

  #versions(): string {
    const { weights, adapted } = this.model;
    return `${weights.version} ${adapted?.base.version}`;
  }

  /** Weights that changed otherwise, as by a checkpoint. */
  #forgetStale(): void {
    const version = this.#versions();
    if (version === this.#version) return;
    this.#version = version;
    this.#states.clear();
    this.#features.clear();
  }

  async #compute(image: ImageInput, part: EncoderPart): Promise<Float32Array> {
    const read = part === "tower" ? "patches" : "states", numbers = await this.rows(image, read);
    const patches = image.grid.h * image.grid.w;
    const { inputs, output, run } = await this.#runs.get(`${part} ${patches}`, () => this.#open(part, patches));
    (inputs[`image_${read}`]!.data as Float32Array).set(numbers);
    if (part === "tower") fillPatchPlaces(inputs, [image], patches, this.#vision);
    await run.run();
    return (output.data as Float32Array).slice();
  }

  async #open(part: EncoderPart, patches: number): Promise<ImageRun> {
    const { config, weights: { runtime } } = this.model, vision = this.#vision;
    this.#requireRoom(patches);
    const graph = encoderGraph(graphOptions(this.model), part, patches, vision);
    const session = await runtime.session(encodeModel(graph), {
      name: `vision ${part}`,
      optimization: "none",
      trim: true,
    });
    const known = this.#weights ??= modelInputs(this.model), own: Tensor[] = [];
    const host = (dims: readonly number[]) => {
      const tensor = runtime.tensor("float32", dims, undefined, { place: "host" });
      own.push(tensor);
      return tensor;
    };
    const inputs = Object.fromEntries(graph.inputs.map(({ name, dims }) => [name, known[name] ?? host(dims)]));
    const output = host(
      part === "tower" ? [patches, vision.embedDim] : [patches / vision.mergeSize ** 2, config.hiddenSize],
    );
    const run = session.bind(inputs, { image_rows: output }, { nonblocking: true });
    const release = () => {
      run.release();
      session.release();
      own.forEach((tensor) => tensor.release());
    };
    return { inputs, output, run, release };
  }

  /** Throws a RangeError where computing an image of so many patches is beyond the memory budget. */
  #requireRoom(patches: number): void {
    const { config, weights: { runtime: { budget } } } = this.model;
    const needed = budget === null ? 0 : encodingBytes(config, patches);
    if (budget === null || needed <= budget.free) return;
    const mb = (bytes: number) => `${Math.ceil(bytes / 1e6)} MB`;
    throw new RangeError(
      `Cannot read an image of ${patches} patches within memory of ${mb(budget.bytes)}: it takes ${
        mb(needed)
      } and the ` +
        `models leave ${mb(Math.max(budget.free, 0))}, want memory of ${
          mb(budget.wantedFor(needed))
        } at least; lower ` +
        "max_pixels of load_model, or allow more memory",
    );
  }

  /** Frees sessions; what is kept goes with the encoder. */
  release(): void {
    this.model.weights.runtime.budget?.letGo(this);
    this.#runs.release();
    Object.values(this.#weights ?? {}).forEach((view) => view.release());
    this.#weights = null;
  }
}

async function patchesOf(image: ImageInput, vision: VisionConfig): Promise<Float32Array> {
  const { channels, temporalPatchSize, patchSize } = vision, width = channels * temporalPatchSize * patchSize ** 2;
  const { h, w } = image.grid, patches = await image.patches();
  if (h % vision.mergeSize === 0 && w % vision.mergeSize === 0 && patches.length === h * w * width) return patches;
  throw new RangeError(
    `Cannot read image ${image.id}: a grid of ${h} by ${w} patches with ${patches.length} numbers, want multiples of ` +
      `${vision.mergeSize} with ${width} numbers a patch; look at patch_size and merge_size of preprocessor_config.json`,
  );
}
