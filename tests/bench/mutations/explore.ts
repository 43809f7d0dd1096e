/** Faults in workflows/explore/ and in how it reads tables: runs opened and compared, notebooks run, workflows walked through. @module */
import { mutationsOf } from "./mutation.ts";

export const EXPLORE = mutationsOf({
  "data/tables/arrow_file.ts": [
    ["values_never_read", "if (!isFilled) readPlaces(", "if (isFilled) readPlaces("],
    ["items_of_lists_left_out", "...(batch.children ?? []).flatMap(places),", ""],
    ["all_read_at_once", "else read(values.end, size);", "else read(0, size);"],
  ],
  "data/tables/stored_column.ts": [
    ["rows_of_the_first_file", "stored.column.at(row - this.#starts[index]!)", "stored.column.at(row)"],
    ["last_stretch_kept", "if (holds(this.#last)) return this.#last;", "if (this.#last > 0) return this.#last;"],
    ["numbers_over_each_other", "offset += part.length;", ""],
  ],
  "data/tables/stored_table.ts": [
    ["any_type_is_ours", "type === columnType(name, column, [])", "type !== undefined"],
  ],
  "notebooks/plain_table.ts": [
    ["cells_not_cut", "letters.length > WIDEST", "letters.length > 10 * WIDEST"],
  ],
  "workflows/explore/cell_program.ts": [
    ["names_once_only", 'node.kind === "const" || node.kind === "let"', 'node.kind === "let"'],
    ["last_value_lost", "node === body.at(-1) && node.type", "node === body.at(-2) && node.type"],
    ["line_ahead", "line: line - starts[cell]!", "line: line - starts[cell]! + 1"],
    ["broken_cell_passed_over", "broken = { cell, ...wrongAt(error, code) };\n      break;", "continue;"],
    ["lines_not_kept", "out += code.slice(at, start) + text + rest;", "out += code.slice(at, start) + text;"],
  ],
  "workflows/explore/capture_cells.ts": [
    ["errors_are_output", 'level >= WARNING ? "stderr"', 'level > 9 ? "stderr"'],
    ["undefined_is_shown", "if (value === undefined) return;", ""],
    ["shown_twice", "if (update && before)", "if (update && !before)"],
  ],
  "workflows/explore/capture.ts": [
    ["exit_loses_outputs", 'globalThis.addEventListener("unload", onUnload);', ""],
    ["line_from_one", "Number(line) - 1", "Number(line)"],
  ],
  "workflows/explore/execute_notebook.ts": [
    ["outputs_lost_at_an_error", "Array.from({ length: cell }", "Array.from({ length: 0 }"],
    ["folder_of_the_task", "INIT_CWD: dirname(path)", 'INIT_CWD: Deno.env.get("INIT_CWD") ?? ""'],
  ],
  "workflows/explore/notebook_cells.ts": [
    ["any_language", "language !== null && !OUR_LANGUAGES.has(language)", "false"],
    ["numbered_without_a_run", "{ execution_count: null, outputs", "{ execution_count: index, outputs"],
  ],
  "workflows/explore/run_with_rows.ts": [
    ["newer_is_before", "id < basename(folder) &&", ""],
    ["prompts_are_rows", 'new Set(["prompts", "settings", "messages"])', "new Set()"],
    ["events_are_no_rows", `.includes('"event":"train_step"')`, '.includes("no such event")'],
  ],
  "workflows/explore/open.ts": [
    ["empty_is_a_run", "opened.length === 1 && !isEmpty(opened[0]!)", "opened.length === 1"],
    ["folder_of_runs_is_a_log", "return ids.length > 0 ?", "return ids.length > 99 ?"],
    ["empty_is_not_told", "if (manifest === null || hasRows(path)) return;", "if (path) return;"],
    ["no_advice", "`${error.message}; ${advice}`", "error.message"],
  ],
  "workflows/explore/coming_steps.ts": [
    [
      "rounds_forgotten",
      "canCome(here.steps, waiting, isWanted, true)",
      "canCome(here.steps, waiting, isWanted, false)",
    ],
    ["all_come_again", "repeats ? nodes : nodes.slice(at + 1)", "nodes"],
  ],
  "workflows/explore/session.ts": [
    ["rows_of_the_next_round", "tables.trainStep === at) return", "tables.trainStep >= at) return"],
    ["ended_rounds_change", "if (!tables.whole.has(name) && tables.trainStep !== at) {", "if (at < 0) {"],
    ["idle_runs_stop", "if (this.#waiting === null) stop();", "stop();"],
    ["calls_at_once", "const done = this.#turn.then(action);", "const done = action();"],
    ["steps_come_again", "!canCome(this.plan.steps, this.#waiting, isWanted)", "this.#running === undefined"],
  ],
  "workflows/explore/interrupt.ts": [
    ["listens_for_ever", "stops.delete(stop);", ""],
  ],
  "workflows/explore/watch.ts": [
    ["new_charts_each_time", "update: drawn.has(name)", "update: false"],
    ["pictures_while_it_runs", "bundle({ png: isOver })", "bundle({ png: true })"],
    ["killed_goes_on", 'now.status !== "running"', 'now.manifest?.status !== "running"'],
  ],
  "workflows/explore/run_pictures.ts": [
    ["one_prompt_alone", "a.turn - b.turn || a.of - b.of", "a.of - b.of || a.turn - b.turn"],
    ["prompts_mixed", "a.of - b.of || a.turn - b.turn).map", "a.turn - b.turn || a.of - b.of).map"],
  ],
  "workflows/run/chart_tables.ts": [
    ["units_not_read", "pictureOf(row, unit)", 'pictureOf(row, "thousandths")'],
    ["plain_runs_have_boxes", "if (!isSeen) return rows;", ""],
  ],
  "workflows/explore/run_bundle.ts": [
    ["healthy_while_it_runs", 'status === "running" ? " so far"', 'status === "" ? " so far"'],
    ["killed_is_running", "[status ?? ", "[manifest.status ?? "],
  ],
  "workflows/explore/jupyter.ts": [
    ["any_number_is_a_version", "/^(\\d+)\\./m", "/(\\d*)/m"],
  ],
});
