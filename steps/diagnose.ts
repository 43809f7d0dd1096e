/** The step `diagnose`: asks the rules about the run so far, every train step. @module */
import { z } from "zod";
import { TABLES } from "../data/columns.ts";
import { columnArray, tableOfRows } from "../data/tables/mod.ts";
import { diagnoseRun } from "./diagnoses/diagnose_run.ts";
import { SEVERITIES } from "../data/severity.ts";
import type { Finding } from "./diagnoses/diagnosis.ts";
import { liveRows } from "./diagnoses/view/live_rows.ts";
import { tableView } from "./diagnoses/view/table_view.ts";
import { defineStep, type StepContext } from "./step.ts";

export const diagnose = defineStep({
  about: "Ask the rules whether the run is healthy",
  params: z.strictObject({
    on_error: z.enum(["stop", "warn"]).default("stop").describe("what an error does; a fatal finding always stops"),
    window: z.int().min(8).max(1024).optional().describe(
      "train steps that the rules look back; 128 of rollouts and the whole of a step that trains by itself if absent",
    ),
  }),
  reads: { metrics: [] },
  writes: {
    findings: Object.keys(TABLES.findings) as (keyof typeof TABLES.findings)[],
  },
  outputs: z.object({
    findings: z.int().describe("findings of warning or worse"),
    worst: z.string().nullable().describe("severity of the worst finding, or null"),
  }),
  run({ on_error, window }, context) {
    const { findings } = diagnoseRun(tableView(liveRows(context, window ?? lookBack(context))));
    const alarms = findings.filter((f) => f.severity !== "info");
    const worst = SEVERITIES.find((severity) => findings.some((f) => f.severity === severity)) ?? null;
    const stopping = alarms.find((f) => f.severity === "fatal" || (f.severity === "error" && on_error === "stop"));
    return {
      ...(findings.length ? { tables: { findings: findingsTable(findings, context.trainStep) } } : {}),
      outputs: { findings: alarms.length, worst },
      ...(stopping ? { stop: `${stopping.cause}: ${stopping.message}` } : {}),
    };
  },
});

/** Train steps of rollouts that the rules look back where nothing is said. */
const WINDOW = 128;

/** A step that makes its updates by itself is judged once, and its first ones prove most; a round is judged each time. */
function lookBack({ history, trainStep }: Pick<StepContext, "history" | "trainStep">): number {
  const rows = history("metrics", WINDOW);
  const phases = rows.column("phase") ? columnArray(rows, "phase") as ArrayLike<string | null> : [];
  const last = phases[phases.length - 1] ?? "rollout";
  return last === "rollout" ? WINDOW : Math.max(WINDOW, trainStep + 1);
}

/** Rows of the table `findings`. */
export function findingsTable(findings: readonly Finding[], trainStep: number) {
  const rows = findings.map(({ cause, codes, severity, train_steps, message, hint, evidence, remedy, ruled_out }) => ({
    train_step: trainStep,
    ...{ cause, codes, severity, train_steps, message, hint },
    evidence: JSON.stringify(evidence.map(printable)),
    remedy: JSON.stringify(remedy),
    ruled_out: JSON.stringify(ruled_out),
  }));
  return tableOfRows("findings", rows);
}

/** JSON lacks NaN and Infinity. */
function printable<T extends { readonly value: unknown }>(evidence: T): T {
  const { value } = evidence;
  return typeof value === "number" && !Number.isFinite(value) ? { ...evidence, value: String(value) } : evidence;
}
