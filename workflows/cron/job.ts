/** A workflow with its schedule, as every target writes it down: what is started, when, where it logs. @module */
import { join } from "node:path";
import type { LoadedWorkflow } from "../language/parse.ts";
import { type CronExpression, cronWarnings, readCron } from "../language/cron_expression.ts";
import type { ScheduleEntry } from "../language/schema.ts";
import { UsageError } from "../terminal/usage_error.ts";
import type { Schedule } from "./next.ts";

/** One entry of `on.schedule`, read. */
export interface JobEntry extends ScheduleEntry, Schedule {
  readonly timezone: string;
}

export interface Job {
  /** The workflow's name. */
  readonly name: string;
  readonly about: string;
  /** Absolute path of the workflow file. */
  readonly file: string;
  /** Its text, for targets that take it along; null for TypeScript. */
  readonly text: string | null;
  readonly entries: readonly JobEntry[];
  /** Absolute path of the program and its arguments, up to the workflow file. */
  readonly deno: string;
  readonly denoArguments: readonly string[];
  readonly environment: Readonly<Record<string, string>>;
  /** Absolute folder of the project, and that of all runs. */
  readonly project: string;
  readonly runs: string;
  /** The workflow may do what a person is asked about: targets where nobody is say --trust. */
  readonly asksTrust: boolean;
}

/** Everything of a job that is not in its workflow. */
type Surroundings = Pick<Job, "file" | "deno" | "denoArguments" | "environment" | "project" | "runs" | "asksTrust">;

/** The job of a workflow. Throws a UsageError that says which lines to add where it has no schedule. */
export function jobOf({ document, source }: LoadedWorkflow, around: Surroundings): Job {
  if (/[\r\n]/.test(around.file + around.runs + around.project + around.deno)) {
    throw new UsageError(`Cannot schedule ${JSON.stringify(around.file)}: a path has a line break; move what it names`);
  }
  const { name, about } = document;
  return { ...around, name, about, text: source.text, entries: scheduleOf({ document, source }) };
}

/** The entries of a workflow's schedule. */
export function scheduleOf(
  { document: { name, on }, source }: Pick<LoadedWorkflow, "document" | "source">,
): JobEntry[] {
  if (on === undefined) {
    throw new UsageError(
      `Cannot schedule ${source.file}: "${name}" has no on.schedule; add these lines, minute and hour first:\n\n` +
        'on:\n  schedule:\n    - cron: "30 3 * * *"\n      timezone: Europe/Berlin\n      catch_up: one',
    );
  }
  return on.schedule.map((entry) => ({
    ...entry,
    timezone: entry.timezone ?? "UTC",
    expression: readCron(entry.cron) as CronExpression, // The schema has refused what cannot be read.
  }));
}

/** What a person probably did not mean, as file:line:column. */
export function scheduleWarnings({ document: { on }, source }: Pick<LoadedWorkflow, "document" | "source">): string[] {
  return (on?.schedule ?? []).flatMap(({ cron }, index) => {
    const at = source.locate({ path: ["on", "schedule", index, "cron"] });
    const place = at === null ? source.file : `${source.file}:${at.line}:${at.column}`;
    return cronWarnings(cron, readCron(cron) as CronExpression).map((text) => `${place}: warning: ${text}`);
  });
}

/** Arguments of the program: one scheduled run of the workflow. */
export function runArguments(job: Job, when: "due" | "now"): string[] {
  return [...job.denoArguments, job.file, "--scheduled", when, ...runsArguments(job)];
}

function runsArguments({ runs, project }: Job): string[] {
  return runs === join(project, "runs") ? [] : ["--runs", runs];
}

/** What the schedule keeps beside the runs: their log, and a folder with the lock. */
export function cronFiles({ runs, name }: Pick<Job, "runs" | "name">) {
  const folder = join(runs, ".cron");
  return { folder, log: join(folder, `${name}.log`), state: join(folder, name) };
}

/** One line: who wrote the file, of which workflow, and how it goes away. */
export function mark(job: Pick<Job, "name" | "file">, target: string): string {
  return `Written by Nonzero (cron, ${target}) for ${job.name}: ${job.file}`;
}

/** Every mark in a text: the workflows that it was written for. */
export function marksIn(text: string): { readonly name: string; readonly file: string }[] {
  const found = text.matchAll(/^# Written by Nonzero \(cron, \w+\) for (\w+): (.*)$/gm);
  return [...found].map(([, name, file]) => ({ name: name!, file: file! }));
}

/** The workflow that a marked text is of; null for a text that is not ours. */
export function markedFile(text: string): string | null {
  return marksIn(text)[0]?.file ?? null;
}
