/**
 * Ends that no sound run has, whatever else it prints: a KL of 50, a gradient a thousand times the first, an entropy of
 * nothing in a task that is half solved. They name no cause; no run is called healthy beside them. @module
 */
import { ends, isNumber, median, show } from "./numbers.ts";
import type { RunView } from "./run_view.ts";
import { taskScores } from "./scores.ts";

/** Values that are a course. */
const LEAST = 3;
const GONE = 0.01, TIMES = 20, WILD = 5; // Nats of entropy; times the first one.
const LONG = 50, SHRUNK = 0.05; // Tokens, and the share of them that is left.
const FAR = 10, GROWN = 1000, LARGE = 100, SMALLEST = 0.1; // Nats of KL; times the first loss or gradient, and levels.
const CUT = 0.95, WHOLE = 0.5, CLIPPED = 0.8, UNEXPLAINED = -1, TIED = 0.95, SPREAD = 0.9;
const LOST_LOGPS = 3; // Times the first log-prob of the chosen side.
const SOLVED = 0.9, LEFT = 0.7, COIN = 0.45, BELOW = 0.1; // Of a reward from 0 to 1, of a score's best, of pairs.

interface Ends {
  readonly start: number;
  readonly end: number;
}

function endsOf(values: readonly number[]): Ends | null {
  if (values.length < LEAST) return null;
  const { first, last } = ends(values);
  return { start: median(first), end: median(last) };
}

/** A task that is all but solved ties its groups, and its policy is sure. */
function isSolved(view: RunView): boolean {
  const reward = endsOf(view.finite("reward"));
  return reward !== null && reward.end >= SOLVED && reward.end <= 1;
}

const TESTS: Readonly<Record<string, (found: Ends, view: RunView) => boolean>> = {
  entropy: ({ start, end }, view) =>
    end < GONE && start > TIMES * end && start > TIMES * GONE / 2 && !isSolved(view) ||
    end > WILD && end > WILD * start,
  completion_length: ({ start, end }) => start >= LONG && end < SHRUNK * start,
  kl: ({ end }) => end > FAR,
  loss: ({ start, end }) => Math.abs(end) > GROWN * Math.max(Math.abs(start), SMALLEST),
  grad_norm: ({ start, end }) => end > LARGE && end > GROWN * Math.max(start, SMALLEST / GROWN),
  value_loss: ({ start, end }) => end > LARGE && end > GROWN * Math.max(start, SMALLEST / GROWN),
  truncated_fraction: ({ start, end }) => end >= CUT && start <= WHOLE,
  clip_fraction: ({ end }) => end > CLIPPED,
  value_explained_variance: ({ end }) => end < UNEXPLAINED,
  zero_spread_fraction: ({ start, end }, view) => end >= TIED && start < SPREAD && !isSolved(view),
  chosen_logprob: ({ start, end }) => start < 0 && end < LOST_LOGPS * start,
};

/** Such an end of a foreign run in words; null where there is none. */
export function extremeEnd(view: RunView): string | null {
  if (!view.imported) return null;
  for (const [name, test] of Object.entries(TESTS)) {
    const found = endsOf(view.finite(name));
    if (found !== null && test(found, view)) return goes(name, found);
  }
  return heldOutEnd(view);
}

function heldOutEnd(view: RunView): string | null {
  if (
    view.evaluated.includes("loss") &&
    view.evaluation("loss").some((value) => value !== null && !Number.isFinite(value))
  ) {
    return "the held-out loss is not finite, and nothing tells why";
  }
  const pairs = endsOf(view.evaluation("preference_accuracy").filter(isNumber));
  if (pairs !== null && pairs.end < COIN && pairs.end < pairs.start - BELOW) {
    return goes("held-out accuracy of pairs", pairs);
  }
  for (const { name, values } of taskScores(view)) {
    const found = endsOf(values), best = Math.max(...values);
    if (found !== null && best > 0 && found.end < LEFT * best && found.end < found.start) return goes(name, found);
  }
  return null;
}

const goes = (name: string, { start, end }: Ends) =>
  `${name} goes from ${show(start)} to ${show(end)}, as in no run that is sound, and nothing tells why`;
