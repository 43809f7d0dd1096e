/** How much memory the values of a graph take at once when ONNX Runtime runs it, told before it is loaded. @module */
import { DTYPES, sizeOf } from "./dtype.ts";
import type { Graph, Value } from "./graph.ts";
import type { Node } from "./node.ts";
import type { OpType } from "./ops.ts";
import { reachable } from "./proto.ts";

/** Ops whose output is their first input under another shape: nothing is copied. */
const VIEWS: ReadonlySet<OpType> = new Set<OpType>(["Reshape", "Identity", "StopGradient"]);

/** Ops that write over an input of the same size which nothing reads any more. */
const IN_PLACE: ReadonlySet<OpType> = new Set<OpType>([
  "Add",
  "Sub",
  "Mul",
  "Div",
  "Neg",
  "Exp",
  "Sqrt",
  "Abs",
  "Reciprocal",
  "Softmax",
  "LogSoftmax",
  "QuickGelu",
  "ScatterElements",
  "ScatterND",
  "SimplifiedLayerNormalization",
]);

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

/** Bytes of all values that are neither inputs, outputs nor constants, at their most. Static shapes only. */
export function peakBytes(graph: Graph): number {
  const { nodes, used, resolve } = reachable(graph, new Set(graph.outputs)), order = runOrder(nodes, resolve);
  const bytesOf = ({ dtype, dims }: Value) => sizeOf(dims) * DTYPES[dtype].bytes;
  // A buffer is named by the value that it was made for.
  const buffers = new Map<Value, Value>(), reads = new Map<Value, number>(), bound = new Set(graph.outputs);
  const bufferOf = (value: Value) => buffers.get(resolve(value));
  const uses = new Map<Value, number>();
  for (const node of order) for (const x of node.inputs) if (x) uses.set(resolve(x), (uses.get(resolve(x)) ?? 0) + 1);
  let live = 0, most = 0;
  for (const { op, inputs, outputs } of order) {
    const given = inputs.flatMap((x) => x ? [resolve(x)] : []);
    for (const [i, output] of outputs.entries()) {
      if (bound.has(output) || (i > 0 && !used.has(output))) continue;
      const first = given[0] && buffers.get(given[0]);
      const over = !IN_PLACE.has(op) || i > 0 ? undefined : given.find((x) => {
        const buffer = buffers.get(x);
        return buffer && reads.get(buffer) === 1 && bytesOf(buffer) === bytesOf(output);
      });
      const buffer = (VIEWS.has(op) ? first : over && buffers.get(over)) ?? output;
      if (buffer === output) live += bytesOf(output);
      buffers.set(output, buffer);
      reads.set(buffer, (reads.get(buffer) ?? 0) + Math.max(uses.get(output) ?? 0, 0));
    }
    most = Math.max(most, live);
    const done = (buffer: Value, count: number) => {
      const left = reads.get(buffer)! - count;
      reads.set(buffer, left);
      if (left === 0) live -= bytesOf(buffer);
    };
    for (const x of given) {
      const buffer = bufferOf(x);
      if (buffer) done(buffer, 1);
    }
    for (const output of outputs) {
      const buffer = buffers.get(output);
      if (buffer === output && !uses.get(output)) done(buffer, 0);
    }
  }
  return most;
}
