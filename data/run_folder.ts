/**
 * The run folder: its names and its manifest, so that whoever writes a run and whoever reads it agree.
 *
 * ```
 * runs/<run_id>/  run.json   workflow.yaml   events.jsonl   lock
 *                 tables/<name>/<first>-<last>.arrow        first and last train step of the segment
 *                 segments.jsonl                            sizes and digests of those, one line each
 *                 checkpoints/<train_step>.<update>/        checkpoint.json is written last; run.json and workflow.yaml
 *                                                           beside it, so that a checkpoint alone can be resumed
 *                 set_aside/<number>/<path as above>        what a resume could not read or had no place for
 *                 model/   charts/<name>.vl.json   report.html
 * ```
 * @module
 */
import { z } from "zod";
import { type TableName, TABLES } from "./columns.ts";

/** How an evaluation asks: one draw at temperature 1, or the most likely token each time. Its shares are named so. */
export const EVALUATION_MODES = ["sampled", "greedy"] as const;

/** What an evaluation with rewards calls the mean reward of each mode: it is all that is known where no verifier judges. */
export const EVALUATION_REWARDS = { sampled: "sampled_reward", greedy: "greedy_reward" } as const satisfies Record<
  (typeof EVALUATION_MODES)[number],
  string
>;

/** Names inside a run folder. No name contains ":" (Windows). */
export const RUN_FILES = {
  manifest: "run.json",
  workflow: "workflow.yaml",
  events: "events.jsonl",
  lock: "lock",
  report: "report.html",
  tables: "tables",
  checkpoints: "checkpoints",
  segments: "segments.jsonl",
  setAside: "set_aside",
  model: "model",
  charts: "charts",
  /** Inside a checkpoint: names, sizes and sha256 of its files; without it the checkpoint does not exist. */
  checkpointManifest: "checkpoint.json",
} as const;

/** Begins the name of whatever is being written: readers ignore it, the store removes it at its next start. */
export const TEMPORARY_PREFIX = ".tmp-";

/**
 * How runs stand: stopped by a finding, interrupted by a signal, paused after a train step as asked, pruned as one of a
 * matrix that others left behind.
 */
const RUN_STATUSES = ["running", "ok", "stopped", "failed", "interrupted", "paused", "pruned"] as const;

/** What a run of a matrix with `strategy.halving` came to where runs were compared. */
const RUNG = z.strictObject({
  train_step: z.int().min(1).describe("runs were compared by what they had come to after it"),
  value: z.number().nullable().describe("the metric's; of runs that differ in their seed alone the mean; null: none"),
  limit: z.number().nullable().describe("the value of the last that went on; null: it had none"),
  went_on: z.boolean(),
});

const SCALAR = z.union([z.number(), z.string(), z.boolean(), z.null()]);

/** The version of the run folder's layout that is written and read. */
export const RUN_FORMAT = 1;

/** run.json. Times are ISO 8601 in UTC; unknown keys are kept (a newer version may have written them). */
export const RUN_MANIFEST = z.looseObject({
  format: z.literal(RUN_FORMAT).describe("version of the run folder's layout"),
  id: z.string().describe("the run's id, also its folder's name"),
  name: z.string().describe("the workflow's name"),
  about: z.string().describe("the workflow's one line about itself"),
  status: z.enum(RUN_STATUSES),
  reason: z.string().nullable().default(null).describe("why it stopped or failed"),
  created: z.iso.datetime(),
  finished: z.iso.datetime().nullable().default(null),
  workflow: z.string().describe("path of the workflow file as it was given"),
  workflow_folder: z.string().nullable().default(null).describe(
    "absolute folder that paths inside the workflow are relative to",
  ),
  workflow_sha256: z.string().nullable().default(null).describe("of the workflow file when the run began"),
  trigger: z.enum(["manual", "schedule"]).default("manual").describe("who started it: a person, or a schedule"),
  scheduled_for: z.iso.datetime().nullable().default(null).describe("the time of the schedule that it was started for"),
  params: z.record(z.string(), z.unknown()).describe("parameters after -p"),
  matrix: z.record(z.string(), SCALAR).default({}).describe("this run's cell of strategy.matrix"),
  halving: z.strictObject({
    sweep: z.string().describe("the same for all runs of one matrix"),
    cell: z.int().min(1).describe("which run of the matrix, from 1"),
    metric: z.string(),
    mode: z.enum(["max", "min"]),
    given: z.strictObject({
      params: z.record(z.string(), z.unknown()),
      settings: z.record(z.string(), z.unknown()),
    }).describe("what the command line said beside the file"),
    rungs: z.array(RUNG).default([]),
  }).nullable().default(null).describe("of a run of a matrix with strategy.halving: how it was compared"),
  seed: z.int().min(0),
  device: z.string().describe("device in use: cpu, cuda"),
  backend: z.string().describe("how ONNX Runtime is called: ffi or napi"),
  threads: z.int().min(1).describe("intra-op threads"),
  deterministic: z.boolean().default(false),
  cpu_class: z.string().describe("what float results depend on: architecture and vector extensions"),
  versions: z.record(z.string(), z.string()).describe("nonzero, deno, onnxruntime, …"),
  train_step: z.int().min(0).default(0).describe("train steps done"),
  ms: z.number().min(0).nullable().default(null).describe(
    "milliseconds of running up to the last save, without the pauses before a resume",
  ),
  checkpoint: z.string().nullable().default(null).describe("newest checkpoint, <train_step>.<update>"),
  resumed_from: z.string().nullable().default(null).describe(
    "checkpoint the last resume continued, <train_step>.<update>",
  ),
  evaluations: z.record(z.string(), z.record(z.string(), SCALAR)).default({}).describe(
    "outputs of evaluate steps, by step id",
  ),
  outputs: z.record(z.string(), z.record(z.string(), SCALAR)).default({}).describe("outputs of all steps, by step id"),
  findings: z.array(z.record(z.string(), z.unknown())).default([]).describe("what the diagnoses found, worst first"),
  verdict: z.object({
    verdict: z.enum(["faulty", "benign", "insufficient"]),
    causes: z.array(z.string()).describe("causes of warning or worse, most likely first"),
    reasons: z.array(z.string()),
    missing: z.array(z.string()).describe("columns or files that would decide"),
  }).nullable().default(null).describe("the verdict on the whole run, judged once more at its end"),
}).meta({ title: "Nonzero run manifest" });

export type RunManifest = z.output<typeof RUN_MANIFEST>;
/** Seconds in which a run that has ended was running; without the pauses before a resume, where it says so. */
export function secondsOf({ created, finished, ms }: RunManifest): number | null {
  if (finished === null) return null;
  return (ms ?? Date.parse(finished) - Date.parse(created)) / 1000;
}

/** What a writer must give; keys with a default may be left out. */
export type RunManifestInput = z.input<typeof RUN_MANIFEST>;

/**
 * A run's id: `<date>-<time>-<name>-<suffix>`, sorted by time, without characters a file system objects to.
 *
 * date      when the run starts; UTC
 * random    uint32, only to tell runs of the same second apart (the one use of chance that is not keyed by the seed)
 */
export function newRunId(name: string, date: Date, random: number): string {
  const stamp = date.toISOString().slice(0, 19).replaceAll("-", "").replaceAll(":", "").replace("T", "-");
  const plain = name.toLowerCase().replace(/[^a-z0-9_]+/g, "_").replace(/^_+|_+$/g, "").slice(0, 40) || "run";
  return `${stamp}-${plain}-${(random >>> 0).toString(36).padStart(7, "0").slice(-4)}`;
}

/** The day and the time that an id begins with. */
const STAMP = /^\d{8}-\d{6}(?:-|$)/;

/** Whether a text begins as the ids of runs do. */
export function isStamped(text: string): boolean {
  return STAMP.test(text);
}

/** `<name>-<suffix>` of an id: the day and the time say least of a run. What has none, or nothing else, is as it is. */
export function withoutStamp(id: string): string {
  return id.replace(STAMP, "") || id;
}

const RUN_ID = /^[A-Za-z0-9_][A-Za-z0-9_.-]{0,120}$/;

/** Returns the id, or throws when it could leave the runs folder or is no file name. */
export function checkRunId(id: string): string {
  if (!RUN_ID.test(id) || id.includes("..")) {
    throw new RangeError(`Cannot use "${id}" as a run id: want letters, digits, "_", "-" and ".", no path`);
  }
  return id;
}

/** `tables/<name>/<first>-<last>.arrow`, relative to the run folder; first and last are train steps, inclusive. */
export function segmentPath(table: TableName, first: number, last: number): string {
  for (const step of [first, last]) {
    if (!Number.isSafeInteger(step) || step < 0) {
      throw new RangeError(`Cannot name a segment of table "${table}": train step ${step}, want an integer from 0`);
    }
  }
  if (last < first) throw new RangeError(`Cannot name a segment of table "${table}": last ${last} is before ${first}`);
  return `${RUN_FILES.tables}/${table}/${first}-${last}.arrow`;
}

/** First and last train step of a segment's file name, or null when the name is not a segment's. */
export function parseSegment(fileName: string): { first: number; last: number } | null {
  const match = /^(\d{1,15})-(\d{1,15})\.arrow$/.exec(fileName);
  if (!match) return null;
  const first = Number(match[1]), last = Number(match[2]);
  return first <= last ? { first, last } : null;
}

/** `<train_step>.<update>`, the name of a checkpoint. */
export function checkpointName(trainStep: number, update: number): string {
  for (const number of [trainStep, update]) {
    if (!Number.isSafeInteger(number) || number < 0) {
      throw new RangeError(`Cannot name a checkpoint ${trainStep}.${update}: want integers from 0`);
    }
  }
  return `${trainStep}.${update}`;
}

/** Train step and update of a checkpoint's name, or null when the name is not a checkpoint's. */
export function parseCheckpoint(name: string): { trainStep: number; update: number } | null {
  const match = /^(\d{1,15})\.(\d{1,15})$/.exec(name);
  return match ? { trainStep: Number(match[1]), update: Number(match[2]) } : null;
}

/** The table of that name, or an error that lists the names. */
export function checkTableName(name: string): TableName {
  if (Object.hasOwn(TABLES, name)) return name as TableName;
  throw new RangeError(`Cannot read table "${name}": a run has ${Object.keys(TABLES).join(", ")}`);
}

/** What an evaluation is called to a person: its id, and the split where it is another than the held-out one. */
export function evaluationLabel(id: string, { split }: Readonly<Record<string, unknown>>): string {
  return typeof split === "string" && split !== "held_out" ? `${id} (${split})` : id;
}
