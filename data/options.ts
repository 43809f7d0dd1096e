/**
 * One option of ours and its name in every other system: what configurations are read with and remedies written in.
 * @module
 */
import { ADVANTAGE_OPTIONS } from "./option_table/advantage.ts";
import { OBJECTIVE_OPTIONS } from "./option_table/objective.ts";
import type { Option } from "./option_table/option.ts";
import { OFF_POLICY_OPTIONS } from "./option_table/off_policy.ts";
import { OPTIMIZER_OPTIONS } from "./option_table/optimizer.ts";
import { PREFERENCE_OPTIONS } from "./option_table/preferences.ts";
import { ROLLOUT_OPTIONS } from "./option_table/rollout.ts";
import { UPDATE_OPTIONS } from "./option_table/update.ts";
import { SYSTEM_LIST } from "./systems.ts";

/** Options in the order of a workflow: model, data, sampling, reward, loss, optimizer, machine; what adapts last. */
export const OPTIONS = {
  ...ROLLOUT_OPTIONS,
  ...UPDATE_OPTIONS,
  ...OPTIMIZER_OPTIONS,
  ...ADVANTAGE_OPTIONS,
  ...OBJECTIVE_OPTIONS,
  ...OFF_POLICY_OPTIONS,
  ...PREFERENCE_OPTIONS,
} as const satisfies Record<
  string,
  Option
>;

export type OptionName = keyof typeof OPTIONS;

/** Systems that take over TRL's names. */
export const LIKE_TRL: ReadonlySet<string> = new Set<string>(
  SYSTEM_LIST.flatMap(([name, { descendsFrom }]) => descendsFrom === "trl" ? [name] : []),
);

/** True of TRL itself and of what is built on it: the trainer of Hugging Face with its names, defaults and checkpoints. */
export const isTrl = (system: string | null): boolean => system === "trl" || LIKE_TRL.has(system ?? "");

const BY_NAME: ReadonlyMap<string, readonly { option: OptionName; system: string }[]> = (() => {
  const map = new Map<string, { option: OptionName; system: string }[]>();
  for (const [option, { names }] of Object.entries(OPTIONS) as [OptionName, Option][]) {
    for (const [system, list] of Object.entries(names)) {
      for (const name of list) {
        const hits = map.get(name) ?? [];
        hits.push({ option, system });
        map.set(name, hits);
      }
    }
  }
  return map;
})();

/** Ends of dotted names (`rollout.n`, `adv_estimator`) that lead to one option only. */
const BY_END: ReadonlyMap<string, OptionName | null> = (() => {
  const map = new Map<string, OptionName | null>();
  for (const [name, hits] of BY_NAME) {
    for (let dot = name.indexOf("."); dot >= 0; dot = name.indexOf(".", dot + 1)) {
      const end = name.slice(dot + 1);
      if (!/[._]/.test(end)) continue; // `n`, `lr`, `path` mean too much alone
      for (const { option } of hits) map.set(end, map.has(end) && map.get(end) !== option ? null : option);
    }
  }
  return map;
})();

/** The name as configurations write it: without leading dashes or plus signs, `-` as `_`. */
export function normaliseOption(name: string): string {
  return name.replace(/^[-+~\s]+/, "").replaceAll("-", "_");
}

/**
 * Our option behind a foreign name, or null.
 *
 * `system` decides between meanings where it is known; otherwise the first system of the table that uses the name wins.
 */
export function findOption(name: string, system: string | null): OptionName | null {
  const hits = BY_NAME.get(normaliseOption(name));
  if (hits === undefined) {
    return Object.hasOwn(OPTIONS, name) ? name as OptionName : BY_END.get(normaliseOption(name)) ?? null;
  }
  const own = hits.find((hit) => hit.system === system) ??
    (system !== null && LIKE_TRL.has(system) ? hits.find((hit) => hit.system === "trl") : undefined);
  return (own ?? hits[0]!).option;
}

/** Where an option is written in a workflow of ours, and what is to be said besides. */
export function optionPlaces(
  option: OptionName,
): { readonly here: readonly string[]; readonly instead: string | null } {
  const { here = [option], instead = null } = OPTIONS[option] as Option;
  return { here, instead };
}

/** Options that only the reinforcement learning of a system has; its trainers of given texts call theirs otherwise. */
const REINFORCEMENT_ONLY: Readonly<Record<string, RegExp>> = {
  verl: /^(?:actor_rollout_ref|algorithm)\./,
  openrlhf: /^(?:actor|algo|rollout|reward|vllm)\.|^init_kl_coef$|^actor_learning_rate$|num_episodes$/,
};

/**
 * How another system calls an option of ours; empty where it has none.
 *
 * reinforcement   the run samples its completions; otherwise they are given (SFT, preferences)
 */
export function optionNames(option: OptionName, system: string, reinforcement = true): readonly string[] {
  const { names } = OPTIONS[option] as Option;
  const all = names[system] ?? (LIKE_TRL.has(system) ? names.trl : undefined) ?? (system === "nonzero" ? [option] : []);
  const lacking = reinforcement ? undefined : REINFORCEMENT_ONLY[system];
  return lacking === undefined ? all : all.filter((name) => !lacking.test(name));
}

/** The name to print in a remedy, or null where a system has no such option. */
export function optionName(option: OptionName, system: string, reinforcement = true): string | null {
  return optionNames(option, system, reinforcement)[0] ?? null;
}

/** A value of ours as another system writes it, or null where that system cannot be set so. */
export function optionValue<Value>(option: OptionName, system: string, value: Value): Value | string | number | null {
  const { values = {} } = OPTIONS[option] as Option;
  const theirs = (values[system] ?? values["*"])?.[String(value)];
  return theirs === undefined ? value : theirs;
}
