/** What to do about rows that are learned by heart: stop at the best, or, of rows seen once, learn less of each. @module */
import { isNumber } from "../view/numbers.ts";
import type { RunView } from "../view/run_view.ts";
import { settingNumber } from "../view/settings.ts";
import { MORE_KL, SMALLER_TRIAL } from "./often.ts";
import { optionLines } from "./options.ts";
import type { Patch } from "./patch.ts";

const ONCE = 1.005; // A pass with what rounding adds to it.

/** What a finding says to do; nothing where its rule's own words hold. */
interface Advice {
  readonly hint?: string;
  readonly remedy?: readonly Patch[];
}

/** The remedy of a finding whose held-out results were best at a train step; null where the log does not say at which. */
export function fewerPasses(view: RunView, best: number | null): Advice {
  const passes = passesOf(view);
  if (passes !== null && passes <= ONCE) {
    return {
      hint: "Take the best checkpoint. No row was seen twice, so fewer passes change nothing: take smaller steps, a " +
        "stronger pull to the reference (of pairs a larger beta), or more data.",
      remedy: [SMALLER_TRIAL, ...MORE_KL],
    };
  }
  // Without steps and epochs a record has no checkpoint that could be named.
  if (best === null || !view.stepsPrinted && view.finite("epoch").length === 0) return {};
  return {
    hint: `Take the checkpoint of about train step ${best}, where held-out results were best, and stop there, or use ` +
      "more data.",
    remedy: stopAt(view, best),
  };
}

/** A count of updates where the system takes one and the log's steps are such; else the passes that were begun by then. */
function stopAt(view: RunView, best: number): readonly Patch[] {
  const updates: Patch = { option: "train_steps", set: best };
  if (view.stepsPrinted && best > 0 && optionLines([updates], view).length > 0) return [updates];
  const record = view.trainSteps.findLastIndex((step) => step <= best), epoch = view.column("epoch")[record];
  return isNumber(epoch) ? [{ option: "epochs", set: Math.max(1, Math.ceil(epoch)) }] : [];
}

/** Passes over the rows: as the log counts them (verl from 0, in whole ones), else as the configuration has it. */
function passesOf(view: RunView): number | null {
  const epochs = view.finite("epoch");
  if (epochs.length === 0) return settingNumber(view, "epochs");
  const last = Math.max(...epochs);
  return epochs.every(Number.isInteger) ? last + 1 : last;
}
