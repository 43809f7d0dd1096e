/** Chart of how the importance ratios of the updates are distributed. @module */
import { RATIO_BINS } from "../../data/signals/ratio_bins.ts";
import { type Chart, type Row, type Spec, unitOf } from "./chart.ts";
import { PALETTE } from "./palette.ts";
import { byStep, listOf } from "./step_rows.ts";

const LAST = 4; // The last fourth of the train steps: what the policy does now.

export const ratios: Chart = {
  title: "Importance ratios",
  about:
    "Ratios of the policy to the one that sampled, token by token, over the updates of the last fourth of the train steps. " +
    "All at 1 where each rollout is used once; tails beyond the clip bounds are what clipping cuts off.",
  onlyWhereThere: true,
  sources: [{
    reads: "updates",
    needs: ["train_step", "ratio_histogram"],
    uses: [],
    elsewhere: true,
    rows: bars,
    spec: (): Spec => ({
      mark: { type: "rect", color: PALETTE.first, tooltip: true },
      encoding: {
        x: {
          field: "from",
          type: "quantitative",
          title: "ratio",
          scale: { type: "log", nice: false },
          axis: { format: ".2~f" },
        },
        x2: { field: "to" },
        y: {
          field: "share",
          type: "quantitative",
          title: `${unitOf("updates", "ratio_histogram", "fraction of tokens")}, square-root scale`,
          scale: { type: "sqrt" }, // the tails are thousandths
        },
      },
    }),
  }],
};

/** A row for each bin that is not empty: the mean share over the late updates. */
function bars(rows: readonly Row[]): Row[] {
  const steps = byStep(rows.filter((row) => listOf(row, "ratio_histogram").length === RATIO_BINS.count));
  const late = steps.slice(-Math.ceil(steps.length / LAST)).flatMap(([, members]) => members);
  const shares = Array.from(
    { length: RATIO_BINS.count },
    (_, bin) => late.reduce((sum, row) => sum + listOf(row, "ratio_histogram")[bin]!, 0) / late.length,
  );
  return shares.flatMap((share, bin) =>
    share > 0 ? [{ ...RATIO_BINS.edgesOf(bin), share, train_step: late.at(-1)!["train_step"] }] : []
  );
}
