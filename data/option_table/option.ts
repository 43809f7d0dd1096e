/** What an option is: a sentence, a unit and its names in other systems. @module */

/**
 * What one option means and how others call it; the first name of a system is the one to print in a remedy. An empty list
 * says that a system has no such option although the one it descends from has it.
 */
export interface Option {
  readonly about: string;
  /** Absent for a number without one, a name, a switch. */
  readonly unit?: string;
  /**
   * Where it is written in a workflow: STEP.KEY, or a key, also one inside of another, wherever a step has it; the likeliest
   * first. Absent: a key of its own name.
   */
  readonly here?: readonly string[];
  /** What takes its place, where it is no key of a step or not only one: a clause. */
  readonly instead?: string;
  readonly names: Readonly<Record<string, readonly string[]>>;
  /** Values of ours that a system writes otherwise; null where it cannot be set so. "*" is every other system. */
  readonly values?: Readonly<Record<string, Readonly<Record<string, string | number | null>>>>;
}
