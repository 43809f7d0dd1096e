/** `cron`: shows, installs and removes what starts a workflow by its `on.schedule`, and says when that is. @module */
import { dirname } from "node:path";
import { didYouMean } from "../../data/did_you_mean.ts";
import { isFile } from "../../data/file_system.ts";
import { shownTime } from "../cron/due.ts";
import { type Job, jobOf, marksIn, scheduleOf, scheduleWarnings } from "../cron/job.ts";
import { type TargetName, TARGETS } from "../cron/mod.ts";
import { machineTimeZone, nextTimes } from "../cron/next.ts";
import { checkNotify, notifyGrants } from "../cron/notify.ts";
import { call, complaint } from "../cron/program.ts";
import { forgetInstalled, rememberInstalled } from "../cron/scheduled_run.ts";
import type { Change, Steps } from "../cron/target.ts";
import { type LoadedWorkflow, loadWorkflow } from "../language/parse.ts";
import { grantsOf } from "../plan/grants.ts";
import { commandLine, optionWords, quoted, runsWords } from "../terminal/command_line.ts";
import { PROJECT, runsFolder, shownPath, workflowArgument } from "../terminal/paths.ts";
import { duration, printable, stderr, stdout } from "../terminal/terminal.ts";
import { UsageError } from "../terminal/usage_error.ts";
import { defineCommand, type Values } from "./command.ts";
import { EXIT } from "./failures.ts";
import { denoRun } from "./install.ts";
import { checkFile } from "./run_words.ts";
import { requireWritable } from "./writable_folder.ts";

const NAMES = Object.keys(TARGETS) as TargetName[];

const OPTIONS = {
  target: { about: "the system that starts it", value: "TARGET", choices: NAMES },
  count: { about: "next: how many times (default: 5)", value: "N", short: "n" },
  json: { about: "next: one JSON object per time" },
  yes: { about: "install, remove: without asking", short: "y" },
  trust: { about: "install: let the workflow do what it says it may, without asking" },
  runs: { about: "folder of all runs (default: runs/ in the project)", value: "DIR" },
} as const;

type CronValues = Values<typeof OPTIONS>;

const ACTIONS = { show, next, install, remove } as const satisfies Record<
  string,
  (file: string, values: CronValues) => Promise<number>
>;

/** Options that have an effect, beside --runs. */
const TAKES: Record<keyof typeof ACTIONS, readonly (keyof typeof OPTIONS)[]> = {
  show: ["target", "runs"],
  next: ["count", "json"],
  install: ["target", "yes", "trust", "runs"],
  remove: ["target", "yes", "runs"],
};

export const cron = defineCommand({
  about: "Start a workflow by its on.schedule: show, next, install, remove, on four systems",
  usage: "show|install|remove FILE --target TARGET   |   cron next FILE [-n 5]",
  words: [2, 2],
  options: OPTIONS,
  notes: [
    ...NAMES.map((name) => `${name}: ${TARGETS[name].about}.`),
    "show prints what install would write; remove leaves everything as it was before. Runs log into runs/.cron/NAME.log.",
  ],
  examples: ["next mine.yaml", "install mine.yaml --target systemd"],
  async run([action, file], values) {
    if (!Object.hasOwn(ACTIONS, action!)) {
      throw new UsageError(
        `Cannot do "${action}" with cron: it is no action${didYouMean(action!, Object.keys(ACTIONS))}`,
      );
    }
    const name = action as keyof typeof ACTIONS;
    for (const option of Object.keys(values) as (keyof typeof OPTIONS)[]) {
      if (TAKES[name].includes(option) || !Object.hasOwn(OPTIONS, option)) continue;
      throw new UsageError(`Cannot read the words after cron ${name}: it does not take --${option}`);
    }
    return await ACTIONS[name](file!, values);
  },
});

async function show(file: string, values: CronValues): Promise<number> {
  const target = targetOf("show", file, values), { loaded, job } = await readJob(file, values);
  for (const warning of scheduleWarnings(loaded)) stderr.line(printable(warning));
  stdout.write(TARGETS[target].show(job));
  return EXIT.ok;
}

async function next(file: string, { count = "5", json }: CronValues): Promise<number> {
  const wanted = /^[1-9]\d{0,3}$/.test(count) ? Number(count) : 0;
  if (wanted === 0) throw new UsageError(`Cannot read -n: it is "${count}", want a whole number from 1 to 9999`);
  const loaded = await load(file), now = Temporal.Now.instant(), zone = machineTimeZone();
  for (const warning of scheduleWarnings(loaded)) stderr.line(printable(warning));
  const times = scheduleOf(loaded).flatMap((entry) => nextTimes(entry, now, wanted).map((at) => ({ entry, at })))
    .sort((a, b) => Temporal.Instant.compare(a.at, b.at)).slice(0, wanted);
  for (const { entry, at } of times) {
    if (json) {
      stdout.json(JSON.stringify({ time: at.toString(), timezone: entry.timezone, cron: entry.cron }));
      continue;
    }
    const here = zone === entry.timezone ? "" : `  ${shownTime(at, zone)}`;
    const seconds = (at.epochMilliseconds - now.epochMilliseconds) / 1000, days = Math.floor(seconds / 86400);
    const wait = days > 1 ? `${days} days` : duration(seconds);
    stdout.line(`${shownTime(at, entry.timezone)}${here}  in ${wait}`);
  }
  return EXIT.ok;
}

async function install(file: string, values: CronValues): Promise<number> {
  const target = targetOf("install", file, values), { loaded, job } = await readJob(file, values);
  for (const warning of scheduleWarnings(loaded)) stderr.line(printable(warning));
  const steps = await TARGETS[target].install(job);
  const notes = [...movedNotes(job, steps.changes), ...denoNotes(job), ...steps.notes];
  if (steps.changes.every(({ before, after }) => before === after)) {
    stdout.line(`${job.name} is installed for ${target} as it would be; nothing to change`);
    return EXIT.ok;
  }
  tell({ ...steps, notes });
  const [first] = dueTimes(job);
  if (first !== undefined) stdout.line(`First run: ${first}`);
  await trust(loaded, file, job, values);
  if (!agreed("install", "Write this?", values)) return EXIT.ok;
  requireWritable(job.runs);
  rememberInstalled(job, Temporal.Now.instant()); // first: a full disk is known before anything is changed
  await make(steps);
  stdout.line(`Installed for ${target}; remove it with: ${again("remove", file, target, values)}`);
  return EXIT.ok;
}

async function remove(file: string, values: CronValues): Promise<number> {
  const target = targetOf("remove", file, values), path = workflowArgument(file);
  const steps = await TARGETS[target].remove(path);
  if (steps.changes.length + steps.first.length === 0) {
    stdout.line(`Nothing is installed for ${target} of ${shownPath(path)}`);
    return EXIT.ok;
  }
  tell(steps);
  if (!agreed("remove", "Remove this?", values)) return EXIT.ok;
  await make(steps);
  const names = new Set(
    steps.changes.flatMap(({ before, part }) => marksIn(part ?? before ?? "")).map(({ name }) => name),
  );
  for (const name of names) forgetInstalled({ runs: runsFolder(values.runs), name });
  stdout.line(`Removed from ${target}; its runs and their log stay`);
  return EXIT.ok;
}

function targetOf(action: string, file: string, { target }: CronValues): TargetName {
  if (target !== undefined) return target as TargetName;
  throw new UsageError(
    `Cannot ${action} the schedule of ${file}: no target is named; want --target ${NAMES.join(" | ")}`,
  );
}

async function load(file: string): Promise<LoadedWorkflow> {
  const path = workflowArgument(file);
  await checkFile(path, file);
  const { STEPS } = await import("../../steps/mod.ts");
  return await loadWorkflow(path, { shown: shownPath(path), kinds: STEPS });
}

/** What a run reads of the environment that a daemon would not have: where caches lie, no secrets. */
const CARRIED = ["DENO_DIR", "HF_HOME", "HF_HUB_CACHE", "XDG_CACHE_HOME", "XDG_STATE_HOME", "LD_LIBRARY_PATH"];

async function readJob(file: string, values: CronValues): Promise<{ loaded: LoadedWorkflow; job: Job }> {
  const loaded = await load(file), runs = runsFolder(values.runs);
  scheduleOf(loaded);
  checkNotify(loaded, dirname(workflowArgument(file)));
  const carried = CARRIED.flatMap((name) => {
    const value = Deno.env.get(name);
    return value ? [[name, value]] : [];
  });
  const environment = {
    NO_COLOR: "1",
    DENO_NO_UPDATE_CHECK: "1",
    MALLOC_ARENA_MAX: "2",
    ...Object.fromEntries(carried),
  };
  const plans = await plansOf(file, runs);
  const asksTrust = plans.some((plan) => grantsOf(plan).length > 0) || notifyGrants(loaded).length > 0;
  const around = {
    file: workflowArgument(file),
    deno: Deno.execPath(),
    denoArguments: denoRun("workflows/cli/main.ts", ["run"]),
  };
  return {
    loaded,
    job: jobOf(loaded, { ...around, environment, project: PROJECT.replace(/\/$/, ""), runs, asksTrust }),
  };
}

async function plansOf(file: string, runs: string) {
  const { planFor } = await import("./run_words.ts");
  return (await planFor(file, { runs })).plans;
}

/** Asked here and remembered, so that a start by the schedule, where nobody can be asked, finds the answer. */
async function trust(loaded: LoadedWorkflow, file: string, job: Job, values: CronValues): Promise<void> {
  if (!job.asksTrust) return;
  const { asker, requireTrust, stateFolder } = await import("./trust.ts");
  requireTrust(await plansOf(file, job.runs), {
    given: values.trust ?? false,
    folder: stateFolder(),
    ask: asker("Let its scheduled runs do this?"),
    also: notifyGrants(loaded),
  });
}

function tell({ first, changes, then, notes }: Steps): void {
  for (const words of first) stdout.line(`Will run: ${words.map(quoted).join(" ")}`);
  for (const { what, before, after, part } of changes) {
    const shown = what.startsWith("/") ? shownPath(what) : what;
    const shrinks = after === null || after.length < (before ?? "").length;
    const word = part !== undefined
      ? shrinks ? "take these lines out of" : "put these lines into"
      : after === null
      ? "remove"
      : before === null
      ? "write"
      : "replace";
    stdout.line(`Will ${word} ${shown}`);
    for (const line of (part ?? after ?? "").trimEnd().split("\n")) if (line) stdout.line(`  | ${printable(line)}`);
  }
  for (const words of then) stdout.line(`Will run: ${words.map(quoted).join(" ")}`);
  for (const note of notes) stdout.line(`Note: ${printable(note)}`);
}

/** Where nobody can be asked, --yes is wanted. */
function agreed(action: string, question: string, { yes }: CronValues): boolean {
  if (yes) return true;
  if (!Deno.stdin.isTerminal()) {
    throw new UsageError(`Cannot ${action} a schedule without asking, and nobody can be asked here: add --yes`);
  }
  return confirm(question);
}

async function make({ first, changes, then }: Steps): Promise<void> {
  for (const words of first) await perform(words);
  for (const change of changes) for (const line of await change.apply()) stdout.line(printable(line));
  for (const words of then) await perform(words);
}

async function perform(words: readonly string[]): Promise<void> {
  const said = await call(words);
  if (said?.code === 0) return;
  const line = words.map(quoted).join(" ");
  throw new UsageError(`Cannot go on: ${line}: ${said === null ? "there is no such program" : complaint(said)}`);
}

/** What was installed for a file of that name which has gone since. */
function movedNotes({ name, file }: Job, changes: readonly Change[]): string[] {
  const old = changes.flatMap(({ before }) => marksIn(before ?? "")).filter((mark) => mark.name === name)
    .map((mark) => mark.file).filter((path) => path !== file && path.startsWith("/") && !isFile(path));
  return [...new Set(old)].map((path) => `it was installed for ${path}, which is gone: replaced`);
}

function denoNotes({ deno }: Job): string[] {
  return /[\\/]_npx[\\/]/.test(deno)
    ? [`deno lies in npx's cache (${deno}), which npm may empty; install Deno, then install the schedule again`]
    : [];
}

function dueTimes({ entries }: Job): string[] {
  const now = Temporal.Now.instant();
  return entries.flatMap((entry) => nextTimes(entry, now, 1).map((at) => ({ at, text: shownTime(at, entry.timezone) })))
    .sort((a, b) => Temporal.Instant.compare(a.at, b.at)).map(({ text }) => text);
}

function again(action: string, file: string, target: string, { runs }: CronValues): string {
  const more = runs === undefined ? [] : runsWords(runsFolder(runs));
  return commandLine(["cron", action, shownPath(workflowArgument(file)), ...optionWords("target", target), ...more]);
}
