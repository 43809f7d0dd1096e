/** One reward that misbehaves, and what must come of it. @module */

export interface Misbehaviour {
  /** Body of `async score(batch)`, or a whole module where it has an export. MARK and SECRET are replaced. */
  readonly code: string;
  /** What is said of it; null where it gets nothing and its values, all 1, count. */
  readonly says: RegExp | null;
  /** It throws on purpose what has no place in a file. */
  readonly placeless?: true;
}

export type Misbehaviours = Readonly<Record<string, Misbehaviour>>;

/** A permission it does not have, in words of a workflow. */
export const REFUSED = /a reward has no \w+ access|a reward may not reach/;
export const SLOW = /gave no answer within/;
export const LARGE = /used \d+ MB of memory|out of memory|Array buffer allocation failed|Invalid array length/;
export const ENDED = /ended the process \(exit code \d+\)/;
