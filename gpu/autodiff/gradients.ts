/** Reverse-mode differentiation: appends the backward nodes to the same graph. @module */
import { isFloat, type Shape } from "../onnx/dtype.ts";
import { type OpDefinition, OPS } from "../onnx/ops.ts";
import type { Node } from "../onnx/node.ts";
import type { Value } from "../onnx/value.ts";
import { Recomputation } from "./recompute.ts";

/**
 * dL/dx for each of `wrt`, with the shape and dtype of x.
 *
 * y    float [..]           what is differentiated
 * dy   the shape of y       dL/dy; ones where absent
 *
 * RangeError if no differentiable path joins y and x, or a shape on the way is symbolic.
 */
export function gradients(y: Value, wrt: readonly Value[], dy?: Value): Value[] {
  const { graph } = y;
  if (!isFloat(y.dtype)) throw new TypeError(`Cannot differentiate "${y.name}": dtype is ${y.dtype}, want a float`);
  if (dy && `${dy.shape}` !== `${y.shape}`) {
    throw new RangeError(`Cannot differentiate "${y.name}": dy has shape [${dy.shape}], want [${y.shape}]`);
  }
  const last = y.node?.index ?? -1;
  const leads = leadingToward(graph.nodes.slice(0, last + 1), wrt);
  const parts = new Map<Value, Value>([[y, dy ?? graph.scalar(1, y.dtype)]]);
  const recomputation = new Recomputation(graph, parts, wrt);
  const accumulate = (x: Value, dx: Value) => {
    const before = parts.get(x), summed = sumTo(dx, x.dims);
    parts.set(x, before ? before.add(summed) : summed);
  };
  for (let i = last; i >= 0; i--) {
    const node = graph.nodes[i]!;
    if (!node.outputs.some((value) => parts.has(value) && leads.has(value))) continue;
    const dxs = backward(node, recomputation.read(node), parts);
    for (const [j, x] of node.inputs.entries()) {
      if (x && dxs[j] && leads.has(x)) accumulate(x, dxs[j]);
    }
  }
  return wrt.map((x) => {
    const dx = parts.get(x);
    if (!dx) throw new RangeError(`Cannot differentiate "${y.name}" by "${x.name}": no differentiable path joins them`);
    return dx.expand(x.dims);
  });
}

/** The values that depend on one of `wrt` through differentiable ops only. */
function leadingToward(nodes: readonly Node[], wrt: readonly Value[]): Set<Value> {
  const leads = new Set<Value>(wrt);
  for (const { op, inputs, outputs } of nodes) {
    if (OPS[op].gradient === null || !inputs.some((x) => x && leads.has(x))) continue;
    for (const output of outputs) if (isFloat(output.dtype)) leads.add(output);
  }
  return leads;
}

/** dL/d(input i) of a node; `read` are its inputs and outputs where its rule finds their numbers. */
function backward(
  node: Node,
  read: Pick<Node, "inputs" | "outputs">,
  parts: ReadonlyMap<Value, Value>,
): readonly (Value | null)[] {
  const { gradient, pointwise }: OpDefinition = OPS[node.op];
  const y = read.outputs[0]!;
  for (const value of [...node.inputs, ...node.outputs]) {
    const symbol = value?.shape.find((dim) => typeof dim === "string");
    if (symbol !== undefined) {
      throw new RangeError(
        `Cannot differentiate ${node.op}: "${value!.name}" has shape [${
          value!.shape
        }], want numbers; build the train graph without "${symbol}"`,
      );
    }
  }
  // An unexpanded dy is enough where the op is elementwise and nothing but dy needs a broadcast.
  const lazy = pointwise && node.inputs.every((x) => x && (`${x.shape}` === `${y.shape}` || y.graph.constants.has(x)));
  const dys = node.outputs.map((output) => {
    const dy = parts.get(output);
    return dy ? (lazy ? dy : dy.expand(output.dims)) : null;
  });
  return gradient!(
    { dy: dys[0] ?? y, dys, y, ys: read.outputs, attributes: node.attributes },
    ...read.inputs as Value[],
  );
}

/** Sums the axes along which x was broadcast; a dx that is smaller than x stays so (it broadcasts later). */
function sumTo(dx: Value, shape: Shape): Value {
  const extra = dx.rank - shape.length;
  const axes = dx.dims.flatMap((n, i) => (i < extra || (shape[i - extra] === 1 && n > 1) ? [i] : []));
  if (!axes.length) return dx;
  const summed = dx.sum(axes, extra === 0);
  return extra > 0 ? summed.reshape(dx.dims.slice(extra).map((n, i) => (shape[i] === 1 ? 1 : n))) : summed;
}
