/** The formats that a run's rows are exported to: which files each has, and what it holds. @module */
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { type TableName, TABLES } from "../../data/columns.ts";
import type { RunFolder } from "../../data/open_run_folder.ts";
import * as formats from "../../data/tables/formats/mod.ts";
import { onePiece, type TablePieces } from "../../data/tables/mod.ts";
import { settingValues } from "../../steps/options/settings_table.ts";
import { withEvents } from "../explore/live_metrics.ts";
import { UsageError } from "../terminal/usage_error.ts";
import type { ExportedFile } from "./export_files.ts";

/** What a format is made of. */
export interface ExportSource {
  readonly run: RunFolder;
  /** Tables that are written as they are; of a tracker those beside its own files. */
  readonly tables: readonly TableName[];
  /** Absolute folder of the export: MLflow's files name it. */
  readonly out: string;
}

interface ExportFormat {
  /** One sentence for the help. */
  readonly about: string;
  /** A tracker has the metrics in its own files; the others have a file per table. */
  readonly isTracker: boolean;
  /** Another system's print, as the doctor then takes it: no tables lie beside it, and what that does not print is lost. */
  readonly isForeign?: true;
  files(source: ExportSource): Iterable<ExportedFile>;
  /** The command that opens the export in the program it is for. */
  readonly opens?: (source: ExportSource) => readonly string[];
}

export const EXPORT_FORMATS = {
  parquet: {
    about: "parquet: a file per table; lists are LIST columns, absent is null, NaN stays NaN.",
    isTracker: false,
    files: (source) => source.tables.map((name) => parquetFile(source.run, name)),
  },
  csv: {
    about: 'csv: a file per table; absent is an empty cell, an empty text is "", lists are JSON, NaN is NaN.',
    isTracker: false,
    files: ({ run, tables }) =>
      tables.map((name) => ({ path: `${name}.csv`, pieces: formats.toCsv(tablePieces(run, name)) })),
  },
  jsonl: {
    about: "jsonl: a file per table, an object per row; absent is null, NaN and infinities are texts.",
    isTracker: false,
    files: ({ run, tables }) =>
      tables.map((name) => ({ path: `${name}.jsonl`, pieces: formats.toJsonLines(tablePieces(run, name)) })),
  },
  tensorboard: {
    about:
      "tensorboard: an event file with the metrics, reward functions and evaluations of each train step at its time, as " +
      "float32, histograms of the gradient norms, and completions as text.",
    isTracker: true,
    *files(source) {
      const { run } = source, { started } = trackerOf(run), time = timesOf(run);
      const extras = {
        histograms: formats.gradientNorms(run.pieces("gradients")),
        texts: formats.completionTexts(run.pieces("completions")),
      };
      const events = formats.toTensorboard(allSteps(run, time), started, time, extras);
      yield* besides(source, "");
      yield { path: `events.out.tfevents.${Math.floor(started)}.nonzero`, pieces: events };
    },
    opens: ({ out }) => ["tensorboard", "--logdir", out],
  },
  trainer_state: {
    about: "trainer_state: trainer_state.json with a record per train step under TRL's names; NaN as Python writes it.",
    isTracker: true,
    *files(source) {
      const { run } = source, metrics = withEvents(run), steps = metrics.array("train_step") as ArrayLike<number>;
      const last = Array.from(steps).reduce((most, step) => Math.max(most, step), 0);
      yield* besides(source, "");
      const lines = formats.toTrainerState(metricSteps(run, timesOf(run)), metrics.numRows(), last);
      yield { path: "trainer_state.json", pieces: lines };
    },
  },
  wandb: {
    about:
      "wandb: an offline run of W&B: configuration, a record of history per train step, the last values as summary; " +
      "NaN as Python writes it.",
    isTracker: true,
    *files(source) {
      const { run } = source, tracker = trackerOf(run), folder = `wandb/${formats.wandbFolder(tracker)}`;
      const beside = [...besides(source, `${folder}/files/`)];
      yield* beside;
      const names = beside.map(({ path }) => path.slice(`${folder}/files/`.length));
      const pieces = formats.toWandb(tracker, allSteps(run), names);
      yield { path: `${folder}/run-${formats.wandbId(tracker.id)}.wandb`, pieces };
    },
    opens: ({ out, run }) => ["wandb", "sync", join(out, "wandb", formats.wandbFolder(trackerOf(run)))],
  },
  mlflow: {
    about:
      "mlflow: a run in MLflow's file store mlruns/: metrics, parameters, tags, the tables as artifacts; nan, inf.",
    isTracker: true,
    *files(source) {
      const { run, out } = source, tracker = trackerOf(run), folder = formats.mlflowFolder(tracker);
      const at = pathToFileURL(join(out, "mlruns"));
      const [experiment, text] = formats.mlflowExperiment(tracker, at);
      yield { path: experiment, pieces: [text], isShared: true };
      yield* besides(source, `${folder}/artifacts/`, folder);
      for (const [path, text] of formats.toMlflow(tracker, allSteps(run), at)) {
        yield { path: `${folder}/${path}`, pieces: [text], within: folder };
      }
    },
    opens: (
      { out },
    ) => [
      "MLFLOW_ALLOW_FILE_STORE=true",
      "mlflow",
      "ui",
      "--backend-store-uri",
      pathToFileURL(join(out, "mlruns")).href,
    ],
  },
  visual_rft_log: {
    about: "visual_rft_log: what Visual-RFT would print of the rollouts: train.log with a record per train step, and " +
      "debug_log.txt with a block per completion and reward; nan, inf. No tables beside it.",
    isTracker: true,
    isForeign: true,
    files({ run }) {
      const time = timesOf(run), steps = [...metricSteps(run, time)].filter(({ phase }) => phase === "rollout");
      const last = steps.reduce((most, { trainStep }) => Math.max(most, trainStep), 0), { started } = trackerOf(run);
      const answers = new Map<unknown, string>();
      for (const { prompt_id, answer } of run.table("prompts").objects() as Record<string, unknown>[]) {
        if (typeof answer === "string") answers.set(prompt_id, answer);
      }
      return [
        { path: "train.log", pieces: formats.visualRftConsole(steps, last, started) },
        { path: "debug_log.txt", pieces: formats.visualRftBlocks(run.pieces("completions"), time, answers) },
      ];
    },
  },
} as const satisfies Record<string, ExportFormat>;

export type ExportFormatName = keyof typeof EXPORT_FORMATS;

/** Formats that keep all of a run, so that what is read of them is what is read of it. */
export const WHOLE_FORMATS = (Object.keys(EXPORT_FORMATS) as ExportFormatName[]).filter((name) =>
  !(EXPORT_FORMATS[name] as ExportFormat).isForeign
);

/** Tables that the doctor reads besides the metrics: with them it says of a tracker's files what it says of the run. */
const DOCTOR_READS: readonly TableName[] = ["completions", "settings", "updates", "messages", "evaluations", "prompts"];

/**
 * What a format is made of; `wanted` are its tables, by default all that have rows, of a tracker those that the doctor reads.
 * Throws UsageError where a table that is needed has no rows.
 */
export function exportSource(
  run: RunFolder,
  format: ExportFormatName,
  out: string,
  wanted?: readonly TableName[],
): ExportSource {
  const { isTracker, isForeign }: ExportFormat = EXPORT_FORMATS[format];
  if (isForeign && wanted !== undefined) {
    throw new UsageError(
      `Cannot export --table ${wanted[0]} as ${format}: it is another system's print, which has none`,
    );
  }
  const filled = (Object.keys(TABLES) as TableName[]).filter((table) => hasRows(run, table));
  const empty = [...wanted ?? [], ...isTracker ? ["metrics" as const] : []].find((table) => !filled.includes(table));
  if (empty !== undefined || filled.length === 0) {
    const lacks = empty === undefined ? "its tables have no rows yet" : `its table ${empty} has no rows`;
    const has = filled.length > 0 ? `; it has ${filled.join(", ")}` : "";
    throw new UsageError(`Cannot export run ${run.manifest.id} as ${format}: ${lacks}${has}`);
  }
  const tables = wanted ?? (isTracker ? filled.filter((name) => DOCTOR_READS.includes(name)) : filled);
  return { run, tables, out };
}

function hasRows(run: RunFolder, table: TableName): boolean {
  for (const piece of tablePieces(run, table).pieces) if (piece.numRows() > 0) return true;
  return false;
}

/** A table of a run, of one that goes on with the train steps that only its events tell of yet. */
function tablePieces(run: RunFolder, name: TableName): TablePieces {
  return name === "metrics" ? onePiece(name, withEvents(run)) : run.pieces(name);
}

function parquetFile(run: RunFolder, name: TableName, folder = "", within?: string): ExportedFile {
  return { path: `${folder}${name}.parquet`, pieces: formats.toParquet(tablePieces(run, name)), within };
}

function besides({ run, tables }: ExportSource, folder: string, within?: string): ExportedFile[] {
  return tables.filter((name) => name !== "metrics").map((name) => parquetFile(run, name, folder, within));
}

function trackerOf(run: RunFolder) {
  return formats.trackerRun(run.manifest, settingValues(run.table("settings")));
}

function metricSteps(run: RunFolder, time: (trainStep: number) => number) {
  return formats.trackedSteps(withEvents(run), time, formats.rewardMeans(run.pieces("completions")));
}

/** Metrics and evaluations together. */
function allSteps(run: RunFolder, time = timesOf(run)) {
  return formats.inOrder(metricSteps(run, time), formats.evaluationSteps(run.pieces("evaluations"), time));
}

/** When a train step ended, in seconds since 1970, from the run's events; where they do not tell, as the one before it. */
function timesOf(run: RunFolder): (trainStep: number) => number {
  const times = new Map<number, number>();
  for (const { event, train_step: step, time } of run.events().events) {
    if (event === "train_step" && typeof step === "number") times.set(step, Date.parse(String(time)) / 1000);
  }
  const known = [...times].sort(([a], [b]) => a - b), started = Date.parse(run.manifest.created) / 1000;
  return (trainStep) => {
    let low = 0, high = known.length; // of the first that is later
    while (low < high) {
      const middle = (low + high) >> 1;
      if (known[middle]![0] <= trainStep) low = middle + 1;
      else high = middle;
    }
    return known[low - 1]?.[1] ?? started;
  };
}
