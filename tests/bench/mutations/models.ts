/** Faults in gpu/models and the graphs that decode: what a family is, and what its graphs make of it. @module */
import { mutationsOf } from "./mutation.ts";

export const MODELS = mutationsOf({
  "gpu/models/blocks.ts": [
    ["gate_without_silu", "silu: (x) => x.silu()", "silu: (x) => x"],
    ["temperature_multiplies", "1 / (logitsDivisor * temperature)", "temperature / logitsDivisor"],
    ["logits_not_divided", "1 / (logitsDivisor * temperature)", "1 / temperature"],
    ["softcap_before_temperature", "cap / temperature", "cap"],
    ["softcap_not_restored", "scaled.tanh().mul(cap)", "scaled.tanh()"],
    ["norm_offset_dropped", ".add(normOffset)", ""],
    ["embeddings_not_scaled", "rows.mul(embeddingScale)", "rows"],
    ["residual_not_scaled", "`${layer}.down`, residualScale", "`${layer}.down`"],
    ["norm_after_skipped", "after ? normalize(branch, weights, post, config) : branch", "branch"],
    ["gate_and_up_swapped", "const [gate, up] = packedProjections", "const [up, gate] = packedProjections"],
    ["entropy_sign", "mul(all).sum([1], false).neg()", "mul(all).sum([1], false)"],
    ["statistic_entropy_sign", "mul(distribution()).sum([1], false).neg()", "mul(distribution()).sum([1], false)"],
    ["squares_not_squared", "distribution().mul(2).exp()", "distribution().exp()"],
    ["residual_dropped", "normalize(x = x.add(added)", "normalize(x = added"],
    ["tied_head_ignored", 'config.tiedEmbeddings ? "embed" : "head"', 'config.tiedEmbeddings ? "head" : "embed"'],
  ],
  "gpu/models/attention.ts": [
    ["sees_the_next_token", "key.greater(query)", "key.greater(query.add(1))"],
    ["window_one_wider", "key.lessOrEqual(query.sub(window))", "key.less(query.sub(window))"],
    ["window_dropped", "later && earlier ? later.or(earlier) :", "later && earlier ? later :"],
    ["padding_seen", ".sub(1).mul(-HIDDEN)", ".sub(1).mul(0)"],
    ["sequences_see_each_other", "own.equal(theirs).where(0, HIDDEN)", "own.equal(theirs).where(0, 0)"],
    ["block_misses_keys", "before + from + 1 - (window ?? Infinity)", "before + from + 2 - (window ?? Infinity)"],
    ["scores_not_scaled", "cap === null ? scale : scale / cap", "cap === null ? 1 : scale / cap"],
    ["scores_not_capped", "cap === null ? product : softcap(product, cap)", "product"],
  ],
  "gpu/models/forward.ts": [
    ["completion_one_position_late", "{ length: tq }, (_, t) => t)", "{ length: tq }, (_, t) => t + 1)"],
    ["prompt_positions_from_1", "mask.cumsum(1).sub(1).max(0)", "mask.cumsum(1)"],
    ["keys_not_normed", 'k: turned(norm(k, "k_norm")), v }', "k: turned(k), v }"],
    ["values_rotated", "k: k!, v: v!", "k: k!, v: turned(v!)"],
    ["completions_masked_as_padding", "mask.pad([0, 0], [0, tq], 1)", "mask.pad([0, 0], [0, tq], 0)"],
  ],
  "gpu/models/parameters.ts": [
    ["norms_of_qwen", 'norm2: "pre_feedforward_layernorm"', 'norm2: "post_attention_layernorm"'],
    ["norm_begins_at_1", "normOffset === 0 ? 1 : 0", "1"],
    ["norm_of_one_head", 'qkNorm === "full" ? count * headDim : headDim', "headDim"],
  ],
  "gpu/models/padding.ts": [
    ["wrong_side", 'side === "left" ? width - row.length : 0', 'side === "left" ? 0 : width - row.length'],
    [
      "mask_one_short",
      "target.fill(1, (r + 1) * width - row.length,",
      "target.fill(1, (r + 1) * width - row.length + 1,",
    ],
  ],
  "gpu/models/rope.ts": [
    ["frequency_sign", "theta ** fround(2 * i / dim)", "theta ** fround(-2 * i / dim)"],
    ["low_frequencies_kept", "return frequency / factor;", "return frequency;"],
    [
      "smooth_swapped",
      "(1 - smooth) * frequency / factor + smooth * frequency",
      "smooth * frequency / factor + (1 - smooth) * frequency",
    ],
    ["linear_unscaled", "fround(1 / power) / factor", "fround(1 / power)"],
    ["yarn_ramp_reversed", "(i - low) / width", "(high - i) / width"],
    ["short_for_long", "long ? longFactors : shortFactors", "shortFactors"],
    ["attention_factor_dropped", "fround(Math.cos(angle)) * factor", "fround(Math.cos(angle))"],
  ],
  "gpu/models/rope_config.ts": [
    ["scaling_of_transformers_4_ignored", "Object.keys(scaling).length > 0", "Object.keys(scaling).length > 99"],
    ["spread_without_root", "Math.sqrt(1 + Math.log(factor) / Math.log(originalPositions))", "1 + Math.log(factor)"],
    ["unknown_keys_pass", "!KEYS.has(key)", "false"],
  ],
  "gpu/models/layer_kinds.ts": [
    [
      "full_and_sliding_swapped",
      'types.map((type) => type === "sliding_attention")',
      'types.map((type) => type !== "sliding_attention")',
    ],
    ["rope_where_none", "given.map(Boolean)", "given.map(() => true)"],
    ["interval_from_the_first", "(layer + 1) % interval !== 0", "layer % interval !== 0"],
    ["global_rope_everywhere", "sliding && family.rope.local", "false"],
  ],
  "gpu/models/options.ts": [
    ["unread_options_pass", "value === undefined ||", "true ||"],
    [
      "scalar_without_root",
      'positive(json, "query_pre_attn_scalar") ** -0.5',
      '1 / positive(json, "query_pre_attn_scalar")',
    ],
  ],
  "gpu/models/families.ts": [
    ["gemma2_begins_full", "slides: (_, layer) => layer % 2 === 0", "slides: (_, layer) => layer % 2 === 1"],
    ["qwen3_head_not_normed", 'fixed: { qkNorm: "head" },', "fixed: {},"],
  ],
  "gpu/models/rope_tensors.ts": [
    ["long_and_short_shared", "this.#kept.get(long)", "this.#kept.get(false) ?? this.#kept.get(true)"],
  ],
  "gpu/sampling/decode_graph.ts": [
    ["window_unknown", "window === null ? {} : { window }", "{}"],
    ["softcap_unknown", "config.attentionSoftcap === null ? {} :", "true ? {} :"],
    ["scale_of_the_wide_head", "scale: config.attentionScale,", ""],
    ["full_norm_by_head", 'config.qkNorm === "full"', "false"],
  ],
  "gpu/sampling/head_padding.ts": [
    ["halves_not_apart", "const narrow = [rotated / 2, rotated / 2,", "const narrow = [rotated, 0,"],
  ],
});
