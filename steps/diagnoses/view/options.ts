/** A patch of ours in the words of another system: the option to change, ready to copy. @module */
import { findOption, type OptionName, optionName, OPTIONS } from "../../../data/options.ts";
import type { Patch } from "../diagnosis.ts";
import type { RunView } from "./run_view.ts";
import { settingNumber } from "./settings.ts";

/** The systems whose options are named when the run's own system is not known, and on the rules page. */
export const REMEDY_SYSTEMS = ["trl", "verl", "openrlhf", "visual-rft"] as const;

function patched(patch: Patch, now: number | null): string | null {
  if (patch.set !== undefined) return String(patch.set);
  if (patch.mul === undefined) return null;
  if (now === null) return `now x ${patch.mul}`;
  const value = Math.min(patch.max ?? Infinity, Math.max(patch.min ?? -Infinity, now * patch.mul));
  return String(Number(value.toPrecision(4)));
}

/** `option: value` of one system for one patch, or null where that system has no such option. */
export function optionFor(patch: Patch, system: string, view: RunView | null): string | null {
  const option: OptionName | null = patch.key in OPTIONS ? patch.key as OptionName : findOption(patch.key, "nonzero");
  if (option === null) return null;
  const name = optionName(option, system);
  if (name === null) return null;
  const value = patched(patch, view === null ? null : settingNumber(view, option));
  return value === null ? null : `${name}=${value}`;
}

/** The options to change for a run: in its own system, else in the well-known ones. */
export function optionsFor(patches: readonly Patch[], view: RunView): string[] {
  const systems = view.system !== null ? [view.system] : REMEDY_SYSTEMS;
  const lines: string[] = [];
  for (const system of systems) {
    for (const patch of patches) {
      const option = optionFor(patch, system, view);
      if (option !== null) lines.push(`${system}: ${option}`);
    }
  }
  return lines;
}
