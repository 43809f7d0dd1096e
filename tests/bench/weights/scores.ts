/** How well stated probabilities hold: log-loss, named first and in the first two, calibration. @module */
import { sharesOf } from "../../../steps/diagnoses/differential/differential.ts";
import type { Weights } from "../../../steps/diagnoses/differential/weights.ts";
import { calibration } from "../labelled/calibration.ts";
import type { Case } from "./cases.ts";
import { logLoss } from "./fit.ts";

/** A case, judged by weights that may not have seen it. */
export interface Scored {
  readonly row: Case;
  readonly weights: Weights;
}

/** The figures over all cases. */
export function scoresOf(all: readonly Scored[]) {
  const said = all.map(({ row, weights }) => {
    const shares = sharesOf(row.evidence, weights);
    const order = shares.map((_, i) => i).toSorted((a, b) => shares[b]! - shares[a]!);
    return { row, order, probability: shares[order[0]!]! };
  });
  const faulty = said.filter(({ row }) => row.isFaulty);
  const isPrimary = (row: Case, at: number | undefined) => at !== undefined && row.evidence[at]!.cause === row.primary;
  return {
    cases: all.length,
    faulty: faulty.length,
    logLoss: all.reduce((sum, { row, weights }) => sum + logLoss([row], weights), 0) / all.length,
    first: faulty.filter(({ row, order }) => isPrimary(row, order[0])).length,
    inTwo: faulty.filter(({ row, order }) => order.slice(0, 2).some((at) => isPrimary(row, at))).length,
    accepted: faulty.filter(({ row, order }) => row.right[order[0]!]! > 0).length,
    calibration: calibration(
      said.map(({ row, order, probability }) => ({ probability, isRight: row.right[order[0]!]! > 0 })),
    ),
  };
}

export type Scores = ReturnType<typeof scoresOf>;

/** The figures as lines under a title. */
export function scoreLines(title: string, scores: Scores): string[] {
  const share = (part: number, whole: number) => `${part}/${whole}`;
  const { faulty, first, inTwo, accepted } = scores;
  return [
    `${title}: ${scores.cases} runs, log-loss ${scores.logLoss.toFixed(3)}, first ${share(first, faulty)}, ` +
    `accepted ${share(accepted, faulty)}, in the first two ${share(inTwo, faulty)}`,
    ...scores.calibration.filter(({ findings }) => findings > 0).map(({ from, to, findings, right, stated }) =>
      `  ${from.toFixed(2)} to ${to.toFixed(2)}  stated ${stated.toFixed(2)}  right ${(right / findings).toFixed(2)}  ${
        share(right, findings).padStart(8)
      }`
    ),
  ];
}
