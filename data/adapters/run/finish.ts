/** Turns what an intake gathered for one path into imported runs. @module */
import { findOption } from "../../options.ts";
import type { Intake } from "../intake/intake.ts";
import type { RawTable } from "../intake/raw_table.ts";
import type { Segment } from "../intake/records.ts";
import { nameDataSets } from "./data_sets.ts";
import { guessAlgorithm, guessSystem, rewardStdScope } from "./guesses.ts";
import { interleaved, isStuckBeside } from "./interleaved.ts";
import type { AlgorithmName, ImportedCompletion, ImportedMessage, ImportedRun, Skipped } from "./imported_run.ts";
import { byTrainStep, orderNotes } from "./out_of_order.ts";
import { ownRun } from "./own_run.ts";
import { sharesOfPercent } from "./percent_shares.ts";
import { beforeResume, isFrom, observationsOf, type Resume, resumed, resumedEvaluations } from "./resumes.ts";
import { completionTable, rowsTable, settingTable } from "./to_tables.ts";
import { statementsOf } from "./statements.ts";
import { overRecords, renamedPlaces, withTold } from "./told_records.ts";
import { derivedSteps, toldOf } from "./train_steps.ts";
import { besideRecords, stepsBeside, tableOfWide, type WideTable, wideTable } from "./wide_table.ts";

const PRECISE = new Set(["trainer_state", "run_folder", "tensorboard", "wandb", "mlflow", "sqlite"]);

/** Which phase the records of an algorithm are, in the words of `metrics`. */
const PHASES: Partial<Record<AlgorithmName, string>> = { sft: "sft", kto: "preference", dpo: "preference" };

interface Candidate {
  segments: Segment[];
  source: number;
  rows: number;
}

function firstStep(candidate: Candidate): number {
  return candidate.segments[0]?.firstStep ?? NaN;
}

/** Runs that their sources name are apart; without two names all is one run. */
function choose(intake: Intake): Segment[][] {
  const segments = byTrainStep(intake.records.segments),
    runs = new Set(segments.map(({ run }) => run).filter((run) => run !== null));
  if (runs.size < 2) return chooseOf(segments, intake);
  const byRun = Map.groupBy(segments, ({ run }) => run);
  return [...byRun.values()].flatMap((segments) => chooseOf(segments, intake));
}

/** Sources that hold the same run: the longest is read, ties go to the one with all digits. */
function chooseOf(segments: readonly Segment[], intake: Intake): Segment[][] {
  const bySource = new Map<number, Segment[]>();
  const strong = segments.some(({ weak, train }) => !weak && train.rows > 0);
  for (const segment of segments) {
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

/** The same steps printed twice (two views of one table): the second fills the first's gaps. */
function mergeViews(segments: Segment[]): Segment[] {
  const kept: Segment[] = [];
  for (const segment of segments) {
    const host = kept.findIndex(({ train }) => sameSteps(train, segment.train));
    if (host < 0) kept.push(segment);
    else kept[host] = { ...kept[host]!, train: kept[host]!.train.withView(segment.train) };
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
function wholeCompletions(intake: Intake): ImportedCompletion[] {
  const format = new Map(intake.sources.map(({ path, format }) => [path, format]));
  const whole = intake.completions.filter(({ source }) => format.get(source) !== "console");
  if (whole.length === 0 || whole.length === intake.completions.length) return intake.completions;
  intake.leave("console tables", `${intake.completions.length - whole.length} completions that a file holds whole`);
  return whole;
}

/** Names as printed that have no column and that no stock trainer prints, with their counts. */
function unmappedNames(segments: readonly Segment[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const { info, count } of segments.flatMap(({ train, evals }) => [...train.columns, ...evals.columns])) {
    if (!info.mapped && !info.unused) counts.set(info.printed, (counts.get(info.printed) ?? 0) + count);
  }
  return counts;
}

/** TRL's `reward_std` within groups is our `group_reward_std`. */
function nameGroupDeviation({ columns, printed }: WideTable): void {
  if (!columns.has("reward_std") || columns.has("group_reward_std")) return;
  for (const map of [columns, printed] as Map<string, unknown>[]) {
    map.set("group_reward_std", map.get("reward_std"));
    map.delete("reward_std");
  }
}

/** One run per path as a rule; more where the log restarts. The intake can go on being filled, and be asked again. */
export function finish(path: string, intake: Intake): ImportedRun[] {
  if (intake.tables.size > 0) return [ownRun(path, intake)];
  const read = choose(intake), chosen = [...read, ...stuckRanks(read, intake)].flatMap(apart).flatMap(withReplaced);
  const parts = chosen.length === 0 ? [[]] : chosen, completions = wholeCompletions(intake);
  return parts.map((segments, i) => ({
    path,
    part: { index: i + 1, of: parts.length, reason: segments[0]?.opened ?? "no record", run: segments[0]?.run ?? null },
    ...partOf(segments, intake, completions),
  }));
}

/** Other ranks of what is read that are dead where the one that counts is not: each a run of its own. */
function stuckRanks(read: readonly Segment[][], { records }: Intake): Segment[][] {
  const counted = read.flat();
  return [...records.otherRanks.values()].filter(({ source, train }) =>
    counted.some((segment) => segment.source === source && isStuckBeside(train, segment.train))
  ).map((segment) => [segment]);
}

/** Series of records that stand interleaved in one log, each a run of its own. */
function apart(segments: readonly Segment[]): Segment[][] {
  const [segment] = segments, found = segments.length === 1 ? interleaved(segment!.train) : null;
  if (found === null) return [[...segments]];
  const { train, evals } = segment!, tested = interleaved(evals);
  return Array.from({ length: found.count }, (_, series) => {
    const only = (table: RawTable, of: Uint8Array) => table.without(of.map((one) => one === series ? 0 : 1));
    return [{
      ...segment!,
      train: only(train, found.of),
      evals: tested?.count === found.count ? only(evals, tested.of) : evals,
      opened: `each train step is there ${found.count} times, with other values`,
      run: segment!.run ?? `series ${series + 1} of ${found.count} that stand interleaved in one log`,
    }];
  });
}

/** A run, and before it what it did up to a resume that replaced more records than are left. */
function withReplaced(segments: readonly Segment[]): Segment[][] {
  const [segment] = segments, before = segments.length === 1 ? beforeResume(segment!.train) : null;
  if (before === null) return [[...segments]];
  const { table, resume } = before,
    { evals } = segment!,
    at = `${resume.byEpoch ? "epoch" : "train step"} ${resume.at}`;
  const named = { opened: `what a resume at ${at} replaced`, run: segment!.run ?? `before the resume at ${at}` };
  return [[{ ...segment!, train: table, evals: evals.without(isFrom(evals, resume)), ...named }], [...segments]];
}

/** Messages count records where none prints its train step: here they get the train steps that were found for those. */
function messagesBeside(messages: readonly ImportedMessage[], metrics: WideTable): ImportedMessage[] {
  const bySource = Map.groupBy(messages.filter(({ train_step }) => train_step !== null), ({ source }) => source);
  const steps = new Map<ImportedMessage, number | null>();
  for (const unsorted of bySource.values()) {
    const own = unsorted.toSorted((a, b) => a.line - b.line);
    const lines = { sources: own.map(({ source }) => source), lines: own.map(({ line }) => line) };
    const found = stepsBeside({ ...lines, trainSteps: own.map(({ train_step }) => train_step) }, metrics);
    own.forEach((message, i) => steps.set(message, found[i]!));
  }
  return messages.map((message) => ({ ...message, train_step: steps.get(message) ?? message.train_step }));
}

function replacedNote({ source, from, at, byEpoch, replaced }: Resume, paths: readonly string[]): Skipped {
  const where = byEpoch ? `epoch ${at}` : `train step ${at}`;
  return {
    source: paths[source]!,
    line: from,
    reason: `records that the run made again when it was resumed: it goes on at ${where}, the later ones count`,
    count: replaced,
  };
}

function partOf(
  segments: readonly Segment[],
  intake: Intake,
  completions: readonly ImportedCompletion[],
): Omit<ImportedRun, "path" | "part"> {
  const { sources, messages } = intake,
    paths = sources.map(({ path }) => path),
    said = statementsOf(intake, completions);
  const trains = segments.map(({ train }) => resumed(train)), records = trains.map(({ table }) => table);
  const evals = segments.map(({ evals }, i) => resumedEvaluations(evals, trains[i]!.resumes));
  const { metrics, places, left } = withTold(wideTable(records, paths), said.told, said.claims),
    tested = withTold(wideTable(evals.map(({ table }) => table), paths), said.told, [], true),
    evaluated = tested.metrics;
  const replaced = [...trains, ...evals].flatMap(({ replaced }) => replaced);
  // ms-swift and LLaMA-Factory print their progress as text, which is no column: look at all names of the intake.
  const printed = [...metrics.printed.values(), ...evaluated.printed.values()].flatMap(({ names }) => names);
  const run = segments[0]?.run ?? null;
  const own = intake.settings.filter((setting) => run === null || setting.run === null || setting.run === run);
  const system = guessSystem(intake.marks, [...printed, ...intake.textNames], own, messages);
  const settings = own.map(({ run: _, ...setting }) => {
    const owner = setting.system ?? system;
    return { ...setting, system: owner, option: findOption(setting.name, owner) };
  });
  const isAlone = records.length === 1 && records[0]!.rows === metrics.rows;
  const steps = isAlone && records[0]!.step.every((step) => Number.isNaN(step))
    ? derivedSteps(records[0]!, toldOf(settings, messages, segments[0]!.progress))
    : null;
  if (steps !== null) Object.assign(metrics, { trainSteps: steps, stepsPrinted: true });
  const isTold = tested.places.size > 0 && !evaluated.stepsPrinted && evals.every(({ table }) => table.rows === 0);
  const evaluations = isTold ? overRecords(evaluated, metrics) : besideRecords(evaluated, metrics);
  const named = new Map(evaluations.columns);
  nameDataSets(evaluations);
  const toldTests = renamedPlaces(tested.places, named, evaluations);
  const inPercent = [...sharesOfPercent(metrics), ...sharesOfPercent(evaluations)];
  const algorithm = guessAlgorithm(settings, metrics, [...intake.marks.values()].join("\n"), intake.spoken);
  const scope = rewardStdScope(settings, metrics);
  if (scope === "group") nameGroupDeviation(metrics);
  const phase = algorithm === null ? null : PHASES[algorithm] ?? "rollout";
  return {
    system,
    algorithm,
    settings,
    unmapped: unmappedNames(segments),
    sources,
    skipped: [
      ...orderNotes(segments, paths),
      ...inPercent,
      ...intake.skipped,
      ...[...said.left, ...left].map((one) => ({ ...one, count: 1 })),
      ...trains.flatMap(({ resumes }) => resumes.map((resume) => replacedNote(resume, paths))),
    ],
    thinned: metrics.thinned,
    rows: {
      tables: {
        metrics: tableOfWide(metrics, { phase, step_id: "import_log" }),
        settings: settingTable(settings),
        messages: rowsTable(steps === null ? messages : messagesBeside(messages, metrics)),
        ...said.claims.length === 0 ? {} : { claims: rowsTable(said.claims) },
        completions: completionTable(said.completions),
        ...replaced.length === 0 ? {} : { observations: rowsTable(observationsOf(replaced, paths)) },
      },
      log: {
        system,
        algorithm,
        stepsPrinted: metrics.stepsPrinted,
        rewardStdScope: scope,
        printed: metrics.printed,
        ...places.size === 0 ? {} : { told: places },
        ...intake.sources.some(({ format }) => format === "post") ? { isPost: true as const } : {},
        evaluations: {
          table: tableOfWide(evaluations),
          printed: evaluations.printed,
          ...toldTests.size === 0 ? {} : { told: toldTests },
        },
      },
    },
  };
}
