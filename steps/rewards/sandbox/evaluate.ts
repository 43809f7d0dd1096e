/**
 * Calls a user's reward function and turns whatever comes back into plain data that survives JSON.
 *
 * It runs inside the sandbox's child process, or in this process for `trusted` rewards.
 * @module
 */
import type { RewardBatch } from "../reward.ts";

/** A user's function: the whole batch in, one number or null per completion out. */
export type UserScore = (batch: RewardBatch, options: Readonly<Record<string, unknown>>) => unknown;

/** One value: a finite number, null, or what was found instead. */
export type ValueReply = number | null | { readonly found: string };

/** The values of a batch, or why there are none. */
export type BatchReply = { readonly values: readonly ValueReply[] } | { readonly failure: string };

/** The function a module exports as `score` or as default. */
export function scoreOf(module: Readonly<Record<string, unknown>>): UserScore {
  const score = module.score ?? module.default;
  if (typeof score !== "function") {
    throw new TypeError(`it exports no function "score" and no default function; exports: ${Object.keys(module)}`);
  }
  return score as UserScore;
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
    return { failure: `threw ${describe(error)}` };
  }
  const want = batch.texts.length;
  if (!Array.isArray(values) && !ArrayBuffer.isView(values)) {
    return { failure: `returned ${describe(values)}, want an array of ${want} numbers` };
  }
  const list = Array.from(values as ArrayLike<unknown>);
  if (list.length !== want) return { failure: `returned ${list.length} values for ${want} completions` };
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

function describe(value: unknown): string {
  let text: string;
  try {
    text = typeof value === "string" ? JSON.stringify(value) : String(value);
  } catch {
    text = `a ${typeof value}`;
  }
  return text.length > 120 ? `${text.slice(0, 120)}…` : text;
}
