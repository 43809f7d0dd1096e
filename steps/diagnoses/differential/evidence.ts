/** The pieces of evidence for and against each cause that a run's findings leave possible; what they weigh is fitted. @module */
import type { Severity } from "../../../data/severity.ts";
import { DECISION_ORDER, ORDER } from "../decide.ts";
import type { CannotTell, Finding } from "../diagnosis.ts";
import type { Cause } from "../mod.ts";
import type { Kind } from "./weights.ts";

const COUNTED = 2; // Findings of one kind that count: more of them say the same again.
const BEFORE = 0.2; // Share of the run by which a trend must begin before another to be no after-effect of it.
const SOONER = 0.05; // Share of the run by which a cause must begin earlier to have begun first.

/** What the rules said of a run. */
export interface Suspects {
  /** Alarms in the order of decisions. */
  readonly alarms: readonly Finding[];
  /** What a rule could not decide, with its cause. */
  readonly open: readonly (CannotTell & { readonly cause: Cause })[];
  /** Train steps of the run. */
  readonly length: number;
}

/** One piece of evidence: for or against by the sign of its kind's weight. */
interface Piece {
  readonly kind: Kind;
  readonly says: string;
}

/** A cause with all that speaks for and against it. */
export interface Suspected {
  readonly cause: Cause;
  readonly pieces: readonly Piece[];
}

/** A finding that speaks for its cause: causes and what follows from them. */
interface Candidate {
  readonly cause: Cause;
  readonly severity: Severity | null;
  readonly message: string;
  /** Train step in which a trend began; of anything else the first of its train steps says when it was seen. */
  readonly since: number | null;
  readonly confirm: string | null;
  readonly began?: number;
}

/** Every cause that the findings leave possible, in the order of decisions, those that a rule leaves open last. */
export function evidenceOf({ alarms, open, length }: Suspects): Suspected[] {
  const candidates = [
    ...alarms.map((alarm): Candidate => ({
      cause: alarm.cause as Cause,
      severity: alarm.severity,
      message: alarm.message,
      since: alarm.began ?? null,
      confirm: alarm.confirm ?? null,
      ...(alarm.began === undefined ? {} : { began: alarm.began }),
    })),
    ...open.filter(({ cause }) => !alarms.some((alarm) => alarm.cause === cause)).map((
      { cause, because },
    ): Candidate => ({
      cause,
      severity: null,
      message: because,
      since: null,
      confirm: null,
    })),
  ];
  return candidates.map((candidate) => ({ cause: candidate.cause, pieces: piecesOf(candidate, candidates, length) }));
}

/** The evidence for and against one of them, beside the others. */
function piecesOf(candidate: Candidate, all: readonly Candidate[], length: number): Piece[] {
  const { severity, message, since, confirm } = candidate;
  const others = all.filter(({ cause, severity }) => cause !== candidate.cause && severity !== null);
  const effects = others.filter((other) => follows(other, candidate, length)).slice(0, COUNTED);
  const origin = others.find((other) => follows(candidate, other, length));
  const before = others.slice(0, Math.max(0, all.indexOf(candidate)))
    .filter((other) => !follows(other, candidate, length) && !follows(candidate, other, length)).slice(0, COUNTED);
  const rest = others.flatMap((other) => other.since ?? []);
  const isFirst = since !== null && rest.length > 0 && since + SOONER * length < Math.min(...rest);
  return [
    { kind: severity ?? "open", says: message },
    ...(isFirst ? [piece("first", `it begins first, at train step ${since}`)] : []),
    ...effects.map(({ cause }) => piece("explains", `it explains ${cause}`)),
    ...(origin === undefined ? [] : [piece("follows", `it follows from ${origin.cause}`)]),
    ...before.map(({ cause }) => piece("later", `${cause} is there as well, and is looked at first`)),
    ...(confirm === null ? [] : [piece("doubt", `not confirmed: ${confirm}`)]),
  ];
}

const piece = (kind: Kind, says: string): Piece => ({ kind, says });

const PLACE = new Map<string, number>(DECISION_ORDER.map((cause, at) => [cause, at]));

/** A finding as far as its order in time is concerned. */
type Dated = Pick<Finding, "cause" | "began">;

/** True if one finding is an after-effect of the other: explained by it, and of two trends not begun well before it. */
export function follows(effect: Dated, of: Dated, length: number): boolean {
  if (!ORDER[of.cause as Cause].includes(effect.cause as Cause)) return false;
  const by = effect.began === undefined || of.began === undefined ? null : effect.began - of.began;
  if (by !== null && by < -BEFORE * length) return false;
  // Of two that may each follow from the other, the one that began well before is the cause, else the one looked at first.
  const isMutual = ORDER[effect.cause as Cause].includes(of.cause as Cause);
  return !isMutual || by !== null && by > BEFORE * length || PLACE.get(effect.cause)! > PLACE.get(of.cause)!;
}
