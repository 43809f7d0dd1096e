/** What is told of a diagnosis: the same causes by every report, on a terminal, in Markdown, on a page, while a run goes on. @module */
import { SEVERITIES, type Severity } from "../../data/severity.ts";
import type { Finding, RunDiagnosis } from "../../steps/diagnoses/diagnosis.ts";
import { areLookAlikes } from "../../steps/diagnoses/differential/look_alikes.ts";
import type { Likely } from "../../steps/diagnoses/differential/differential.ts";

/** Findings, and causes that it may be in their place, that are told at first. */
export const SHOWN_FINDINGS = 3, SHOWN_POSSIBLE = 3;
/** Runners-up below this are told only where everything is, and after-effects that are less likely the cause. */
const TOLD = 0.02, EFFECT = 0.05;
/** A cause below it is what is wrong in fewer than one run of five: told as a fault of its own it would be a false alarm in four. */
const BESIDE = 0.2;

/** The causes of one report. */
interface Told {
  /** Most likely first, notes last: faults beside each other; look-alikes of the first among them where all is told. */
  readonly findings: readonly Finding[];
  /** How many more there are where all is told. */
  readonly more: number;
  /** The first finding as the differential has it; null where it stands there alone and nothing is left to look at. */
  readonly first: Likely | null;
  /** What it may be in place of the first finding; of an undecided run, what it may be at all. */
  readonly possible: readonly Likely[];
  /** After-effects that are not told as what it may be. */
  readonly follows: readonly Finding[];
}

/** What one report tells; with `all` every finding and every cause that the evidence leaves possible. */
export function told(diagnosis: RunDiagnosis, all = false): Told {
  const { findings, afterEffects, differential } = diagnosis, possible = runnersUp(diagnosis, all);
  const shown = all ? findings : faults(diagnosis).slice(0, SHOWN_FINDINGS);
  const first = differential.find(({ cause }) => cause === findings[0]?.cause) ?? null;
  const named = [...shown, ...possible].map(({ cause }) => cause);
  return {
    findings: shown,
    more: findings.filter(({ cause }) => !named.includes(cause)).length,
    first: first?.decide === undefined && possible.length === 0 ? null : first,
    possible,
    follows: afterEffects.filter(({ cause }) => !named.includes(cause)),
  };
}

/**
 * The first finding and those that are faults beside it, without what may be wrong in its place or is unlikely; notes where
 * no fault is. What is graver than the first stays, however likely: beside a warning it may say that the run is dead.
 */
export function faults(
  { verdict, findings, differential }: Pick<RunDiagnosis, "verdict" | "findings" | "differential">,
): Finding[] {
  const [first, ...rest] = findings;
  if (first === undefined) return [];
  const isLikely = (cause: string) => (probabilityIn(differential, cause) ?? 0) >= BESIDE || differential.length === 0;
  return [
    first,
    ...rest.filter(({ cause, severity }) =>
      severity === "info"
        ? verdict !== "faulty"
        : !areLookAlikes(first.cause, cause) && (isLikely(cause) || isGraver(severity, first.severity))
    ),
  ];
}

const isGraver = (one: Severity, other: Severity) => SEVERITIES.indexOf(one) < SEVERITIES.indexOf(other);

/** How likely a cause is what is wrong; null of one that is excluded, or a note. */
export function probabilityIn(differential: readonly Likely[], cause: string): number | null {
  return differential.find((likely) => likely.cause === cause)?.probability ?? null;
}

/** What it may be in place of the first finding: most likely first, without what is a fault beside it. */
function runnersUp(diagnosis: RunDiagnosis, all: boolean): Likely[] {
  const { afterEffects, differential } = diagnosis, effects = afterEffects.map(({ cause }) => cause);
  const beside = faults(diagnosis).map(({ cause }) => cause), least = all ? 0 : TOLD;
  return differential
    .filter(({ cause, probability }) =>
      probability >= (effects.includes(cause) ? Math.max(least, EFFECT) : least) && !beside.includes(cause)
    )
    .slice(0, all ? undefined : SHOWN_POSSIBLE);
}
