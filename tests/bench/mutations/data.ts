/** Faults in data/: draws, tables, tasks, the formats of a model folder, readers of other systems' logs. @module */
import { mutationsOf } from "./mutation.ts";

export const DATA = mutationsOf({
  "data/usual_learning_rate.ts": [
    ["breaks_at_twice_as_much", "whole: 50,", "whole: 100,"],
    ["idle_at_half_as_much", "const IDLE = 20", "const IDLE = 40"],
  ],
  "data/boxes/iou.ts": [
    ["joint_area_counts_twice", "union = area(a) + area(b) - shared;", "union = area(a) + area(b);"],
    ["distance_unseen", "- (around - union) / around", ""],
    ["swapped_corners_count", "return x1 < x2 && y1 < y2 &&", "return"],
  ],
  "data/boxes/match.ts": [
    ["least_confident_first", "rank(found[b]!) - rank(found[a]!)", "rank(found[a]!) - rank(found[b]!)"],
    ["true_boxes_serve_twice", "overlap > best && !isTaken.has(at)", "overlap > best"],
    ["threshold_itself_is_too_low", "overlap >= threshold", "overlap > threshold"],
  ],
  "data/boxes/hungarian.ts": [
    ["potentials_stay", "ofColumn[c]! -= least", "ofColumn[c]! -= 0"],
    ["more_rows_not_turned", "if (rows > columns) {", "if (rows < 0) {"],
  ],
  "data/boxes/judged_text.ts": [
    ["first_answer", "text.lastIndexOf(OPEN)", "text.indexOf(OPEN)"],
    ["first_thought", "text.lastIndexOf(THOUGHT)", "text.indexOf(THOUGHT)"],
  ],
  "data/boxes/literal.ts": [
    ["a_list_less", "depth > DEEPEST", "depth >= DEEPEST"],
  ],
  "data/boxes/read_boxes.ts": [
    ["names_not_trimmed", "label = name.trim()", "label = name"],
    ["corners_of_names", "corners.length > 0 && !/[{]/.test(body)", "corners.length > 0"],
    ["language_of_the_fence", '.replace(/^\\w*/, "")', '.replace(/^json/, "")'],
  ],
  "data/images/processor_config.ts": [
    ["any_small_factor", "- want) < 1e-9", "- want) < 1e-2"],
  ],
  "data/digest.ts": [
    ["keys_in_their_order", "Object.keys(item).sort().map(", "Object.keys(item).map("],
    ["first_part_only", "for (const part of parts) hash.update(part)", "hash.update(parts[0]!)"],
  ],
  "data/segment_digests.ts": [
    ["changed_segment_is_read", "if (!isKnown()) throw", "if (false) throw"],
    ["log_is_read_once", "      this.#known = null; // A run that goes on may have written it again since.\n", ""],
    ["segments_of_later_steps_are_missing", "range.first <= trainStep && ", ""],
  ],
  "data/random.ts": [
    ["a_round_less", "round < 10", "round < 9"],
    ["key_not_bumped", "k1 = (k1 + W1) | 0", "k1 = k1 | 0"],
    [
      "high_seed_ignored",
      "trainStep, Math.floor(seed / TWO_POW_32), seed >>> 0, streamKey(stream));\n  return (BLOCK",
      "trainStep, 0, seed >>> 0, streamKey(stream));\n  return (BLOCK",
    ],
    ["same_draw_four_times", "BLOCK[index & 3]! >>> 8", "BLOCK[0]! >>> 8"],
    ["normal_variance", "Math.sqrt(-2 * Math.log(", "Math.sqrt(-Math.log("],
    ["shuffle_to_itself", "row, i, i + 1)", "row, i, i)"],
    ["integer_reaches_the_bound", "Math.floor(fraction * bound)", "Math.round(fraction * bound)"],
    ["row_ignored", "philox(index >>> 2, row, trainStep,", "philox(index >>> 2, 0, trainStep,"],
  ],
  "data/signals/expected_loss.ts": [
    ["sign", "return 0 - plain / rows", "return plain / rows"],
    ["unweighted", "weighted += advantages[row]! * tokens[row]!", "weighted += advantages[row]!"],
    ["constant_length_dropped", "(rows * maxTokens)", "rows"],
    ["empty_rows_counted", "if (tokens[row]! > 0) plain += advantages[row]!", "plain += advantages[row]!"],
  ],
  "data/statistics/group_spread.ts": [
    ["singles_counted", "count >= 2 && spread", "count >= 1 && spread"],
    ["unscored_groups_left_out", "/ perGroup.length", "/ perGroup.filter(({ count }) => count > 0).length"],
    ["unique_not_a_share", ".size / texts.length", ".size"],
  ],
  "data/statistics/moments.ts": [
    ["divides_by_n", "squares / (count - 1)", "squares / count"],
    ["spread_of_the_highest", "spread: high - low", "spread: high"],
  ],
  "data/statistics/token_whitening.ts": [
    ["unweighted_mean", "sum += value * count", "sum += value"],
    ["unscored_ends_the_run", "if (values.every((value) => value === null))", "if (false)"],
    ["bessel_dropped", "* (tokens / (tokens - 1))", ""],
    ["floor_dropped", "Math.max(spread, eps)", "spread"],
    ["masked_tokens_count", "masks[i]![t]!] as const", "1] as const"],
  ],
  "data/statistics/groups.ts": [
    ["one_group_per_prompt", "const group = `${prompt} ${time}`", "const group = `${prompt}`"],
  ],
  "data/tables/column_type.ts": [
    ["floats_are_integers", "(item | 0) === item", "item === item"],
    ["null_is_a_type", "if (value === null || value === undefined) continue", "if (value === undefined) continue"],
  ],
  "data/tables/column_values.ts": [
    ["nulls_become_0", "typed && nulls === 0)", "typed)"],
    [
      "integers_wrap",
      "(value) => isInt32(value) ? value : undefined",
      '(value) => typeof value === "number" ? value | 0 : undefined',
    ],
  ],
  "data/tables/concat.ts": [
    ["second_over_first", "offset += part.length", "offset += 0"],
    ["columns_of_the_first", "filled.flatMap((table) => table.columnNames())", "filled[0]!.columnNames()"],
  ],
  "data/tables/table_of.ts": [
    ["rows_one_late", "columns[column]![index] = value", "columns[column]![index + 1] = value"],
  ],
  "data/tables/arrow.ts": [
    ["units_left_out", "if (column?.unit) entries", "if (!column) entries"],
    ["one_magic_is_enough", "text(0) !== MAGIC || text(bytes.length - MAGIC.length) !== MAGIC", "text(0) !== MAGIC"],
  ],
  "data/hub/safetensors_header.ts": [
    ["data_at_the_header", "const dataStart = 8 + bytes.length", "const dataStart = bytes.length"],
    ["hole_accepted", "if (entry.byteOffset !== end)", "if (entry.byteOffset < end)"],
    ["size_not_compared", "if (BigInt(end - begin) !== wanted)", "if (BigInt(end - begin) < wanted)"],
    ["cut_file_accepted", "if (end !== fileBytes)", "if (end > fileBytes)"],
  ],
  "data/hub/peft_config.ts": [
    ["rslora_as_lora", "rslora ? Math.sqrt(own.rank) : own.rank", "own.rank"],
    [
      "unknown_keys_kept",
      'if (!isEmpty(config[key])) refuse(key, "none: it',
      'if (config === null) refuse(key, "none: it',
    ],
    ["pissa_kept", "FROM_THE_BASE.test(config.init_lora_weights)", "config.r === 0"],
    ["ends_of_words_match", "fullMatcher(`(?:.*\\\\.)?(?:${key})`)", "fullMatcher(`(?:.*)?(?:${key})`)"],
  ],
  "data/hub/peft_adapter.ts": [
    ["one_factor_for_all", "const scaling = scalingOf(adapter, name);", "const scaling = scalingOf(adapter);"],
    ["whole_modules_dropped", "saved.set(parameter, { shape, data: file.float32(name) });", ""],
    [
      "copies_not_written",
      "for (const [name, tensor] of adapter.saved) tensors.set(wholeName(name, visual), tensor);",
      "",
    ],
  ],
  "data/hub/safetensors_write.ts": [
    ["tensors_overlap", "    offset = end;\n", ""],
    ["header_not_aligned", "Math.ceil(bytes.length / 8) * 8", "bytes.length"],
  ],
  "data/hub/model_tensors.ts": [
    ["twice_accepted", "if (other !== undefined)", "if (!name)"],
  ],
  "data/hub/tokenizer.ts": [
    ["special_tokens_shown", "skipSpecialTokens ? list.filter((id) => !specialIds.has(id)) : list", "list"],
    ["vocabulary_one_short", "Math.max(vocabSize, id + 1)", "Math.max(vocabSize, id)"],
    [
      "tokenizers_end_first",
      'first(eos.generation, eos.config, idOf("eos_token"))',
      'first(idOf("eos_token"), eos.config, eos.generation)',
    ],
    ["special_tokens_added", "addSpecialTokens = false } = {})", "addSpecialTokens = true } = {})"],
  ],
  "data/hub/tokenizer/bpe.ts": [
    ["stale_pair_joined", "this.#merged[rank] !== wanted", "false"],
    ["no_fallback", "bytes.every((byte) => byte !== undefined)", "false"],
    ["never_fused", "if (!this.#fuses) flush();", "flush();"],
    ["whole_word_merged", 'part["ignore_merges"] === true', "false"],
  ],
  "data/hub/tokenizer/added_tokens.ts": [
    ["shortest_wins", "if (node.token !== null) best =", "if (node.token !== null && best === null) best ="],
    ["inside_words", "if (token.token.single_word &&", "if (false &&"],
  ],
  "data/hub/tokenizer/decoder.ts": [
    ["one_sign_a_run", 'texts.push(...run.map(() => "\\ufffd"))', 'texts.push("\\ufffd")'],
  ],
  "data/hub/templates/assistant_mask.ts": [
    ["end_token_left_out", "(end.isWhole ? 0 : 1)", "0"],
  ],
  "data/hub/remote/store_file.ts": [
    ["hash_believed", "digest === file.hash.hex", 'digest !== ""'],
    ["resumed_unhashed", "hash.update(buffer.subarray(0, count));", ""],
    ["longer_taken", "had + chunk.length > file.size", "false"],
  ],
  "data/hub/remote/request.ts": [
    ["token_for_all", "target.origin === home.origin && token !== null", "token !== null"],
  ],
  "data/hub/remote/listing.ts": [
    ["path_leads_out", "/^\\.{0,2}$/.test(segment)", 'segment === ""'],
  ],
  "data/strict_json.ts": [
    ["one_level_deeper", "if (open.length >= depth)", "if (open.length > depth)"],
    ["twin_keys_accepted", "      keys.add(value);\n", ""],
    ["escaped_quote_ends", "=== BACKSLASH ? 2 : 1", "=== BACKSLASH ? 1 : 1"],
  ],
  "data/hub/dtypes.ts": [
    ["bfloat16_low_half", "halves[i]! << 16", "halves[i]!"],
    ["bfloat16_cut_off", "(word + 0x7fff + ((word >>> 16) & 1)) >>> 16", "word >>> 16"],
    ["nan_becomes_infinity", "nan ? (word >>> 16) | 0x40 :", "nan ? 0x7f80 :"],
  ],
  "data/hub/byte_level_tokenizer.ts": [
    ["ids_shifted", "vocab[left + right] = 256 + index", "vocab[left + right] = 257 + index"],
    ["rare_pairs_merged", "let most = minCount - 1", "let most = 0"],
    ["word_count_ignored", "(counts.get(pair) ?? 0) + count", "(counts.get(pair) ?? 0) + 1"],
    ["merged_pair_read_twice", "if (joins) i++", ""],
    ["pad_is_eos", "pad_token: pad,", "pad_token: eos,"],
  ],
  "data/hub/templates/chat_template.ts": [
    ["no_generation_prompt", "add_generation_prompt: addGenerationPrompt", "add_generation_prompt: false"],
    ["tools_undefined", "      tools,\n", ""],
  ],
  "data/hub/export.ts": [
    ["says_float32", "[key]: TORCH_NAMES[dtype]", "[key]: TORCH_NAMES.F32"],
    ["writes_into_a_strangers_folder", "isFile && isOfModelFolder(name)", "isFile"],
    ["strangers_card_replaced", "isOurCard(join(folder, name))", "true"],
  ],
  "data/hub/atomic_write.ts": [
    ["old_folder_lost", "if (replaced) Deno.renameSync(old, to)", ""],
    ["half_a_file_stays", "file.close();\n      Deno.removeSync(path);", "file.close();"],
    ["only_the_first_part_of_a_chunk", "file.writeSync(bytes.subarray(done))", "file.writeSync(bytes)"],
  ],
  "data/tasks/addition.ts": [
    ["answer_off_by_one", "answer: String(a + b)", "answer: String(a + b + 1)"],
    ["twins_in_two_splits", "splitKey: `${Math.min(a, b)}+${Math.max(a, b)}`", "splitKey: `${a}+${b}`"],
    ["carry_forgotten", "(a % 10) + (b % 10) + carry >= 10", "(a % 10) + (b % 10) >= 10"],
    ["no_room_for_the_end", "=> digits + 2", "=> digits"],
  ],
  "data/tasks/countdown.ts": [
    ["operands_not_checked", 'sorted(value.operands) === sorted(String(row.operands).split(",").map(Number))', "true"],
    ["fractions_reach_it", "value.denominator === 1n && ", ""],
    ["second_equals_sign", "rest.length > 0 ||", ""],
    ["no_brackets_after_minus", "a.text}-${wrap(b, 2)}", "a.text}-${wrap(b, 1)}"],
  ],
  "data/tasks/counting_letters.ts": [
    ["one_more", "word.split(letter).length - 1", "word.split(letter).length"],
  ],
  "data/tasks/multiplication_table.ts": [
    ["sum", "answer: String(a * b)", "answer: String(a + b)"],
  ],
  "data/tasks/sorting_digits.ts": [
    ["unsorted", '[...digits].sort().join("")', '[...digits].join("")'],
    ["disorder_inverted", "digits[i]! > digits[j]!", "digits[i]! < digits[j]!"],
  ],
  "data/tasks/subtraction.ts": [
    ["negative_always", "negative || a >= b", "true"],
    ["sign_takes_no_token", "digits + 1 + Number(negative)", "digits + 1"],
    ["borrow_forgotten", "(big % 10) - borrow < small % 10", "(big % 10) < small % 10"],
  ],
  "data/tasks/rows/operand_pairs.ts": [
    ["highest_left_out", "const values = high - low + 1", "const values = high - low"],
    [
      "both_the_same",
      "(below) => [low + below(values), low + below(values)] as const",
      "(below) => { const a = low + below(values); return [a, a] as const; }",
    ],
  ],
  "data/datasets/depth.ts": [
    ["one_level_more", "depth >= LIMITS.depth", "depth > LIMITS.depth"],
  ],
  "data/datasets/split.ts": [
    ["fractions_overlap", "place < fractions.held_out + fractions.validation", "place < fractions.validation"],
    ["file_order", "a.place - b.place || a.index - b.index", "a.index - b.index"],
  ],
  "data/tasks/rows/unique_rows.ts": [
    ["never_gives_up", "rows.size < count && idle < PATIENCE", "rows.size < count"],
    ["keeps_the_last", "row === null || rows.has(keyOf(row))", "row === null"],
    ["seed_ignored", "integer(seed, stream", "integer(0, stream"],
  ],
  "data/images/png.ts": [
    ["checksum_without_the_name", "bytes.subarray(4, 8 + content.length)", "bytes.subarray(8, 8 + content.length)"],
    ["rows_without_filter", "y * (width + 1) + 1)", "y * (width + 1))"],
    ["width_for_height", "view.setUint32(4, height)", "view.setUint32(4, width)"],
  ],
  "data/tasks/visual/digits.ts": [
    ["a_held_out_writer_trains", "writer >= HELD_OUT ?", "writer > HELD_OUT ?"],
    ["ten_rows_of_the_next_writer", "1157, 1287, 1415", "1157, 1297, 1415"],
  ],
  "data/tasks/visual/zoom.ts": [
    ["corners_for_centres", "(i + 0.5 - offset) / scale - 0.5", "(i - offset) / scale"],
    ["border_is_repeated", "otherShare: inside(first + 1) ? rest : 0", "otherShare: rest"],
    [
      "rows_and_columns",
      "axis(scale, top), across = axis(scale, left)",
      "axis(scale, left), across = axis(scale, top)",
    ],
  ],
  "data/tasks/visual/scene.ts": [
    ["box_ends_on_its_last_pixel", "Math.max(right, x + 1)", "Math.max(right, x)"],
    ["boxes_touch", "const APART = 2", "const APART = 1"],
    ["quarters_are_visible", "0.25 + 1e-9", "0.25 - 1e-9"],
    ["halves_go_up", "up - value === 0.5 && up % 2 === 1", "false"],
    ["any_digit_is_alone", ".length === 1)", ".length >= 1)"],
    ["never_repeats", "below(4) === 0", "below(4) < 0"],
  ],
  "data/tasks/visual_detection.ts": [
    ["every_digit_is_wanted", "digit.label === asked", "true"],
    ["left_to_right", "a[1] - b[1] || a[0] - b[0]", "a[0] - b[0]"],
    ["one_confidence", "`${stream} confidence`, 0, row, i,", "`${stream} confidence`, 0, 0, 0,"],
    ["scenes_of_any_writer", "const pool = digitsOf(split)", 'const pool = digitsOf("train")'],
  ],
  "data/tasks/visual_classification.ts": [
    ["shifted_to_the_side_alone", "border + down, border + right", "border, border + right"],
    ["scaled_about_the_corner", "(CANVAS - SIDE * size) / 2", "0"],
    ["held_out_ones_train", 'const train = digitsOf("train")', 'const train = digitsOf("held_out")'],
  ],
  "data/tasks/verifiers/answer_tag.ts": [
    ["first_tag", "text.lastIndexOf(close)", "text.indexOf(close)"],
    ["tag_included", "start + open.length", "start"],
  ],
  "data/tasks/verifiers/boxes.ts": [
    ["more_are_allowed", "count !== wanted.length", "count < wanted.length"],
    ["half_is_too_little", ">= iou ? 1 : 0", "> iou ? 1 : 0"],
  ],
  "data/tasks/verifiers/expression.ts": [
    ["minus_adds", 'tokens[at++] === "+" ? 1n : -1n', 'tokens[at++] === "+" ? 1n : 1n'],
    ["rest_ignored", "!value || at !== tokens.length", "!value"],
    ["division_by_zero", "(!times && right[0] === 0n)", "(!times && right[0] === 1n)"],
    ["denominator_dropped", "[left[0] * right[1] + sign * right[0] * left[1],", "[left[0] + sign * right[0],"],
  ],
  "data/tasks/verifiers/numbers.ts": [
    ["first_number", "last = Number.isFinite(value)", "last ??= Number.isFinite(value)"],
    ["too_large_skipped", "!isPart ? value : null", "!isPart ? value : last"],
    ["end_of_a_range", "Number.isFinite(value) && !isPart", "Number.isFinite(value)"],
    ["scaled", "word && isScaling(word[1]!) ? null : last", "last"],
    ["tolerance_times_ten", "Math.max(tolerance * Math.max(", "Math.max(10 * tolerance * Math.max("],
    ["relative_to_one", "Math.max(Math.abs(a), Math.abs(b))", "Math.max(1, Math.abs(b))"],
    ["minus_after_a_digit", "isOperator ? match[0].slice(1)", "false ? match[0].slice(1)"],
  ],
  "data/tasks/verifiers/plain_math.ts": [
    ["any_text_is_a_unit", 'isUnit(words) ? "" : all', '""'],
  ],
  "data/tasks/verifiers/plain_terms.ts": [
    ["brackets_dropped", "ONE.test(below) ? below : `(${below})`", "below"],
    ["range_is_a_difference", "(?<!\\d)[\\u2012\\u2013]|", "[\\u2012\\u2013]|"],
    ["after_a_quotient", "if (!/\\/|\\\\frac/.test(terms))", "if (true)"],
  ],
  "data/tasks/verifiers/bounded_schema.ts": [
    ["never_counts", "++steps > MOST_STEPS", "steps > MOST_STEPS"],
    ["counts_on", "steps = 0;\n    try", "try"],
  ],
  "data/tasks/verifiers/same_answer.ts": [
    ["not_trimmed", "completion.trim() ===", "completion ==="],
  ],
});
