/** Chart of where the time of a train step goes. @module */
import { AREA_LEGEND, type Chart, PHASE, STEP_AXIS, unitOf } from "./chart.ts";
import { PALETTE } from "./palette.ts";
import { hasLone } from "./step_rows.ts";

const PARTS = [
  ["sample_ms", "sampling", PALETTE.first],
  ["score_ms", "rewards and advantages", PALETTE.second],
  ["update_ms", "updates", PALETTE.third],
] as const;

export const phaseTimes: Chart = {
  title: "Time per train step",
  about: "Wall time of the phases of a train step, stacked.",
  sources: [{
    reads: "metrics",
    needs: ["train_step"],
    uses: PARTS.map(([column]) => column),
    spec(measured, rows) {
      const parts = PARTS.filter(([column]) => measured.has(column));
      return {
        transform: [
          { fold: parts.map(([column]) => column), as: ["metric", "value"] },
          { filter: "isValid(datum.value)" },
          {
            calculate: parts.reduceRight(
              (rest, [column, label]) => `datum.metric === '${column}' ? '${label}' : ${rest}`,
              "''",
            ),
            as: "part",
          },
          // Not "stack" of an encoding: that fills in every train step of the run in every panel.
          {
            stack: "value",
            groupby: ["train_step", PHASE],
            sort: [{ field: "part", order: "descending" }],
            as: ["from", "to"],
          },
        ],
        mark: hasLone(rows) ? { type: "bar", size: 14, opacity: 0.85 } : { type: "area", opacity: 0.85 },
        encoding: {
          x: STEP_AXIS,
          y: { field: "from", type: "quantitative", title: unitOf("metrics", "sample_ms", "ms") },
          y2: { field: "to" },
          color: {
            field: "part",
            type: "nominal",
            scale: { domain: parts.map(([, label]) => label), range: parts.map(([, , color]) => color) },
            legend: AREA_LEGEND,
          },
        },
      };
    },
  }],
};
