/**
 * Calls a user's reward function and turns whatever comes back into plain data that survives JSON.
 *
 * It runs inside the sandbox's child process, or in this process for `trusted` rewards.
 * @module
 */
import type { RewardBatch } from "../reward.ts";
import { thrown } from "./thrown.ts";

const MAX_SHOWN = 120; // Characters of a value that a message shows.

/** A user's function: the whole batch in, one number or null per completion out. */
export type UserScore = (batch: RewardBatch, options: Readonly<Record<string, unknown>>) => unknown;

/** One value: a finite number, null, or what was found instead. */
export type ValueReply = number | null | { readonly found: string };

/** The values of a batch, or why there are none. */
export type BatchReply = { readonly values: readonly ValueReply[] } | { readonly failure: string };

/** Loads a file's function. Throws Error with the place in the file when it does not load. */
export async function loadScore(url: string): Promise<UserScore> {
  let module: Readonly<Record<string, unknown>>;
  try {
    module = await import(url);
  } catch (error) {
    throw new Error(thrown(error), { cause: error });
  }
  return scoreOf(module);
}

/** The function a module exports as `score` or as default. */
export function scoreOf(module: Readonly<Record<string, unknown>>): UserScore {
  const score = module.score ?? module.default;
  if (typeof score === "function") return score as UserScore;
  const names = Object.keys(module).join(", ") || "none";
  throw new TypeError(`it exports no function "score" and no default function; exports: ${names}`);
}

/** Scores a batch; a throw, a wrong length or a wrong type is a failure with its reason, never an exception. */
export async function evaluate(
  score: UserScore,
  batch: RewardBatch,
  options: Readonly<Record<string, unknown>>,
): Promise<BatchReply> {
  let values: unknown;
  try {
    values = await score(batch, options);
  } catch (error) {
    return { failure: `threw ${thrown(error)}${fields(error, batch, options)}` };
  }
  const want = batch.texts.length;
  if (!Array.isArray(values) && !ArrayBuffer.isView(values)) {
    return { failure: `returned ${describe(values)}, want an array of ${want} numbers` };
  }
  const { length } = values as ArrayLike<unknown>;
  if (length !== want) return { failure: `returned ${length} values for ${want} completions` };
  const list = Array.from(values as ArrayLike<unknown>);
  return {
    values: list.map((value) => {
      const usable = value === null || (typeof value === "number" && Number.isFinite(value));
      return usable ? value as number | null : { found: describe(value) };
    }),
  };
}

/** The batch that holds only completion `i`. */
export function single(batch: RewardBatch, i: number): RewardBatch {
  return Object.fromEntries(
    Object.entries(batch).map(([name, column]) => [name, [(column as readonly unknown[])[i]]]),
  ) as unknown as RewardBatch;
}

/** A missing field shows as a TypeError: what there is instead. */
function fields(error: unknown, batch: RewardBatch, options: Readonly<Record<string, unknown>>): string {
  if (!(error instanceof TypeError) || !/undefined|not a function|not iterable/.test(error.message)) return "";
  return `; ${argumentsText(batch, options)}`;
}

/** What a missing field gives when it is computed with, or handed back. */
export function maybeMissing(found: string): boolean {
  return found === "NaN" || found === "undefined";
}

/** The names that a function finds in its arguments. */
export function argumentsText(batch: RewardBatch, options: Readonly<Record<string, unknown>>): string {
  const [rows, given] = [batch.rows[0] ?? {}, options].map((record) => Object.keys(record).join(", "));
  return `the first argument holds ${
    Object.keys(batch).join(", ")
  }, each row ${rows}; the second, what "with" of its ` +
    `entry gives, holds ${given || "nothing"}`;
}

function describe(value: unknown): string {
  let text: string;
  try {
    text = typeof value === "string" ? JSON.stringify(value) : String(value);
  } catch {
    text = `a ${typeof value}`;
  }
  return text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN)}…` : text;
}
