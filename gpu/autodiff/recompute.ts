/**
 * Computes marked parts of a graph a second time for the backward pass, so that nothing inside them is kept until then.
 *
 * A part is emitted again when the walk comes to its end, and parts within it, from that, when the walk comes to theirs.
 * What a part reads of the rest of the graph waits for the gradients that are there by then: without that ONNX Runtime,
 * which runs a node as soon as something further on asks for it, would compute all parts again before the first of them is
 * needed.
 * Source: Chen et al., "Training Deep Nets with Sublinear Memory Cost", section 3.
 * @module
 */
import { isFloat } from "../onnx/dtype.ts";
import type { Graph, RecomputedPart } from "../onnx/graph.ts";
import type { Node } from "../onnx/node.ts";
import type { Value } from "../onnx/value.ts";

/** Finds a value where the part it stands in computed it last. */
type Find = (value: Value) => Value;

interface Emitted {
  readonly part: RecomputedPart;
  readonly find: Find;
}

export class Recomputation {
  /** The parts that the last node stood in as they were emitted, the outermost first. */
  readonly #emitted: Emitted[] = [];
  /** Gradients by `wrt` that a part waited for. */
  readonly #waited = new Set<Value>();
  /** What the part before read: until its gradients are there, it keeps what they are computed from. */
  #read: readonly Value[] = [];

  /**
   * sums   gradients so far, by value
   * wrt    values whose gradients are wanted: a part waits for those of the part before, or what they read would be kept
   */
  constructor(
    readonly graph: Graph,
    readonly sums: ReadonlyMap<Value, Value>,
    readonly wrt: readonly Value[],
  ) {}

  /** What a node's gradient rule reads: the node's own values, or those of its part computed again. Later nodes first. */
  read(node: Node): Pick<Node, "inputs" | "outputs"> {
    let parts: readonly RecomputedPart[] = this.graph.recomputed, find: Find = (value) => value;
    for (let depth = 0;; depth++) {
      const part = parts.find(({ from, to }) => from <= node.index && node.index < to);
      if (!part) break;
      if (this.#emitted[depth]?.part !== part) {
        this.#emitted.length = depth;
        this.#emitted.push({ part, find: this.#emit(part, find) });
      }
      find = this.#emitted[depth]!.find;
      parts = part.within;
    }
    return { inputs: node.inputs.map((x) => x && find(x)), outputs: node.outputs.map(find) };
  }

  /** Emits a part again; what it reads of the rest is found by `outside`. */
  #emit({ from, to }: RecomputedPart, outside: Find): Find {
    const nodes = this.graph.nodes.slice(from, to), waiting = this.#waitingFor(nodes), again = new Map<Value, Value>();
    const input = (x: Value) => {
      if (!again.has(x)) again.set(x, x.node !== null && isFloat(x.dtype) ? outside(x).after(waiting) : outside(x));
      return again.get(x)!;
    };
    for (const { op, inputs, attributes, outputs } of nodes) {
      const values = this.graph.emitMany(op, inputs.map((x) => x && input(x)), attributes);
      outputs.forEach((value, i) => again.set(value, values[i]!));
    }
    return (value) => again.get(value) ?? outside(value);
  }

  /** The gradients of what the nodes yield and of what the part before read, and what is new of those that are wanted. */
  #waitingFor(nodes: readonly Node[]): Value[] {
    const known = (values: readonly Value[]) => values.flatMap((value) => this.sums.get(value) ?? []);
    const fresh = known(this.wrt).filter((value) => !this.#waited.has(value));
    fresh.forEach((value) => this.#waited.add(value));
    const yielded = known(nodes.flatMap(({ outputs }) => outputs)), before = known(this.#read);
    this.#read = [...new Set(nodes.flatMap(({ inputs }) => inputs))].filter((x) =>
      x !== null && x.node !== null
    ) as Value[];
    return [...new Set([...yielded, ...before, ...fresh])];
  }
}
