/**
 * A differential: every cause that the evidence leaves possible, how likely it is, what speaks for and against it.
 *
 * The weights of its evidence add up, as log-odds do; probabilities are their shares (a multinomial logit). That it is
 * something the rules do not know keeps a share of its own.
 * @module
 */
import type { Decisive } from "./decide_between.ts";
import { evidenceOf, type Suspected, type Suspects } from "./evidence.ts";
import { WEIGHTS, type Weights } from "./weights.ts";

/** A cause below this probability is excluded. */
const EXCLUDED = 0.01;

/** One piece of evidence and what it weighs, in nats. */
interface Weighed {
  readonly says: string;
  readonly weight: number;
}

/** A cause that the evidence leaves possible. */
export interface Likely {
  readonly cause: string;
  /** That this is what is wrong with the run, from 0 to 1. */
  readonly probability: number;
  readonly for: readonly Weighed[];
  readonly against: readonly Weighed[];
  /** The look that decides: of the first cause against the second, of the others against the first. */
  readonly decide?: Decisive;
}

/** The causes that stay possible, most likely first. */
export function differentialOf(suspects: Suspects): Likely[] {
  const evidence = evidenceOf(suspects), shares = sharesOf(evidence);
  return evidence
    .map(({ cause, pieces }, i): Likely => {
      const weighed = pieces.map(({ kind, says }) => ({ says, weight: WEIGHTS[kind] }));
      return {
        cause,
        probability: shares[i]!,
        for: weighed.filter(({ weight }) => weight >= 0),
        against: weighed.filter(({ weight }) => weight < 0),
      };
    })
    .filter(({ probability }, i) => probability >= EXCLUDED || i === 0)
    .toSorted((a, b) => b.probability - a.probability);
}

/** The probability of each cause; what they leave to 1 is that it is none of what the rules know. */
export function sharesOf(evidence: readonly Suspected[], weights: Weights = WEIGHTS): number[] {
  const odds = evidence.map(({ pieces }) =>
    Math.exp(pieces.reduce((total, { kind }) => total + weights[kind], -weights.nothing))
  );
  const all = odds.reduce((total, odd) => total + odd, 1);
  return odds.map((odd) => odd / all);
}
