/** Which train steps a log prints or a person names: those of cells that stand for more of what is told are nobody's word. @module */
import type { RunView } from "./run_view.ts";

/** The train steps, or the numbers of the records, that are printed or told. */
export function knownSteps(view: RunView): ReadonlySet<number> {
  const steps = new Set<number>();
  for (const [record, step] of view.trainSteps.entries()) {
    for (const [name, cells] of view.columns) add(steps, cells[record] ?? null, step, view.toldAt(name, record));
  }
  for (const [record, step] of view.evaluationSteps.entries()) {
    for (const name of view.evaluated) {
      add(steps, view.evaluation(name)[record] ?? null, step, view.evaluationToldAt(name, record));
    }
  }
  for (const { from, to } of view.claims) for (const step of [from, to]) if (step != null) steps.add(step);
  return steps;
}

function add(steps: Set<number>, value: number | null, step: number, told: ReturnType<RunView["toldAt"]>): void {
  if (value === null) return;
  const known = told === null ? step : told.trainStep;
  if (known !== null) steps.add(known);
}
