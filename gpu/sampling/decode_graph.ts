/** The graphs that generate: prefill of prompts, one decoding step, and moving rows of the KV cache. @module */
import { type Dim, Graph, type Value } from "../onnx/graph.ts";
import { hostScores, pickToken, samplerInputs, type SamplerKind } from "./pick.ts";
import { embed, layers, logits, normalize } from "../models/blocks.ts";
import { type ModelConfig, rotaryDim } from "../models/config.ts";
import { narrowHeads, widenHeads, widenTable } from "./head_padding.ts";
import { ropeInputs, type RopeTable, rotate } from "../models/rope_inputs.ts";
import { cacheNames, cacheShape } from "./kv_cache.ts";
import type { GraphOptions } from "../models/model.ts";
import { GraphWeights } from "../weights/graph_weights.ts";

/** What is read: prompts or a part of one, or one token more of each row. */
type Reading = "prompt" | "tokens";

/** RMSNorm of queries or keys x [B, (T,) n·headDim], of each head or of all at once. */
function headNorm(x: Value, weights: GraphWeights, name: string, config: ModelConfig): Value {
  if (config.qkNorm === "full") return normalize(x, weights, name, config);
  const lead = x.shape.slice(0, -1), heads = Number(x.shape.at(-1)) / config.headDim;
  return normalize(x.reshape([...lead, heads, config.headDim]), weights, name, config).reshape(x.shape);
}

/**
 * ids int64 ["B", T], each row's tokens at its left. Of a model with a tower prompts are read otherwise than what follows:
 * with images, and positions that are not their places. Returns normalized hidden states: ["B", D] where T is 1, else
 * ["B", T, D]. Inputs added: past caches, seqlens int32 ["B"] (tokens of the row after this call, minus 1),
 * total int32 [1] (the largest of them plus 1), rotary tables. Outputs added: present caches, for the same memory.
 */
function decoder(ids: Value, weights: GraphWeights, config: ModelConfig, reading: Reading): Value {
  const { graph } = ids, { heads, kvHeads, headDim } = config, tokens = Number(ids.shape[1]);
  const prompt = config.vision && reading === "prompt" ? promptImages(graph, tokens, config) : null;
  const rope = prompt ? null : ropeInputs(graph, config, "positions");
  // Behind an image a token's position is not its place in the cache.
  const positions = config.vision && !prompt ? graph.input("places", { dtype: "int64", shape: ["B", 1] }) : null;
  const seqlens = graph.input("seqlens", { dtype: "int32", shape: ["B"] });
  const total = graph.input("total", { dtype: "int32", shape: [1] });
  const cache = { dtype: "float32", shape: cacheShape<Dim>(config, "B", "capacity") } as const;
  const names = cacheNames(config);
  const rows = (x: Value) => (tokens === 1 ? x.reshape(["B", x.shape.at(-1)!]) : x);
  const sequences = (x: Value) => (tokens === 1 ? x.reshape(["B", 1, x.shape.at(-1)!]) : x);
  const wide = (x: Value) => sequences(widenHeads(x, config));
  const attention = (qkv: Value, x: Value, layer: number) => {
    const [keyName, valueName] = names.slice(2 * layer);
    const table = rope && rope(layer), { window } = config.layerKinds[layer]!;
    const parts = config.qkNorm || prompt ? qkv.split(-1, [heads, kvHeads, kvHeads].map((n) => n * headDim)) : null;
    const norm = (x: Value, name: string) => config.qkNorm ? headNorm(x, weights, `${layer}.${name}`, config) : x;
    const turned = (x: Value, name: string) =>
      wide(prompt ? turn(norm(x, name), prompt, tokens, config) : norm(x, name));
    const [y, presentKey, presentValue] = (parts ? turned(parts[0]!, "q_norm") : wide(qkv)).groupQueryAttention({
      heads,
      kvHeads,
      pastKey: graph.input(keyName!.past, cache),
      pastValue: graph.input(valueName!.past, cache),
      seqlens,
      total,
      scale: config.attentionScale,
      ...(table ? widenTable(table, config) : {}),
      ...(positions ? { positions } : {}),
      ...(window === null ? {} : { window }),
      ...(config.attentionSoftcap === null ? {} : { softcap: config.attentionSoftcap }),
      ...(parts ? { key: turned(parts[1]!, "k_norm"), value: wide(parts[2]!) } : {}),
    });
    graph.output(keyName!.present, presentKey);
    graph.output(valueName!.present, presentValue);
    return { y: narrowHeads(rows(y), config), x };
  };
  const words = embed(ids, weights, config);
  const embedded = rows(prompt ? prompt.isImage.greater(0).where(prompt.features.gather(prompt.slots), words) : words);
  return layers(embedded, weights, config, { attention, inference: true });
}

/** What a prompt with images is beside its tokens. */
interface PromptInputs {
  /** float32 ["I", D]. */
  readonly features: Value;
  /** int64 ["B", T]: the row of the features in place of a token; float32 ["B", T, 1]: whether there is one. */
  readonly slots: Value;
  readonly isImage: Value;
  /** int64 ["B", T]: the row of the tables that turns a token; they have one for each, float32 ["R", rotaryDim / 2]. */
  readonly turns: Value;
  readonly table: RopeTable;
}

function promptImages(graph: Graph, tokens: number, config: ModelConfig): PromptInputs {
  const table = { dtype: "float32", shape: ["R", rotaryDim(config) / 2] } as const;
  return {
    features: graph.input("image_features", { dtype: "float32", shape: ["I", config.hiddenSize] }),
    slots: graph.input("image_slots", { dtype: "int64", shape: ["B", tokens] }),
    isImage: graph.input("is_image", { dtype: "float32", shape: ["B", tokens, 1] }),
    turns: graph.input("prompt_turns", { dtype: "int64", shape: ["B", tokens] }),
    table: { cos: graph.input("prompt_cos", table), sin: graph.input("prompt_sin", table) },
  };
}

/** Heads [B, (T,) n · headDim] turned by a table with a row per token, which GroupQueryAttention cannot. */
function turn(x: Value, { turns, table }: PromptInputs, tokens: number, { headDim }: ModelConfig): Value {
  const heads = Number(x.shape.at(-1)) / headDim, byToken = ["B", tokens, heads, headDim];
  return rotate(x.reshape(byToken).transpose([0, 2, 1, 3]), turns, table).transpose([0, 2, 1, 3]).reshape(x.shape);
}

/**
 * Inputs: ids int64 ["B", tokens], prompts right-padded or a part of one, the place int64 ["B"] of the last token of each,
 * `last`, and those of the decoder. Outputs: logits [B, V] after that token.
 */
export function prefillGraph(options: GraphOptions, tokens: number): Graph {
  const graph = new Graph(options), { config } = options;
  const weights = new GraphWeights(graph, options, { sampling: true });
  const hidden = decoder(graph.input("ids", { dtype: "int64", shape: ["B", tokens] }), weights, config, "prompt");
  const at = graph.input("last", { dtype: "int64", shape: ["B"] });
  const last = tokens === 1 ? hidden : hidden.gatherND(at.reshape(["B", 1]), 1);
  graph.output("logits", logits(last, weights, config));
  return graph;
}

/** Inputs: ids int64 ["B", 1], those of the decoder and of the sampler. Outputs: as `sampleGraph`. */
export function decodeGraph(options: GraphOptions, kind: SamplerKind, wide = false): Graph {
  const graph = new Graph(options), { config } = options;
  const weights = new GraphWeights(graph, options, { sampling: true, wide });
  const hidden = decoder(graph.input("ids", { dtype: "int64", shape: ["B", 1] }), weights, config, "tokens");
  outputs(logits(hidden, weights, config), kind);
  return graph;
}

/** Inputs: logits ["P", V], rows int64 ["B"] and those of the sampler. Outputs: token int64 [B, 1], its probability in the
 * distribution drawn from and in the plain one, drawn and plain, float32 [B]. With `kind.host` what `hostScores` says instead. */
export function sampleGraph({ config, provider }: GraphOptions, kind: SamplerKind): Graph {
  const graph = new Graph({ provider });
  const all = graph.input("logits", { dtype: "float32", shape: ["P", config.vocabSize] });
  outputs(all.gather(graph.input("rows", { dtype: "int64", shape: ["B"] })), kind);
  return graph;
}

function outputs(scores: Value, kind: SamplerKind): void {
  const { graph } = scores, inputs = samplerInputs(graph, kind, scores.shape[1]!);
  const all = kind.host ? hostScores(scores, inputs, kind) : { ...pickToken(scores, inputs, kind) };
  for (const [name, value] of Object.entries(all)) graph.output(name, value);
}

/** Copies rows of every cache tensor: inputs rows int64 ["B"] and past ["P", …]; outputs present ["B", …]. */
export function moveRowsGraph({ config, provider }: GraphOptions): Graph {
  const graph = new Graph({ provider });
  const rows = graph.input("rows", { dtype: "int64", shape: ["B"] });
  for (const { past, present } of cacheNames(config)) {
    const shape = cacheShape<Dim>(config, "P", "capacity");
    graph.output(present, graph.input(past, { dtype: "float32", shape }).gather(rows));
  }
  return graph;
}
