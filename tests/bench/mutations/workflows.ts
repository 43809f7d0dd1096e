/** Faults in workflows/: expressions, the plan, the engine, what is stored, the commands. @module */
import { mutationsOf } from "./mutation.ts";

export const WORKFLOWS = mutationsOf({
  "workflows/language/expressions.ts": [
    [
      "failure_is_success",
      'if (condition?.kind === "failure") return scope.failed',
      'if (condition?.kind === "failure") return !scope.failed',
    ],
    ["runs_after_a_failure", "if (scope.failed) return false", "if (scope.failed) return true"],
    ["less_is_less_or_equal", '"<": found < literal', '"<": found <= literal'],
    [
      "unequal_is_equal",
      'if (operator === "!=") return found !== literal',
      'if (operator === "!=") return found === literal',
    ],
    [
      "text_instead_of_a_value",
      "return found === undefined ? text : found;",
      "return found === undefined ? text : String(found);",
    ],
    ["truthy", "return found === true", "return found !== undefined"],
  ],
  "workflows/language/expression_syntax.ts": [
    ["rest_read_twice", "from = close + 2", "from = close"],
    ["quotes_kept", "token.text.slice(1, -1)", "token.text"],
    ["false_is_true", 'false: { kind: "constant", value: false }', 'false: { kind: "constant", value: true }'],
    [
      "offset_from_the_bracket",
      "tokenize(text.slice(open + 3, close), open + 3)",
      "tokenize(text.slice(open + 3, close), open)",
    ],
  ],
  "workflows/plan/conditions.ts": [
    [
      "any_literal_fits",
      "if (literal === null || types.has(typeof literal)) return null",
      'if (literal !== "") return null',
    ],
    ["until_left_out", "return [...own, ...conditionsOf(", "return [...conditionsOf("],
    ["parameters_are_conditions", '!path.includes("with") && (path.at(-1)', "(path.at(-1)"],
  ],
  "workflows/plan/outputs.ts": [
    ["integers_are_none", 'type === "integer" ? "number" : type', "type"],
  ],
  "workflows/plan/order.ts": [
    ["tables_unchecked", "!rows.wasWritten(table as TableName) &&", "rows.wasWritten(table as TableName) &&"],
    [
      "resources_unchecked",
      "[...step.kind.needs, ...more].filter((name) => !given.has(name))",
      "[...step.kind.needs, ...more].filter(() => false)",
    ],
    ["switched_off_steps_write", 'return condition.kind === "constant" && !condition.value;', "return false;"],
  ],
  "workflows/plan/plan_workflow.ts": [
    ["answers_not_read", "isDeepStrictEqual(entry.with, site.entry.with)", "true"],
    ["always_read_again", "isDeepStrictEqual(entry.with, site.entry.with)", "false"],
  ],
  "workflows/plan/sites.ts": [
    ["later_ids_are_taken", "sites.slice(0, index)", "sites.filter((_, at) => at !== index)"],
  ],
  "workflows/plan/matrix.ts": [
    ["any_part_excludes", "Object.entries(out).every(", "Object.entries(out).some("],
    ["include_overwrites_axes", "!names.includes(name) || base[index]![name] === value", "true"],
    ["limit_off_by_one", "count > MAX_COMBINATIONS", "count >= MAX_COMBINATIONS"],
    ["include_not_added", "const combinations = [...extended, ...added]", "const combinations = [...extended]"],
  ],
  "workflows/plan/overrides.ts": [
    ["value_from_the_second_equals_sign", "text.slice(equals + 1)", 'text.slice(text.lastIndexOf("=") + 1)'],
    ["twice_accepted", 'if (found.has(key)) fail(`"${key}" is given twice`)', ""],
    ["text_stays_text", "Number.isFinite(value)) return value", "Number.isFinite(value)) return text"],
    ["any_text_is_true", 'return text === "true"', "return true"],
    [
      "defaults_win",
      "{ ...defaults, ...Object.fromEntries(changed) }",
      "{ ...Object.fromEntries(changed), ...defaults }",
    ],
  ],
  "workflows/plan/references.ts": [
    ["later_step_looked_up", "if (index < here) return null", "if (index !== here) return null"],
    [
      "run_in_settings",
      'if (path.includes("with") || isConditionPath(path)) return null',
      "if (path.length > 0) return null",
    ],
    ["unknown_output", "if (!outputs.open && !outputs.types.has(name))", "if (outputs.types.size === 0)"],
  ],
  "data/did_you_mean.ts": [
    ["far_names_suggested", "Math.max(2, Math.floor(word.length / 3))", "Math.max(20, Math.floor(word.length / 3))"],
    ["case_counts", "name.toLowerCase().replaceAll", "name.replaceAll"],
  ],
  "workflows/preflight/estimate.ts": [
    ["steps_overhead_dropped", 'total("flops") / RATE + total("trainSteps") * STEP_OVERHEAD', 'total("flops") / RATE'],
  ],
  "workflows/preflight/facts.ts": [
    ["blocks_once", "visits(node.steps, rounds * node.repeat, node)", "visits(node.steps, rounds, node)"],
  ],
  "workflows/preflight/costs.ts": [
    ["every_round", "Math.floor(rounds / step.every)", "rounds"],
    ["later_steps_are_earlier", "steps.slice(0, place)", "steps"],
    ["prompts_without_their_template", "orElse(() => format(prompt), prompt)", "prompt"],
  ],
  "workflows/engine/findings.ts": [
    [
      "mildest_first",
      "rank(a) - rank(b) || a.train_step - b.train_step",
      "rank(b) - rank(a) || a.train_step - b.train_step",
    ],
    [
      "told_again",
      "if (known === undefined || rank(finding) < rank(known)) fresh.push(finding)",
      "fresh.push(finding)",
    ],
    ["step_of_the_last", "train_step: known?.train_step ?? trainStep", "train_step: trainStep"],
  ],
  "workflows/engine/identity.ts": [
    ["seed_left_out", "matrix, seed, deterministic,", "matrix, deterministic,"],
    ["params_of_steps_left_out", "with: node.params ?? node.with,", ""],
    ["threads_left_out", "backend, threads, cpu_class };", "backend, cpu_class };"],
    ["gone_keys_equal", "[...right.keys(), ...left.keys()]", "[...left.keys()]"],
  ],
  "workflows/engine/matrix.ts": [
    ["goes_on_after_a_failure", "!(hasFailed && failFast)", "true"],
    ["last_exit_code", "runs.find(({ exitCode }) => exitCode !== 0)?.exitCode ?? 0", "runs.at(-1)?.exitCode ?? 0"],
  ],
  "workflows/engine/execute.ts": [
    ["every_ignored", "if (round % step.every !== 0) return", ""],
    ["until_inverted", "node.until !== null && evaluateCondition(", "node.until !== null && !evaluateCondition("],
    ["one_round_more", "round <= node.repeat; round++", "round <= node.repeat + 1; round++"],
    ["one_retry_less", "|| attempt >= max) throw error", "|| attempt + 1 >= max) throw error"],
    ["rows_of_a_failed_try_stay", "throw error;\n        this.state.tables.rollback();", "throw error;"],
    ["delay_does_not_grow", "delay * backoff ** attempt", "delay"],
  ],
  "workflows/engine/environment.ts": [
    [
      "threads_not_1",
      "settings.deterministic ? 1 : navigator.hardwareConcurrency",
      "settings.deterministic ? 2 : navigator.hardwareConcurrency",
    ],
  ],
  "workflows/repair/repair.ts": [
    ["usual_rate_of_the_other_step", "usualStepRate(step", 'usualStepRate("load_model"'],
    ["past_steps_on_a_fork", "if (once !== undefined)", "if (false)"],
  ],
  "workflows/repair/advice.ts": [
    ["resumed_after_the_step", "checkpoint !== null && !once && !spoilt", "checkpoint !== null && !spoilt"],
    ["resumed_after_the_break", "checkpoint !== null && !once && !spoilt", "checkpoint !== null && !once"],
  ],
  "workflows/store/exact_json.ts": [
    ["minus_zero_is_zero", "(Number.isFinite(item) && !Object.is(item, -0))", "Number.isFinite(item)"],
  ],
  "workflows/store/retention.ts": [
    ["one_checkpoint_less", "names.length - Math.max(1, keep)", "names.length - Math.max(1, keep) + 1"],
    ["best_not_kept", "name === best || name === current", "name === current"],
    ["unreadable_deleted", " || measured(folder, name) === undefined", ""],
    ["worst_is_best", "value >= found.value", "value <= found.value"],
    ["pinned_not_kept", " || name === pinned", ""],
  ],
  "workflows/store/run_tables.ts": [
    ["one_step_less", "const first = this.#trainStep - kept + 1,", "const first = this.#trainStep - kept + 2,"],
    ["others_rows_replaced", "BY_WRITER.has(name) && part.writer !== writer", "part.writer === writer"],
    [
      "rollback_keeps_the_step",
      "    this.#trainStep = trainStep;\n    this.#current = new Map(current);",
      "    this.#current = new Map(current);",
    ],
  ],
  "workflows/store/finished_rows.ts": [
    ["first_step_left_out", "trainStep >= from", "trainStep > from"],
  ],
  "workflows/store/lock.ts": [
    ["lock_not_taken", "if (!taken) throw", "if (!taken && !stale) throw"],
    ["holder_stays", "file.truncateSync(0);\n        file.unlockSync();", "file.unlockSync();"],
  ],
});
