/**
 * The ONNX graph being built: inputs, constants, nodes and outputs, typed and shape-checked as they are added.
 *
 *     const graph = new Graph({ provider: "cpu" });
 *     const x = graph.input("x", { dtype: "float32", shape: ["B", 4] });
 *     graph.output("y", x.matmul(w).silu());
 *     const model = encodeModel(graph);                    // gpu/onnx/proto.ts
 *     const [dw] = gradients(loss, [w]);                   // gpu/autodiff/gradients.ts, static shapes only
 *
 * Decisions a caller meets:
 * - A dimension is a number or a name. Names are for inference graphs; `value.dims` gives numbers or throws.
 * - Equal nodes are emitted once (all ops are pure), so calling `sin.neg()` in every layer costs one node.
 * - Nodes that no output needs are dropped when the graph is encoded; so are StopGradient and Identity.
 * - Reductions keep the reduced axes as 1 (`sum(-1)`), without axes they give a scalar (`sum()`).
 * - `provider` chooses fused or plain ops (gpu/onnx/lowering.ts); float64 always gets the plain ones.
 * - `max(b)` is elementwise, `reduceMax(axes)` reduces. Scatter ops always add.
 * - `graph.recompute(from)` marks what was added since `from`: derivatives compute it again instead of keeping it.
 *
 * @module
 */
import {
  type Dim,
  type DType,
  dtypeOf,
  DTYPES,
  type Shape,
  sizeOf,
  type TensorType,
  type TypedArray,
  typedArray,
} from "./dtype.ts";
import { LOWERING, type Lowering, PLAIN, type Provider } from "./lowering.ts";
import { type OpDefinition, OPS, type OpType } from "./ops.ts";
import type { Attributes, Node } from "./node.ts";
import { Value } from "./value.ts";

export { Value } from "./value.ts";
export type { Node } from "./node.ts";
export type { Dim, DType, TypedArray } from "./dtype.ts";
export type { Provider } from "./lowering.ts";

/** Nodes from `from` on, before `to`. */
export interface RecomputedPart {
  readonly from: number;
  readonly to: number;
  readonly within: readonly RecomputedPart[];
}

const COMPARED = 64; // Constants of at most so many elements are compared by their contents.

export class Graph {
  readonly provider: Provider;
  readonly recomputesLayers: boolean;
  readonly nodes: Node[] = [];
  readonly inputs: Value[] = [];
  readonly outputs: Value[] = [];
  /** What derivatives compute again instead of keeping it, in order. */
  readonly recomputed: RecomputedPart[] = [];
  /** Constants with their elements. */
  readonly constants = new Map<Value, TypedArray>();
  /** Constants of which ONNX Runtime must infer no shape: `Value.reshape` says why. */
  readonly concealed = new Set<Value>();
  /** Constants whose elements are given when a session is made of the model. */
  readonly initializers = new Set<Value>();
  readonly #names = new Set<string>();
  readonly #constantsByKey = new Map<string, Value>();
  readonly #nodesByKey = new Map<string, Node>();
  readonly #lowerings = new Map<DType, Lowering>();
  #count = 0;

  /** recompute   models mark their layers: see `recompute` below */
  constructor(
    { provider = "cpu", recompute = false }: { readonly provider?: Provider; readonly recompute?: boolean } = {},
  ) {
    this.provider = provider;
    this.recomputesLayers = recompute;
  }

  input(name: string, { dtype, shape }: TensorType): Value {
    this.#claim(name);
    const value = new Value(this, this.#count++, name, dtype, [...shape]);
    this.inputs.push(value);
    return value;
  }

  /**
   * A constant by name, whose memory the session is given (`SessionOptions.initializers`): unlike an input, kernels may
   * bring it into an order of their own once, when the session is made.
   */
  initializer(name: string, { dtype, shape }: TensorType): Value {
    this.#claim(name);
    const value = new Value(this, this.#count++, name, dtype, [...shape]);
    this.initializers.add(value);
    return value;
  }

  /** A tensor stored in the model; small ones with equal contents are one. `dtype` only where a Uint8Array means bool. */
  constant(data: TypedArray, shape: readonly number[], dtype: DType = dtypeOf(data)): Value {
    if (sizeOf(shape) !== data.length) {
      throw new RangeError(
        `Cannot make a constant of shape [${shape}]: got ${data.length} elements, want ${sizeOf(shape)}`,
      );
    }
    if (!(data instanceof DTYPES[dtype].array)) {
      throw new TypeError(
        `Cannot make a ${dtype} constant of a ${data.constructor.name}: want ${DTYPES[dtype].array.name}`,
      );
    }
    const key = data.length <= COMPARED ? `${dtype}[${shape}]${constantKey(data)}` : null;
    const known = key === null ? undefined : this.#constantsByKey.get(key);
    if (known) return known;
    const value = new Value(this, this.#count, `const_${this.#count++}`, dtype, [...shape]);
    this.constants.set(value, data);
    if (key !== null) this.#constantsByKey.set(key, value);
    return value;
  }
  /** A vector of numbers of that dtype. */
  numbers(data: readonly number[], dtype: DType = "float32"): Value {
    return this.constant(typedArray(dtype, data), [data.length], dtype);
  }
  int64(data: readonly number[]): Value {
    return this.numbers(data, "int64");
  }
  /** A vector of integers of which ONNX Runtime infers no shape. */
  concealedInt64(data: readonly number[]): Value {
    const key = `concealed ${data}`, known = this.#constantsByKey.get(key);
    if (known) return known;
    const value = new Value(this, this.#count, `const_${this.#count++}`, "int64", [data.length]);
    this.constants.set(value, typedArray("int64", data));
    this.concealed.add(value);
    this.#constantsByKey.set(key, value);
    return value;
  }
  scalar(x: number, dtype: DType = "float32"): Value {
    return this.constant(typedArray(dtype, [x]), [], dtype);
  }
  /** Zeros of a static shape, made at run time (nothing is stored in the model). */
  zeros(shape: readonly number[], dtype: DType = "float32"): Value {
    const zeros = this.emit("ConstantOfShape", [this.int64(shape)]);
    return zeros.cast(dtype);
  }
  /** The numbers of a constant; TypeError for any other value. */
  data(value: Value): readonly number[] {
    const data = this.constants.get(value);
    if (!data) throw new TypeError(`Cannot read "${value.name}" while building the graph: it is not a constant`);
    return Array.from(data as ArrayLike<number | bigint>, Number);
  }

  /**
   * Marks the nodes that were added since there were `from` of them: a backward pass keeps only what the rest of the graph
   * reads of them and what they read, and computes the others a second time when it comes to them. Parts marked before
   * that lie within stay parts of their own: of what is computed a second time, they keep nothing either.
   */
  recompute(from: number): void {
    const within = this.recomputed.filter((part) => part.from >= from);
    const before = this.recomputed.at(-within.length - 1)?.to ?? 0;
    if (from < before) {
      throw new RangeError(`Cannot recompute from node ${from}: the part before it ends at node ${before}`);
    }
    this.recomputed.length -= within.length;
    this.recomputed.push({ from, to: this.nodes.length, within });
  }

  /** Makes `value` an output: renames it where it can be, else adds an Identity. */
  output(name: string, value: Value): void {
    this.#claim(name);
    const taken = !value.node || this.outputs.includes(value);
    const output = taken ? this.#append("Identity", [value], {}, [value])[0]! : value;
    output.name = name;
    this.outputs.push(output);
  }

  /** One node; returns its first output. Throws what the op's shape rule throws. */
  emit(op: OpType, inputs: readonly (Value | null)[], attributes: Attributes = {}): Value {
    return this.emitMany(op, inputs, attributes)[0]!;
  }
  /** One node; returns all its outputs. `names[i][axis]` renames a symbolic dimension of output i. */
  emitMany(
    op: OpType,
    inputs: readonly (Value | null)[],
    attributes: Attributes = {},
    names: readonly (readonly (Dim | null)[])[] = [],
  ): Value[] {
    const key = nodeKey(op, inputs, attributes, names);
    const known = this.#nodesByKey.get(key);
    if (known) return [...known.outputs];
    for (const input of inputs) {
      if (input && input.graph !== this) {
        throw new TypeError(`Cannot use "${input.name}" in ${op}: it belongs to another graph`);
      }
    }
    const definition: OpDefinition = OPS[op];
    const inferred = definition.infer(inputs, attributes);
    const types = Array.isArray(inferred) ? inferred as readonly TensorType[] : [inferred as TensorType];
    const outputs = this.#append(op, inputs, attributes, types.map((type, i) => rename(type, names[i])));
    this.#nodesByKey.set(key, outputs[0]!.node!);
    return outputs;
  }
  #append(
    op: OpType,
    inputs: readonly (Value | null)[],
    attributes: Attributes,
    types: readonly TensorType[],
  ): Value[] {
    const outputs: Value[] = [];
    const node: Node = { op, inputs, attributes, outputs, index: this.nodes.length };
    for (const [i, { dtype, shape }] of types.entries()) {
      outputs.push(new Value(this, this.#count, `${op}_${this.#count++}`, dtype, shape, node, i));
    }
    this.nodes.push(node);
    return outputs;
  }

  /** How this graph's provider computes what has several ways, for tensors of `dtype`. */
  lowering(dtype: DType): Lowering {
    const known = this.#lowerings.get(dtype);
    if (known) return known;
    const lowering = { ...PLAIN, ...LOWERING[this.provider][dtype] };
    this.#lowerings.set(dtype, lowering);
    return lowering;
  }

  #claim(name: string): void {
    if (this.#names.has(name)) {
      throw new RangeError(`Cannot name a tensor "${name}": the graph already has one of that name`);
    }
    this.#names.add(name);
  }
}

function nodeKey(
  op: OpType,
  inputs: readonly (Value | null)[],
  attributes: Attributes,
  names: readonly unknown[],
): string {
  let key: string = op;
  for (const input of inputs) key += input ? `,${input.id}` : ",";
  for (const name in attributes) key += `;${name}=${JSON.stringify(attributes[name])}`;
  return names.length ? key + JSON.stringify(names) : key;
}
/** Tells -0 from 0. */
function constantKey(data: TypedArray): string {
  return Array.from(data as ArrayLike<number | bigint>, (x) => (Object.is(x, -0) ? "-0" : `${x}`)).join();
}
function rename(type: TensorType, names?: readonly (Dim | null)[]): TensorType {
  if (!names) return type;
  const shape: Shape = type.shape.map((
    dim,
    i,
  ) => (typeof dim === "string" && typeof names[i] === "string" ? names[i]! : dim));
  return { dtype: type.dtype, shape };
}
