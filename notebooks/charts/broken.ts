/** Marks the train steps whose value is not finite. @module */
import { type Row, type Spec, STEP_AXIS } from "./chart.ts";
import { PALETTE } from "./palette.ts";

/** Red marks on the axis at the train steps whose value is not finite: a gap alone looks as if nothing was measured. */
export function brokenMarks(x: Spec = STEP_AXIS): Spec {
  return {
    mark: { type: "tick", orient: "vertical", color: PALETTE.bad, thickness: 1.5, size: 9 },
    encoding: {
      x,
      y: { value: "height" },
      // Not a filter: a layer without rows, as in a phase without such a value, has a scale without ends.
      opacity: { condition: { test: "datum.value === null", value: 0.9 }, value: 0 },
    },
  };
}

/** What is said of the red marks, where some of the columns has a value that is not finite. */
export function brokenText(rows: readonly Row[], columns: readonly string[]): string {
  return rows.some((row) => columns.some((column) => isBroken(row[column])))
    ? "Red marks on the axis: not finite there."
    : "";
}

const isBroken = (value: unknown) => typeof value === "number" && !Number.isFinite(value);
