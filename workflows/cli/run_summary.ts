/** What a run came to, in a few lines: before and after, samples, findings, where the report is. @module */
import { dirname, join } from "node:path";
import { openRunFolder, type RunFolder } from "../../data/open_run_folder.ts";
import { EVALUATION_MODES, EVALUATION_REWARDS, evaluationLabel, RUN_FILES } from "../../data/run_folder.ts";
import { shownNumber } from "../../data/shown_number.ts";
import { textIfThere } from "../../data/file_system.ts";
import { columnArray } from "../../data/tables/mod.ts";
import { askedText } from "../../notebooks/asked_text.ts";
import { briefText } from "../../notebooks/pictures/brief.ts";
import { pictureOf } from "../../notebooks/pictures/picture.ts";
import { reportRows } from "../../steps/metrics/report_rows.ts";
import type { RunFinding, RunResult, RunVerdict } from "../engine/run_plan.ts";
import { boxUnitOfRun } from "../run/box_unit.ts";
import { rewardNotes } from "../run/reward_notes.ts";
import { shownPath } from "../terminal/caller.ts";
import { commandLine, optionWords, resumeCommand, runsWords } from "../terminal/command_line.ts";
import { promptToPaste } from "./own_prompts.ts";
import { SHOWN_FINDINGS } from "../doctor/told.ts";
import { type Output, printable, type Screen, shortened, textTable, wrapped } from "../terminal/terminal.ts";

const STATUS_STYLE = { ok: "green", stopped: "red", failed: "red", interrupted: "yellow", paused: "yellow" } as const;

/**
 * Lines for the terminal: what it came to, and commands that work where the person stands. `again` is the command that
 * began the run, null for one that was resumed.
 */
export function runSummary(result: RunResult, out: Screen, again: string | null = null): string[] {
  const lines = ["", `${out.style(result.status, STATUS_STYLE[result.status], "bold")}  ${result.runId}`];
  const [worst] = result.findings;
  // A run that a finding stopped has the finding below.
  const isSaid = worst !== undefined && result.reason === `${worst.cause}: ${worst.message}`;
  if (result.reason && !isSaid) {
    lines.push(...wrapped(printable(result.reason), out.columns - 3).map((line) => `  ${line}`));
  }
  lines.push(...evaluationLines(result.evaluations, out));
  const samples = sampleLines(result.folder, out);
  if (samples.length) lines.push("", ...samples);
  lines.push("", ...findingLines(result, out));
  lines.push("", `  report  ${shownPath(join(result.folder, RUN_FILES.report))}`);
  const folder = openRunFolder(result.folder), runs = dirname(result.folder);
  const model = Object.values(folder.manifest.outputs).map((o) => o["folder"]).findLast((f) => typeof f === "string");
  if (typeof model === "string") lines.push(`  model   ${shownPath(model)}`);
  lines.push(...goOnLines(result, again));
  if (result.status === "ok" && model && trainedPolicy(folder)) {
    const prompt = promptToPaste(folder);
    const asked = prompt === null ? [] : optionWords("prompt", prompt);
    lines.push(`  try     ${commandLine(["sample", result.runId, ...runsWords(runs), ...asked])}`);
  }
  if (result.status === "ok" && model && !trainedPolicy(folder)) {
    lines.push(`  use     as model of a step that loads a reward model: ${result.runId}`);
  }
  return lines;
}

/**
 * How to go on with a run that did not come to its end. One that failed before its first checkpoint has nothing to go on
 * from, and what made it fail is most often a file: once that is mended, a resume finds it changed and refuses.
 */
function goOnLines({ status, checkpoint, folder }: RunResult, again: string | null): string[] {
  if (status === "ok" || status === "stopped") return [];
  if (status !== "failed" || checkpoint !== null) return [`  resume  ${resumeCommand(folder)}`];
  if (again === null) return [];
  return [
    "  It failed before its first checkpoint: there is nothing to resume; once that is mended:",
    `  again   ${again}`,
  ];
}

/** False where nothing but a reward model was trained: to sample the policy beside it would show what it was before. */
function trainedPolicy(folder: RunFolder): boolean {
  const metrics = folder.table("metrics");
  if (!metrics.columnNames().includes("phase") || !metrics.numRows()) return true;
  return Array.from(columnArray(metrics, "phase")).some((phase) => phase !== "reward_model");
}

/** What to do about a finding that stopped the run; a command stays on one line, so that it can be copied. */
export function adviceLines(advice: readonly string[], out: Pick<Output, "columns">): string[] {
  const lines = advice.flatMap((text) =>
    text.includes(`${commandLine([])} `)
      ? [`  ${printable(text)}`]
      : wrapped(printable(text), out.columns - 5).map((line, i) => `${i ? "    " : "  "}${line}`)
  );
  return lines.length ? ["", ...lines] : [];
}

/** One row per mode, of shares of solved prompts and then of rewards, one column per evaluation: before and after, else all. */
export function evaluationLines(evaluations: RunResult["evaluations"], out: Pick<Output, "style">): string[] {
  const ids = Object.keys(evaluations);
  if (!ids.length) return [];
  const shown = ids.includes("before") && ids.includes("after") ? ["before", "after"] : ids;
  const line = (name: string, output: string, text: (value: number) => string) => {
    const values = shown.map((id) => evaluations[id]?.[output]);
    return values.some((v) => typeof v === "number")
      ? [[name, ...values.map((v) => typeof v === "number" ? text(v) : "–")]]
      : [];
  };
  const rows = [
    ...EVALUATION_MODES.flatMap((mode) => line(mode, mode, (share) => `${(100 * share).toFixed(1)} %`)),
    ...EVALUATION_MODES.flatMap((mode) =>
      line(`${mode} reward`, EVALUATION_REWARDS[mode], (mean) => shownNumber(mean, 3))
    ),
  ];
  if (!rows.length) return [];
  const [head, ...body] = textTable(["", ...shown.map((id) => evaluationLabel(id, evaluations[id]!))], rows);
  return ["", `  ${out.style(head!, "dim")}`, ...body.map((line) => `  ${line}`)];
}

function sampleLines(folder: string, out: Screen): string[] {
  const rows = reportRows(openRunFolder(folder).lastSegment("completions"));
  if (!rows.length) return [];
  const last = Math.max(...rows.map((row) => Number(row["train_step"])));
  const groups = Map.groupBy(rows.filter((row) => row["train_step"] === last), (row) => row["prompt_id"]);
  const picks = [...groups.values()].slice(0, 5).map((group) => group[0]!);
  const isJudged = picks.some((row) => typeof row["correct"] === "boolean");
  const isBoxed = picks.some((row) => pictureOf(row, "thousandths")?.boxes);
  // Three texts, and beside them a number, perhaps a word and an IoU; what prompts and answers leave is for what came.
  const others = [6, ...isJudged ? [5] : [], ...isBoxed ? [4] : []], gaps = 2 * (2 + others.length);
  const free = out.columns - 3 - gaps - others.reduce((sum, width) => sum + width, 0);
  const third = Math.min(40, Math.max(8, Math.floor(free / 3)));
  const short = (value: unknown, room: number) => shortened(printable(String(value ?? "")), room);
  const longest = (texts: readonly string[]) => Math.max(...texts.map((text) => text.length));
  const prompts = picks.map((row) => short(askedText(String(row["prompt"] ?? "")), third));
  const workflow = textIfThere(join(folder, RUN_FILES.workflow)) ?? "", unit = boxUnitOfRun(folder);
  const pictures = picks.map((row) => pictureOf(row, unit));
  const brief = (i: number, text: unknown, sure: boolean) =>
    pictures[i] ? briefText(String(text ?? ""), { sure }) : text;
  const rest = free - longest(prompts), most = Math.min(40, Math.max(8, Math.floor(3 / 8 * rest)));
  const answers = picks.map((row, i) => short(brief(i, row["answer"], true), most));
  const room = Math.min(40, Math.max(8, rest - longest(answers)));
  const cells = picks.map((row, i) => {
    const picture = pictures[i];
    return [
      prompts[i]!,
      short(brief(i, row["text"], false), room),
      answers[i]!,
      // A train step that ended between sampling and scoring leaves rows without these columns.
      typeof row["reward"] === "number" ? row["reward"].toFixed(2) : "–",
      ...isJudged ? [typeof row["correct"] === "boolean" ? row["correct"] ? "right" : "wrong" : "–"] : [],
      ...isBoxed ? [picture?.boxes ? picture.boxes.iou.toFixed(2) : ""] : [],
    ];
  });
  const titles = ["prompt", "completion", "answer", "reward", ...isJudged ? [""] : [], ...isBoxed ? ["IoU"] : []];
  const [head, ...body] = textTable(titles, cells);
  const notes = isBoxed ? ["IoU: of the boxes, any overlap", ...namedNotes(rewardNotes(workflow))].join("; ") : "";
  return [
    `  ${out.style(head!, "dim")}`,
    ...body.map((line) => `  ${line}`),
    ...notes === "" ? [] : wrapped(notes, out.columns - 3).map((line) => out.style(`  ${line}`, "dim")),
  ];
}

/** Rewards of which the same has to be known are named together. */
function namedNotes(notes: Readonly<Record<string, string>>): string[] {
  return [...Map.groupBy(Object.keys(notes), (name) => notes[name]!)].map(([note, names]) =>
    `${names.join(" and ")}: ${note}`
  );
}

function findingLines({ findings, status, verdict }: RunResult, out: Screen): string[] {
  const alarms = findings.filter((f) => f.severity !== "info").sort((a, b) => Number(isOver(a)) - Number(isOver(b)));
  if (!alarms.length) {
    const doubts = status === "ok" && verdict?.verdict === "insufficient" ? verdict.reasons : [];
    const noted = [...new Set(findings.map((finding) => finding.cause))].join(", ");
    const what = noted === "" ? "no diagnosis fired" : `no alarm; noted in the report: ${noted}`;
    const line = `  ${status === "ok" ? calm(verdict, out) : ""}${what}`;
    return [line, ...doubts.flatMap((reason) => indented(reason, out))];
  }
  const rest = alarms.length - SHOWN_FINDINGS;
  return [
    ...alarms.slice(0, SHOWN_FINDINGS).flatMap((f) => [
      `  ${out.style(`${f.severity}: ${f.cause}`, f.severity === "warning" ? "yellow" : "red", "bold")}${
        isOver(f) ? ` at train step ${f.train_step}, not at the end` : ""
      }`,
      ...indented(f.message, out),
      ...indented(f.hint, out).map((line) => out.style(line, "dim")),
    ]),
    ...(rest > 0 ? [`  ${rest} more finding${rest === 1 ? "" : "s"} in the report`] : []),
  ];
}

/** Found while the run went on; the verdict on the whole run does not name it. */
const isOver = (finding: RunFinding) => finding.at_end === false;

/** What a run without an alarm may be called: healthy only where there was enough to judge. */
function calm(verdict: RunVerdict | null, out: Screen): string {
  if (verdict === null) return "";
  if (verdict.verdict !== "insufficient") return `${out.style("healthy", "green")}: `;
  return `${out.style("cannot tell", "yellow")}${
    verdict.missing.length ? ` without ${verdict.missing.join(", ")}` : ""
  }: `;
}

function indented(text: string, out: Screen): string[] {
  return wrapped(printable(text), out.columns - 7).map((line) => `      ${line}`);
}
