/** MLflow's database: what it keeps runs in where no server is named. @module */
import type { DatabaseSync } from "node:sqlite";
import type { Intake } from "../intake/intake.ts";
import { mlflowRun, takeParam } from "../intake/mlflow_run.ts";
import { StepRows } from "../intake/step_rows.ts";
import type { TrackerDatabase } from "./database.ts";

/** In place of an infinity, which SQL has not: the largest float64. */
const LARGEST = Number.MAX_VALUE;

export const MLFLOW_DATABASE: TrackerDatabase = {
  tables: {
    runs: ["run_uuid", "name", "start_time", "lifecycle_stage"],
    metrics: ["key", "value", "timestamp", "run_uuid", "step", "is_nan"],
    params: ["key", "value", "run_uuid"],
  },
  read(database: DatabaseSync, intake: Intake) {
    const runs = database.prepare(
      "SELECT run_uuid AS id, name, lifecycle_stage AS stage FROM runs ORDER BY start_time",
    );
    const metrics = database.prepare(
      // Metrics of the machine have steps of their own.
      "SELECT key, value, step, is_nan FROM metrics WHERE run_uuid = ? AND key NOT LIKE 'system/%' ORDER BY key, timestamp, step",
    );
    const params = database.prepare("SELECT key, value FROM params WHERE run_uuid = ?");
    for (const { id, name, stage } of runs.all()) {
      if (stage === "deleted") {
        intake.leave(`${intake.source.path}: run ${name ?? id}`, "it was deleted in MLflow");
        continue;
      }
      intake.nextRun(mlflowRun(name, id));
      for (const { key, value } of params.all(id!)) takeParam(String(key), String(value), intake);
      const series = new Map<string, { step: number; value: number }[]>();
      for (const { key, value, step, is_nan } of metrics.iterate(id!)) {
        const list = series.get(String(key)) ?? [];
        list.push({ step: Number(step), value: is_nan === 1 ? NaN : unbounded(Number(value)) });
        series.set(String(key), list);
      }
      const steps = new StepRows();
      for (const [key, points] of series) steps.addSeries(key, points);
      steps.commit(intake);
    }
  },
};

function unbounded(value: number): number {
  return Math.abs(value) === LARGEST ? Math.sign(value) * Infinity : value;
}
