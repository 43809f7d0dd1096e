/** Faults in what follows a run that goes on: the doctor's follower, and the live pages. @module */
import { mutationsOf } from "./mutation.ts";

export const LIVE = mutationsOf({
  "workflows/doctor/follow/patience.ts": [
    ["fatal_at_once", "fatal: 1, error", "fatal: 0, error"],
    ["warnings_soon", "warning: 10", "warning: 2"],
    [
      "told_again",
      "told === undefined || rank(severity) < rank(told)",
      "told === undefined || rank(severity) <= rank(told)",
    ],
    ["another_run_is_the_same", "this.#told.clear()", "this.#told.size"],
  ],
  "workflows/doctor/follow/thinned_run.ts": [
    ["bad_records_lost", "bad[row] = 1", "bad[row] = 0"],
    ["last_records_lost", "row = rows - LAST", "row = rows - LAST + 1"],
    ["not_counted", "run.thinned + rows - kept.length", "run.thinned"],
  ],
  "workflows/doctor/follow/follow.ts": [
    ["judged_before_repeated", "value.repeated) yield", "!value.repeated) yield"],
    ["looks_without_news", "if (!run.hasNews || from < due) continue;", "if (from < due) continue;"],
  ],
  "workflows/doctor/follow/read_piece.ts": [
    ["another_file_goes_on", 'if (piece.kind === "open") return next', 'if (piece.kind === "open") return run ?? next'],
    ["beside_is_left", "await next.readBeside(piece.followed.beside);", ""],
  ],
  "workflows/doctor/follow/tail_file.ts": [
    ["cut_is_the_same", 'if (now.size < this.#offset) return "cut"', 'if (now.size < 0) return "cut"'],
    ["rewritten_is_cut", '? "rewritten" : "same"', '? "cut" : "same"'],
    ["rest_of_a_rotated_file_is_lost", "yield* file.rest(Infinity);", ""],
    ["lines_joined_over_a_rotation", "this.#remembered.at(-1) !== 10", "this.#remembered.at(-1) === 10"],
  ],
  "workflows/doctor/follow/earlier_run.ts": [
    ["a_record_too_many", "all.numRows() - less", "all.numRows() - less + 1"],
  ],
  "workflows/doctor/follow/on_error.ts": [
    ["not_asked_to_end", '(late = true, end("SIGTERM"))', "(late = true)"],
    ["failure_is_not_said", "return success ? null", "return success || code ? null"],
    ["stdout_is_the_log", "exec 1>&2\\n${command}", "${command}"],
  ],
  "workflows/live/server.ts": [
    ["any_host", 'request.headers.get("host") !== host || !isSame', "!isSame"],
    ["any_token", "return a!.length === b!.length && timingSafeEqual(a!, b!)", "return a!.length === b!.length"],
    ["end_is_no_news", "`${status}: ${findings}`", "status && findings"],
    ["a_link_stops", 'if (request.method !== "POST")', 'if (request.method === "PUT")'],
    ["who_looks_stops", '!isSame(url.searchParams.get("stop"), stopToken) || named', "named"],
    ["stops_any_run", "stopToken) || named?.path !== folder", "stopToken)"],
    ["another_site_stops", "origin !== null && origin !==", "origin === null && origin !=="],
    ["links_lead_out", "dirname(Deno.realPathSync(folder)) === Deno.realPathSync(runs)", "true"],
    ["removed_run_is_read", "isOwn && !isFile(join(named.path, RUN_FILES.manifest)) ? null", "isOwn && false ? null"],
    ["tells_all_the_time", "if (stamp === last || last", "if (last"],
    ["sends_all_again", "shown?.slowStamp === slowStamp && has === slowStamp", "shown === null"],
    ["token_in_the_referrer", '"referrer-policy": "no-referrer"', '"referrer-policy": "unsafe-url"'],
    ["image_that_is_not_there", '"why" in found ? found :', "false ? found :"],
    ["a_log_can_be_stopped", '${isOwn ? `&stop=${stopToken}` : ""}', "&stop=${stopToken}"],
  ],
  "workflows/run/run_images.ts": [
    ["any_file", "isImageId(id) ? join", "id ? join"],
    ["links_are_followed", "isFile && dirname", "isFile || dirname"],
  ],
  "workflows/live/run_list.ts": [
    ["reads_all_again", "before?.stamp === stamp ? before", "before?.stamp === null ? before"],
    ["oldest_first", ".slice(-MOST).reverse()", ".slice(-MOST)"],
    ["all_are_listed", "total: total - unread", "total: rows.length"],
    ["notes_are_findings", 'severity !== "info"', 'severity !== ""'],
  ],
  "workflows/live/followed_log.ts": [
    ["told_at_its_first_record", "isQuiet ? said :", "!isQuiet ? said :"],
    ["never_quiet", "> QUIET_MS", "> Infinity"],
    ["drawn_anew_each_step", "Number(tables.completions?.numRows()),", "Number(tables.metrics?.numRows()),"],
    ["binary_is_not_said", "this.#run?.unread ?? undefined", "undefined"],
  ],
  "workflows/live/log_report.ts": [
    ["healthy_without_a_record", "cannotTell: !metrics?.numRows()", "cannotTell: false"],
    ["thinned_not_counted", "+ (run?.thinned ?? 0)", ""],
  ],
  "workflows/explore/run_report.ts": [
    ["killed_is_running", "status: shownStatus(run)", "status: run.manifest.status"],
    ["events_left_out", "reportRows(withEvents(run))", 'reportRows(run.table("metrics"))'],
  ],
  "data/damaged_manifest.ts": [
    ["defaults_of_a_torn_one", "(!isThere && problem)", "false"],
    ["torn_is_lost", "text.lastIndexOf(',\\n  \"')", "0"],
  ],
  "workflows/run/stored_findings.ts": [
    ["manifest_is_believed", '!unknown.has("findings")', "true"],
  ],
  "workflows/live/followed.ts": [
    ["large_folder_read_again", "sizeOf(path) < LARGE_BYTES", "sizeOf(path) >= 0"],
  ],
});
