/** Tokens that each record of a run stands for, from whatever the log prints. @module */
import { isNumber, recordsOf } from "../view/numbers.ts";
import type { RunView } from "../view/run_view.ts";
import { settingNumber } from "../view/settings.ts";
import { startsInTheMiddle } from "../view/start.ts";

/**
 * Tokens per record: the growth of a count over the run, the tokens of a train step, or completions times their mean
 * length. Null where none of them can be told.
 *
 * steps  train steps that each record stands for
 */
export function recordTokens(view: RunView, steps: readonly number[]): (number | null)[] | null {
  const count = view.column("num_tokens"), perStep = view.column("loss_tokens");
  if (recordsOf(count).length > 1) return growth(count, steps, startsInTheMiddle(view));
  if (recordsOf(perStep).length > 0) return perStep.map((tokens, at) => isNumber(tokens) ? tokens * steps[at]! : null);
  const length = view.column("completion_length"), printed = view.column("completions"), usual = completionsOf(view);
  if (recordsOf(length).length === 0 || (usual === null && recordsOf(printed).length === 0)) return null;
  return length.map((mean, at) => {
    const completions = printed[at] ?? usual;
    return isNumber(mean) && isNumber(completions) ? mean * completions * steps[at]! : null;
  });
}

/**
 * What a count grew by, shared out by train steps among the records since the one that printed it before; a count that begins
 * again after a resume counts from 0. Null of what came before the first one of a log that begins in mid-run, and behind the
 * last one.
 */
function growth(count: readonly (number | null)[], steps: readonly number[], isExcerpt: boolean): (number | null)[] {
  const grown: (number | null)[] = count.map(() => null);
  let before = isExcerpt ? null : 0, from = 0;
  count.forEach((value, at) => {
    if (!isNumber(value)) return;
    if (before !== null) {
      const by = value >= before ? value - before : value, since = steps.slice(from, at + 1);
      const all = since.reduce((sum, one) => sum + one, 0);
      since.forEach((one, i) => grown[from + i] = by * one / all);
    }
    [before, from] = [value, at + 1];
  });
  return grown;
}

/** Completions of a train step by the configuration; null where one of its factors is not known. */
function completionsOf(view: RunView): number | null {
  const product = (...names: Parameters<typeof settingNumber>[1][]) => {
    const values = names.map((name) => settingNumber(view, name));
    return values.every((value): value is number => value !== null)
      ? values.reduce((result, value) => result * value, 1)
      : null;
  };
  if (view.system === "verl") return product("batch_size", "group_size");
  if (view.system === "openrlhf") return product("rollout_batch_size", "group_size");
  // An update of TRL takes one micro-batch per device and accumulation; a rollout serves several of its epochs.
  const update = product("device_batch_size", "gradient_accumulation", "devices");
  return update === null ? null : update / Math.max(1, settingNumber(view, "updates_per_rollout") ?? 1);
}
