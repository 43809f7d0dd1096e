/**
 * A differential: every cause that the evidence leaves possible, how likely it is, what speaks for and against it.
 *
 * The weights of its evidence add up, as log-odds do; probabilities are their shares (a multinomial logit). That it is
 * something the rules do not know keeps a share of its own.
 * @module
 */
import type { Severity } from "../../../data/severity.ts";
import { ORDER } from "../decide.ts";
import type { CannotTell, Finding } from "../diagnosis.ts";
import type { Cause } from "../mod.ts";
import type { Decisive } from "./decide_between.ts";
import { NOTHING_KNOWN, SEVERITY_WEIGHT, WEIGHTS } from "./weights.ts";

/** A cause below this probability is excluded. */
const EXCLUDED = 0.01;
const COUNTED = 2; // Findings of one kind that count: more of them say the same again.
const BEFORE = 0.2; // Share of the run by which a trend must begin before another to be no after-effect of it.
const SOONER = 0.05; // Share of the run by which a cause must begin earlier to have begun first.

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

/** A finding that speaks for its cause: causes and what follows from them. */
interface Candidate {
  readonly cause: Cause;
  readonly severity: Severity | null;
  readonly message: string;
  /** Train step from which it holds; null where the rule names none. */
  readonly since: number | null;
  readonly confirm: string | null;
  readonly began?: number;
}

interface Suspects {
  /** Alarms in the order of decisions. */
  readonly alarms: readonly Finding[];
  /** What a rule could not decide, with its cause. */
  readonly open: readonly (CannotTell & { readonly cause: Cause })[];
  /** Train steps of the run. */
  readonly length: number;
}

/** The causes that stay possible, most likely first. */
export function differentialOf({ alarms, open, length }: Suspects): Likely[] {
  const candidates = [
    ...alarms.map((alarm): Candidate => ({
      cause: alarm.cause as Cause,
      severity: alarm.severity,
      message: alarm.message,
      since: alarm.train_steps[0] ?? null,
      confirm: alarm.confirm ?? null,
      ...(alarm.began === undefined ? {} : { began: alarm.began }),
    })),
    ...open.filter(({ cause }) => !alarms.some((alarm) => alarm.cause === cause))
      .map(({ cause, because }): Candidate => ({
        cause,
        severity: null,
        message: because,
        since: null,
        confirm: null,
      })),
  ];
  const weighed = candidates.map((candidate) => ({ ...candidate, ...weigh(candidate, candidates, length) }));
  const odds = weighed.map((entry) => Math.exp(sum(entry.for) + sum(entry.against)));
  const all = odds.reduce((total, odd) => total + odd, Math.exp(NOTHING_KNOWN));
  return weighed
    .map((entry, i): Likely => ({
      cause: entry.cause,
      probability: odds[i]! / all,
      for: entry.for,
      against: entry.against,
    }))
    .filter(({ probability }, i) => probability >= EXCLUDED || i === 0)
    .toSorted((a, b) => b.probability - a.probability);
}

const sum = (pieces: readonly Weighed[]) => pieces.reduce((total, { weight }) => total + weight, 0);

/** The evidence for and against one of them, beside the others. */
function weigh(candidate: Candidate, all: readonly Candidate[], length: number) {
  const others = all.filter(({ cause, severity }) => cause !== candidate.cause && severity !== null);
  const effects = others.filter((other) => follows(other, candidate, length)).slice(0, COUNTED);
  const origin = others.find((other) => follows(candidate, other, length));
  const before = others.slice(0, Math.max(0, all.indexOf(candidate)))
    .filter((other) => !follows(other, candidate, length) && !follows(candidate, other, length)).slice(0, COUNTED);
  const { severity, message, since } = candidate;
  const rest = others.flatMap((other) => other.since ?? []);
  const isFirst = since !== null && rest.length > 0 && since + SOONER * length < Math.min(...rest);
  return {
    for: [
      { says: message, weight: severity === null ? WEIGHTS.open : SEVERITY_WEIGHT[severity] },
      ...(isFirst ? [{ says: `it begins first, at train step ${since}`, weight: WEIGHTS.first }] : []),
      ...effects.map(({ cause }) => ({ says: `it explains ${cause}`, weight: WEIGHTS.explains })),
    ],
    against: [
      ...(origin === undefined ? [] : [{ says: `it follows from ${origin.cause}`, weight: WEIGHTS.follows }]),
      ...before.map(({ cause }) => ({
        says: `${cause} is there as well, and is looked at first`,
        weight: WEIGHTS.later,
      })),
      ...(candidate.confirm === null ? [] : [{ says: `not confirmed: ${candidate.confirm}`, weight: WEIGHTS.doubt }]),
    ],
  };
}

/** A finding as far as its order in time is concerned. */
type Dated = Pick<Finding, "cause" | "began">;

/** True if one finding is an after-effect of the other: explained by it, and of two trends not begun well before it. */
export function follows(effect: Dated, of: Dated, length: number): boolean {
  if (!ORDER[of.cause as Cause].includes(effect.cause as Cause)) return false;
  return effect.began === undefined || of.began === undefined || effect.began >= of.began - BEFORE * length;
}
