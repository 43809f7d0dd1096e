/**
 * When a finding of a run that goes on is told: not at its first record, for many a bad record is followed by a good one.
 *
 * What is fatal must hold for one more record. Everything else must hold for two more, or for a sixth of the records that
 * were there when it came up, at most twenty: what is seen over a hundred steps is not gone after five. What no record
 * proves (a message, a setting) is told at once.
 * @module
 */
import { type Finding, SEVERITIES, type Severity } from "../../../steps/diagnoses/diagnosis.ts";

const FATAL_RECORDS = 1, LEAST_RECORDS = 2, SHARE = 1 / 6, MOST_RECORDS = 20;

/** For how many more records a finding must hold that came up at record `since`. */
function heldFor(severity: Severity, since: number): number {
  if (since === 0) return 0;
  if (severity === "fatal") return FATAL_RECORDS;
  return Math.min(MOST_RECORDS, Math.max(LEAST_RECORDS, Math.ceil(since * SHARE)));
}

/** What is known of a cause: at which record each severity came up and has held since, and what was told of it. */
interface Held {
  readonly since: Map<Severity, number>;
  told: Severity | null;
}

const rank = (severity: Severity) => SEVERITIES.indexOf(severity);

export class Patience {
  #held = new Map<string, Held>();
  #records = 0;
  #part = 1;

  /**
   * The findings to tell now: those that have held for long enough, once per cause, and again when one is more severe.
   * `records` counts those of the run; fewer than before, or another part of the log, is another run.
   */
  tell(findings: readonly Finding[], { records, part = 1 }: { records: number; part?: number }): Finding[] {
    if (records < this.#records || part !== this.#part) this.#held.clear();
    [this.#records, this.#part] = [records, part];
    for (const [cause, { since }] of this.#held) if (!findings.some((one) => one.cause === cause)) since.clear();
    this.wants = Infinity;
    return findings.filter((finding) => this.#isDue(finding, records));
  }

  /** So many more records at least, and a finding is told that was not yet; Infinity where none waits. */
  wants = Infinity;

  /** Causes that were told and that `findings` no longer has. */
  over(findings: readonly Pick<Finding, "cause">[]): string[] {
    const told = [...this.#held].filter(([, { told }]) => told !== null).map(([cause]) => cause);
    return told.filter((cause) => !findings.some((one) => one.cause === cause));
  }

  /** At the end: findings that were not told, or not as severe. */
  untold(findings: readonly Finding[]): Finding[] {
    return findings.filter(({ cause, severity }) => {
      const told = this.#held.get(cause)?.told ?? null;
      return told === null || rank(severity) < rank(told);
    });
  }

  #isDue({ cause, severity }: Finding, records: number): boolean {
    const held = this.#held.get(cause) ?? { since: new Map(), told: null };
    this.#held.set(cause, held);
    for (const other of SEVERITIES) {
      if (rank(other) < rank(severity)) held.since.delete(other);
      else if (!held.since.has(other)) held.since.set(other, records);
    }
    if (held.told !== null && rank(held.told) <= rank(severity)) return false;
    const since = held.since.get(severity)!, more = heldFor(severity, since) - (records - since);
    if (more > 0) {
      this.wants = Math.min(this.wants, more);
      return false;
    }
    held.told = severity;
    return true;
  }
}
