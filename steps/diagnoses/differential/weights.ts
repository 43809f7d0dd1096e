/**
 * What one piece of evidence weighs, in nats of log-odds: the whole of what was fitted.
 *
 * `deno task bench weights DIR...` fits them again on labelled runs, and prints how often a stated probability holds.
 * Fitted on 379 runs that leave a cause possible, rounded: 36 public cases, 117 simulated logs of one author, 37 of
 * tests/slow, 19 of stock TRL, 170 of our own trainer. Mean log-loss: by hand 0.379, with the weights before 0.372, fitted
 * 0.368; by lot (five folds) 0.372; where the runs of one source are judged by weights of the others' only 0.411, of which
 * our trainer's runs, whose labels are the most doubtful, make the most. There, of 179 findings stated at 0.85 to 0.95 172
 * (96 %) were right, of 157 stated higher 138 (88 %).
 *
 * Ten kinds were tried and none added: a trend, ruled out by another, rules others out, several columns, after another,
 * there from the start, a short log, begun at the end, alone, open rules. The best of them (begun at the end) gained 0.007
 * nats a run with a standard error of 0.004: no more than the best of ten may by chance.
 * @module
 */

export const WEIGHTS = {
  // ***** a finding by its severity: how often such a finding is the cause; a note is none *****
  fatal: 4.6,
  error: 4.1,
  warning: 3.1,
  info: 0,
  // ***** what else speaks for or against its cause *****
  /** It began before every other finding. */
  first: 0.7,
  /** Each of at most two other findings that follow from it. */
  explains: 0.2,
  /** It follows from another finding. */
  follows: -2.7,
  /** Findings that stand before it in the order of decisions, each of at most two. */
  later: -1.3,
  /** The rule names a doubt: a column or a look that would confirm it is missing. */
  doubt: -0.7,
  /** Looks like it, but a column that decides is missing. */
  open: 2,
  /** That it is none of what the rules know: the weight of no evidence. */
  nothing: 0.8,
} as const;

/** A kind of evidence. */
export type Kind = Exclude<keyof typeof WEIGHTS, "nothing">;

/** A weight for each kind, and for "nothing known". */
export type Weights = Readonly<Record<Kind | "nothing", number>>;
