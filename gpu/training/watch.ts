/**
 * Locates the first value of a forward and backward pass that is not finite, and names it in terms of the model.
 *
 * The train graph is built once more with one number per value of every node: the sum of x * 0, which is NaN where x has a
 * value that is not finite and 0 elsewhere. The first such node in the order of computation has finite inputs (weights
 * and batch are looked at before), so it is where the value comes from.
 * @module
 */
import { UNITS } from "../losses/objective.ts";
import type { Graph, Node, Value } from "../onnx/graph.ts";
import type { Weights } from "../weights/weights.ts";
import type { PackedParameter } from "../weights/layout.ts";
import type { Model } from "../models/model.ts";
import type { RopeTables } from "../models/rope_tensors.ts";
import { openPass, type Pass } from "./passes.ts";
import type { InputRows } from "./train_batch.ts";
import { placeOf } from "./watch_names.ts";

export interface NonFiniteValue {
  /** A weight or an input was not finite before anything was computed; else the pass in which it arose. */
  readonly kind: "weight" | "input" | "forward" | "backward";
  /** The parameter's or input's name, or where in the model: "softmax in attention of layer 0". */
  readonly name: string;
  /** The op, or null for a weight or an input. */
  readonly op: string | null;
  /** Elements that are not finite, of `size`. */
  readonly count: number;
  readonly size: number;
  /** The first of them and its place in the tensor, row by row. */
  readonly value: number;
  readonly index: number;
  /** Largest finite magnitude among the op's inputs: near 3.4e38 it is an overflow. Null for a weight or an input. */
  readonly largestInput: number | null;
}

const CHUNK = 128; // Every this many values become one output.

/** The first parameter with a value that is not finite, or null. */
export function nonFiniteWeight({ weights, adapted }: Pick<Model, "weights" | "adapted">): NonFiniteValue | null {
  return (adapted && nonFiniteOf(adapted.base)) ?? nonFiniteOf(weights);
}

function nonFiniteOf(weights: Weights): NonFiniteValue | null {
  for (const [name, { data }] of weights.viewHuggingFace()) {
    const found = firstIn(data);
    if (found !== null) return { kind: "weight", name, op: null, ...found, largestInput: null };
  }
  return null;
}

/** The first input of the loss with a value that is not finite, or null. */
export function nonFiniteInput(inputs: Readonly<Record<string, InputRows>>): NonFiniteValue | null {
  for (const [name, { unit, rows }] of Object.entries(inputs)) {
    for (const [row, list] of rows.entries()) {
      const found = firstIn(list);
      if (found === null) continue;
      return { kind: "input", name: `${name} of ${UNITS[unit].row} ${row}`, op: null, ...found, largestInput: null };
    }
  }
  return null;
}

/** Runs forward and backward of one batch with every value watched; `fill` writes the batch into the pass. */
export async function watchBatch(
  build: () => Graph,
  model: Pick<Model, "weights" | "adapted">,
  tables: RopeTables,
  fill: (pass: Pass) => void,
): Promise<NonFiniteValue | null> {
  const run = async (choose: (graph: Graph) => readonly Value[]) => {
    const graph = build(), outputs = choose(graph);
    graph.outputs.length = 0;
    for (const [i, value] of outputs.entries()) graph.output(`watch.${i}`, value);
    const pass = await openPass(graph, model, tables, { name: "watch", trim: false });
    try {
      fill(pass);
      await pass.run.run();
      return outputs.map((_, i) => (pass.outputs[`watch.${i}`]!.data as Float32Array).slice());
    } finally {
      pass.release();
    }
  };
  const sums = await run((graph) => chunks(watched(graph).map((value) => value.mul(0).sum().reshape([1]))));
  const at = sums.flatMap((values) => Array.from(values)).findIndex(Number.isNaN);
  if (at < 0) return null;
  const graph = build(), node = watched(graph)[at]!.node!;
  const [found, ...read] = await run((other) => {
    const value = watched(other)[at]!;
    return [value, ...value.node!.inputs.filter((x): x is Value => x?.dtype === "float32" && x.node !== null)];
  });
  const loss = lossNode(graph);
  return {
    kind: node.index <= loss.index ? "forward" : "backward",
    name: placeOf(node, { packed: packedOf(model) }, loss),
    op: node.op,
    ...firstIn(found!)!,
    largestInput: read.reduce((most, values) => Math.max(most, largest(values)), 0),
  };
}

/** Every packed parameter that the graphs read. */
function packedOf({ weights, adapted }: Pick<Model, "weights" | "adapted">): readonly PackedParameter[] {
  return [...adapted?.adapter.base.packed ?? [], ...weights.layout.packed];
}

/** The float32 values that outputs need, in the order of computation. */
function watched(graph: Graph): Value[] {
  const needed = new Set<Value>(graph.outputs);
  for (const node of graph.nodes.toReversed()) {
    if (node.outputs.some((value) => needed.has(value))) { for (const x of node.inputs) if (x) needed.add(x); }
  }
  return graph.nodes.flatMap(({ outputs }) =>
    outputs.filter((value) => needed.has(value) && value.dtype === "float32")
  );
}

/** The node of the loss: what comes after it is the backward pass, but for sums that are only reported. */
function lossNode(graph: Graph): Node {
  const reshaped = graph.outputs.find(({ name }) => name === "loss")!.node!;
  return reshaped.inputs[0]?.node ?? reshaped;
}

function chunks(values: readonly Value[]): Value[] {
  const result: Value[] = [];
  for (let from = 0; from < values.length; from += CHUNK) {
    const [first, ...rest] = values.slice(from, from + CHUNK);
    result.push(rest.length > 0 ? first!.concat(rest, 0) : first!);
  }
  return result;
}

function firstIn(values: ArrayLike<number>) {
  let count = 0, index = -1;
  for (let i = 0; i < values.length; i++) {
    if (Number.isFinite(values[i])) continue;
    if (index < 0) index = i;
    count++;
  }
  return index < 0 ? null : { count, size: values.length, value: values[index]!, index };
}

function largest(values: Float32Array): number {
  let most = 0;
  for (const value of values) if (Math.abs(value) > most && Number.isFinite(value)) most = Math.abs(value);
  return most;
}
