/** `runs`: lists, shows, compares and removes runs. @module */
import { byteText } from "../../data/byte_text.ts";
import { join } from "node:path";
import { openRunFolder, type RunFolder } from "../../data/open_run_folder.ts";
import { secondsOf } from "../../data/run_folder.ts";
import { commandLine, runsWords } from "../terminal/command_line.ts";
import { didYouMean } from "../../data/did_you_mean.ts";
import { defineCommand } from "./command.ts";
import { UsageError } from "../terminal/usage_error.ts";
import { exitCodeOf } from "./failures.ts";
import { reasonOf } from "../store/write_file.ts";
import { adapterLine } from "./adapter_line.ts";
import { findRun, folderSize, isLive, runIds, shownStatus } from "../explore/find_run.ts";
import { narrowTable } from "../terminal/narrow_table.ts";
import { runsFolder, shownPath } from "../terminal/paths.ts";
import { evaluationLines } from "./run_summary.ts";
import { endScores, scoreText } from "./scores.ts";
import { cellName } from "../plan/matrix.ts";
import { duration, printable, stderr, stdout, type Style, wrapped } from "../terminal/terminal.ts";

interface Given {
  readonly folder: string;
  readonly json: boolean;
  readonly yes: boolean;
  readonly olderThan: string | undefined;
  readonly html: string | undefined;
}

const ACTIONS = { list, show, compare, remove } as const satisfies Record<
  string,
  (words: readonly string[], given: Given) => number | Promise<number>
>;

export const runs = defineCommand({
  about: "What ran: list, show, compare, remove",
  usage:
    "list   |   runs show RUN   |   runs compare A B... [--html FILE]   |   runs remove RUN... [--older-than 7d] [--yes]",
  words: [0, Infinity],
  options: {
    json: { about: "JSON instead of text" },
    "older-than": { about: "remove: runs that began longer ago, e.g. 12h, 7d, 4w", value: "AGE" },
    html: { about: "compare: write one page, with the curves of all and what each answered", value: "FILE" },
    yes: { about: "remove without asking", short: "y" },
    runs: { about: "folder of the runs (default: runs/ in the project)", value: "DIR" },
  },
  notes: ['RUN is an id, its unique beginning, a folder, or "last".'],
  run([action = "list", ...words], { json, "older-than": olderThan, yes, runs, html }) {
    if (!Object.hasOwn(ACTIONS, action)) {
      throw new UsageError(
        `Cannot do "${action}" with runs: it is no action${didYouMean(action, Object.keys(ACTIONS))}`,
      );
    }
    const given = { folder: runsFolder(runs), json: json ?? false, yes: yes ?? false, olderThan, html };
    expectWords(action as keyof typeof ACTIONS, words, given);
    return Promise.resolve(ACTIONS[action as keyof typeof ACTIONS](words, given));
  },
});

/** One run in the list. */
function facts(run: RunFolder) {
  const { manifest: m } = run;
  const { before, after } = endScores(m.evaluations);
  return {
    run: m.id,
    name: m.name,
    status: shownStatus(run),
    created: m.created,
    seconds: secondsOf(m),
    matrix: m.matrix,
    train_step: m.train_step,
    before,
    after,
    evaluations: m.evaluations,
    findings: m.findings.filter(({ severity }) => severity !== "info").map(({ cause }) => cause),
    bytes: folderSize(run.path),
    folder: run.path,
  };
}

const STATUS_STYLE: Record<string, Style> = {
  ok: "green",
  running: "blue",
  failed: "red",
  killed: "red",
  pruned: "yellow",
};

/** Columns that a narrow terminal goes without: ids are pasted, and a finding is what a list is read for. */
const SPARE = ["size", "time", "steps", "before"];

function printList(rows: readonly ReturnType<typeof facts>[]): void {
  const isMatrix = rows.some((row) => cellName(row.matrix) !== "");
  const cells = rows.map((row) => [
    row.run,
    ...(isMatrix ? [cellName(row.matrix)] : []),
    row.status,
    String(row.train_step),
    scoreText(row.before, "before"),
    scoreText(row.after, "after"),
    row.seconds === null ? "–" : duration(row.seconds),
    byteText(row.bytes),
    row.findings.slice(0, 1).join(""),
  ]);
  const columns = [
    "run",
    ...(isMatrix ? ["cell"] : []),
    "status",
    "steps",
    "before",
    "after",
    "time",
    "size",
    "finding",
  ];
  const [head, ...lines] = narrowTable(columns, cells, stdout.live ? stdout.columns - 1 : Infinity, SPARE);
  stdout.line(stdout.style(head!, "dim"));
  lines.forEach((line, i) => {
    const { status } = rows[i]!, style = STATUS_STYLE[status];
    stdout.line(style ? line.replace(`  ${status}`, `  ${stdout.style(status, style)}`) : line);
  });
  const total = rows.reduce((sum, row) => sum + row.bytes, 0);
  stdout.line(stdout.style(`${rows.length} run${rows.length === 1 ? "" : "s"}, ${byteText(total)}`, "dim"));
}

function list(_words: readonly string[], { folder, json }: Given): number {
  const damaged: string[] = [];
  const rows = runIds(folder).flatMap((id) => {
    try {
      return [facts(openRunFolder(join(folder, id)))];
    } catch (error) {
      if (!(error instanceof Error) || exitCodeOf(error) === undefined) throw error;
      const isOwnText = error instanceof SyntaxError || error instanceof RangeError;
      damaged.push(isOwnText ? error.message : `Cannot read run ${id}: ${reasonOf(error)}`);
      return [];
    }
  });
  if (json) {
    for (const { before, after, ...row } of rows) {
      stdout.json(JSON.stringify({ ...row, before: before?.value ?? null, after: after?.value ?? null }));
    }
  } else if (!rows.length) {
    if (damaged.length === 0) {
      stdout.line(`No runs in ${shownPath(folder)}; start one with: ${commandLine(["start", ...runsWords(folder)])}`);
    }
  } else printList(rows);
  for (const message of damaged) (json ? stderr : stdout).line(printable(message));
  return 0;
}

function show(words: readonly string[], { folder, json }: Given): number {
  const run = openRunFolder(findRun(words[0]!, folder));
  const { manifest: m } = run;
  if (json) {
    stdout.json(
      JSON.stringify({ ...m, status: shownStatus(run), bytes: folderSize(run.path), checkpoints: run.checkpoints() }),
    );
    return 0;
  }
  const pairs = {
    run: m.id,
    workflow: `${m.name} (${m.workflow})`,
    about: m.about,
    status: `${shownStatus(run)}${m.reason === null ? "" : `: ${m.reason}`}`,
    started: `${m.created.slice(0, 19).replace("T", " ")} UTC${
      m.finished === null ? "" : `, ${duration(secondsOf(m)!)}`
    }`,
    "train steps": String(m.train_step),
    ...(cellName(m.matrix) ? { cell: cellName(m.matrix) } : {}),
    parameters: Object.entries(m.params).map(([k, v]) => `${k} ${v}`).join(", ") || "none",
    ...adapterLine(run.table("settings")),
    machine: `seed ${m.seed}, ${m.device}, ${m.backend}, ${m.threads} threads, ${m.cpu_class}`,
    versions: Object.entries(m.versions).map(([k, v]) => `${k} ${v}`).join(", "),
    checkpoints: run.checkpoints().join(", ") || "none",
    findings: m.findings.map((f) => `${f["severity"]} ${f["cause"]}`).join(", ") || "none",
    folder: `${shownPath(run.path)}, ${byteText(folderSize(run.path))}`,
  };
  for (const [name, value] of Object.entries(pairs)) {
    const lines = wrapped(printable(value), Math.max(24, stdout.columns - 15));
    lines.forEach((line, i) => stdout.line(`${(i ? "" : name).padEnd(14)}${line}`));
  }
  for (const line of evaluationLines(m.evaluations, stdout)) stdout.line(line);
  return 0;
}

/** What draws takes a quarter of a second to load: a list of runs goes without. */
async function compare(words: readonly string[], given: Given): Promise<number> {
  const { compareRuns } = await import("./runs_compare.ts");
  return await compareRuns(words, given);
}

function remove(words: readonly string[], { folder, yes, olderThan }: Given): number {
  if (!words.length && olderThan === undefined) {
    throw new UsageError("Cannot remove runs: none is named; want RUN, or --older-than AGE");
  }
  const before = olderThan === undefined ? null : Date.now() - age(olderThan);
  const folders = words.length
    ? words.map((typed) => findRun(typed, folder))
    : runIds(folder).map((id) => join(folder, id));
  // A damaged run can be removed by its name: only its age has to be read.
  const chosen = [...new Set(folders)].filter((path) =>
    before === null || Date.parse(openRunFolder(path).manifest.created) < before
  );
  const live = chosen.filter(isLive);
  if (live.length) throw new UsageError(`Cannot remove ${shownPath(live[0]!)}: it is running; stop it first`);
  if (!chosen.length) {
    stdout.line("Nothing to remove");
    return 0;
  }
  if (!yes && !Deno.stdin.isTerminal()) {
    throw new UsageError(
      `Cannot remove ${chosen.length === 1 ? "a run" : `${chosen.length} runs`} without asking: use --yes`,
    );
  }
  const sizes = chosen.map(folderSize);
  const total = byteText(sizes.reduce((a, b) => a + b, 0));
  chosen.forEach((path, i) => stdout.line(`  ${shownPath(path)}  ${byteText(sizes[i]!)}`));
  const which = chosen.length === 1 ? "this run" : `these ${chosen.length} runs`;
  if (!yes && !confirm(`Remove ${which} (${total})?`)) return 0;
  for (const path of chosen) Deno.removeSync(path, { recursive: true });
  stdout.line(`Removed ${chosen.length} run${chosen.length === 1 ? "" : "s"}, ${total}`);
  return 0;
}

const UNITS = { m: 60e3, h: 3600e3, d: 86400e3, w: 7 * 86400e3 } as const;

/** "7d" → ms. */
export function age(text: string): number {
  const match = /^(\d+(?:\.\d+)?)([mhdw])$/.exec(text);
  if (!match) {
    throw new UsageError(`Cannot read --older-than: it is "${text}", want a number and m, h, d or w, e.g. 7d`);
  }
  return Number(match[1]) * UNITS[match[2] as keyof typeof UNITS];
}

/** The words and options of one action; those of another are refused, not ignored. */
const WANTS: Record<keyof typeof ACTIONS, { readonly words: readonly [number, number]; readonly usage: string }> = {
  list: { words: [0, 0], usage: "list" },
  show: { words: [1, 1], usage: "show RUN" },
  compare: { words: [2, Infinity], usage: "compare A B... [--html FILE]" },
  remove: { words: [0, Infinity], usage: "remove RUN... [--older-than 7d] [--yes]" },
};

function expectWords(
  action: keyof typeof ACTIONS,
  words: readonly string[],
  { yes, olderThan, json, html }: Given,
): void {
  const { words: [least, most], usage } = WANTS[action];
  const idle = action === "remove" ? (json ? "--json" : null) : yes ? "--yes" : olderThan ? "--older-than" : null;
  const page = html !== undefined && action !== "compare" ? "--html" : null;
  const said = (idle ?? page) !== null
    ? `it does not take ${idle ?? page}`
    : words.length < least
    ? `${words.length ? "only one run" : "no run"} is named`
    : words.length > most
    ? `"${words[most]}" is one word too many`
    : null;
  if (said !== null) throw new UsageError(`Cannot run "runs ${action}": ${said}; want runs ${usage}`);
}
