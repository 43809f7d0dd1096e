/** What TRL logs of a sampler that is not the policy: `sampling/*`. @module */
import { countedValues, largest, mapRows, meanOf, type Rows, smallest } from "./masked_rows.ts";

interface SamplingMetrics {
  /** |old - sampler| in nats over tokens that count and have both. */
  readonly differenceMean: number;
  readonly differenceMax: number;
  /** The weights as they are applied: over tokens that count, or over completions. */
  readonly ratioMin: number;
  readonly ratioMean: number;
  readonly ratioMax: number;
}

/** Source: TRL `GRPOTrainer._generate_and_score_completions`. Of nothing all are 0. */
export function samplingMetrics(
  old: Rows,
  sampler: Rows,
  mask: Rows,
  weights: Rows,
  level: "token" | "sequence",
): SamplingMetrics {
  const gaps = countedValues(mapRows(old, (value, i, t) => Math.abs(value - sampler[i]![t]!)), mask)
    .filter((gap) => !Number.isNaN(gap));
  const ratios = level === "token" ? countedValues(weights, mask) : weights.map((row) => row[0] ?? 1);
  const of = (values: readonly number[], how: (values: readonly number[]) => number) => values.length ? how(values) : 0;
  return {
    differenceMean: of(gaps, meanOf),
    differenceMax: of(gaps, largest),
    ratioMin: of(ratios, smallest),
    ratioMean: of(ratios, meanOf),
    ratioMax: of(ratios, largest),
  };
}
