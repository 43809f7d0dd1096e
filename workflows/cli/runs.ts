/** `runs`: lists, shows, compares and removes runs. @module */
import { join } from "node:path";
import { openRunFolder, type RunFolder } from "../../data/open_run_folder.ts";
import { didYouMean } from "../suggest.ts";
import { defineCommand, UsageError } from "./command.ts";
import { comparison } from "./compare_runs.ts";
import { findRun, folderSize, isLive, runIds, shownStatus } from "./find_run.ts";
import { runsFolder, shownPath } from "./paths.ts";
import { evaluationLines } from "./run_summary.ts";
import { bytes, duration, printable, stdout, type Style, textTable, wrapped } from "./terminal.ts";

/** What the actions are given. */
interface Given {
  readonly folder: string;
  readonly json: boolean;
  readonly yes: boolean;
  readonly olderThan: string | undefined;
}

const ACTIONS = { list, show, compare, remove } as const satisfies Record<
  string,
  (words: readonly string[], given: Given) => number
>;

export const runs = defineCommand({
  name: "runs",
  about: "What ran: list, show, compare, remove",
  usage: "list | show RUN | compare A B | remove RUN... [--older-than 7d] [--yes]",
  words: [0, Infinity],
  options: {
    json: { about: "JSON instead of text" },
    "older-than": { about: "remove: runs that began longer ago, e.g. 12h, 7d, 4w", value: "AGE" },
    yes: { about: "remove without asking", short: "y" },
    runs: { about: "folder of the runs (default: runs/ in the project)", value: "DIR" },
  },
  notes: ['RUN is an id, its unique beginning, a folder, or "last".'],
  run([action = "list", ...words], { json, "older-than": olderThan, yes, runs }) {
    if (!Object.hasOwn(ACTIONS, action)) {
      throw new UsageError(
        `Cannot do "${action}" with runs: it is no action${didYouMean(action, Object.keys(ACTIONS))}`,
      );
    }
    const given = { folder: runsFolder(runs), json: json ?? false, yes: yes ?? false, olderThan };
    return Promise.resolve(ACTIONS[action as keyof typeof ACTIONS](words, given));
  },
});

/** One run in the list. */
function facts(run: RunFolder): Record<string, unknown> {
  const { manifest: m } = run;
  const { before, after } = m.evaluations;
  const seconds = m.finished === null ? null : (Date.parse(m.finished) - Date.parse(m.created)) / 1000;
  return {
    run: m.id,
    name: m.name,
    status: shownStatus(run),
    created: m.created,
    seconds,
    train_step: m.train_step,
    before: before?.["sampled"] ?? null,
    after: after?.["sampled"] ?? null,
    findings: m.findings.filter(({ severity }) => severity !== "info").map(({ cause }) => cause),
    bytes: folderSize(run.path),
    folder: run.path,
  };
}

const STATUS_STYLE: Record<string, Style> = { ok: "green", running: "blue", failed: "red", killed: "red" };

function list(words: readonly string[], { folder, json }: Given): number {
  expectWords("list", words, 0, 0);
  const damaged: string[] = [];
  const rows = runIds(folder).flatMap((id) => {
    try {
      return [facts(openRunFolder(join(folder, id)))];
    } catch (error) {
      if (!(error instanceof SyntaxError)) throw error;
      damaged.push(error.message);
      return [];
    }
  });
  if (json) { for (const row of rows) stdout.line(JSON.stringify(row)); }
  else if (!rows.length) stdout.line(`No runs in ${shownPath(folder)}; start one with: deno task start`);
  else {
    const cells = rows.map((row) => [
      String(row["run"]),
      String(row["status"]),
      String(row["train_step"]),
      share(row["before"]),
      share(row["after"]),
      row["seconds"] === null ? "–" : duration(row["seconds"] as number),
      bytes(row["bytes"] as number),
      (row["findings"] as string[]).slice(0, 1).join(""),
    ]);
    const [head, ...lines] = textTable(["run", "status", "steps", "before", "after", "time", "size", "finding"], cells);
    stdout.line(stdout.style(fitted(head!), "dim"));
    lines.map(fitted).forEach((line, i) => {
      const status = String(rows[i]!["status"]);
      const style = STATUS_STYLE[status];
      stdout.line(style ? line.replace(`  ${status}`, `  ${stdout.style(status, style)}`) : line);
    });
    const total = rows.reduce((sum, row) => sum + (row["bytes"] as number), 0);
    stdout.line(stdout.style(`${rows.length} run${rows.length === 1 ? "" : "s"}, ${bytes(total)}`, "dim"));
  }
  for (const message of damaged) stdout.line(printable(message));
  return 0;
}

/** A row of a table on a terminal: its end is cut, so that it stays one row. */
function fitted(line: string): string {
  return stdout.live && line.length >= stdout.columns ? `${line.slice(0, stdout.columns - 2)}…` : line;
}

function show(words: readonly string[], { folder, json }: Given): number {
  expectWords("show", words, 1, 1);
  const run = openRunFolder(findRun(words[0]!, folder));
  const { manifest: m } = run;
  if (json) {
    stdout.line(
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
      m.finished === null ? "" : `, ${duration((Date.parse(m.finished) - Date.parse(m.created)) / 1000)}`
    }`,
    "train steps": String(m.train_step),
    parameters: Object.entries(m.params).map(([k, v]) => `${k} ${v}`).join(", ") || "none",
    machine: `seed ${m.seed}, ${m.device}, ${m.backend}, ${m.threads} threads, ${m.cpu_class}`,
    versions: Object.entries(m.versions).map(([k, v]) => `${k} ${v}`).join(", "),
    checkpoints: run.checkpoints().join(", ") || "none",
    findings: m.findings.map((f) => `${f["severity"]} ${f["cause"]}`).join(", ") || "none",
    folder: `${shownPath(run.path)}, ${bytes(folderSize(run.path))}`,
  };
  for (const [name, value] of Object.entries(pairs)) {
    const lines = wrapped(printable(value), Math.max(40, stdout.columns - 15));
    lines.forEach((line, i) => stdout.line(`${(i ? "" : name).padEnd(14)}${line}`));
  }
  for (const line of evaluationLines(m.evaluations, stdout)) stdout.line(line);
  return 0;
}

function compare(words: readonly string[], { folder, json }: Given): number {
  expectWords("compare", words, 2, 2);
  const [a, b] = words.map((typed) => openRunFolder(findRun(typed, folder))) as [RunFolder, RunFolder];
  const rows = comparison(a, b);
  if (json) {
    stdout.line(JSON.stringify({ a: a.manifest.id, b: b.manifest.id, differences: rows }));
    return 0;
  }
  if (!rows.length) stdout.line("The runs differ in nothing that their manifests hold");
  const lines = textTable(["", a.manifest.id, b.manifest.id], rows.map(({ name, a, b }) => [name, text(a), text(b)]));
  for (const line of rows.length ? lines : []) stdout.line(line);
  return 0;
}

function remove(words: readonly string[], { folder, yes, olderThan }: Given): number {
  if (!words.length && olderThan === undefined) {
    throw new UsageError("Cannot remove runs: want RUN, or --older-than AGE");
  }
  const before = olderThan === undefined ? Infinity : Date.now() - age(olderThan);
  const folders = words.length
    ? words.map((typed) => findRun(typed, folder))
    : runIds(folder).map((id) => join(folder, id));
  const chosen = [...new Set(folders)].filter((path) => Date.parse(openRunFolder(path).manifest.created) < before);
  const live = chosen.filter(isLive);
  if (live.length) throw new UsageError(`Cannot remove ${shownPath(live[0]!)}: it is running; stop it first`);
  if (!chosen.length) {
    stdout.line("Nothing to remove");
    return 0;
  }
  const sizes = chosen.map(folderSize);
  const total = bytes(sizes.reduce((a, b) => a + b, 0));
  chosen.forEach((path, i) => stdout.line(`  ${shownPath(path)}  ${bytes(sizes[i]!)}`));
  if (!yes) {
    if (!Deno.stdin.isTerminal()) throw new UsageError(`Cannot remove ${chosen.length} runs without asking: use --yes`);
    if (!confirm(`Remove ${chosen.length === 1 ? "this run" : `these ${chosen.length} runs`} (${total})?`)) return 0;
  }
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

function expectWords(action: string, words: readonly string[], least: number, most: number): void {
  if (words.length >= least && words.length <= most) return;
  throw new UsageError(
    `Cannot run "runs ${action}": it got ${words.length} word${words.length === 1 ? "" : "s"} more, want ${least}`,
  );
}

function share(value: unknown): string {
  return typeof value === "number" ? `${(100 * value).toFixed(1)} %` : "–";
}

function text(value: unknown): string {
  if (value === undefined || value === null) return "–";
  return printable(typeof value === "number" ? String(Number(value.toPrecision(5))) : String(value)).slice(0, 40);
}
