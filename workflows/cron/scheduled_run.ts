/** One start by a schedule: whether it is due, under the schedule's lock, and afterwards who is told and what goes. @module */
import { dirname } from "node:path";
import { messageOf } from "../../data/error_text.ts";
import { textIfThere } from "../../data/file_system.ts";
import type { LoadedWorkflow } from "../language/parse.ts";
import { acquireLock } from "../store/lock.ts";
import { makeFolder, removeIfThere } from "../store/write_file.ts";
import { type Due, dueNow, shownTime, whetherDue } from "./due.ts";
import { scheduledRuns } from "./history.ts";
import { cronFiles, scheduleOf } from "./job.ts";
import { removeOldRuns } from "./keep_runs.ts";
import { notify } from "./notify.ts";

interface ScheduledStart {
  readonly loaded: LoadedWorkflow;
  /** Absolute path of the workflow file. */
  readonly file: string;
  /** Absolute folder of all runs. */
  readonly runs: string;
  /** due: run only if the time has come; now: the target has decided that. */
  readonly when: "due" | "now";
  readonly now: Temporal.Instant;
  /** Runs the workflow with further keys of run.json, and with a seed where that is not the workflow's; gives the exit code. */
  start(
    manifest: { readonly trigger: "schedule"; readonly scheduled_for: string },
    seed: number | null,
  ): Promise<number>;
  /** Says a line of the log. */
  say(line: string): void;
}

/** Returns the exit code: 0 as well where nothing is due. Throws LockHeldError while an earlier start still runs. */
export async function scheduledRun({ loaded, file, runs, when, now, start, say }: ScheduledStart): Promise<number> {
  const { document: { name } } = loaded, entries = scheduleOf(loaded), whose = { name, file };
  const { state } = cronFiles({ runs, name });
  makeFolder(state);
  // Before the question: a run that goes on is no run that is missing.
  const lock = acquireLock(state, new Date(now.epochMilliseconds));
  try {
    const history = scheduledRuns(runs, whose);
    const due: Due = when === "now"
      ? dueNow({ entries, now })
      : whetherDue({ entries, history, now, since: since(state) });
    if (!due.run) {
      say(`${name}: ${due.why}`);
      return 0;
    }
    const scheduledFor = due.at.toString({ fractionalSecondDigits: 0 });
    const at = shownTime(due.at, due.entry.timezone);
    say(`${name}: scheduled for ${at}${due.isLate ? ", caught up" : ""}`);
    const earlier = new Set(history.map(({ id }) => id));
    let exitCode = 1, error: string | null = null;
    try {
      const seed = due.entry.new_seed ? Math.floor(due.at.epochMilliseconds / 60e3) : null;
      return exitCode = await start({ trigger: "schedule", scheduled_for: scheduledFor }, seed);
    } catch (thrown) {
      error = messageOf(thrown);
      throw thrown;
    } finally {
      const made = scheduledRuns(runs, whose).filter(({ id }) => !earlier.has(id));
      const ended = { workflow: name, file, runsFolder: runs, scheduledFor, exitCode, error, runs: made };
      const { notify: wanted, keep_runs: keep } = due.entry;
      const problems = wanted === undefined ? [] : await notify(wanted, ended, dirname(file));
      const gone = keep === undefined ? [] : removeOldRuns(runs, whose, keep);
      if (gone.length > 0) say(`${name}: keep_runs ${keep}: removed ${gone.join(", ")}`);
      for (const problem of problems) say(`${name}: ${problem}`);
    }
  } finally {
    lock.release();
  }
}

/** Remembers when a schedule was installed, once: what was due before was not missed. */
export function rememberInstalled(job: { readonly runs: string; readonly name: string }, now: Temporal.Instant): void {
  const { state } = cronFiles(job);
  makeFolder(state);
  if (textIfThere(`${state}/${SINCE}`) === null) Deno.writeTextFileSync(`${state}/${SINCE}`, `${now}\n`);
}

export function forgetInstalled(job: { readonly runs: string; readonly name: string }): void {
  removeIfThere(`${cronFiles(job).state}/${SINCE}`);
}

const SINCE = "installed";

function since(state: string): Temporal.Instant | null {
  const text = textIfThere(`${state}/${SINCE}`)?.trim();
  return text && /^\d{4}-\d\d-\d\dT[\d:.]+Z$/.test(text) ? Temporal.Instant.from(text) : null;
}
