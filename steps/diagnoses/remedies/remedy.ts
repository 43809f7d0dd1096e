/** The remedy of a finding: the rule's patches with the values to write, for the run at hand. @module */
import { OPTIMIZER_PARAMS } from "../../training/optimizer_params.ts";
import type { RunView } from "../view/run_view.ts";
import { byFactor, inForce, optionLines, optionOf } from "./options.ts";
import type { Patch, RecordedPatch } from "./patch.ts";
import { valueOf, written } from "./value.ts";

/** What a finding says to do. */
export interface Remedy {
  /** For a run of ours. */
  readonly patches: readonly RecordedPatch[];
  /** For another system's. */
  readonly options: readonly string[];
  readonly by_hand?: string;
}

/** What to change in a run: its own workflow, or its system's options; what changes nothing is left out. */
export function remedyOf(patches: readonly Patch[], byHand: string | undefined, view: RunView): Remedy {
  const hand = byHand ?? (view.imported ? byFactor(patches, view) : undefined);
  return {
    patches: view.imported ? [] : patches.flatMap((patch) => recorded(patch, view) ?? []),
    options: optionLines(patches, view),
    ...(hand === undefined ? {} : { by_hand: hand }),
  };
}

function recorded(patch: Patch, view: RunView): RecordedPatch | null {
  if (!("step" in patch)) return null;
  const step = stepOf(patch.step, patch.key, view);
  if (step === null) return null;
  const trained = step === "fine_tune" ? view.warmStart ?? view : view;
  const force = inForce(trained, optionOf(patch) ?? patch.key), value = valueOf(patch, force);
  // Nothing to change, whatever more were known.
  if (value === null && (force.now !== null || patch.where !== undefined)) return null;
  return { ...patch, step, value };
}

/** The one step that trains where there are no rollouts. */
const TRAINS: Readonly<Record<string, string>> = {
  sft: "fine_tune",
  dpo: "train_preferences",
  kto: "train_preferences",
  reward_model: "train_reward_model",
};

/** Without rollouts one step trains: what an update's optimizer is told goes there, and nothing else applies. */
function stepOf(step: string, key: string, view: RunView): string | null {
  const trains = TRAINS[view.algorithm ?? ""];
  if (trains === undefined) return step === "train_preferences" ? null : step;
  if (step === "load_model" || step === "fine_tune" || step === trains) return step;
  return step === "apply_update" && Object.hasOwn(OPTIMIZER_PARAMS, key) ? trains : null;
}

/** A line of our workflow to paste, with its step; null where no value can be told. */
export function patchLine({ step, key, value = null }: RecordedPatch): string | null {
  return value === null ? null : `${key}: ${written(value)}  # ${step}`;
}
