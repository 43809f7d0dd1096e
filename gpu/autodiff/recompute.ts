/**
 * Computes marked parts of a graph a second time for the backward pass, so that nothing inside them is kept until then.
 *
 * A part is emitted again when the walk comes to its end. What it reads of the rest of the graph waits for the gradients
 * that are there by then: without that ONNX Runtime, which runs a node as soon as something further on asks for it, would
 * compute all parts again before the first of them is needed.
 * Source: Chen et al., "Training Deep Nets with Sublinear Memory Cost", section 3.
 * @module
 */
import { isFloat } from "../onnx/dtype.ts";
import type { Graph } from "../onnx/graph.ts";
import type { Node } from "../onnx/node.ts";
import type { Value } from "../onnx/value.ts";

type Part = Graph["recomputed"][number];

export class Recomputation {
  /** Parts that the walk has not come to, and at the end the one it is in. */
  readonly #parts: Part[];
  /** The part that was emitted last, with its values as they were computed again. */
  #emitted: { readonly part: Part; readonly again: ReadonlyMap<Value, Value> } | null = null;
  /** Gradients by `wrt` that a part waited for. */
  readonly #waited = new Set<Value>();

  /**
   * sums   gradients so far, by value
   * wrt    values whose gradients are wanted: a part waits for those of the part before, or what they read would be kept
   */
  constructor(
    readonly graph: Graph,
    readonly sums: ReadonlyMap<Value, Value>,
    readonly wrt: readonly Value[],
  ) {
    this.#parts = [...graph.recomputed];
  }

  /** What a node's gradient rule reads: the node's own values, or those of its part computed again. Later nodes first. */
  read(node: Node): Pick<Node, "inputs" | "outputs"> {
    while ((this.#parts.at(-1)?.from ?? -1) > node.index) this.#parts.pop();
    const part = this.#parts.at(-1);
    if (!part || node.index >= part.to) return node;
    if (this.#emitted?.part !== part) this.#emitted = { part, again: this.#emit(part) };
    const { again } = this.#emitted, of = (value: Value) => again.get(value) ?? value;
    return { inputs: node.inputs.map((x) => x && of(x)), outputs: node.outputs.map(of) };
  }

  #emit({ from, to }: Part): Map<Value, Value> {
    const nodes = this.graph.nodes.slice(from, to), waiting = this.#waitingFor(nodes), again = new Map<Value, Value>();
    const input = (x: Value) => {
      if (!again.has(x)) again.set(x, x.node !== null && isFloat(x.dtype) ? x.after(waiting) : x);
      return again.get(x)!;
    };
    for (const { op, inputs, attributes, outputs } of nodes) {
      const values = this.graph.emitMany(op, inputs.map((x) => x && input(x)), attributes);
      outputs.forEach((value, i) => again.set(value, values[i]!));
    }
    return again;
  }

  /** The gradients of what the nodes yield, and what is new of those that are wanted. */
  #waitingFor(nodes: readonly Node[]): Value[] {
    const known = (values: readonly Value[]) => values.flatMap((value) => this.sums.get(value) ?? []);
    const fresh = known(this.wrt).filter((value) => !this.#waited.has(value));
    fresh.forEach((value) => this.#waited.add(value));
    return [...known(nodes.flatMap(({ outputs }) => outputs)), ...fresh];
  }
}
