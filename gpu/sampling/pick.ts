/** Draws one token per row inside the graph, by inverse CDF of one uniform. @module */
import type { Dim, Graph, Value } from "../onnx/graph.ts";
import { minPKeeps, repetitionPenalty, topKKeeps, topPKeeps } from "./filters.ts";
import type { Filters } from "./keep_row.ts";

/** Which filters a sampler graph contains; their strengths are inputs, so that one graph serves all of them. */
export interface SamplerKind {
  /** Temperature 0: the most likely token, no uniform. */
  readonly greedy: boolean;
  /** Temperature other than 1. */
  readonly temperature: boolean;
  /** 0 = off. */
  readonly topK: number;
  readonly topP: boolean;
  readonly minP: boolean;
  readonly repetitionPenalty: boolean;
  /** Tokens that are never drawn. */
  readonly suppress?: readonly number[];
  /**
   * JavaScript draws: where true from softmax(logits), which the graph yields, else from what these filters leave of the
   * scores that it yields (`hostScores`); the filters above are off then.
   */
  readonly host?: true | Filters;
}

/** Whether the scores that are filtered and drawn from are other than the logits. */
export function changesScores({ temperature, repetitionPenalty, suppress }: SamplerKind): boolean {
  return temperature || repetitionPenalty || suppress !== undefined;
}

/** Bytes per token of the vocabulary and row that lie beside the graph: the arrays of `hostScores`, and which tokens were seen. */
export function besideGraph(kind: SamplerKind): number {
  const arrays = kind.host === undefined ? 0 : kind.host === true ? 1 : changesScores(kind) ? 3 : 2;
  return 4 * arrays + (kind.repetitionPenalty ? 1 : 0);
}

/** Of kinds that share a graph. */
export function graphKey(kind: SamplerKind): string {
  return JSON.stringify({ ...kind, host: typeof kind.host === "object" ? "filtered" : kind.host });
}

interface SamplerInputs {
  /** float32 ["B", 1] in [0, 1). */
  readonly uniforms: Value | null;
  /** float32 [1]. */
  readonly temperature: Value | null;
  readonly topP: Value | null;
  readonly minP: Value | null;
  readonly penalty: Value | null;
  /** bool ["B", V]: tokens of the row's prompt and completion so far. */
  readonly seen: Value | null;
}

/** Declares what `kind` needs. */
export function samplerInputs(graph: Graph, kind: SamplerKind, vocabulary: Dim): SamplerInputs {
  const scalar = (name: string, wanted: boolean) => wanted ? graph.input(name, { dtype: "float32", shape: [1] }) : null;
  const penalized = kind.repetitionPenalty;
  return {
    uniforms: kind.greedy || kind.host ? null : graph.input("uniforms", { dtype: "float32", shape: ["B", 1] }),
    temperature: scalar("temperature", kind.temperature && !kind.greedy),
    topP: scalar("top_p", kind.topP && !kind.greedy),
    minP: scalar("min_p", kind.minP && !kind.greedy),
    penalty: scalar("repetition_penalty", penalized),
    seen: penalized ? graph.input("seen", { dtype: "bool", shape: ["B", vocabulary] }) : null,
  };
}

/** The distribution that is drawn from: scores with removed tokens at -Infinity, in the order of `tokens`. */
interface Filtered {
  readonly scores: Value;
  /** int64 ["B", V], the token at each place; null = the vocabulary's own order. */
  readonly tokens: Value | null;
}

/**
 * Applies repetition penalty, suppressed tokens, temperature, top-k, top-p and min-p, in this order (transformers
 * `_get_logits_processor`). logits float32 ["B", V], V static.
 */
export function filterLogits(logits: Value, inputs: SamplerInputs, kind: SamplerKind): Filtered {
  const { topP, minP } = inputs, vocabulary = Number(logits.shape[1]);
  let scores = changedScores(logits, inputs, kind);
  if (kind.topK > 0 && kind.topK < vocabulary) scores = topKKeeps(scores, kind.topK).where(scores, -Infinity);
  let tokens: Value | null = null;
  if (topP) {
    [scores, tokens] = scores.topK(vocabulary);
    scores = topPKeeps(scores, topP).where(scores, -Infinity);
  }
  if (minP) scores = minPKeeps(scores, minP).where(scores, -Infinity);
  return { scores, tokens };
}

/** What the filters order by: logits after repetition penalty, suppressed tokens and temperature. */
function changedScores(logits: Value, { temperature, penalty, seen }: SamplerInputs, kind: SamplerKind): Value {
  const vocabulary = Number(logits.shape[1]);
  let scores = penalty && seen ? repetitionPenalty(logits, seen, penalty) : logits;
  if (kind.suppress) {
    const banned = new Float32Array(vocabulary);
    for (const id of kind.suppress) banned[id] = -Infinity;
    scores = scores.add(logits.graph.constant(banned, [1, vocabulary]));
  }
  return temperature ? scores.div(temperature) : scores;
}

/**
 * What JavaScript draws from: probabilities float32 ["B", V]; with filters softmax of `scores`, which stand beside it, and
 * where these are other than the logits softmax(logits) as `plain_probabilities`.
 */
export function hostScores(logits: Value, inputs: SamplerInputs, kind: SamplerKind): Record<string, Value> {
  if (kind.host === true) return { probabilities: logits.softmax() };
  const scores = changedScores(logits, inputs, kind), filtered = { probabilities: scores.softmax(), scores };
  return changesScores(kind) ? { ...filtered, plain_probabilities: logits.softmax() } : filtered;
}

const BLOCK = 32; // Tokens per block of the two-step search: cumulative sums are serial, so they are kept short.
/** Just below 1 in float32: a target of at most this share of its block's sum lies inside the block. */
const INSIDE = 1 - 2 ** -23;

/**
 * The place where the cumulative probability first exceeds uniform · total, int64 ["B", 1].
 *
 * Looks for the block first, then inside it. A place of probability 0 is never chosen: counting `<=` steps over it, and
 * the target inside the block is kept below the block's own sum, whatever the rounding.
 */
function invertCdf(probabilities: Value, uniforms: Value): Value {
  const size = Number(probabilities.shape[1]), blocks = Math.ceil(size / BLOCK);
  const before = (cdf: Value, target: Value) => cdf.lessOrEqual(target).cast("float32").sum([1]);
  const last = (cdf: Value, n: number) => cdf.slice([n - 1], [n], [1]);
  const padded = size % BLOCK ? probabilities.pad([0, 0], [0, blocks * BLOCK - size]) : probabilities;
  const grid = padded.reshape(["B", blocks, BLOCK]), sums = grid.sum([2], false);
  const outer = sums.cumsum(1), target = uniforms.mul(last(outer, blocks));
  const block = before(outer, target).cast("int64");
  const rest = target.sub(outer.gatherElements(block, 1)).add(sums.gatherElements(block, 1)).max(0);
  const inner = grid.gatherND(block, 1).cumsum(1);
  const within = before(inner, rest.min(last(inner, BLOCK).mul(INSIDE))).cast("int64");
  return block.mul(BLOCK).add(within);
}
/** p of one token per row: probabilities ["B", V], tokens int64 ["B", 1], to ["B"]. */
function probabilityAt(probabilities: Value, tokens: Value): Value {
  return probabilities.gatherElements(tokens, 1).reshape(["B"]);
}

/**
 * logits    float32 ["B", V]
 * returns   token int64 ["B", 1]; drawn float32 ["B"], its probability in the distribution drawn from (1 when greedy);
 *           plain float32 ["B"], its probability in softmax(logits)
 *
 * The logarithm is left to the caller: a vector of B of them has other last bits when B is another.
 */
export function pickToken(
  logits: Value,
  inputs: SamplerInputs,
  kind: SamplerKind,
): { token: Value; drawn: Value; plain: Value } {
  const plainOf = (token: Value) => probabilityAt(logits.softmax(), token);
  if (kind.greedy) {
    const { scores } = filterLogits(logits, inputs, { ...kind, topK: 0 });
    const token = scores.argMax(1, true), plain = plainOf(token);
    return { token, drawn: plain.mul(0).add(1), plain };
  }
  const { scores, tokens } = filterLogits(logits, inputs, kind);
  const probabilities = scores.softmax(), place = invertCdf(probabilities, inputs.uniforms!);
  const token = tokens ? tokens.gatherElements(place, 1) : place, drawn = probabilityAt(probabilities, place);
  const changed = tokens !== null || scores !== logits;
  return { token, drawn, plain: changed ? plainOf(token) : drawn };
}
