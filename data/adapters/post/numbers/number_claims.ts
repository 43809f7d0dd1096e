/** What the numbers of a metric say without a word beside them: `from 0.6 to 0.02`, `0.2, 0.5, 0.9`, `KL = -0.4`. @module */
import type { Span, ToldValue } from "../said.ts";
import type { PredicateName } from "../words/predicates.ts";
import type { SubjectName } from "../words/subjects.ts";

/** A course that ends this near its beginning, of it, has not moved; one that ends further off has. */
const STILL = 0.02;
export const MOVED = 0.05;
/** Times that something falls by, beyond which it collapses, and rises by, beyond which it explodes. */
const TIMES = 4, MANY_TIMES = 10;
/** Numbers that say something alone: many tokens are clipped, no choice is left, a step is thrown far, the reference is lost. */
const CLIPPED = 0.3, SURE = 0.05, THROWN = 1000, LOST = 50, LEARNED = 0.85;

/** What is as good as gone once little is left of it. */
const GOODS: ReadonlySet<SubjectName> = new Set<SubjectName>([
  "reward",
  "accuracy",
  "accuracy_reward",
  "iou_reward",
  "format_reward",
  "evaluation",
  "entropy",
  "completion_length",
]);
/** How a held-out loss must rise, in a sentence as in a table. */
export const EVAL_LOSS_RISES = { times: 1.15, by: 0.02 };
/** How many times what it was something must be before that says anything; other metrics say it by a twentieth. */
export const LEAST: Partial<Readonly<Record<SubjectName, readonly [up: number, down: number]>>> = {
  loss: [1.3, 1.3],
  policy_loss: [1.3, 1.3],
  eval_loss: [EVAL_LOSS_RISES.times, 1.1],
  entropy: [2, TIMES],
  completion_length: [2, 2],
  kl: [TIMES, Infinity],
  grad_norm: [MANY_TIMES, Infinity],
  clip_fraction: [TIMES, Infinity],
  step_time: [1.5, 1.5],
};
/** What a rise must have besides. */
const LEAST_RISE: Partial<Readonly<Record<SubjectName, number>>> = { eval_loss: EVAL_LOSS_RISES.by };
/** Below these a rise is that of any run. */
export const LEVEL: Partial<Readonly<Record<SubjectName, number>>> = { kl: 0.2, clip_fraction: 0.2, grad_norm: 3 };
/** True of a rise to where any run comes. */
export const isAnyRun = (subject: SubjectName, value: number | null): boolean =>
  value !== null && value < (LEVEL[subject] ?? -Infinity);

/** What follows a schedule, or what no rule asks about. */
const SILENT: ReadonlySet<SubjectName> = new Set<SubjectName>(["learning_rate", "loss_scale", "ratio", "value_loss"]);
/** What it says of a metric that it is this one number. */
const ALONE: Partial<Readonly<Record<SubjectName, (value: number) => PredicateName | null>>> = {
  kl: (value) => value < 0 ? "negative" : value >= LOST ? "high" : null,
  clip_fraction: (value) => value >= CLIPPED && value <= 1 ? "high" : null,
  entropy: (value) => value > 0 && value <= SURE ? "low" : null,
  grad_norm: (value) => value >= THROWN ? "high" : null,
  preference_accuracy: (value) => value >= LEARNED && value <= 1 ? "high" : null,
};
/** Where standing still is worth a word. */
const STANDS: ReadonlySet<SubjectName> = new Set<SubjectName>([
  "reward",
  "accuracy",
  "accuracy_reward",
  "evaluation",
  "loss",
]);
/** Numbers of several completions or records side by side. */
const SIDE_BY_SIDE = /\d\s*\/\s*[-.\d]/;

interface NumberClaim {
  readonly predicate: PredicateName;
  readonly value: number;
}

/** The claims that the numbers of a metric make, none where they say nothing clear. */
export function numberClaims(
  subject: SubjectName,
  { values, relation }: Pick<ToldValue, "values" | "relation">,
  { atEnd, throughout }: Pick<Span, "atEnd" | "throughout">,
  text: string,
): readonly NumberClaim[] {
  const first = values[0]!, last = values.at(-1)!;
  if (relation === "is") {
    const predicate = first === 0 ? "zero" : ALONE[subject]?.(first) ?? null;
    if (predicate === null) return throughout && STANDS.has(subject) ? [{ predicate: "constant", value: first }] : [];
    // What is 0 at the end was not so before.
    return [{ predicate, value: first }, ...(first === 0 && atEnd ? [{ predicate: "falls" as const, value: 0 }] : [])];
  }
  if (relation === "between") {
    const [low, high] = [ALONE[subject]?.(first) ?? null, ALONE[subject]?.(last) ?? null];
    return low !== null && low === high ? [{ predicate: low, value: first }] : [];
  }
  if (SILENT.has(subject) || SIDE_BY_SIDE.test(text)) return [];
  if (subject === "grad_norm" && hasPeak(values)) return [{ predicate: "noisy", value: Math.max(...values) }];
  const moved = last - first, size = Math.max(Math.abs(first), Math.abs(last));
  if (size === 0 || relation === "series" && !isOneWay(values)) return [];
  if (Math.abs(moved) <= STILL * size) return STANDS.has(subject) ? [{ predicate: "constant", value: last }] : [];
  const [up, down] = LEAST[subject] ?? [1 + MOVED, 1 + MOVED];
  if (last === 0) {
    return [{ predicate: "zero", value: 0 }, { predicate: GOODS.has(subject) ? "collapses" : "falls", value: 0 }];
  }
  if (subject === "kl" && last < 0) return [{ predicate: "negative", value: last }];
  if (moved > 0) {
    const isMuch = first <= 0 ? moved >= MOVED * size : last >= up * first;
    if (!isMuch || moved < (LEAST_RISE[subject] ?? 0) || last < (LEVEL[subject] ?? -Infinity)) return [];
    // Two numbers of the reward that is trained on do not say that the run is sound.
    if (subject === "reward") return [];
    return [{ predicate: subject === "grad_norm" ? "explodes" : "rises", value: last }];
  }
  if (last > 0 && first < down * last || !Number.isFinite(down)) return [];
  return [{ predicate: GOODS.has(subject) && first > 0 && TIMES * last <= first ? "collapses" : "falls", value: last }];
}

/** One number far above those before and behind it. */
function hasPeak(values: readonly number[]): boolean {
  const top = Math.max(...values), rest = values.filter((value) => value !== top);
  return rest.length >= 3 && values.at(-1) !== top && top > MANY_TIMES * Math.max(...rest);
}

/** Most of the way goes one way: noise goes both. */
function isOneWay(values: readonly number[]): boolean {
  const way = values.slice(1).reduce((sum, value, i) => sum + Math.abs(value - values[i]!), 0);
  return 2 * Math.abs(values.at(-1)! - values[0]!) >= way || way <= STILL * Math.max(...values.map(Math.abs));
}
