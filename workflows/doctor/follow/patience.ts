/**
 * When a finding of a run that goes on is told: not at its first record, for many a bad record is followed by a good one.
 *
 * What is fatal must have held one record ago. Everything else two records ago, or a sixth of the records that were there
 * before that, at most twenty: what is seen over a hundred steps is not gone after five. A warning must have held ten records
 * ago: many a healthy run has no reward at first. What is there before the first record (a message, a setting) is told at
 * once.
 * @module
 */
import { SEVERITIES, type Severity } from "../../../data/severity.ts";
import type { Finding } from "../../../steps/diagnoses/diagnosis.ts";

const LEAST_RECORDS: Record<Severity, number> = { fatal: 1, error: 2, warning: 10, info: 10 };
const SHARE = 1 / 6, MOST_RECORDS = 20;

/** How many records ago a finding must have held that is there at `records`. */
function holdsSince(severity: Severity, records: number): number {
  if (records === 0) return 0;
  if (severity === "fatal") return LEAST_RECORDS.fatal;
  for (let ago = LEAST_RECORDS[severity]; ago < MOST_RECORDS; ago++) if (ago >= (records - ago) * SHARE) return ago;
  return MOST_RECORDS;
}

const rank = (severity: Severity) => SEVERITIES.indexOf(severity);

/** A run as it stands. */
interface Standing {
  readonly findings: readonly Finding[];
  readonly records: number;
  /** Which run of its log it is. */
  readonly part?: number;
  /** What was found when it had so many records less. */
  readonly before: (less: number) => readonly Finding[];
}

export class Patience {
  readonly #told = new Map<string, Severity>();
  #records = 0;
  #part = 1;

  /**
   * The findings to tell now: those that have held for long enough, once per cause, and again when one is more severe.
   * Fewer records than before, or another part of the log, is another run.
   */
  tell({ findings, records, part = 1, before }: Standing): Finding[] {
    if (records < this.#records || part !== this.#part) this.#told.clear();
    [this.#records, this.#part] = [records, part];
    const due = this.untold(findings).filter(({ cause, severity }) => {
      const less = holdsSince(severity, records);
      if (less === 0) return true;
      return less < records &&
        before(less).some((one) => one.cause === cause && rank(one.severity) <= rank(severity));
    });
    for (const { cause, severity } of due) this.#told.set(cause, severity);
    return due;
  }

  /** Findings that were not told, or not as severe. */
  untold(findings: readonly Finding[]): Finding[] {
    return findings.filter(({ cause, severity }) => {
      const told = this.#told.get(cause);
      return told === undefined || rank(severity) < rank(told);
    });
  }

  /** Causes that were told and that `findings` no longer has. */
  over(findings: readonly Pick<Finding, "cause">[]): string[] {
    return [...this.#told.keys()].filter((cause) => !findings.some((one) => one.cause === cause));
  }
}
