/** Whether a dict that prints no loss is a record: `{"step": 10, "reward": 0.62, "kl": 0.01}` is one, an option's is none. @module */
import type { Stage } from "./stage.ts";

/** Names of a configuration and of a record: they alone make no record. */
const CHOSEN: ReadonlySet<string> = new Set(["learning_rate", "epoch"]);
/** Metrics of a record with a train step, of one with texts beside it, and of one without a train step. */
const LEAST = 1, LEAST_BESIDE_TEXT = 2, LEAST_UNNUMBERED = 3;

/** `parent` is the name before the dict: what has one belongs to it. */
export function isMeasured({ count, infos, texts }: Stage, hasStep: boolean, parent?: string): boolean {
  let measured = 0;
  for (let i = 0; i < count; i++) {
    const { mapped, isOption, isEval, column } = infos[i]!;
    if (isOption) return false;
    if (mapped && !isEval && !CHOSEN.has(column)) measured++;
  }
  return parent === undefined &&
    measured >= (!hasStep ? LEAST_UNNUMBERED : texts.length > 0 ? LEAST_BESIDE_TEXT : LEAST);
}
