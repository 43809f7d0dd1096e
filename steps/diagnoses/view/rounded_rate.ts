/** Whether a learning rate that prints 0 is a small one, rounded: by its own digits, and by a run that learns. @module */
import { isReinforcement } from "./groups.ts";
import { AGREEING_RECORDS, type Cells, ends, finiteOf, gain, isNumber, median, recordsOf } from "./numbers.ts";
import type { RunView } from "./run_view.ts";

/** Standard errors by which what is learned rises: one in thirty thousand by chance. */
export const LEARNS = 4;
/** Nats per token that a policy is away from its reference at the end, and times more than at the start: it has moved. */
export const MOVED_KL = 1e-4, MOVED_TIMES = 4;
const GRID = 1e-6; // Of a unit, what float64 leaves of a whole multiple.
const SHARED = 2; // Records per value of a schedule whose neighbours print alike.
const COARSE = 50; // Steps below which the last digit is more of the peak than a spent rate.

/** True if the printed rates are whole steps of their last digit, all of them from one on, each on several records. */
export function isOfFewDigits(view: RunView): boolean {
  const rates = view.finite("learning_rate").filter((rate) => rate > 0), distinct = new Set(rates);
  // One value alone may be a constant rate that a schedule cuts off.
  if (distinct.size < 2 || distinct.size > COARSE || rates.length < SHARED * distinct.size) return false;
  const unit = Math.min(...distinct), isDigit = Math.abs(Math.log10(unit) - Math.round(Math.log10(unit))) < GRID;
  return isDigit && Math.abs(Math.max(...distinct) / unit - distinct.size) < GRID;
}

/** The column that shows that a run learns from a record on, which no rate of 0 does; null where none does. */
export function learnsFrom(view: RunView, record = 0): string | null {
  const cells = (name: string): Cells => view.column(name).slice(record);
  if (movesAway(finiteOf(cells("kl")))) return "kl";
  const improves = (name: string, sign: 1 | -1) => {
    const { by, error } = gain(finiteOf(cells(name)));
    return sign * by > LEARNS * error;
  };
  const risen = ["reward", "reward_margin", "accuracy"].find((name) => improves(name, 1));
  // The loss of a policy says nothing of it.
  return risen ?? (!isReinforcement(view) && improves("loss", -1) ? "loss" : null);
}

function movesAway(kl: readonly number[]): boolean {
  if (kl.length < AGREEING_RECORDS) return false;
  const { first, last } = ends(kl);
  return median(last) > MOVED_KL && median(last) > MOVED_TIMES * Math.abs(median(first));
}

/** True if the log shows that the policy stays its reference: the KL prints 0 on every record. */
export function staysReference(view: RunView): boolean {
  const kl = view.column("kl");
  return recordsOf(kl).length > 0 && kl.every((value) => !isNumber(value) || value === 0);
}

/** A rate of 0 in few decimals, as a console rounds it. */
const ROUNDED = /(?<![\d.,])0[.,]0{2,5}(?!\d)/;

/** True where what is told of a rate of 0 quotes one of few decimals: "actor/lr:0.000 on every step" may be any small one. */
export const isToldRounded = (view: RunView): boolean =>
  view.claims.some(({ subject, text }) => subject === "learning_rate" && ROUNDED.test(text));
