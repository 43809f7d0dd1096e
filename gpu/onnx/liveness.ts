/** How much memory the values of a graph take at once when ONNX Runtime runs it, told before it is loaded. @module */
import { Arena } from "./arena.ts";
import { DTYPES, sizeOf } from "./dtype.ts";
import type { Graph, Value } from "./graph.ts";
import type { Node } from "./node.ts";
import type { OpType } from "./ops.ts";
import { reachable } from "./proto.ts";

/** Ops whose output is their first input under another shape: nothing is copied. */
const VIEWS: ReadonlySet<OpType> = new Set<OpType>(["Reshape", "Identity", "StopGradient"]);
/** Ops that write over their first input where nothing else reads it (measured: of other ops of ours none does). */
const IN_PLACE: ReadonlySet<OpType> = new Set<OpType>(["Tanh", "Sigmoid", "Softmax", "LogSoftmax", "Clip", "Cast"]);
/** Bytes of tensors that an op holds while it runs (measured). */
const SCRATCH: Partial<Record<OpType, (node: Node, size: (value: Value) => number) => readonly number[]>> = {
  Where: ({ outputs: [y] }, size) => [size(y!), size(y!)],
  // The matrix as float32, unless it is a constant of the session, which kernels bring into an order of their own.
  MatMulNBits: ({ inputs: [, packed], attributes }) =>
    packed!.graph.initializers.has(packed!) ? [] : [4 * Number(attributes.N) * Number(attributes.K)],
};

/**
 * The order in which ONNX Runtime 1.30 runs nodes: it starts at those that nothing reads, the last first, and runs before
 * a node what that reads, again the last first (graph_viewer.cc, `ReverseDFSFrom` with `NodeCompare`).
 */
export function runOrder(nodes: readonly Node[], resolve: (value: Value) => Value): Node[] {
  const place = new Map(nodes.map((node, i) => [node, i])), read = new Set<Node>();
  const before = (node: Node) => {
    const found = new Set(node.inputs.flatMap((x) => (x && resolve(x).node) ?? []));
    return [...found].filter((other) => place.has(other)).sort((a, b) => place.get(a)! - place.get(b)!);
  };
  for (const node of nodes) before(node).forEach((other) => read.add(other));
  const order: Node[] = [], entered = new Set<Node>();
  const stack = nodes.filter((node) => !read.has(node)).map((node) => ({ node, leave: false }));
  while (stack.length > 0) {
    const { node, leave } = stack.pop()!;
    if (leave) order.push(node);
    else if (!entered.has(node)) {
      entered.add(node);
      stack.push({ node, leave: true });
      for (const other of before(node)) if (!entered.has(other)) stack.push({ node: other, leave: false });
    }
  }
  return order;
}

/** Memory of a run of a graph, bytes. */
interface RunBytes {
  /** Of all values that are neither inputs, outputs nor constants, at their most. */
  readonly live: number;
  /** What the arena takes of the system for them. */
  readonly arena: number;
}

/** What a run of a graph takes; `sizes` says how large its symbolic dimensions are. */
export function runBytes(graph: Graph, sizes: Readonly<Record<string, number>> = {}): RunBytes {
  const { nodes, used, resolve } = reachable(graph, new Set(graph.outputs)), order = runOrder(nodes, resolve);
  const buffers = planBuffers(graph, order, used, resolve), arena = new Arena();
  const size = ({ shape, dtype }: Value) => sizeOf(shape.map((dim) => sizes[dim] ?? dim)) * DTYPES[dtype].bytes;
  const ending = Map.groupBy(buffers, ({ last }) => last), starting = Map.groupBy(buffers, ({ first }) => first);
  const held = new Map<Buffer, Held>();
  let live = 0, most = 0;
  const take = (bytes: number) => (live += bytes, { bytes, piece: arena.take(bytes) });
  const give = ({ bytes, piece }: Held) => (live -= bytes, arena.give(piece));
  for (const [step, node] of order.entries()) {
    const scratch = (SCRATCH[node.op]?.(node, size) ?? []).map(take);
    for (const buffer of starting.get(step) ?? []) held.set(buffer, take(size(buffer.value)));
    most = Math.max(most, live);
    scratch.forEach(give);
    for (const buffer of ending.get(step) ?? []) give(held.get(buffer)!);
  }
  return { live: most, arena: arena.bytes };
}

interface Held {
  readonly bytes: number;
  readonly piece: ReturnType<Arena["take"]>;
}

/** The memory of one value, and of others that are views of it, written over it or put there after it is read. */
interface Buffer {
  readonly value: Value;
  /** Steps between which it is held, both included. */
  readonly first: number;
  last: number;
  /** Reads to come of what is there. */
  reads: number;
}

/**
 * Which values share memory, and from which step to which: as ONNX Runtime plans it, a tensor takes the place of its
 * input where its op may, or of the tensor of the same shape that was last read to its end, which is then not given back
 * in between. Source: allocation_planner.cc, `ComputeSingleStreamReusePlan`.
 */
function planBuffers(
  graph: Graph,
  order: readonly Node[],
  used: ReadonlySet<Value>,
  resolve: (value: Value) => Value,
): Buffer[] {
  const bound = new Set(graph.outputs), uses = new Map<Value, number>(), of = new Map<Value, Buffer>();
  for (const { inputs } of order) for (const x of inputs) if (x) uses.set(resolve(x), (uses.get(resolve(x)) ?? 0) + 1);
  const buffers: Buffer[] = [], free = new Map<string, Buffer[]>(), hidden = hiddenShapes(graph, order, resolve);
  const place = (value: Value) =>
    value.rank === 0 || hidden.has(value) ? null : `${DTYPES[value.dtype].bytes} ${value.shape}`;
  for (const [step, { op, inputs, outputs }] of order.entries()) {
    const given = inputs.flatMap((x) => x ? [resolve(x)] : []), input = of.get(given[0]!);
    const written = outputs.filter((output, i) => !bound.has(output) && (i === 0 || used.has(output)));
    for (const output of written) {
      if (VIEWS.has(op) && input === undefined) continue; // of an input or a constant
      const key = place(output);
      const over = VIEWS.has(op) ||
        (IN_PLACE.has(op) && input?.reads === 1 && key !== null && place(given[0]!) === key);
      const buffer = (over ? input : key && free.get(key)?.pop()) ||
        { value: output, first: step, last: step, reads: 0 };
      if (!of.has(buffer.value)) buffers.push(buffer);
      buffer.reads += uses.get(output) ?? 0;
      of.set(output, buffer);
    }
    const touched = [...given.map((x) => [x, 1] as const), ...written.map((x) => [x, 0] as const)];
    for (const [value, read] of touched) {
      const buffer = of.get(value);
      if (!buffer) continue;
      buffer.reads -= read;
      buffer.last = step;
      const key = buffer.reads === 0 ? place(buffer.value) : null;
      if (key && !free.get(key)?.includes(buffer)) free.set(key, [...(free.get(key) ?? []), buffer]);
    }
  }
  return buffers;
}

/** Values whose shapes ONNX Runtime does not know: what is computed from a `concealed` one, until a shape is said again. */
function hiddenShapes(graph: Graph, order: readonly Node[], resolve: (value: Value) => Value): Set<Value> {
  const hidden = new Set<Value>();
  for (const { op, inputs, outputs } of order) {
    const says = op === "Reshape" || op === "Expand",
      isHidden = says ? graph.concealed.has(inputs[1]!) : inputs.some((x) => x && hidden.has(resolve(x)));
    if (isHidden) outputs.forEach((output) => hidden.add(output));
  }
  return hidden;
}
