/** Faults in sweeps and schedules: which runs go on and how they are told apart, when a schedule is due, what is written. @module */
import { mutationsOf } from "./mutation.ts";

export const SWEEPS = mutationsOf({
  "workflows/plan/halving.ts": [
    ["rounded_down", "return Math.ceil(count / factor);", "return Math.max(1, Math.floor(count / factor));"],
    ["rung_at_the_end", "at < Math.min(...lengths)", "at <= Math.min(...lengths)"],
    ["rungs_added_up", "at *= factor", "at += factor"],
    ["each_seed_alone", "filter(([axis]) => !seeds.includes(axis))", "filter(() => true)"],
    ["a_seed_that_a_step_reads", "filter((axis) => !others.includes(axis))", "filter(() => true)"],
    ["every_from_the_first_round", "(step.every - 1) * round", "0"],
    ["first_at_the_end", "if (first >= trainSteps)", "if (first > trainSteps)"],
    ["first_before_the_metric", "if (first >= from) return [];", "if (first >= from - 1) return [];"],
  ],
  "workflows/engine/halving.ts": [
    ["worst_go_on", 'mode === "max" ? value : -value', 'mode === "min" ? value : -value'],
    ["nan_is_best", "Number.isNaN(value) ? -Infinity", "Number.isNaN(value) ? Infinity"],
    ["one_more_goes_on", "rung.ranked.slice(0, rung.kept)", "rung.ranked.slice(0, rung.kept + 1)"],
    ["without_the_last_train_step", "step <= trainStep &&", "step < trainStep &&"],
    ["with_what_came_later", "step <= trainStep &&", "step <= trainStep + 1 &&"],
    ["mean_of_one_more", "trainStep - LAST + 1 : last", "trainStep - LAST : last"],
    ["mean_of_one_less", "trainStep - LAST + 1 : last", "trainStep - LAST + 2 : last"],
    ["failed_by_what_it_had", "reached <= trainStep) return NaN", "reached < trainStep) return NaN"],
    ["pruned_goes_on", '["ok", "failed", "stopped", "pruned"]', '["ok", "failed", "stopped"]'],
    ["paused_goes_on_too_early", 'status !== "paused" && train_step === pauseAt', "train_step === pauseAt"],
    ["limit_of_the_first_left", "ranked[kept - 1]!.value", "ranked[kept]!.value"],
  ],
  "workflows/cli/matrix_page.ts": [
    ["scored_by_the_start", "told.slice(-LAST)", "told.slice(0, LAST)"],
    ["scored_by_all", "told.slice(-LAST)", "told"],
  ],
  "workflows/engine/execute.ts": [
    [
      "pauses_a_train_step_late",
      "trainStepEnded && this.state.tables.trainStep >= this.pauseAt",
      "trainStepEnded && this.state.tables.trainStep > this.pauseAt",
    ],
    [
      "pauses_within_a_step_late",
      "advanced && this.state.tables.trainStep >= this.pauseAt",
      "advanced && this.state.tables.trainStep > this.pauseAt",
    ],
  ],
  "notebooks/sweep_points.ts": [
    ["seed_is_an_axis", "!seeds.includes(name) && !unread.includes(name) &&", "!unread.includes(name) &&"],
    ["best_seed_for_the_mean", "moments(scores).mean", "scores[0]!"],
    ["failed_is_0", "Number.isFinite(points[i]!.score)", "points[i]!.score !== undefined"],
    ["worst_is_best", 'mode === "max" ? 1 : -1', 'mode === "min" ? 1 : -1'],
    [
      "one_seed_counts_twice",
      "const scores = [...bySeed.values()]",
      "const scores = scored.map((i) => points[i]!.score!)",
    ],
    ["best_of_those_stopped_early", "failed === 0 && pruned === null", "failed === 0"],
    ["best_of_failed", "failed === 0 && pruned === null", "pruned === null"],
    ["unread_axes_count", "!seeds.includes(name) && !unread.includes(name) &&", "!seeds.includes(name) &&"],
  ],
  "workflows/language/cron_expression.ts": [
    ["both_kinds_of_day", "const either = !isFree(dayText!) && !isFree(weekdayText!);", "const either = false;"],
    ["sunday_is_seven", "map((day) => day % 7)", "map((day) => day)"],
    ["no_last_day", "if (!impossible || either) return read;", "return read;"],
    [
      "steps_from_zero",
      "const first = valueOf(field, from!);",
      "const first = by === undefined ? valueOf(field, from!) : field.least;",
    ],
    ["midnight_is_noon", '"@daily": "0 0 * * *"', '"@daily": "0 12 * * *"'],
  ],
  "workflows/cron/next.ts": [
    [
      "skipped_times_come",
      "return time.toPlainDateTime().equals(wall) ? [time.toInstant()] : [];",
      "return [time.toInstant()];",
    ],
    ["the_second_of_two", 'disambiguation: "earlier"', 'disambiguation: "later"'],
    ["now_is_next", "Temporal.Instant.compare(time, after) > 0", "Temporal.Instant.compare(time, after) >= 0"],
    ["not_this_minute", "Temporal.Instant.compare(time, now) <= 0", "Temporal.Instant.compare(time, now) < 0"],
    ["no_leap_year", "const HORIZON = 366 * 8 + 7;", "const HORIZON = 366;"],
  ],
  "workflows/cron/due.ts": [
    ["twice_for_one_time", "if (earlier === undefined) return", "if (true) return"],
    ["never_late", "late <= ON_TIME_MS", "late <= 0"],
    ["catches_all_up", 'catch_up === "one"', "catch_up !== undefined"],
    ["failed_is_done", 'findLast(({ status }) => status === "ok")', "findLast(() => true)"],
  ],
  "workflows/cron/crontab.ts": [
    ["percent_ends_the_command", '.replaceAll("%", "\\\\%")', ""],
    ["unquoted", 'runArguments(job, "due")].map(quoted)', 'runArguments(job, "due")]'],
    ["others_are_lost", 'const now = await readTable("change")', "const now = before"],
    ["the_empty_table_stays", "text.includes(ALONE)) ? null : rest", "text.includes(ALONE)) ? rest : rest"],
    ["another_folder_is_replaced", "refuseTaken(WHAT, old, job);", ""],
  ],
  "workflows/cron/keep_runs.ts": [
    ["needed_model_goes", "id !== needed && !isLive", "!isLive"],
    ["live_run_goes", "id !== needed && !isLive(join(runs, id))", "id !== needed"],
    ["one_too_many", ".slice(0, -keep)", ".slice(0, -keep - 1)"],
  ],
});
