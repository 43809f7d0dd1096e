/** How much memory the values of a graph take at once when ONNX Runtime runs it, told before it is loaded. @module */
import { Arena } from "./arena.ts";
import { DTYPES, sizeOf } from "./dtype.ts";
import type { Graph, Value } from "./graph.ts";
import type { Node } from "./node.ts";
import type { OpType } from "./ops.ts";
import { reachable } from "./proto.ts";

/** Ops whose output is their first input under another shape: nothing is copied. */
const VIEWS: ReadonlySet<OpType> = new Set<OpType>(["Reshape", "Identity", "StopGradient"]);

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
  const bound = new Set(graph.outputs), uses = new Map<Value, number>(), arena = new Arena();
  for (const node of order) for (const x of node.inputs) if (x) uses.set(resolve(x), (uses.get(resolve(x)) ?? 0) + 1);
  const buffers = new Map<Value, Buffer>();
  let live = 0, most = 0;
  const release = (buffer: Buffer) => {
    live -= buffer.bytes;
    arena.give(buffer.piece);
  };
  for (const { op, inputs, outputs } of order) {
    const given = inputs.flatMap((x) => x ? [resolve(x)] : []), unread: Buffer[] = [];
    for (const [i, output] of outputs.entries()) {
      if (bound.has(output) || (i > 0 && !used.has(output))) continue;
      const bytes = sizeOf(output.shape.map((dim) => sizes[dim] ?? dim)) * DTYPES[output.dtype].bytes,
        reads = uses.get(output) ?? 0;
      const known = VIEWS.has(op) ? buffers.get(given[0]!) : undefined;
      if (VIEWS.has(op) && known === undefined) continue; // of an input or a constant
      const buffer = known ?? { bytes, reads: 0, piece: arena.take(bytes) };
      if (known === undefined) live += bytes;
      buffer.reads += reads;
      buffers.set(output, buffer);
      if (buffer.reads === 0) unread.push(buffer);
    }
    most = Math.max(most, live);
    for (const x of given) {
      const buffer = buffers.get(x);
      if (buffer && --buffer.reads === 0) release(buffer);
    }
    unread.forEach(release);
  }
  return { live: most, arena: arena.bytes };
}

/** Memory of one value, and of those that are views of it: nothing is written over another (measured, with our settings). */
interface Buffer {
  readonly bytes: number;
  reads: number;
  readonly piece: ReturnType<Arena["take"]>;
}
