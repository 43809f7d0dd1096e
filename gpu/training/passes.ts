/** One session per batch shape and purpose, with the tensors that go in and out of it. @module */
import type { Loss } from "../losses/objectives.ts";
import { lossInputs } from "../losses/objectives.ts";
import type { DType } from "../onnx/dtype.ts";
import { encodeModel } from "../onnx/proto.ts";
import type { BoundRun, Runtime, Session, Tensor } from "../session.ts";
import { type Trainable, weightInputs, type Weights } from "../weights/weights.ts";
import type { BatchShape } from "../models/forward.ts";
import { leftMask, padFloats, padIds, type Rows } from "../models/padding.ts";
import type { RopeTensors } from "../models/rope_tensors.ts";
import { gradientNames, logprobsGraph, METRIC_SUMS, trainGraph, type TrainGraphOptions } from "./train_graph.ts";

/** A session bound to its tensors. `inputs` holds what a caller fills, `outputs` what it reads. */
export interface Pass {
  readonly inputs: Readonly<Record<string, Tensor>>;
  readonly outputs: Readonly<Record<string, Tensor>>;
  readonly run: BoundRun;
  release(): void;
}

/** A tensor that JavaScript reads and writes in place. */
export function host(runtime: Runtime, dtype: DType, shape: readonly number[]): Tensor {
  return runtime.tensor(dtype, shape, undefined, { place: "host" });
}

/** What the graphs of a model and a batch shape are made of. */
export function graphOptions(
  weights: Weights,
  rope: RopeTensors,
  shape: BatchShape,
  temperature: number,
): TrainGraphOptions {
  const { config, layout, runtime } = weights;
  const { positions } = rope.get(shape.promptTokens + shape.completionTokens);
  return { config, layout, shape, positions, provider: runtime.device, temperature };
}

/** The tensors that hold a batch's tokens. */
export function tokenTensors(weights: Weights, { prompts, group, promptTokens, completionTokens }: BatchShape) {
  const { runtime } = weights;
  return {
    prompts: host(runtime, "int64", [prompts, promptTokens]),
    prompt_mask: host(runtime, "float32", [prompts, promptTokens]),
    completions: host(runtime, "int64", [prompts * group, completionTokens]),
  };
}

/** Binds a session's tensors into a pass. */
export function bind(
  session: Session,
  inputs: Record<string, Tensor>,
  outputs: Record<string, Tensor>,
  views: { inputs: Record<string, Tensor>; outputs: Record<string, Tensor> },
  lasting: Record<string, Tensor>,
): Pass {
  const run = session.bind({ ...lasting, ...views.inputs, ...inputs }, { ...views.outputs, ...outputs }, {
    nonblocking: true,
  });
  const own = [
    ...Object.values(inputs),
    ...Object.values(outputs),
    ...Object.values(views.inputs),
    ...Object.values(views.outputs),
  ];
  const release = () => {
    run.release();
    session.release();
    new Set(own).forEach((tensor) => tensor.release());
  };
  return { inputs, outputs, run, release };
}

/*
 * Sessions load with optimization "none": the graphs are already what ONNX Runtime would make of them (measured: the
 * same run time within 1 %), and load 40 % faster.
 */

/** Log-probs of completion tokens: outputs logprobs and entropy, float32 [B, Tc], nats. */
export async function logprobsPass(
  weights: Weights,
  rope: RopeTensors,
  shape: BatchShape,
  temperature: number,
): Promise<Pass> {
  const options = graphOptions(weights, rope, shape, temperature);
  const session = await weights.runtime.session(encodeModel(logprobsGraph(options)), {
    name: "logprobs",
    optimization: "none",
    trim: true,
  });
  const inputs = tokenTensors(weights, shape), size = inputs.completions.shape;
  const result = () => host(weights.runtime, "float32", size);
  const { cos, sin } = rope.get(options.positions);
  return bind(session, inputs, { logprobs: result(), entropy: result() }, {
    inputs: weightInputs(weights),
    outputs: {},
  }, { cos, sin });
}

/** Loss and gradients of one batch; the gradient array is overwritten, or added to with `accumulate`. */
export async function trainPass(
  weights: Weights,
  rope: RopeTensors,
  trainable: Trainable,
  shape: BatchShape,
  { loss, temperature, accumulate }: { loss: Loss; temperature: number; accumulate: boolean },
): Promise<Pass> {
  const { runtime, layout, gradients } = weights;
  const options = graphOptions(weights, rope, shape, temperature);
  const model = encodeModel(trainGraph(options, loss, trainable.packed, { accumulate }));
  const session = await runtime.session(model, { name: "train", optimization: "none", trim: true });
  const tokens = tokenTensors(weights, shape), size = tokens.completions.shape;
  const names = ["coefficients", "completion_mask", ...lossInputs(loss)];
  const inputs = { ...tokens, ...Object.fromEntries(names.map((name) => [name, host(runtime, "float32", size)])) };
  const { cos, sin } = rope.get(options.positions);
  const before: Record<string, Tensor> = {}, after: Record<string, Tensor> = {};
  for (const { name, shape, offset } of layout.packed.filter(({ name }) => trainable.packed.has(name))) {
    const names = gradientNames(name), view = gradients.view(shape, offset);
    after[names.after] = view;
    if (accumulate) before[names.before] = view;
  }
  const outputs = {
    loss: host(runtime, "float32", [1]),
    metrics: host(runtime, "float32", [METRIC_SUMS.length]),
    logprobs: host(runtime, "float32", size),
  };
  return bind(session, inputs, outputs, { inputs: { ...weightInputs(weights), ...before }, outputs: after }, {
    cos,
    sin,
  });
}

/** Writes token ids and the prompt mask into a pass. */
export function fillTokens({ inputs }: Pass, prompts: Rows, completions: Rows, shape: BatchShape): void {
  padIds(inputs.prompts!.data as BigInt64Array, prompts, shape.promptTokens, "left");
  leftMask(inputs.prompt_mask!.data as Float32Array, prompts, shape.promptTokens);
  padIds(inputs.completions!.data as BigInt64Array, completions, shape.completionTokens, "right");
}

/** Writes per-token values into an input of a pass. */
export function fillFloats({ inputs }: Pass, name: string, rows: Rows, shape: BatchShape): void {
  padFloats(inputs[name]!.data as Float32Array, rows, shape.completionTokens);
}
