/** Metrics of a run of ours that a tracker's format holds under `<phase>/<column>`. @module */
import { trackedParts } from "../../tables/formats/tracked_steps.ts";
import type { Intake } from "./intake.ts";
import { OwnRows } from "./own_table.ts";

/** Phases of the table `metrics`: what stands under another one (evaluations) is no row of it. */
const PHASES: ReadonlySet<string> = new Set(["sft", "rollout", "preference", "reward_model"]);

export class OwnMetrics {
  readonly #rows = new Map<string, Record<string, unknown>>();
  readonly #columns = new Set<string>();

  /** One value; a name of another kind is passed over. */
  add(trainStep: number, name: string, value: number | string): void {
    const { phase, column } = trackedParts(name) ?? { phase: "", column: "" };
    if (!PHASES.has(phase)) return;
    const key = `${trainStep} ${phase}`;
    let row = this.#rows.get(key);
    if (row === undefined) this.#rows.set(key, row = { train_step: trainStep, phase });
    row[column] = value;
    this.#columns.add(column);
  }

  /** Hands the rows over as the table that they were, in the order of their train steps. */
  finish(intake: Intake): void {
    const rows = [...this.#rows.values()].sort((a, b) => Number(a["train_step"]) - Number(b["train_step"]));
    const table = new OwnRows("metrics", ["train_step", "phase", ...this.#columns]);
    for (const row of rows) table.add(row);
    table.finish(intake);
  }
}
