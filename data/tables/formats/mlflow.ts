/**
 * A run as MLflow's file store has it: `mlruns/0/<id>/` with meta.yaml and a file per metric, parameter and tag.
 * @module
 */
import { createHash } from "node:crypto";
import { trackedName, type TrackedStep } from "./tracked_steps.ts";
import type { TrackerRun } from "./tracker_run.ts";

/** The tag by which we know a run of ours again: its id here. */
export const RUN_TAG = "nonzero.run";

/** The experiment that every file store has. */
const EXPERIMENT = "0";
/** Longest value of a parameter that MLflow takes. */
const MOST_PARAM = 6000;
/** Numbers of MLflow's RunStatus. */
const STATUS = {
  running: 1,
  ok: 3,
  failed: 4,
  stopped: 4,
  interrupted: 5,
  paused: 5,
  pruned: 5,
} as const satisfies Record<
  TrackerRun["status"],
  number
>;
/** And of its SourceType LOCAL. */
const LOCAL = 4;

/** 32 hexadecimal digits, as MLflow's own: the same for the same run. */
function mlflowId(id: string): string {
  return createHash("sha256").update(id).digest("hex").slice(0, 32);
}

/** The folder of a run, relative to that which holds `mlruns`. */
export function mlflowFolder(run: TrackerRun): string {
  return `mlruns/${EXPERIMENT}/${mlflowId(run.id)}`;
}

/** The experiment's own file, for a store that has none yet; `at` is the store's address. */
export function mlflowExperiment(run: TrackerRun, at: URL): readonly [path: string, text: string] {
  const time = milliseconds(run.started);
  return [
    `mlruns/${EXPERIMENT}/meta.yaml`,
    yaml({
      artifact_location: `${at.href}/${EXPERIMENT}`,
      creation_time: time,
      experiment_id: EXPERIMENT,
      last_update_time: time,
      lifecycle_stage: "active",
      name: "Default",
    }),
  ];
}

/**
 * Files of the run, relative to its folder: `metrics/<phase>/<column>` with a line `milliseconds value step` per value,
 * step = train step, NaN and infinities as Python prints them. meta.yaml is last: without it there is no run.
 */
export function* toMlflow(
  run: TrackerRun,
  steps: Iterable<TrackedStep>,
  at: URL,
): Generator<readonly [path: string, text: string]> {
  for (const [name, value] of run.settings) yield [`params/${name}`, paramText(value)];
  const tags = [
    [RUN_TAG, run.id],
    ["mlflow.runName", run.id],
    ["mlflow.source.name", "nonzero"],
    ["mlflow.source.type", "LOCAL"],
    ["mlflow.note.content", run.about],
    ...[...run.facts].map(([name, text]) => [`nonzero.${name}`, text] as const),
  ] as const;
  for (const [name, text] of tags) yield [`tags/${name}`, text];
  const lines = new Map<string, string[]>();
  for (const { trainStep, phase, time, values } of steps) {
    for (const [column, value] of values) {
      // MLflow takes no other signs, and the name is a path here.
      const name = trackedName(phase, column.replaceAll(/[^\w. -]/g, "_")), list = lines.get(name);
      const line = `${milliseconds(time)} ${pythonNumber(value)} ${trainStep}\n`;
      if (list === undefined) lines.set(name, [line]);
      else list.push(line);
    }
  }
  for (const [name, list] of lines) yield [`metrics/${name}`, list.join("")];
  yield [
    "meta.yaml",
    yaml({
      artifact_uri: `${at.href}/${EXPERIMENT}/${mlflowId(run.id)}/artifacts`,
      end_time: run.finished === null ? null : milliseconds(run.finished),
      entry_point_name: "",
      experiment_id: EXPERIMENT,
      lifecycle_stage: "active",
      run_id: mlflowId(run.id),
      run_name: run.id,
      source_name: "",
      source_type: LOCAL,
      source_version: "",
      start_time: milliseconds(run.started),
      status: STATUS[run.status],
      tags: [],
      user_id: "",
    }),
  ];
}

const milliseconds = (seconds: number) => Math.round(seconds * 1000);

/** JSON is YAML: texts in quotes, whatever is in them. */
function yaml(values: Readonly<Record<string, unknown>>): string {
  return Object.entries(values).map(([key, value]) => `${key}: ${JSON.stringify(value)}\n`).join("");
}

function paramText(value: unknown): string {
  const text = typeof value === "string" ? value : JSON.stringify(value);
  return text.length > MOST_PARAM ? `${text.slice(0, MOST_PARAM - 1)}…` : text;
}

function pythonNumber(value: number): string {
  if (Number.isNaN(value)) return "nan";
  return Number.isFinite(value) ? String(value) : value > 0 ? "inf" : "-inf";
}
