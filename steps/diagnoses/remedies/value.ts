/** What a change comes to, and how a value is written so that it can be pasted. @module */
import { AROUND } from "../../../data/usual_learning_rate.ts";
import type { Change, Value } from "./patch.ts";

/** What a change starts from. */
export interface InForce {
  /** As the configuration has it; null = not known or not set. */
  readonly now: Value | null;
  /** The system's default, where no configuration says another value: it is offered to nobody. */
  readonly likely?: Value | null;
  /** The usual learning rate for this model. */
  readonly usual: number;
}

/** The value to write; null when it is so already, or cannot be told without the value in force. */
export function valueOf(change: Change, { now, likely = null, usual }: InForce): Value | null {
  if (change.set !== undefined) {
    return change.where !== undefined && !same(change.where, now) || same(change.set, now ?? likely)
      ? null
      : change.set;
  }
  const from = typeof now === "number" ? now : null;
  const towards = rounded(usual * (change.share ?? 1));
  if (change.least !== undefined) return from !== null && from >= change.least ? null : change.least;
  if (change.mul === undefined) return change.usual && from !== towards ? towards : null;
  // A rate that is usual is not what is wrong, unless a rule says what share of the usual one is.
  if (from === null || change.usual && change.share === undefined && isBeyond(change.mul, from, usual)) return null;
  return factored(change.mul, change, from, towards);
}

/** True if a rate is about the usual one already, or on the side of it to which a factor leads. */
const isBeyond = (mul: number, from: number, usual: number) =>
  mul < 1 ? from <= AROUND * usual : from >= usual / AROUND;

/** A factor reaches the usual value at least, and bounds never turn it round. */
function factored(mul: number, { min, max, usual }: Change, from: number, towards: number): number | null {
  const further = mul < 1 ? Math.min : Math.max;
  const reached = usual ? further(from * mul, towards) : from * mul;
  const bounded = Math.min(max ?? Infinity, Math.max(min ?? -Infinity, reached));
  return mul < 1 ? bounded < from ? rounded(bounded) : null : bounded > from ? rounded(bounded) : null;
}

const rounded = (value: number) => Number(value.toPrecision(6));
const same = (a: Value, b: Value | null) => JSON.stringify(a) === JSON.stringify(b);

/** Sizes that are written without an exponent. */
const PLAIN = { from: 1e-3, to: 1e15 } as const;

/** A value in YAML, JSON and Python alike: 3e-4 becomes 3.0e-4, which PyYAML reads as a number and not as text. */
export function written(value: Value): string {
  if (typeof value === "string") return /^[A-Za-z][\w.-]*$/.test(value) ? value : JSON.stringify(value);
  if (typeof value !== "number") return JSON.stringify(value);
  if (value === 0 || (Math.abs(value) >= PLAIN.from && Math.abs(value) < PLAIN.to)) return String(value);
  const [digits, exponent] = value.toExponential().split("e");
  return `${digits!.includes(".") ? digits : `${digits}.0`}e${exponent}`;
}

/** A change in words, for the page of a rule, where no run is at hand. */
export function changeText({ set, where, least, mul, min, max, usual, share }: Change): string {
  if (set !== undefined) return `= ${written(set)}${where === undefined ? "" : ` where it is ${written(where)}`}`;
  if (least !== undefined) return `at least ${written(least)}`;
  const towards = `${share === undefined ? "" : `${share} of `}the usual one for the model's size`;
  if (mul === undefined) return `= ${towards}`;
  const parts = [
    ...(usual ? [`or ${towards} if that is ${mul < 1 ? "lower" : "higher"}`] : []),
    ...(usual && share === undefined
      ? [`only where it is ${mul < 1 ? `above ${AROUND} times` : `below 1/${AROUND} of`} the usual one`]
      : []),
    ...(min === undefined ? [] : [`at least ${written(min)}`]),
    ...(max === undefined ? [] : [`at most ${written(max)}`]),
  ];
  return `x ${mul}${parts.length === 0 ? "" : ` (${parts.join(", ")})`}`;
}
