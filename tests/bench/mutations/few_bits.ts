/** Faults in weights of few bits and in reading weights from files. @module */
import { mutationsOf } from "./mutation.ts";

export const FEW_BITS = mutationsOf({
  "gpu/weights/quantized.ts": [
    ["scale_by_magnitude", "(high > -low ? high : low) / -half", "Math.max(high, -low) / half"],
    ["not_rounded", "inverse) + (half + 0.5)", "inverse) + half"],
    ["halves_swapped", ">> 4 * (i & 1) & 15", ">> 4 * (1 - i & 1) & 15"],
    ["part_at_the_first_row", "{ stored, row });\n      row +=", "{ stored, row: 0 });\n      row +="],
    ["last_block_not_filled", "blocksOf(width, bits) * (blockOf", "width / blockOf(width, bits) * (blockOf"],
  ],
  "gpu/weights/rounded_copy.ts": [
    ["copy_never_made_anew", "this.#version !== this.original.version", "this.#version === null"],
    ["bytes_in_another_order", "16 ** (row % 2)", "16 ** (1 - row % 2)"],
    ["pieces_at_the_first_place", "at * bytes)", "0)"],
  ],
  "gpu/sampling/keep_row.ts": [
    ["cut_without_what_is_below", ", total - sumOfCandidates(p, count))", ")"],
    ["last_ties_kept", "lastTie = candidates[ties - 1]!", "lastTie = candidates[0]!"],
    ["minus_zero_apart", "b === -0x80000000 ? b : ~b", "~b"],
    ["likeliest_left_out", "Math.min(limit / size, largestOf(p))", "limit / size"],
  ],
  "gpu/onnx/block_quantized.ts": [
    ["padding_read", "wide : wide.slice([0], [width], [-1])", "wide : wide"],
    ["samples_in_float", "integers ? 4 : 1", "1"],
    ["gradient_of_the_transpose", "[dy.matmul(dequantized(", "[dy.neg().matmul(dequantized("],
  ],
  "gpu/weights/graph_weights.ts": [
    ["bias_not_scaled", "alpha, beta: alpha", "alpha"],
    [
      "wide_not_turned",
      "this.get(name).matmul(x, { transposeB: true, alpha }).transpose([1, 0])",
      "x.matmul(this.get(name))",
    ],
    [
      "copy_of_embedding_ignored",
      "if (w || !quantized) return this.get(name).gather(ids);",
      "if (!quantized) return this.get(name).gather(ids);",
    ],
    ["alpha_lost_by_blocks", "alpha === 1 ? y : y.mul(alpha);", "y;"],
  ],
  "data/hub/dtypes.ts": [
    ["bfloat16_is_the_lower_half", "halves[i]! << 16", "halves[i]!"],
  ],
  "data/hub/safetensors_read.ts": [
    ["range_not_moved", "byteOffset + from * size", "byteOffset"],
    ["changed_file_read", "info.size === this.size &&", "info.size === this.size ||"],
  ],
  "data/hub/model_tensors.ts": [
    ["infinity_accepted", "& INFINITE) + 0x800000", "& INFINITE) + 0x400000"],
  ],
});
