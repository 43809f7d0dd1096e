/** Faults in how images are read: the tower, positions of prompts, what is kept of images, what samples never hold. @module */
import { mutationsOf } from "./mutation.ts";

export const VISION = mutationsOf({
  "gpu/models/vision/tower.ts": [
    ["window_mask_dropped", "isFull ? whole : within!", "whole"],
    ["every_block_in_windows", "vision.window.full.includes(block)", "false"],
    ["patches_see_none_behind", "      dtype,\n      false,\n", "      dtype,\n      true,\n"],
    ["not_centred", "x.sub(x.mean([-1])).rmsNorm(", "x.rmsNorm("],
    ["norm_without_bias", ".add(weights.get(`${name}_bias`))", ""],
    ["scores_not_scaled", "attentionScale: headDim ** -0.5", "attentionScale: 1"],
    ["values_turned", "attend(q!, k!, v!, masks", "attend(q!, k!, v!.rotary(places, cos, sin), masks"],
    ["gate_and_up_swapped", "const [gate, up] = [project", "const [up, gate] = [project"],
    ["merger_without_gelu", '"vision.merger.fc1").gelu()', '"vision.merger.fc1")'],
  ],
  "gpu/models/vision/patch_places.ts": [
    ["row_and_column_exchanged", "(i < quarter ? row : column)", "(i < quarter ? column : row)"],
    [
      "squares_by_columns",
      "row: top + Math.floor(i / merge), column: left + i % merge",
      "row: top + i % merge, column: left + Math.floor(i / merge)",
    ],
    ["windows_of_patches", "window.pixels / mergeSize / patchSize", "window.pixels / patchSize"],
    ["rows_of_windows_upon_each_other", "1 + y! * across + x!", "1 + y! + x!"],
  ],
  "gpu/models/vision/prompt_places.ts": [
    ["next_by_sum", "next += Math.max(grid!.h, grid!.w)", "next += grid!.h + grid!.w"],
    ["next_by_rows", "Math.max(grid!.h, grid!.w)", "grid!.h"],
    [
      "axes_exchanged",
      "next + Math.floor(i / grid!.w), next + i % grid!.w",
      "next + i % grid!.w, next + Math.floor(i / grid!.w)",
    ],
    ["images_left_over", "if (image !== images.length) throw", "if (image > images.length) throw"],
    ["text_within_an_image", "if (ids[t] !== imageToken) throw", "if (ids[t] === undefined) throw"],
    ["one_axis", "positions[3 * t + axes[i]!]!", "positions[3 * t]!"],
  ],
  "gpu/models/vision/image_batch.ts": [
    ["one_image_a_prompt", "count: bucketLength(prompts * each)", "count: bucketLength(prompts)"],
    ["features_of_the_next_row", "[id, n * tokens]", "[id, n * tokens + 1]"],
    [
      "features_of_the_first_image",
      "{ length: imageTokens(image, mergeSize) }, (_, i) => start + i)",
      "{ length: imageTokens(image, mergeSize) }, (_, i) => i)",
    ],
    ["prompts_at_their_left", "from = (p + 1) * width - prompt.length", "from = p * width"],
    ["padding_seen", "valid.fill(1, n * patches, n * patches + patchesOf(image))", "valid.fill(1)"],
    [
      "windows_of_the_first_image",
      "patchWindows(image.grid, vision), n * patches)",
      "patchWindows(image.grid, vision), 0)",
    ],
    ["pixels_of_images_in_a_row", "n * target.length / shape.count)", "n * numbers.length)"],
  ],
  "gpu/models/vision/image_encoder.ts": [
    ["frozen_states_forgotten", 'if (stage === "patches") this.#states.clear();', "this.#states.clear();"],
    ["moved_states_kept", 'if (stage === "patches") this.#states.clear();', ""],
    [
      "features_of_another_merger",
      'if (stage !== "features") this.#features',
      'if (stage === "patches") this.#features',
    ],
    ["loaded_base_unseen", "${adapted?.base.version}", "${adapted?.adapter === null}"],
    ["loaded_weights_unseen", "if (version === this.#version) return;", "if (version !== null) return;"],
    ["versions_seen_too_late", "    this.#forgetStale(); // Before an update", "    // Before an update"],
    ["wrong_patches_read", "patches.length === h * w * width) return", "patches.length <= h * w * width) return"],
  ],
  "gpu/models/vision/kept_rows.ts": [
    ["no_part_of_the_budget", "budget === null ? most : Math.min(most, budget * OF_BUDGET)", "most"],
    ["nothing_let_go", "if (this.#bytes <= this.mostBytes || oldest === id) break;", "break;"],
    ["first_made_let_go", "      this.#kept.delete(id);\n      this.#kept.set(id, known);\n", ""],
    ["counted_twice", "if (this.#kept.has(id)) return made;", "if (this.#bytes < 0) return made;"],
  ],
  "gpu/weights/layout.ts": [
    ["tower_as_wide_as_text", "find(([begin]) => name.startsWith(begin))", "find(() => false)"],
  ],
  "gpu/models/vision_parameters.ts": [
    ["merger_in_the_tower", 'name.startsWith(MERGER) ? "merger" : name', "name"],
  ],
  "gpu/models/vision_config.ts": [
    ["ratio_of_one", 'embedDim * positive(json, "mlp_ratio")', "embedDim"],
    ["unknown_keys_pass", "if (unknown) refuse(", "if (unknown && false) refuse("],
  ],
  "gpu/models/blocks.ts": [
    ["silent_tokens_given", "mask[id] = SILENT", "mask[id] = 0"],
    ["silent_tokens_in_the_mean", "logits.less(SILENT / 2).where(0, logits).mean", "logits.mean"],
  ],
  "gpu/models/forward.ts": [
    ["position_of_the_place", "(images?.next ?? mask.sum([1]))", "mask.sum([1])"],
    [
      "first_feature_everywhere",
      "where(features.gather(slots), prompts!)",
      "where(features.gather(slots.sub(slots)), prompts!)",
    ],
  ],
  "gpu/sampling/batch.ts": [
    ["position_is_the_place", "BigInt(seqlens[i]! + this.#ahead[i]!)", "BigInt(seqlens[i]!)"],
    ["ahead_lost_by_halves", "to.#ahead[i] = this.#ahead[row]!", "to.#ahead[i] = 0"],
  ],
  "gpu/sampling/prompt_images.ts": [
    ["images_upon_each_other", "count += features.length / d;", "count += 1;"],
    ["slots_of_the_first_part", "own.subarray(before, before + tokens)", "own.subarray(0, tokens)"],
    [
      "turns_of_the_first_part",
      "positions.subarray(3 * before, 3 * (before + tokens))",
      "positions.subarray(0, 3 * tokens)",
    ],
    ["rows_from_the_first", "places.slice(from, from + rows)", "places.slice(0, rows)"],
  ],
  "gpu/training/dropout.ts": [
    ["masks_of_the_first_image", "0, t, n * each + t)", "0, t, t)"],
    ["one_mask_for_all_images", "`image ${id}`", '"image"'],
  ],
  "gpu/models/vision/image_stage.ts": [
    ["merger_before_tower", 'parts.has("tower") ? "patches"', 'parts.has("tower") ? "states"'],
  ],
  "data/hub/visual_names.ts": [
    ["tower_by_its_module", 'return name.startsWith(VISUAL) ? name.slice("model.".length) : name;', "return name;"],
    ["whole_name_in_config", 'return published.replace(/^model\\./, "");', "return published;"],
  ],
  "data/images/image_store.ts": [
    ["changed_bytes_read", "if (isOf(id, bytes)) return bytes;", "if (bytes.length > 0) return bytes;"],
    ["changed_bytes_kept", "if (!isNew && isOf(id, this.#read(id))) return", "if (!isNew) return"],
  ],
  "steps/resources/tower_fit.ts": [
    ["words_beside_images", "if (own.vision === null) {", "if (own.vision === undefined) {"],
  ],
  "steps/supervised/row_limits.ts": [
    ["markers_learned", "config.silentTokens.includes(id)", "config.silentTokens.includes(-id)"],
  ],
  "steps/load_preferences.ts": [
    ["images_left_out", "  refuseImages(file, first);\n", ""],
  ],
  "workflows/repair/fork.ts": [
    ["images_left_behind", "if (isThere(images)) {", "if (!isThere(parent)) {"],
  ],
  "steps/resources/prompt_images.ts": [
    [
      "older_file_first",
      "if (whole !== null && Object.hasOwn",
      "if (readFolderText(folder, PROCESSOR_FILE) === null && whole !== null && Object.hasOwn",
    ],
    ["bounds_of_the_step_left_out", "max_pixels ?? most", "most ?? max_pixels"],
  ],
  "workflows/preflight/image_rules.ts": [
    ["bounds_blamed_on_the_model", 'isOfStep ? bound : "model"', 'isOfStep ? "model" : "model"'],
  ],
  "workflows/preflight/image_facts.ts": [
    ["markers_for_images", "vision.mergeSize) - 1)", "vision.mergeSize) * 0)"],
  ],
  "gpu/training/batch_passes.ts": [
    ["images_not_in_the_key", "packed, long, images];", "packed, long];"],
    [
      "packed_images_read",
      "if (segments && images && images.images.length > 0) throw",
      "if (segments && images && images.images.length < 0) throw",
    ],
  ],
});
