/** Chart of returns against the values that the critic foretold. @module */
import { type Chart, type Row, type Spec, unitOf } from "./chart.ts";
import { PALETTE } from "./palette.ts";
import { evenly, tokenPairs } from "./step_rows.ts";

const MOST_TOKENS = 500;

export const criticValues: Chart = {
  title: "Returns against values",
  about:
    "What came after a token against what the critic expected at it, for an even choice of the last tokens sampled. A " +
    "critic that learns lies along the dashed line; a flat cloud knows only the mean.",
  onlyWhereThere: true,
  sources: [{
    reads: "completions",
    needs: ["values", "returns"],
    uses: ["completion_mask", "train_step"],
    elsewhere: true,
    rows: tokens,
    spec: (): Spec => {
      const x = {
        field: "value",
        type: "quantitative",
        title: `value, ${unitOf("completions", "values", "units of the reward")}`,
        scale: { zero: false },
      };
      const y = {
        field: "return",
        type: "quantitative",
        title: `return, ${unitOf("completions", "returns", "units of the reward")}`,
        scale: { zero: false },
      };
      return {
        layer: [
          {
            transform: [{
              aggregate: [{ op: "min", field: "return", as: "least" }, { op: "max", field: "return", as: "most" }],
            }],
            mark: { type: "rule", color: PALETTE.muted, strokeDash: [4, 3] },
            encoding: {
              x: { ...x, field: "least" },
              y: { ...y, field: "least" },
              x2: { field: "most" },
              y2: { field: "most" },
            },
          },
          {
            mark: { type: "point", filled: true, size: 14, opacity: 0.45, color: PALETTE.third },
            encoding: { x, y },
          },
        ],
      };
    },
  }],
};

/** Tokens of the last third of the train steps there are: what the critic knew before is history. */
function tokens(rows: readonly Row[]): Row[] {
  const steps = [...new Set(rows.map((row) => Number(row["train_step"] ?? 0)))].sort((a, b) => a - b);
  const since = steps[Math.floor(steps.length * 2 / 3)] ?? 0;
  const late = rows.filter((row) => Number(row["train_step"] ?? 0) >= since);
  const pairs = tokenPairs(evenly(late, MOST_TOKENS), "values", "returns");
  return evenly(pairs, MOST_TOKENS).map(({ row, token, first, second }) => ({
    value: first,
    return: second,
    token,
    train_step: row["train_step"],
  }));
}
