/** One session per batch shape and purpose, with the tensors that go in and out of it. @module */
import type { Loss } from "../losses/mod.ts";
import type { Graph, Value } from "../onnx/graph.ts";
import { encodeModel } from "../onnx/proto.ts";
import type { BoundRun, Tensor } from "../ort/runtime.ts";
import type { Trainable } from "../weights/weights.ts";
import type { StatisticName } from "../losses/objective.ts";
import type { BatchShape } from "../models/forward.ts";
import { graphOptions, type Model, modelInputs } from "../models/model.ts";
import { leftMask, padFloats, padIds, placesOf } from "../models/padding.ts";
import type { RopeTables } from "../models/rope_tensors.ts";
import { type BatchImages, fillImages } from "../models/vision/image_batch.ts";
import type { ModelConfig } from "../models/config.ts";
import { type InputRows, type PassLimits, rowsOfSlice, type Slice } from "./train_batch.ts";
import { gradientNames, logprobsGraph, trainGraph, type TrainGraphOptions, valuesGraph } from "./train_graph.ts";

/** A session bound to its tensors. `inputs` holds what a caller fills, `outputs` what it reads. */
export interface Pass {
  readonly inputs: Readonly<Record<string, Tensor>>;
  readonly outputs: Readonly<Record<string, Tensor>>;
  readonly run: BoundRun;
  release(): void;
}

/** How a pass reads a batch of one shape. */
export interface Reading extends Pick<PassLimits, "recompute" | "headBytes"> {
  readonly shape: BatchShape;
  readonly temperature: number;
}

/** What the graphs of a model and a batch shape are made of. */
export function trainGraphOptions(model: Model, { positions }: RopeTables, reading: Reading): TrainGraphOptions {
  return { ...graphOptions(model), positions, ...reading };
}

/**
 * Loads a graph and binds it by name: to the weights, the rotary tables and `views` of other memory, and to tensors of its own for all else.
 *
 * Sessions load with optimization "none": the graphs are already what ONNX Runtime would make of them (measured: the
 * same run time within 1 %), and load 40 % faster.
 */
export async function openPass(
  graph: Graph,
  model: Pick<Model, "weights" | "adapted">,
  { tensors: lasting }: RopeTables,
  { name, trim, views = {} }: {
    readonly name: string;
    readonly trim: boolean;
    readonly views?: Readonly<Record<string, Tensor>>;
  },
): Promise<Pass> {
  const { runtime } = model.weights;
  const session = await runtime.session(encodeModel(graph), { name, optimization: "none", trim });
  const given: Readonly<Record<string, Tensor>> = { ...lasting, ...modelInputs(model), ...views };
  const bound = ({ name, dtype, dims }: Value): [string, Tensor] => [
    name,
    given[name] ?? runtime.tensor(dtype, dims, undefined, { place: "host" }),
  ];
  const inputs = Object.fromEntries(graph.inputs.map(bound)), outputs = Object.fromEntries(graph.outputs.map(bound));
  const run = session.bind(inputs, outputs, { nonblocking: true });
  const release = () => {
    run.release();
    session.release();
    const own = new Set([...Object.values(inputs), ...Object.values(outputs)]);
    for (const tensor of Object.values(lasting)) own.delete(tensor);
    own.forEach((tensor) => tensor.release());
  };
  return { inputs, outputs, run, release };
}

/** Log-probs of completion tokens: outputs logprobs and `statistic.NAME` of each, float32 [B, Tc]. */
export async function logprobsPass(
  model: Model,
  tables: RopeTables,
  reading: Reading,
  statistics: readonly StatisticName[] = [],
): Promise<Pass> {
  const graph = logprobsGraph(trainGraphOptions(model, tables, reading), statistics);
  return await openPass(graph, model, tables, { name: "logprobs", trim: true });
}

/** Values by a scalar head: output values, float32 [B, Tc]. */
export async function valuesPass(model: Model, tables: RopeTables, shape: BatchShape): Promise<Pass> {
  const graph = valuesGraph(trainGraphOptions(model, tables, { shape, temperature: 1 }));
  return await openPass(graph, model, tables, { name: "values", trim: true });
}

/** Loss and gradients of one batch; the gradient array is overwritten, or added to with `accumulate`. */
export async function trainPass(
  model: Model,
  tables: RopeTables,
  trainable: Trainable,
  reading: Reading,
  { loss, accumulate }: { readonly loss: Loss; readonly accumulate: boolean },
): Promise<Pass> {
  const { layout, gradients } = model.weights, options = trainGraphOptions(model, tables, reading);
  const graph = trainGraph(options, loss, trainable.packed, { accumulate });
  const views: Record<string, Tensor> = {};
  for (const { name, shape, offset } of layout.packed.filter(({ name }) => trainable.packed.has(name))) {
    const { before, after } = gradientNames(name);
    views[before] = views[after] = gradients.view(shape, offset);
  }
  return await openPass(graph, model, tables, { name: "train", trim: true, views });
}

/** What a pass reads of a slice besides its tokens. */
interface Filling {
  /** For a loss its inputs. */
  readonly rows?: Readonly<Record<string, InputRows>>;
  /** Of a model with a tower the slice's images. */
  readonly images?: BatchImages | null;
}

/** Writes a batch into a pass: token ids, the prompt mask, images, and for a loss its inputs. */
export function fill({ inputs }: Pass, slice: Slice, config: ModelConfig, { rows = {}, images = null }: Filling): void {
  const width = (name: string) => inputs[name]!.shape[1]!;
  padIds(inputs.prompts!.data as BigInt64Array, slice.prompts, width("prompts"), "left");
  leftMask(inputs.prompt_mask!.data as Float32Array, slice.prompts, width("prompt_mask"));
  padIds(inputs.completions!.data as BigInt64Array, slice.completions, width("completions"), "right");
  if (slice.segments) {
    padFloats(inputs.segments!.data as Float32Array, slice.segments, width("segments"));
    padFloats(inputs.places!.data as Float32Array, placesOf(slice.prompts, slice.segments), width("places"));
  }
  if (images) fillImages(inputs, slice.prompts, width("prompts"), images, config);
  for (const [name, all] of Object.entries(rows)) {
    padFloats(inputs[name]!.data as Float32Array, rowsOfSlice(all, slice), width(name));
  }
}
