/** Chart of the share of groups without reward spread, beside the share that the pass rates make likely. @module */
import { expectedTies, moments, zeroSpreadFraction } from "../../data/statistics/mod.ts";
import { type Chart, type Row, type Source, type Spec, unitOf } from "./chart.ts";
import { DASHED, hasFew, lineChart, lineLayers } from "./lines.ts";
import { PALETTE } from "./palette.ts";
import { byStep, groupsOf, numbersOf } from "./step_rows.ts";

const MEASURED = { label: "without spread", color: PALETTE.second };
const EXPECTED = { label: "expected at this pass rate", color: PALETTE.muted, dash: DASHED };
const Y = {
  type: "quantitative",
  title: unitOf("metrics", "zero_spread_fraction", "fraction of groups"),
  scale: { domain: [0, 1] },
};

const printed = lineChart({
  title: "Groups without spread",
  about: "Share of groups whose rewards are all equal: their advantages are 0 and they teach nothing.",
  lines: [{ column: "zero_spread_fraction", label: MEASURED.label, color: MEASURED.color }],
  y: "fraction of groups",
  domain: [0, 1],
});

const COMPLETIONS: Source = {
  reads: "completions",
  about:
    "Of rewards that are right or wrong, p^G + (1-p)^G tie by chance if every prompt has the mean pass rate p; more " +
    "tie as prompts differ.",
  needs: ["train_step", "prompt_id", "reward"],
  uses: ["sample"],
  rows: shares,
  spec: (_, rows): Spec => {
    const lines = [MEASURED, EXPECTED].filter(({ label }) => rows.some((row) => row["label"] === label));
    return { layer: lineLayers(lines, Y, { named: true, few: hasFew(rows), span: 0 }) };
  },
};

export const zeroSpread: Chart = {
  ...printed,
  sources: [
    // Where none ties, a filter may have kept these: what was sampled stands in the metrics.
    { ...COMPLETIONS, rows: (rows) => shares(rows).some(isTie) ? shares(rows) : [] },
    ...printed.sources,
    COMPLETIONS, // what is left where a log has nothing else
  ],
};

const isTie = ({ label, value }: Row) => label === MEASURED.label && Number(value) > 0;

/** Of all groups the share that ties, and what chance makes of those of two rewards or more where rewards have two values. */
function shares(rows: readonly Row[]): Row[] {
  const kinds = [...new Set(numbersOf(rows, "reward"))], right = kinds.length === 2 ? Math.max(...kinds) : null;
  return byStep(rows).flatMap(([train_step, members]) => {
    const ids = groupsOf(members);
    const value = zeroSpreadFraction(members.map((row) => row["reward"] as number | null ?? null), ids);
    const groups = [...Map.groupBy(members, (_, i) => ids[i]).values()]
      .map((group) => numbersOf(group, "reward")).filter((rewards) => rewards.length > 1);
    if (value === null || groups.length === 0) return [];
    const measured = { train_step, label: MEASURED.label, value };
    if (right === null) return [measured];
    const p = moments(groups.flat().map((reward) => reward === right ? 1 : 0)).mean;
    const expected = moments(groups.map(({ length }) => expectedTies(p, length))).mean;
    return [measured, { train_step, label: EXPECTED.label, value: expected }];
  });
}
