/** What breaks within the first updates: entropy, reward, loss, the log-probs of both answers of a pair. @module */
import { noiseOf } from "./course.ts";
import { finiteOf, isNumber, mean, median, recordsOf, show } from "./numbers.ts";
import { firstNonFinite } from "./non_finite.ts";
import { levelOf } from "./rewards.ts";
import type { RunView } from "./run_view.ts";
import { settingNumber } from "./settings.ts";
import { interval } from "./start.ts";

/** Nats per token of nothing to lose; entropy that breaks: a tenth of its start, or three times and half a nat more. */
const NO_ENTROPY = 0.02, FALLEN = 0.1, RISEN = 3;
/** Records with a reward that show whether it has gone to the floor, from a break on. */
const AFTER = 6, REWARDS = 5, AT_FLOOR = 3;
export const PAIR_SIDES = ["chosen_logprob", "rejected_logprob"] as const, FORGOTTEN = 20; // Nats that both lose at once.
const USUAL_BETA = 0.1; // Of DPO in TRL and in ours.
const BEYOND_SCATTER = 4; // Standard deviations of a batch: the first record is one.
export const FIRST_UPDATES = 5, SOON = FIRST_UPDATES + 1; // Updates within which the break must come; records that show them.

/** Records that show the first updates: five where every update is printed, two where records are further apart. */
export function soon(view: RunView): number {
  return Math.min(view.records, interval(view) > 2 ? 2 : SOON);
}

/** What breaks, and at which record. */
export interface Break {
  readonly record: number;
  readonly column: string;
  readonly what: string;
}

function entropyBreak(view: RunView): Break | null {
  const entropy = view.column("entropy");
  const reward = view.column("reward");
  const start = entropy.find(isNumber);
  if (start === undefined || start === null || start < NO_ENTROPY) return null;
  for (let record = 1; record < soon(view); record++) {
    const value = entropy[record];
    if (!isNumber(value)) continue;
    const after = finiteOf(reward.slice(record, record + AFTER));
    const before = finiteOf(reward.slice(0, record));
    const lost = after.length > 0 && before.length > 0 && levelOf(view, median(after)) === "floor" &&
      mean(before) > median(after);
    if ((value < FALLEN * start || value > RISEN * start + 0.5) && lost) {
      return { record, column: "entropy", what: `entropy goes from ${show(start)} to ${show(value)}` };
    }
  }
  return null;
}

function rewardBreak(view: RunView): Break | null {
  const reward = view.column("reward");
  const known = recordsOf(reward);
  if (known.length < REWARDS) return null;
  const first = reward[known[0]!]!;
  if (levelOf(view, first) === "floor") return null;
  for (const record of known.slice(1, soon(view))) {
    const rest = known.filter((other) => other >= record).map((other) => reward[other]!);
    if (rest.length >= AT_FLOOR && rest.every((value) => levelOf(view, value) === "floor")) {
      return {
        record,
        column: "reward",
        what: `the reward falls from ${show(first)} to ${show(reward[record])} and stays`,
      };
    }
  }
  return null;
}

function lossBreak(view: RunView): Break | null {
  if (view.has("reward") || view.algorithm === "dpo") return null;
  const loss = view.column("loss");
  const first = loss.find(isNumber);
  if (first === undefined || first === null) return null;
  for (let record = 1; record < soon(view); record++) {
    const value = loss[record];
    if (isNumber(value) && value > 2 * first && value > first + 0.5) {
      return { record, column: "loss", what: `the loss goes from ${show(first)} to ${show(value)}` };
    }
  }
  return null;
}

/** Both answers of a pair lose 20 nats within the first updates (P03): the policy forgets, it does not prefer. */
function logprobBreak(view: RunView): Break | null {
  const columns = PAIR_SIDES.map((name) => view.column(name));
  if (!columns.every((cells) => isNumber(cells[0]))) return null;
  for (let record = 1; record < soon(view); record++) {
    const [chosen, rejected] = columns.map((cells) => isNumber(cells[record]) ? cells[record]! - cells[0]! : 0);
    if (chosen! < -FORGOTTEN && rejected! < -FORGOTTEN && PAIR_SIDES.every((side) => hasMoved(view, side, record))) {
      return {
        record,
        column: "chosen_logprob",
        what: `the log-probs of chosen and rejected fall by ${show(-chosen!)} and ${show(-rejected!)} nats`,
      };
    }
  }
  return null;
}

/**
 * True if the policy moved and not the lengths of the batches' texts. A reward is beta times what it has moved from the
 * reference; where none is printed, the records from this one on lie as low, beyond what neighbours among them scatter by.
 */
function hasMoved(view: RunView, side: typeof PAIR_SIDES[number], record: number): boolean {
  const rewards = view.column(side.replace("logprob", "reward")), [first, now] = [rewards[0], rewards[record]];
  if (isNumber(first) && isNumber(now)) {
    const moved = (now - first) / (settingNumber(view, "kl_coef") ?? USUAL_BETA);
    if (moved > -FORGOTTEN) return false;
  }
  const cells = view.column(side), rest = finiteOf(cells.slice(record));
  return median(rest) - cells[0]! < -Math.max(FORGOTTEN, BEYOND_SCATTER * noiseOf(rest));
}

/** A reward at its floor after the first NaN is an after-effect of the NaN. */
function soundBreak(view: RunView, found: Break | null): Break | null {
  const first = firstNonFinite(view);
  return found === null || (first !== null && !first.infinite && first.record <= found.record) ? null : found;
}

/** The first of them; null where none breaks. */
export function breakOf(view: RunView): Break | null {
  return soundBreak(view, entropyBreak(view) ?? rewardBreak(view) ?? lossBreak(view) ?? logprobBreak(view));
}
