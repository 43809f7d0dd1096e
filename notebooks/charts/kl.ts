/** Chart of the KL divergence to the reference, by estimator. @module */
import { type Chart, type ChartTables, PHASE, type Row, type Spec, unitOf } from "./chart.ts";
import { brokenText } from "./broken.ts";
import { hasFew, lineChart, lineLayers } from "./lines.ts";
import { PALETTE } from "./palette.ts";
import { byStep, listOf } from "./step_rows.ts";

/** The estimators of Schulman (2020) of d = log p - log p_ref under the policy that sampled. */
const ESTIMATORS = [
  { label: "k1", color: PALETTE.first, of: (d: number) => d },
  { label: "k2", color: PALETTE.second, of: (d: number) => d * d / 2 },
  { label: "k3", color: PALETTE.third, of: (d: number) => Math.exp(-d) - 1 + d },
] as const;

const PRINTED = { label: "kl", color: PALETTE.fourth } as const;

/** Of several phases the unit is not one: preferences have it per completion. */
const yOf = (rows: readonly Row[]) => ({
  type: "quantitative",
  title: rows.some((row) => row["label"] === PRINTED.label) ? "nats" : unitOf("metrics", "kl", "nats"),
  scale: { zero: false },
});

const printed = lineChart({
  title: "KL to the reference",
  about: "Estimated KL to the reference policy.",
  aboutPhase: {
    rollout: "Per token; to the policy at the start of training where there is no reference.",
    preference: "Per completion, of mismatched pairs: KTO's baseline, which is never below 0 and often just that.",
  },
  lines: [{ column: "kl", label: "kl", color: PALETTE.second }],
  y: "nats",
  phaseUnit: { preference: "nats per completion" },
});

export const kl: Chart = {
  ...printed,
  sources: [
    {
      reads: "completions",
      about: (rows) =>
        "k1 is the mean log-ratio and may be negative, k2 half its square, k3 is never negative. Where they part, the " +
        `policy is far from the reference. ${brokenText(rows, ["value"])}`.trim(),
      needs: ["train_step", "old_logprobs", "ref_logprobs"],
      uses: ["completion_mask"],
      rows: (rows, tables) => withOtherPhases(estimates(rows), tables),
      spec: (_, rows): Spec => ({
        layer: lineLayers(
          rows.some((row) => row["label"] === PRINTED.label) ? [...ESTIMATORS, PRINTED] : ESTIMATORS,
          yOf(rows),
          {
            named: true,
            few: hasFew(rows),
            broken: brokenText(rows, ["value"]) !== "",
          },
        ),
      }),
    },
    ...printed.sources,
  ],
};

/** With the printed KL of the phases that sampled nothing: completions of one phase say nothing of another. */
function withOtherPhases(estimated: readonly Row[], { metrics = [] }: ChartTables = {}): readonly Row[] {
  const phases = new Map(metrics.map((row) => [row["train_step"], row[PHASE] ?? null]));
  const sampled = new Set(estimated.map((row) => phases.get(row["train_step"])));
  const others = metrics.filter((row) => (row["kl"] ?? null) !== null && !sampled.has(row[PHASE] ?? null));
  if (estimated.length === 0 || others.length === 0) return estimated;
  const drawn: Row[] = [
    ...others.map((row) => ({
      train_step: row["train_step"],
      [PHASE]: row[PHASE],
      label: PRINTED.label,
      value: row["kl"],
    })),
    ...estimated.map((row) => ({ ...row, [PHASE]: phases.get(row["train_step"]) })),
  ];
  return drawn.toSorted((a, b) => Number(a["train_step"]) - Number(b["train_step"]));
}

/** Each estimator's mean over the tokens of a train step that count. */
function estimates(rows: readonly Row[]): Row[] {
  return byStep(rows).flatMap(([train_step, members]) => {
    const sums = ESTIMATORS.map(() => 0);
    let tokens = 0;
    for (const row of members) {
      const logprobs = listOf(row, "old_logprobs"), reference = listOf(row, "ref_logprobs");
      const mask = row["completion_mask"] as ArrayLike<number> | null | undefined;
      for (let t = 0; t < Math.min(logprobs.length, reference.length); t++) {
        if (mask && !mask[t]) continue;
        ESTIMATORS.forEach(({ of }, k) => sums[k]! += of(logprobs[t]! - reference[t]!));
        tokens++;
      }
    }
    return tokens ? ESTIMATORS.map(({ label }, k) => ({ train_step, label, value: sums[k]! / tokens })) : [];
  });
}
