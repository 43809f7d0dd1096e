/** The learning rate of a run and what is usual for its system. @module */
import { finiteOf } from "./numbers.ts";
import { ownNumber, setting, settingNumber } from "./settings.ts";
import { interval } from "./start.ts";
import type { RunView } from "./run_view.ts";

/** How many updates the records span. */
export function trainsSteps(view: RunView): number {
  const steps = view.trainSteps;
  if (steps.length === 0) return 0;
  // The first record stands for the updates since the one before it.
  return view.stepsPrinted ? Math.max(steps.length, steps.at(-1)! - steps[0]! + interval(view)) : steps.length;
}

/** Default learning rates of the trainers (systems.md, H). */
const DEFAULTS: Record<string, number> = {
  sft: 2e-5,
  dpo: 1e-6,
  kto: 1e-6,
  grpo: 1e-6,
  rloo: 1e-6,
  ppo: 1e-6,
  reinforce: 1e-6,
};

/** The defaults are for billions of parameters; Adam's stable rate goes with the inverse of the width. */
function smallness(view: RunView): number {
  const parameters = ownNumber(view, "parameters");
  return parameters === null || parameters >= 1e9 ? 1 : Math.min(100, Math.sqrt(1e9 / parameters));
}

export function usualLearningRate(view: RunView): number {
  const base = (DEFAULTS[view.algorithm ?? "grpo"] ?? 1e-6) * smallness(view);
  const adapter = setting(view, "lora_rank") !== null || setting(view, "lora") !== null ||
    view.messages.some((entry) => /trainable%/.test(entry.text));
  return adapter ? base * 10 : base;
}

/** The largest learning rate configured or printed, or null. */
export function peakLearningRate(view: RunView): number | null {
  const printed = finiteOf(view.column("learning_rate"));
  const configured = settingNumber(view, "learning_rate");
  if (printed.length === 0) return configured;
  return Math.max(...printed, view.records < 3 ? configured ?? 0 : 0);
}
