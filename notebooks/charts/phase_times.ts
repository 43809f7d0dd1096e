/** Chart of where the time of a train step goes. @module */
import { type Chart, PALETTE } from "./chart.ts";

const PHASES = [
  ["sample_ms", "sampling", PALETTE.first],
  ["score_ms", "rewards and advantages", PALETTE.second],
  ["update_ms", "updates", PALETTE.third],
] as const;

export const phaseTimes: Chart = {
  title: "Time per train step",
  about: "Wall time of the phases of a train step, stacked.",
  reads: "metrics",
  columns: ["train_step", ...PHASES.map(([column]) => column)],
  spec: {
    transform: [
      { fold: PHASES.map(([column]) => column), as: ["metric", "value"] },
      { filter: "isValid(datum.value)" },
      {
        calculate: PHASES.reduceRight(
          (rest, [column, label]) => `datum.metric === '${column}' ? '${label}' : ${rest}`,
          "''",
        ),
        as: "phase",
      },
    ],
    mark: { type: "area", opacity: 0.85 },
    encoding: {
      x: { field: "train_step", type: "quantitative", title: "train step", scale: { zero: false, nice: false } },
      y: { field: "value", type: "quantitative", title: "ms", stack: "zero" },
      color: {
        field: "phase",
        type: "nominal",
        scale: { domain: PHASES.map(([, label]) => label), range: PHASES.map(([, , color]) => color) },
        legend: { title: null, orient: "top" },
      },
    },
  },
};
