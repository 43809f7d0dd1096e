/** A change in the words of another system: the option with the value to write, ready to copy. @module */
import {
  normaliseOption,
  type OptionName,
  optionName,
  optionNames,
  OPTIONS,
  optionValue,
} from "../../../data/options.ts";
import { trainsBy } from "../../../data/systems.ts";
import { ofGeneration } from "./generation.ts";
import { optionDefault } from "../../../data/option_defaults.ts";
import { isReinforcement } from "../view/groups.ts";
import { peakLearningRate, usualCriticRate, usualRateOfSize } from "../view/learning_rate.ts";
import type { RunView, Setting } from "../view/run_view.ts";
import { capOf } from "../view/truncation.ts";
import { asNumber, setting, settingFlag, settingNumber } from "../view/settings.ts";
import type { Patch, Value } from "./patch.ts";
import { changeText, type InForce, valueOf, written } from "./value.ts";

/** The systems whose options are named when the run's own system is not known, and on the rules page. */
export const REMEDY_SYSTEMS = ["trl", "verl", "openrlhf", "visual-rft"] as const;

/** The systems to name for a run: its own, else the well-known ones that train by its method. */
const systemsOf = ({ system, algorithm }: RunView): readonly string[] =>
  system !== null ? [system] : REMEDY_SYSTEMS.filter((name) => trainsBy(name, algorithm ?? ""));

/** Systems that are told their options on a command line, as `--name value`; the others take `name=value`. */
const BY_FLAG = new Set(["openrlhf", "visual-rft", "ms-swift", "deepspeed-chat"]);

/** The option of the table that a patch changes elsewhere, or null where it is ours alone. */
export function optionOf(patch: Patch): OptionName | null {
  if ("option" in patch) return patch.option;
  const name = OTHER_NAMES[`${patch.step}.${patch.key}`] ?? patch.key;
  return Object.hasOwn(OPTIONS, name) ? name as OptionName : null; // our `epsilon` is not TRL's
}

/** Parameters of our steps that stand under another name in the table of options. */
const OTHER_NAMES: Readonly<Record<string, OptionName>> = {
  "update_critic.learning_rate": "critic_learning_rate",
  "train_preferences.beta": "kl_coef",
};

/** What the run's configuration and log show of an option: the system's default where the configuration is silent. */
export function inForce(view: RunView, option: string): InForce {
  const entry = setting(view, option as OptionName);
  const value = asNumber(entry?.value) ?? settingFlag(view, option as OptionName) ?? entry?.value ??
    logged(view, option);
  const silent = entry === null ? optionDefault(option as OptionName, view.system) : null;
  return {
    now: (option === "learning_rate" ? peakLearningRate(view) : null) ?? value as Value | null ??
      (isConfigured(view) ? silent : null),
    likely: silent,
    usual: option === "critic_learning_rate" ? usualCriticRate(view) : usualRateOfSize(view),
  };
}

/** Options whose value a trainer logs from record to record. */
const LOGGED: ReadonlySet<string> = new Set<OptionName>(["kl_coef", "entropy_coef"]);

/** What the log shows to be in force; a KL that is above 0 is measured because it counts. */
function logged(view: RunView, option: string): Value | null {
  // One that the reward pays for is none of the loss.
  if (option === "kl_in_loss") {
    return !view.prints("reward_kl_coef") && view.finite("kl").some((kl) => kl > 0) ? true : null;
  }
  if (option === "max_new_tokens") return capOf(view);
  return LOGGED.has(option) ? view.finite(option).at(-1) ?? null : null;
}

/** True if the configuration is at hand; a few numbers that stand in a state or a log are none. */
function isConfigured({ settings }: RunView): boolean {
  return settings.some(({ option, system }) => system !== "model" && option !== null && !IN_STATE.has(option));
}

/** Options that a trainer's state or log shows without the configuration. */
const IN_STATE: ReadonlySet<string> = new Set<OptionName>(["logging_steps", "epochs", "train_steps", "model"]);

/** A count of updates holds whatever the number of epochs is: trainers read the second only where the first is not set. */
function isOverruled(option: OptionName, view: RunView): boolean {
  return option === "epochs" && (settingNumber(view, "train_steps") ?? 0) > 0;
}

/** Names that only a system's trainers of given texts have: with an actor and a critic there are two rates. */
const GIVEN_ONLY: Readonly<Record<string, RegExp>> = { openrlhf: /^(?:adam\.lr|learning_rate)$/ };

/** The option as it is written for one system, or null where that system cannot be told so. */
export function optionLine(patch: Patch, system: string, view: RunView): string | null {
  const option = optionOf(patch);
  if (option === null || isOverruled(option, view)) return null;
  const name = ownName(option, system, view), value = valueOf(patch, inForce(view, option));
  return name === null || value === null ? null : assigned(system, option, name, value);
}

/** The name of an option in a system, as the run itself has it; null where the system has no such option. */
function ownName(option: OptionName, system: string, view: RunView): string | null {
  const reinforcement = view.algorithm === null || isReinforcement(view);
  const names = ofGeneration(optionNames(option, system, reinforcement), system, view);
  const others = view.algorithm !== null && reinforcement ? GIVEN_ONLY[system] : undefined;
  return nameIn(others === undefined ? names : names.filter((name) => !others.test(name)), setting(view, option));
}

/** Sizes of a rollout that a person knows where the run does not show them. */
const KNOWN_BY_HEART: ReadonlySet<string> = new Set<OptionName>(["max_new_tokens", "group_size"]);

/** What to do by hand with options whose value no line can tell: their names in the run's system, and the factor. */
export function byFactor(patches: readonly Patch[], view: RunView): string | undefined {
  const { system } = view;
  const told = system === null ? [] : patches.flatMap((patch) => {
    const option = optionOf(patch), name = option === null ? null : ownName(option, system, view);
    const isUntold = option !== null && KNOWN_BY_HEART.has(option) && inForce(view, option).now === null;
    return patch.mul === undefined || name === null || !isUntold
      ? []
      : [`${flagged(name, system)} to ${patch.mul} times`];
  });
  return told.length === 0 ? undefined : `Raise ${told.join(" and ")} what is in force, which the log does not show.`;
}

const flagged = (name: string, system: string) => BY_FLAG.has(system) ? `--${name}` : name;

/**
 * The same for the page of a rule, where no run is at hand: the value, or the option alone where its value follows from
 * the one in force; how, the page says once, with our own step.
 */
export function optionRule(patch: Patch, system: string): string | null {
  const option = optionOf(patch);
  // What only others have is about given texts: labels, pairs, epochs. Otherwise it is a part of what stands beside it.
  const name = option === null
    ? null
    : "step" in patch
    ? optionName(option, system)
    : optionName(option, system, false) ?? optionName(option, system);
  if (option === null || name === null) return null;
  if (patch.set !== undefined) return assigned(system, option, name, patch.set);
  return "step" in patch ? name : `${name} ${changeText(patch)}`;
}

/** The name that the run itself uses, if it is one of the system's; older versions have others. */
function nameIn(names: readonly string[], entry: Setting | null): string | null {
  const own = entry === null ? -1 : names.indexOf(normaliseOption(entry.name));
  return names[Math.max(own, 0)] ?? null;
}

function assigned(system: string, option: OptionName, name: string, value: Value): string | null {
  const theirs = optionValue(option, system, value);
  return theirs === null ? null : assignment(system, name, theirs);
}

/** A system's own option with a value, as its users write it; "" is the value of a flag that has none. */
export function assignment(system: string, name: string, value: Value): string {
  const text = typeof value === "string" ? value : written(value);
  if (system === "nonzero") return `${name}: ${text}`;
  return BY_FLAG.has(system) ? `--${name} ${text}`.trimEnd() : `${name}=${text}`;
}

/** The options to change for a run: in its own system, else in the well-known ones. None for a run of ours. */
export function optionLines(patches: readonly Patch[], view: RunView): string[] {
  if (view.system === "nonzero") return [];
  return systemsOf(view).flatMap((system) =>
    patches.flatMap((patch) => {
      const line = optionLine(patch, system, view);
      return line === null ? [] : [`${system}: ${line}`];
    })
  );
}
