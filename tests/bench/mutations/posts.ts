/** Faults in what is read of posts, and in what the doctor makes of it: `data/adapters/post`, `steps/diagnoses/told`. @module */
import { mutationsOf } from "./mutation.ts";

export const POSTS = mutationsOf({
  // ***** what is looked for at all *****
  "data/adapters/source/word_filter.ts": [
    ["foreign_words_are_missed", "seen | this.#foreign : seen", "seen : seen"],
    ["short_words_stand_at_the_beginning", "place ^ (before << own)", "place"],
    ["long_texts_hold_nothing", "if (text.length > LONGEST) return ~0;", "if (text.length > LONGEST) return 0;"],
  ],
  "data/adapters/post/words/match.ts": [
    [
      "lists_lose_what_is_twice",
      "this.#numbers.set(one, [...this.#numbers.get(one) ?? [], number])",
      "this.#numbers.set(one, [number])",
    ],
    ["lists_by_chance", "return numbers.sort((a, b) => a - b);", "return numbers.reverse();"],
  ],
  "data/adapters/lines/verl.ts": [
    ["rest_of_a_line_is_not_asked", "this.#step !== null || this.#cut.isKept", "this.#cut.isKept"],
  ],
  // ***** kinds of lines, words and runs *****
  "data/adapters/post/blocks/columns.ts": [
    ["half_a_row_is_enough", "SHARE = 0.6", "SHARE = 0.1"],
  ],
  "data/adapters/post/numbers/group_share.ts": [
    ["shares_of_groups_are_of_all", "writtenNumber(number).value / 100", "writtenNumber(number).value"],
  ],
  "data/adapters/post/numbers/lower_is_better.ts": [
    ["errors_are_scores", "!OWN.test(said) && LOWER.test(text)", "OWN.test(said) && LOWER.test(text)"],
  ],
  "data/adapters/post/numbers/decimal_commas.ts": [["commas_stay", 'plain.replace(THREE, "$1.$2")', "plain"]],
  "data/adapters/post/numbers/margins.ts": [["margins_are_values", 'isShare ? " %" : ""', 'isShare ? "" : ""']],
  "data/adapters/post/tables/aligned_cells.ts": [["cells_begin_at_the_left", "overlaps.indexOf(best)", "0"]],
  "data/adapters/post/stance/expected_break.ts": [
    ["all_is_expected", "EXPECTED.test(sentence) && BREAKS.test(sentence)", "EXPECTED.test(sentence)"],
  ],
  "steps/diagnoses/view/extremes.ts": [
    ["shrunk_is_fine", "end < SHRUNK * start", "end < 0"],
    ["solved_collapses", "start > TIMES * GONE / 2 && !isSolved(view)", "start > TIMES * GONE / 2"],
    ["held_out_may_be_lost", "found.end < LEFT * best", "found.end < 0"],
  ],
  "data/adapters/post/tables/csv_head.ts": [
    ["lines_with_bars_are_heads", ' || line.includes("|")', ""],
  ],
  "data/adapters/post/numbers/falls_back.ts": [
    ["lost_halved", "LOST = 0.5", "LOST = 0.2"],
    ["dips_are_falls", "DIP = 0.8", "DIP = 0.99"],
    ["any_metric_falls_back", "isOther || !GOODS.has(subject) || subject === null", "isOther || subject === null"],
  ],
  "data/adapters/post/numbers/gold_share.ts": [
    ["even_shares_are_low", "LOW = 0.35", "LOW = 0.6"],
    ["words_without_pairs", "!has(GOLD, sentence) || ", ""],
  ],
  "data/adapters/post/blocks/labelled_texts.ts": [
    ["answers_from_afar", "FAR = 40", "FAR = 4000"],
  ],
  "data/adapters/post/tables/model_table.ts": [
    ["hardly_less_is_lost", "LOST = 0.15", "LOST = 0.01"],
  ],
  "data/adapters/post/blocks/numbered_list.ts": [
    ["points_are_steps", " || steps.at(-1)! - steps[0]! < FAR", ""],
  ],
  "data/adapters/post/numbers/pace.ts": [
    ["a_little_slower", "SLOWER = 3", "SLOWER = 1"],
  ],
  "data/adapters/post/text/quoted_completions.ts": [
    ["any_text_runs_in_a_circle", "new Set(words).size <= FEW", "true"],
  ],
  "data/adapters/post/numbers/respective.ts": [
    ["one_number_too_many", "mentions.length !== numbers.length || ", ""],
  ],
  "data/adapters/post/blocks/reward_code.ts": [
    ["any_returns_are_the_same", " && value === values[0]", ""],
  ],
  "data/adapters/post/numbers/rises_back.ts": [
    ["nothing_has_risen", "RISEN = 1.05", "RISEN = 0.5"],
  ],
  "data/adapters/post/told_runs/run_fate.ts": [
    ["what_ties_goes_well", "values.some(isTied) ||", ""],
  ],
  "data/adapters/post/numbers/same_numbers.ts": [
    ["texts_are_numbers", " && !TEXTS.test(text)", ""],
  ],
  "data/adapters/post/blocks/series_line.ts": [
    ["sentences_are_rows", "found === null || SENTENCE.test(found[1]!)", "found === null"],
  ],
  "data/adapters/post/stance/takes_back.ts": [
    ["jests_from_afar", "?? Infinity) <= JEST_FIRST", "?? Infinity) < Infinity"],
  ],
  "data/adapters/post/numbers/value_spans.ts": [
    ["courses_begin_at_their_end", "{ ...span, from: null, to: from }", "span"],
  ],
  "data/adapters/post/told_runs/which_run.ts": [
    ["what_is_named_is_not_taken", " || isNamed(label, chosen)", ""],
    ["headings_hold_for_good", "isHeading || this.#opened && !hasSaid", "false"],
    ["the_present_is_another", "keyOf(found) !== keyOf(last)", "false"],
  ],
  "data/adapters/post/stance/lesson.ts": [
    ["own_runs_are_lessons", "isOfGenre(sentence) && !isOfOwnRun(sentence)", "isOfGenre(sentence)"],
  ],
  "data/adapters/post/stance/hearsay.ts": [
    ["but_is_heard", "BUT.test(text) || isOfOwnRun(text)", "isOfOwnRun(text)"],
  ],
  "data/adapters/post/idioms_in.ts": [
    ["denied_idioms_are_said", "isDenied(where, at, end) || ", ""],
  ],
  // ***** who speaks, and where *****
  "data/adapters/post/document.ts": [
    ["quotations_are_the_report", 'isQuoted ? "quoted" : this.#speaker', "this.#speaker"],
    ["fences_of_answers_are_the_run", 'if (this.#speaker === "other") this.#answered++;\n    else if (', "if ("],
    ["points_of_a_list_run_together", "if (POINT.test(text)) this.#flush();", ""],
  ],
  "data/adapters/post/text/quotations.ts": [["passed_on_beside_half_a_report", "PASSED_ON = 0.25", "PASSED_ON = 0.5"]],
  "data/adapters/post/text/turns.ts": [
    ["replies_are_the_author", 'speaker: "other", rest: reply[1]!', 'speaker: "author", rest: reply[1]!'],
  ],
  "data/adapters/post/clauses.ts": [
    ["line_of_the_sentence", "lineAt(at + clause.at + leading(clause.part))", "lineAt(at)"],
  ],
  "data/adapters/post/blocks/fence.ts": [
    [
      "yaml_a_line_late",
      "const at = (line: number) => line + first;",
      "const at = (line: number) => line + first + 1;",
    ],
    ["completion_a_line_early", "line: fence.first + 1", "line: fence.first"],
    ["json_a_line_late", "number: first + (starts[i] ?? 1)", "number: first + 1 + (starts[i] ?? 1)"],
    ["tracebacks_are_completions", "&& !NO_TEXT.test(lead);", ";"],
  ],
  "data/adapters/post/text/html.ts": [
    ["hidden_lines_are_lost", 'hidden.replace(/[^\\n]+/g, " ")', '""'],
    ["lines_within_tags_are_lost", 'line += whole.split("\\n").length - 1;', ""],
    ["quotations_lose_their_mark", 'pre === 0 && quote > 0 ? "> " : ""', '""'],
  ],
  // ***** how a clause is meant *****
  "data/adapters/post/stance/stance_of.ts": [
    ["guesses_are_stated", "has(notStated, text) ||", ""],
    ["what_asks_is_swapped", "asks && !ASKS_MEANING.test(sentence)", "asks && ASKS_MEANING.test(sentence)"],
    ["conditions_hold", "CONDITION.test(sentence) && WOULD.test(text)", "false"],
    ["denied_from_afar", "NEAR = 22,", "NEAR = 44,"],
    ["denied_across_a_comma", '.replace(/^.*[,;，、]/s, "")', ""],
    ["only_denies", "if (ONLY.test(before)) return false;", ""],
    ["hardly_any_is_all", "OF_TEXTS.has(predicate) && NONE_OF_THEM.test(text)", "false"],
    ["what_is_over_goes_on", "WAS.test(text) && IS_OVER.test(sentence)", "false"],
  ],
  "data/adapters/post/read_clause.ts": [
    ["denials_are_said", "isPredicateDenied(hit, text, hits[i - 1]?.end) ||", ""],
    [
      "figures_of_others_count",
      'const values = by === "author" ? atSteps(figures, listed) : [];',
      "const values = atSteps(figures, listed);",
    ],
    ["few_steps_are_all", "stepShare(text) ?? 1) < FEW_STEPS", "stepShare(text) ?? 1) < 0"],
    ["now_and_then_is_always", "if (has(rarely, text) || ", "if ("],
    ["questions_say_that_it_is_fine", "if (clause.isQuestion && FINE.has(hit.name)) continue;", ""],
    ["goes_on_about_anything", "if (apart && !PRONOUN.test(clause.text)) before = [];", ""],
  ],
  "data/adapters/post/spoken_of.ts": [
    ["what_is_said_goes_to_the_next", "(?!(?:and|or|but|while", "(?!(?:while"],
  ],
  "data/adapters/post/prose_settings.ts": [
    ["options_of_other_runs", "if (has(elsewhere, text) || wasSet(text)", "if (wasSet(text)"],
    ["options_of_a_test", "SAMPLES.has(option) && (isTest || isTestOnly(text, index, wordEnd))", "false"],
  ],
  "data/adapters/post/mentions.ts": [[
    "limits_are_figures",
    "&& !LIMIT.test(text.slice(Math.max(0, at - 12), at))",
    "",
  ]],
  // ***** numbers *****
  "data/adapters/post/span.ts": [
    ["since_is_one_step", "throughout: isSince || isThroughout", "throughout: isThroughout"],
    ["first_steps_are_one", "[from, to] = [1, value];", "[from, to] = [value, value];"],
    ["last_of_several_steps", "Math.min(from, value)", "Math.max(from, value)"],
    ["first_of_several_ends", "to = Math.max(to ?? 0, value)", "to = Math.min(to ?? value, value)"],
  ],
  "data/adapters/post/numbers/numbers.ts": [
    ["percent_is_a_number", "scaled / 100", "scaled"],
    ["powers_turned", '(power[2] === "" ? 1 : -1)', '(power[2] === "" ? -1 : 1)'],
    ["thousands_are_ones", "Math.round(written.value * 1e6) / 1000", "written.value"],
    ["all_of_some_is_no_share", "Number(of[1]) >= Math.max(value, 4)", "Number(of[1]) > Math.max(value, 4)"],
  ],
  "data/adapters/post/numbers/told_values.ts": [
    ["not_this_number_is_it", "first !== before && NOT_SO.test(text.slice(mention.end, first.at)) ||", ""],
    ["percent_of_ten", "first.value / 100", "first.value / 10"],
    ["courses_are_ranges", 'isCourse ? "course" as const : "between" as const', '"between" as const'],
  ],
  "data/adapters/post/numbers/number_claims.ts": [
    ["clipping_doubled", "CLIPPED = 0.3", "CLIPPED = 0.6"],
    ["kl_falls_too", "kl: [TIMES, Infinity]", "kl: [TIMES, TIMES]"],
    ["kl_is_positive", 'value < 0 ? "negative"', 'value > 0 ? "negative"'],
    ["peaks_among_two", "rest.length >= 3", "rest.length >= 2"],
    ["held_out_rises_by_nothing", "moved < (LEAST_RISE[subject] ?? 0) || ", ""],
    ["held_out_rises_by_much", "by: 0.02", "by: 0.2"],
    ["noise_is_a_course", '|| relation === "series" && !isOneWay(values)', ""],
  ],
  "data/adapters/post/blocks/step_line.ts": [[
    "thousands_are_ones",
    "THOUSANDS.test(raw) ? stepNumber(raw)",
    "false ? stepNumber(raw)",
  ]],
  "data/adapters/post/tables/table.ts": [
    ["course_is_its_beginning", ": last.value, { decimals }", ": first.value, { decimals }"],
    ["thousands_are_hundreds", "value * 1000 : value", "value * 100 : value"],
    ["tables_of_runs_are_courses", "at(row) <= last && isOfRuns", "false"],
  ],
  "data/adapters/post/tables/turned_table.ts": [
    ["a_few_records_are_all", "THROUGHOUT * whole", "THROUGHOUT + 1"],
  ],
  "data/adapters/post/numbers/bounds.ts": [
    ["fewer_that_are_cut_are_worse", 'truncation: "lower"', 'truncation: "upper"'],
  ],
  "data/adapters/post/text/misread.ts": [
    ["letters_swapped", '.replace("1", "l").replace("0", "o")', '.replace("1", "o").replace("0", "l")'],
  ],
  "data/adapters/run/told_records.ts": [
    ["told_before_printed", "if (cells[record] !== null) continue;", ""],
    ["at_the_end_is_at_the_beginning", "if (atEnd) return steps.length - 1;", "if (atEnd) return 0;"],
    ["told_of_what_is_printed", "known.length > 0 && !(rows < COURSE && isSame)", "false"],
    ["numbers_between_are_told", "i < Math.floor(span.length / 2) ? a : b", "a + ((b - a) * i) / (span.length - 1)"],
    ["what_stands_for_more_is_drawn", "isPoint: isPoint && isDrawn", "isPoint: true"],
  ],
  // ***** what the doctor makes of it *****
  "steps/diagnoses/told/claimed.ts": [
    [
      "claims_of_others_count",
      "counts && sayings.includes(`${subject}.${predicate}` as Saying)",
      "sayings.includes(`${subject}.${predicate}` as Saying)",
    ],
    ["claims_are_records", 'note: "a claim",', ""],
  ],
  "steps/diagnoses/told/symptoms.ts": [
    ["taken_back_by_what_was_before", "rest.has(claim)", "!rest.has(claim)"],
    ["nothing_is_taken_back", "if (undone.length === 0) return said;", "return said;"],
    ["words_beat_numbers", "told.filter((claim) => !hasNumbers(claim, view))", "told"],
  ],
  "steps/diagnoses/told/looks.ts": [
    ["flat_doubled", "FLAT = 0.1,", "FLAT = 0.2,"],
    ["ranges_fall", "&& !isRange(first, last, values)", ""],
    ["one_number_is_all", "known.every((record)", "known.some((record)"],
  ],
  "steps/diagnoses/told/number_symptoms.ts": [
    ["off_policy_doubled", "OFF_POLICY = 0.1", "OFF_POLICY = 0.2"],
    ["falling_loss_rises", "last < LOSS_FALLEN * first", "last > LOSS_FALLEN * first"],
    [
      "small_losses_rise",
      "last > LOSS_TIMES * first && last - first > LEAST_RISE",
      "last > LOSS_TIMES * first",
    ],
    ["kl_from_high_on", "last > KL_LEVEL && last > GROWN * first", "last > KL_LEVEL"],
    ["one_spike_is_a_habit", "SPIKES = 2", "SPIKES = 1"],
  ],
  "steps/diagnoses/told/reward_symptoms.ts": [
    [
      "formats_are_goals",
      "(?!.*(?:format|xml|count|tag|length|step))",
      "",
    ],
    ["ties_doubled", "TIED = 0.8,", "TIED = 0.4,"],
  ],
  "steps/diagnoses/told/update_symptoms.ts": [
    [
      "frozen_is_trained",
      "PART.test(name) && value === false || FREEZE.test(name) && value === true",
      "PART.test(name) && value === true || FREEZE.test(name) && value === false",
    ],
    ["chance_of_a_few_updates", "steps >= MANY_UPDATES", "steps >= 0"],
    ["opposed_is_guessed", "Math.abs(accuracy.value - 0.5) <= COIN", "accuracy.value - 0.5 <= COIN"],
    ["coin_doubled", "COIN = 0.05", "COIN = 0.1"],
  ],
  "steps/diagnoses/told/told_finding.ts": [
    ["look_alikes_not_excluded", "|| none.some((name) => symptoms.has(name))", ""],
    [
      "records_are_overruled",
      "printedRecords(view) >= ENOUGH) return false",
      "printedRecords(view) >= 10 * ENOUGH) return false",
    ],
    ["floors_need_no_text", "if (!BY_TEXT.has(cause)) return null;", "return null;"],
  ],
  "steps/diagnoses/told/untold.ts": [
    ["complaints_of_others_count", "if (!counts) return false;", ""],
    ["one_record_answers", "ANSWERS = 3", "ANSWERS = 1"],
    ["silence_is_health", "HEALTH.some((name)", "!HEALTH.some((name)"],
    ["doubts_are_overheard", "if (notUnderstood !== undefined) return", "if (false) return"],
    ["bad_signs_are_overseen", "if (bad !== undefined) return", "if (false) return"],
  ],
  "steps/diagnoses/told/complaints.ts": [
    ["every_cry_is_firm", "if (!isFirm(view, said)) continue;", ""],
    ["answers_do_not_reassure", "|| isAnsweredFine(view)) return null;", ") return null;"],
    ["numbers_answer_nothing", "&& !hasNumbers(claim, view)", ""],
    ["look_alikes_are_forgotten", "      alike,\n", "      alike: [],\n"],
    ["negative_now_and_then", "only: ({ throughout }) => throughout,", ""],
    ["what_explains_does_not", "none.some((name) => symptoms.has(name)) || when", "when"],
    [
      "kto_is_as_any",
      'when: ({ algorithm }) => algorithm !== "kto",\n    message: "The loss is NaN"',
      'message: "The loss is NaN"',
    ],
  ],
  "steps/diagnoses/told/shown_health.ts": [
    ["coins_are_learned", "accuracy < ABOVE_COIN || accuracy > 1", "accuracy > 1"],
    ["chosen_may_fall", '|| (last("chosen_reward") ?? 0) < CHOSEN_LOST', ""],
    ["known_by_heart_proves", " && to > NEXT_TO_NOTHING * from", ""],
    ["ties_are_alive", "(tied ?? 0) < TIED", "(tied ?? 0) <= TIED"],
    ["cut_is_alive", "(cut ?? 0) < CUT", "(cut ?? 0) <= CUT"],
    ["far_is_alive", "(kl ?? 0) < FAR", "(kl ?? 0) <= FAR"],
    ["later_epochs_prove", "epoch === undefined || epoch > 1", "epoch === undefined"],
  ],
  "data/adapters/post/text/withdrawn.ts": [[
    "open_boxes_are_claims",
    'if (BOX.test(text.slice(0, BOX_WITHIN))) text = "";',
    "",
  ]],
  "steps/diagnoses/told/policy_patterns.ts": [
    ["right_answers_are_wrong", 'none: ["truncated", "answers_right", "identical"', 'none: ["truncated", "identical"'],
    ["a_parser_without_right_answers", 'all: ["reward_zero", "answers_right"]', 'all: ["reward_zero", "readable"]'],
    [
      "entropy_may_earn",
      'none: ["reward_rises", "goal_rises", "masked"],\n      when: mayBeReinforcement,\n      message: "The entropy is all but gone",',
      'none: ["masked"],\n      when: mayBeReinforcement,\n      message: "The entropy is all but gone",',
    ],
  ],
  "steps/diagnoses/told/course_patterns.ts": [
    [
      "goals_may_rise",
      '"reward_rises",\n      "goal_rises",\n      "gradient_zero",',
      '"reward_rises",\n      "gradient_zero",',
    ],
    ["any_rise_is_a_hack", '["goal_falls", "texts_worsen"', '["goal_rises", "goal_falls", "texts_worsen"'],
  ],
  "steps/diagnoses/told/telling_options.ts": [
    ["bf16_is_half", "(?<!b)float16|half", "float16|half"],
    ["any_rate_is_high", "isBreakingRate(rate, trainingOf(view))", "rate > 0"],
    ["small_rates_are_tiny", "isIdleRate(rate, training)", "rate > 0"],
    ["beta_of_one", "asNumber(found.value) === 0", "asNumber(found.value) === 1"],
  ],
});
