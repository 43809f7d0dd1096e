/**
 * Turns what an intake gathered for one path into imported runs.
 * @module
 */
import { guessAlgorithm, guessSystem, rewardStdScope } from "./guesses.ts";
import { findOption, type OptionName } from "../../options.ts";
import type { ImportedRun, Observation } from "./imported_run.ts";
import type { Intake, Segment } from "../intake/intake.ts";
import { type ForeignRun, logFacts, toTables } from "./to_tables.ts";
import { ownRun } from "./own_run.ts";
import type { RawTable } from "../intake/raw_table.ts";
import { wideTable } from "./wide_table.ts";

const PRECISE = new Set(["trainer_state", "run_folder", "tensorboard", "wandb"]);

interface Candidate {
  segments: Segment[];
  source: number;
  rows: number;
}

function firstStep(candidate: Candidate): number {
  return candidate.segments[0]?.firstStep ?? NaN;
}

/** Sources that hold the same run: the longest is read, ties go to the one with all digits. */
function choose(intake: Intake): Segment[][] {
  const bySource = new Map<number, Segment[]>();
  const strong = intake.segments.some(({ weak, train }) => !weak && train.rows > 0);
  for (const segment of intake.segments) {
    if (strong && segment.weak) {
      intake.leave(
        `${intake.sources[segment.source]!.path}: loose lines`,
        `${segment.train.rows} "name: value" records, beside real ones`,
      );
      continue;
    }
    if (segment.train.rows + segment.evals.rows === 0) continue;
    const list = bySource.get(segment.source) ?? [];
    list.push(segment);
    bySource.set(segment.source, list);
  }
  const candidates: Candidate[] = [...bySource].map(([source, segments]) => ({
    source,
    segments,
    rows: segments.reduce((sum, { train }) => sum + train.rows + train.thinned, 0),
  }));
  if (candidates.length === 0) return [];
  const precise = ({ source }: Candidate) => PRECISE.has(intake.sources[source]!.format) ? 1 : 0;
  candidates.sort((a, b) => b.rows - a.rows || precise(b) - precise(a));
  const best = candidates[0]!;
  // Logs of one run that follow each other (a resume writes a new file) are joined.
  if (
    best.segments.length === 1 && candidates.length > 1 && candidates.every(({ segments }) => segments.length === 1)
  ) {
    const sorted = [...candidates].sort((a, b) => firstStep(a) - firstStep(b));
    const apart = sorted.every((candidate, i) =>
      i === 0 || firstStep(candidate) > sorted[i - 1]!.segments[0]!.lastStep && precise(candidate) === precise(best)
    );
    const printed = sorted.every(({ segments }) => segments[0]!.train.step.every((step) => !Number.isNaN(step)));
    if (apart && printed) return [sorted.map(({ segments }) => segments[0]!)];
  }
  for (const other of candidates.slice(1)) {
    const { path } = intake.sources[other.source]!;
    const used = intake.sources[best.source]!.path;
    intake.skip(null, `records of ${path}, which tells of the same run as ${used}`);
  }
  return mergeViews(best.segments).map((segment) => [segment]);
}

function* observe(intake: Intake, tables: readonly RawTable[]): Generator<Observation> {
  for (const table of tables) {
    const at = new Array<number>(table.columns.length).fill(0);
    for (let row = 0; row < table.rows; row++) {
      for (let c = 0; c < table.columns.length; c++) {
        const column = table.columns[c]!;
        if (column.rows[at[c]!] !== row) continue;
        const i = at[c]!++, decimals = column.decimals[i]!, step = table.step[row]!;
        yield {
          source: intake.sources[table.source[row]!]!.path,
          line: table.line[row]!,
          name: column.info.printed,
          column: column.info.mapped ? column.info.column : null,
          train_step: Number.isNaN(step) ? row + 1 : step,
          value: decimals === -2 ? null : column.values[i]!,
          decimals: decimals < 0 ? null : decimals,
          rank: table.rank[row]! < 0 ? null : table.rank[row]!,
        };
      }
    }
  }
}

/** The same steps printed twice (two views of one table): the second fills the first's gaps. */
function mergeViews(segments: Segment[]): Segment[] {
  const kept: Segment[] = [];
  for (const segment of segments) {
    const host = kept.find(({ train }) => sameSteps(train, segment.train));
    if (host === undefined) kept.push(segment);
    else host.train.fill(segment.train);
  }
  return kept;
}

/** Every step of `view` is in `table`, with an equal value in every column both have, and at least one such column. */
function sameSteps(table: RawTable, view: RawTable): boolean {
  if (view.rows === 0 || view.rows > 1000 || view.thinned > 0) return false;
  const rowOf = new Map(table.step.map((step, row) => [step, row]));
  if (view.step.some((step) => !rowOf.has(step))) return false;
  const names = new Set(table.columns.map(({ info }) => info.column));
  if (view.columns.every(({ info }) => names.has(info.column))) return false; // a second run, not a second view
  let common = 0;
  for (const column of view.columns) {
    for (let i = 0; i < column.rows.length; i++) {
      const value = table.valueAt(column.info.column, rowOf.get(view.step[column.rows[i]!]!)!);
      if (value === null) continue;
      if (!Object.is(value, column.values[i])) return false;
      common++;
    }
  }
  return common > 0;
}

/** Tables printed on a console show part of a text: they count only where no file holds the whole ones. */
function wholeCompletions(intake: Intake): ImportedRun["completions"] {
  const format = new Map(intake.sources.map(({ path, format }) => [path, format]));
  const whole = intake.completions.filter(({ source }) => format.get(source) !== "console");
  if (whole.length === 0 || whole.length === intake.completions.length) return intake.completions;
  intake.leave("console tables", `${intake.completions.length - whole.length} completions that a file holds whole`);
  return whole;
}

/** One run per path as a rule; more where the log restarts. */
export function finish(path: string, intake: Intake): ImportedRun[] {
  if (intake.tables.size > 0) return [ownRun(path, intake)];
  const chosen = choose(intake);
  if (chosen.length === 0) chosen.push([]);
  const completions = wholeCompletions(intake);
  return chosen.map((segments, i): ImportedRun => {
    const metrics = wideTable(segments.map(({ train }) => train));
    const evaluations = wideTable(segments.map(({ evals }) => evals));
    const printed = [...metrics.printed.values(), ...evaluations.printed.values()].flat();
    const unmapped = new Map<string, number>();
    for (const { train, evals } of segments) {
      for (const column of [...train.columns, ...evals.columns]) {
        if (column.info.mapped) continue;
        unmapped.set(column.info.printed, (unmapped.get(column.info.printed) ?? 0) + column.count);
      }
    }
    // ms-swift and LLaMA-Factory print their progress as text, which is no column: look at all names of the intake.
    const system = guessSystem(intake.marks, [...printed, ...intake.textNames], intake.settings, intake.messages);
    const settings = intake.settings.map((setting) => {
      const owner = setting.system ?? system.name;
      return { ...setting, system: owner, option: findOption(setting.name, owner) as OptionName | null };
    });
    const algorithm = guessAlgorithm(settings, metrics, [...intake.marks.values()].join("\n"));
    const scope = rewardStdScope(settings, metrics);
    if (scope.scope === "group" && metrics.columns.has("reward_std") && !metrics.columns.has("group_reward_std")) {
      for (
        const map of [metrics.columns, metrics.decimals, metrics.printed, metrics.extremes] as Map<string, unknown>[]
      ) {
        map.set("group_reward_std", map.get("reward_std"));
        map.delete("reward_std");
      }
    }
    const run: ForeignRun = {
      path,
      part: { index: i + 1, of: chosen.length, reason: segments[0]?.opened ?? "no record" },
      system,
      algorithm,
      metrics,
      evaluations,
      reward_std_scope: scope,
      settings,
      messages: intake.messages,
      completions,
      unmapped,
      sources: intake.sources,
      skipped: intake.skipped,
      observations: () => observe(intake, segments.flatMap(({ train, evals }) => [train, evals])),
    };
    return { ...run, rows: { tables: toTables(run), log: logFacts(run) } };
  });
}
