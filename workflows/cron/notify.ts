/** Tells of a scheduled run that failed or found something: a program with JSON as its input, or an address. @module */
import { join, resolve } from "node:path";
import { isFile } from "../../data/file_system.ts";
import { RUN_FILES, type RunManifest } from "../../data/run_folder.ts";
import { isAlarm } from "../../data/severity.ts";
import { redact } from "../doctor/redact.ts";
import type { LoadedWorkflow } from "../language/parse.ts";
import { type Path, toIssues, WorkflowError } from "../language/problems.ts";
import type { ScheduleEntry } from "../language/schema.ts";
import { PROJECT } from "../terminal/caller.ts";
import { quoted } from "../terminal/command_line.ts";
import { call, complaint, type Said } from "./program.ts";

type Notify = NonNullable<ScheduleEntry["notify"]>;

/** How a scheduled start ended. */
export interface Ended {
  readonly workflow: string;
  /** Absolute. */
  readonly file: string;
  readonly runsFolder: string;
  /** ISO 8601, UTC. */
  readonly scheduledFor: string;
  readonly exitCode: number;
  /** Why nothing ran, where nothing did. */
  readonly error: string | null;
  readonly runs: readonly RunManifest[];
}

const SIGNALS = [130, 143]; // Exit codes of SIGINT and SIGTERM.

/** What happened that somebody wants to hear of; null for a run that went well. */
export function eventOf({ exitCode, error, runs }: Ended): "failure" | "finding" | null {
  if (runs.some(({ status }) => status === "stopped") || exitCode === 3) return "finding";
  // Who stops a run, or switches the machine off, knows.
  if (error !== null || (exitCode !== 0 && !SIGNALS.includes(exitCode))) return "failure";
  return runs.some((run) => findingsOf(run).length > 0) ? "finding" : null;
}

const findingsOf = ({ findings }: RunManifest) => findings.filter(({ severity }) => isAlarm(severity));

/** What is told, as JSON; `withPaths` for a program on this machine. */
export function summaryOf(ended: Ended, withPaths: boolean) {
  const { workflow, file, runsFolder, scheduledFor, exitCode, error } = ended;
  const runs = ended.runs.map((run) => ({
    run: run.id,
    ...(withPaths ? { folder: join(runsFolder, run.id), report: join(runsFolder, run.id, RUN_FILES.report) } : {}),
    status: run.status,
    reason: run.reason,
    train_step: run.train_step,
    evaluations: run.evaluations,
    findings: findingsOf(run).map(({ cause, severity, train_step, message, hint }) => ({
      cause,
      severity,
      train_step,
      message,
      hint,
    })),
  }));
  const said = runs.map(({ run, status, reason, findings: [worst] }) =>
    `${run} ${status}${
      worst ? `, ${worst.severity} ${worst.cause}: ${worst.message}` : reason === null ? "" : `: ${reason}`
    }`
  );
  return {
    event: eventOf(ended),
    workflow,
    ...(withPaths ? { file } : {}),
    scheduled_for: scheduledFor,
    exit_code: exitCode,
    error,
    runs,
    text: `Nonzero: ${workflow}: ${
      [...said, ...(error === null ? [] : [error])].join("; ") || `exit code ${exitCode}`
    }`,
  };
}

/** Tells where it is wanted; returns what went wrong with the telling, one sentence each. `folder` is the workflow's. */
export async function notify(wanted: Notify, ended: Ended, folder: string): Promise<string[]> {
  const event = eventOf(ended);
  if (event === null || !wanted.on.includes(event)) return [];
  const problems: string[] = [];
  if (wanted.command !== undefined) {
    const input = JSON.stringify(summaryOf(ended, true)) + "\n";
    problems.push(...await told(`the program ${quoted(wanted.command[0]!)}`, wanted.command, input, folder));
  }
  if (wanted.webhook !== undefined) {
    const { host } = new URL(wanted.webhook), body = redact(JSON.stringify(summaryOf(ended, false)));
    const flags = ["run", "-q", "--no-prompt", "--no-config", "--no-remote", "--no-npm", `--allow-net=${host}`];
    const words = [Deno.execPath(), ...flags, join(PROJECT, "workflows/cron/webhook.ts")];
    problems.push(...await told(host, words, JSON.stringify({ url: wanted.webhook, body }), folder));
  }
  return problems;
}

async function told(whom: string, words: readonly string[], input: string, folder: string): Promise<string[]> {
  const said = await callIn(folder, words, input);
  if (said?.code === 0) return [];
  return [`Nobody was told: ${whom}: ${said === null ? "there is no such program" : complaint(said)}`];
}

/** Programs are found from the workflow's folder, as its other files are. */
async function callIn(folder: string, words: readonly string[], input: string): Promise<Said | null> {
  const [program, ...rest] = words;
  return await call([isPath(program!) ? resolve(folder, program!) : program!, ...rest], input, folder);
}

const isPath = (program: string) => /^\.{0,2}[\\/]/.test(program);

/** Throws a WorkflowError where a program that is named by its path is none; `folder` is the workflow's. */
export function checkNotify({ document, source }: Pick<LoadedWorkflow, "document" | "source">, folder: string): void {
  const problems = (document.on?.schedule ?? []).flatMap(({ notify }, index) => {
    const program = notify?.command?.[0];
    if (program === undefined || !isPath(program)) return [];
    const why = programProblem(resolve(folder, program));
    if (why === null) return [];
    return [{ path: ["on", "schedule", index, "notify", "command", 0], message: `"command" is "${program}", ${why}` }];
  });
  if (problems.length > 0) throw new WorkflowError(toIssues(problems, source));
}

/** What keeps a file from being started, and what to do. */
function programProblem(path: string): string | null {
  if (!isFile(path)) return "which is no file; want a program, its path from the workflow's folder";
  const mode = Deno.build.os === "windows" ? null : Deno.statSync(path).mode;
  return mode === null || (mode & 0o111) !== 0 ? null : "which nobody may start; make it executable: chmod +x";
}

/** What a person is asked before such a workflow is installed or runs by its schedule, with its place. */
export function notifyGrants({ document, source }: Pick<LoadedWorkflow, "document" | "source">) {
  const entries = document.on?.schedule ?? [];
  return entries.flatMap(({ notify }, index) => {
    const at = (key: string): Path => ["on", "schedule", index, "notify", key];
    const command = notify?.command, address = notify?.webhook;
    return [
      ...(command
        ? [{
          text: `starts ${command.map(quoted).join(" ")} when a scheduled run fails or finds something`,
          path: at("command"),
        }]
        : []),
      ...(address
        ? [{ text: `sends what a scheduled run found to ${new URL(address).host}`, path: at("webhook") }]
        : []),
    ];
  }).map((grant) => {
    const position = toIssues([{ path: grant.path, message: grant.text }], source)[0]!.position;
    return { ...grant, place: position === null ? source.file : `${source.file}:${position.line}:${position.column}` };
  });
}
