/** Chart of how IoU is distributed over the completions of each train step: heat cells, and the mean above them. @module */
import { moments } from "../../data/statistics/mod.ts";
import { type Chart, type Row, SCALE_LEGEND, type Spec, STEP_AXIS } from "./chart.ts";
import { SEQUENTIAL } from "./palette.ts";
import { hasLone, listedBins, numbersOf, STEP_RANGE } from "./step_rows.ts";

/** Cells of IoU from 0 to 1. */
const CELLS = 10;

export const iou: Chart = {
  title: "IoU of the boxes",
  about:
    "Of the completions of a train step the share in each tenth of IoU (the mean over a completion's boxes), and as a line " +
    "their mean. Bright cells should move up; those at 0 miss.",
  onlyWhereThere: true,
  sources: [{
    reads: "completions",
    needs: ["train_step"],
    uses: ["reward.*", "prompt", "text", "answer"],
    about: (rows) =>
      rows.some((row) => row["rewarded"] === true) ? "It is what the reward says: 0 below its threshold." : "",
    rows: distribution,
    spec: (_, rows): Spec => ({
      layer: [
        {
          transform: [{ filter: "isValid(datum.share)" }],
          mark: { type: "rect", tooltip: true },
          encoding: {
            ...STEP_RANGE,
            y: { field: "low", type: "quantitative", title: "IoU", scale: { domain: [0, 1] } },
            y2: { field: "high" },
            color: {
              field: "share",
              type: "quantitative",
              title: "share of completions",
              scale: { domainMin: 0, scheme: SEQUENTIAL },
              legend: SCALE_LEGEND,
            },
          },
        },
        ...MEAN_LINES.map((look) => ({
          transform: [{ filter: "isValid(datum.mean)" }],
          mark: { type: "line", ...look, ...hasLone(rows) ? { point: { filled: true, color: look.color } } : {} },
          encoding: {
            x: { ...STEP_AXIS, field: "middle" },
            y: { field: "mean", type: "quantitative", scale: { domain: [0, 1] } },
          },
        })),
      ],
    }),
  }],
};

/** White on black: seen on every colour of the cells. */
const MEAN_LINES = [
  { color: "#000000", strokeWidth: 4.5 },
  { color: "#ffffff", strokeWidth: 2 },
] as const;

/** What a run's rows have of boxes that can be read, whatever they are rewarded by; null where they cannot be. */
export const BOX_IOU = "box_iou";

/** The boxes' own IoU, else the reward that is one: `visual/iou` under whatever name a workflow gives it. */
function columnOf(rows: readonly Row[]): string | null {
  if (rows.some((row) => Number.isFinite(row[BOX_IOU]))) return BOX_IOU;
  const names = [...new Set(rows.flatMap((row) => Object.keys(row).filter((name) => name.startsWith("reward."))))];
  return names.find((name) => name === "reward.visual/iou") ??
    names.find((name) => /(?:^|[^a-z])iou(?:$|[^a-z])/i.test(name.slice("reward.".length))) ?? null;
}

function distribution(rows: readonly Row[]): Row[] {
  const column = columnOf(rows);
  if (column === null) return [];
  const scored = rows.filter((row) => Number.isFinite(row[column]));
  return listedBins(scored).flatMap(({ from, to, members }): Row[] => {
    const values = numbersOf(members, column);
    const cells = Array.from({ length: CELLS }, (_, cell) => {
      const count = values.filter((value) => cellOf(value) === cell).length;
      const bounds = { low: cell / CELLS, high: (cell + 1) / CELLS };
      return { train_step: from, from, to, ...bounds, share: count / values.length, completions: count };
    });
    const middle = from + (to - from) / 2, rewarded = column !== BOX_IOU;
    return [
      ...cells,
      { train_step: from, from, to, middle, mean: moments(values).mean, completions: values.length, rewarded },
    ];
  });
}

/** A reward outside of 0 to 1, of a form of one's own, counts at the end that it is beyond. */
const cellOf = (value: number) => Math.max(0, Math.min(CELLS - 1, Math.floor(value * CELLS)));
