/** Names a node of a train graph in terms of the model: which layer, which part, which parameter. @module */
import type { Node, Value } from "../onnx/graph.ts";
import { weightName } from "../weights/graph_weights.ts";
import type { Layout } from "../weights/layout.ts";
import { gradientNames } from "./train_graph.ts";

/** What is computed after a weight was read, by the end of its packed name. */
const PARTS: readonly (readonly [end: string, part: string])[] = [
  ["norm1", "attention norm"],
  ["norm2", "MLP norm"],
  ["post1", "norm after attention"],
  ["post2", "norm after the MLP"],
  ["qkv", "attention"],
  ["qkv_bias", "attention"],
  ["q_norm", "attention"],
  ["k_norm", "attention"],
  ["o", "attention output"],
  ["o_bias", "attention output"],
  ["gate", "MLP"],
  ["gate_bias", "MLP"],
  ["up", "MLP"],
  ["up_bias", "MLP"],
  ["gate_up", "MLP"],
  ["down", "MLP output"],
  ["down_bias", "MLP output"],
  // Of a vision tower
  ["norm1_bias", "attention norm"],
  ["norm2_bias", "MLP norm"],
  ["proj", "attention output"],
  ["proj_bias", "attention output"],
  ["fc1", "MLP"],
  ["fc1_bias", "MLP"],
  ["fc2", "MLP output"],
  ["fc2_bias", "MLP output"],
];

/** What of a layout is read here. */
type Placed = Pick<Layout, "packed">;

/** `softmax in attention of layer 0 (model.layers.0.self_attn.q_proj.weight, …)`. */
export function placeOf(node: Node, layout: Placed, loss: Node): string {
  const op = node.op.toLowerCase();
  const gradient = gradientOf(node, layout);
  if (gradient !== null) return `${op}: the gradient of ${gradient}`;
  if (node.index <= loss.index) return `${op} in ${partOf(node, layout)}`;
  const forward = latestForward(node, loss);
  return `${op} in the gradient of ${forward === null ? "the loss" : partOf(forward, layout)}`;
}

/** The checkpoint names of a packed tensor. */
function parameters(packed: string, layout: Placed): string {
  return layout.packed.find(({ name }) => name === packed)!.parts.map(({ name }) => name).join(", ");
}

function gradientOf(node: Node, layout: Placed): string | null {
  const named = layout.packed.find(({ name }) =>
    node.outputs.some((value) => value.name === gradientNames(name).after)
  );
  return named === undefined ? null : parameters(named.name, layout);
}

/** The weight read last on the way to a node, and what that makes it. */
function partOf(node: Node, layout: Placed): string {
  const weights = new Map(layout.packed.map(({ name }) => [weightName(name), name]));
  const own = readsWeight(node, weights);
  const at = own === null ? latest(node, (inner) => readsWeight(inner, weights) !== null) : node;
  const packed = own ?? (at === null ? null : readsWeight(at, weights));
  if (at === null || packed === null) return "the batch";
  const names = parameters(packed, layout);
  return named(packed.replace(OF_ADAPTER, ""), names, own === null, at);
}

/** What follows the packed name of a parameter in that of its adapter or copy. */
const OF_ADAPTER = /\.(?:lora_[AB]|saved)$/;

function named(packed: string, names: string, isAfter: boolean, at: Node): string {
  if (packed === "head" || (packed === "embed" && at.op !== "Gather")) {
    return isAfter ? "log-probabilities and loss" : `logits (${names})`;
  }
  if (packed === "score") return isAfter ? "values and loss" : `values (${names})`;
  if (packed === "embed") return `embedding (${names})`;
  if (packed === "norm") return `final norm (${names})`;
  const [tower, block] = packed.split(".");
  if (tower === "vision" && (block === "merger" || block === "patch_embed")) {
    return `${block === "merger" ? "merger" : "patches"} of images (${isAfter ? "after " : ""}${names})`;
  }
  const dot = packed.lastIndexOf("."), layer = packed.slice(0, dot), end = packed.slice(dot + 1);
  const part = PARTS.find(([name]) => name === end)?.[1] ?? end;
  const where = tower === "vision" ? `block ${block} of the tower` : `layer ${layer}`;
  return `${part} of ${where} (${isAfter ? "after " : ""}${names})`;
}

function readsWeight(node: Node, weights: ReadonlyMap<string, string>): string | null {
  for (const input of node.inputs) {
    const packed = input === null ? undefined : weights.get(input.name);
    if (packed !== undefined) return packed;
  }
  return null;
}

/** The node nearest before `node` among those it depends on for which `test` holds. */
function latest(node: Node, test: (node: Node) => boolean): Node | null {
  let best: Node | null = null;
  const seen = new Set<Node>(), open: Node[] = [node];
  while (open.length > 0) {
    for (const { node: before } of open.pop()!.inputs.filter((x): x is Value => x !== null)) {
      if (before === null || seen.has(before) || (best !== null && before.index < best.index)) continue;
      seen.add(before);
      if (test(before)) best = before;
      else open.push(before);
    }
  }
  return best;
}

/** The last node of the forward pass that a node of the backward pass depends on directly or through others. */
function latestForward(node: Node, loss: Node): Node | null {
  const direct = node.inputs.filter((x): x is Value => x?.node !== null && x !== null && x.node!.index <= loss.index)
    .map((x) => x.node!);
  if (direct.length > 0) return direct.reduce((a, b) => a.index > b.index ? a : b);
  return latest(node, ({ index }) => index <= loss.index);
}
