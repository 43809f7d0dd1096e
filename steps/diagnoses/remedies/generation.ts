/** Which generation of a system's options a run speaks: OpenRLHF has renamed all of its flags. @module */
import { normaliseOption, OPTIONS } from "../../../data/options.ts";
import type { Option } from "../../../data/option_table/option.ts";
import type { RunView } from "../view/run_view.ts";

/** What the newer flags have in them, and the older have not: a section (`--actor.adam.lr`, once `--actor_learning_rate`). */
const SECTION = ".";

/** Older flags of what only looks name; null where the older programs have none. */
const OLDER: Readonly<Record<string, string | null>> = {
  "actor.entropy_coef": "entropy_loss_coef",
  "algo.advantage.is_correction_enable": "enable_vllm_is_correction",
  "ckpt.load_enable": "load_checkpoint",
  "eval.n_samples_per_prompt": "eval_n_samples_per_prompt",
  "eval.steps": "eval_steps",
};

/** Every flag of OpenRLHF that the table of options has. */
const FLAGS: ReadonlySet<string> = new Set(
  Object.values(OPTIONS).flatMap(({ names }: Option) => names["openrlhf"] ?? []),
);

/** True if the run was started with flags of before the sections; one that shows none, or both, speaks the newer. */
export function isOlder({ settings }: RunView): boolean {
  const flags = settings.map(({ name }) => normaliseOption(name)).filter((name) => FLAGS.has(name));
  return flags.length > 0 && flags.every((name) => !name.includes(SECTION));
}

/** The names of an option in the generation that the run speaks; all of them in other systems. */
export function ofGeneration(names: readonly string[], system: string, view: RunView): readonly string[] {
  if (system !== "openrlhf") return names;
  const older = isOlder(view);
  return names.filter((name) => name.includes(SECTION) !== older);
}

/** The name of what a look prints, in that generation; null where it has none. */
export function flagOfGeneration(name: string, system: string, view: RunView): string | null {
  return system === "openrlhf" && isOlder(view) ? OLDER[name] ?? null : name;
}
