/** Rules on the settings of a run as the doctor reads them, of one file or of a folder's. @module */
import type { ImportedRun } from "../../../data/adapters/run/imported_run.ts";
import { type OptionName, optionName, OPTIONS } from "../../../data/options.ts";
import { isNameOf } from "./known_options.ts";
import { isTypo } from "./name_distance.ts";
import { type Own, own, settingOf } from "./own_finding.ts";
import type { RunRule } from "./rule.ts";

const LEAST_LETTERS = 6; // Short names are too near to each other.

/** A key that is one letter from a known one, which the file does not have: `learing_rate`. */
function unknownKeys(run: ImportedRun): Own[] {
  const system = run.system ?? "trl";
  const known = new Set((Object.keys(OPTIONS) as OptionName[]).flatMap((option) => optionName(option, system) ?? []));
  const ends = new Map([...known].map((name) => [last(name), name]));
  const written = new Set(run.settings.map(({ name }) => last(name)));
  return run.settings.flatMap((entry) => {
    const end = last(entry.name);
    if (entry.option !== null || entry.system === "model" || end.length < LEAST_LETTERS) return [];
    if (isNameOf(run.system, end)) return []; // The table of options has not all of them.
    const meant = [...ends.keys()].find((name) => name.length >= LEAST_LETTERS && isTypo(end, name));
    if (meant === undefined) return [];
    const also = written.has(meant) ? `; "${meant}" is set as well, and this one is ignored or refused` : "";
    const message = `unknown key "${end}"; did you mean "${meant}"?${also}`;
    return [own(also === "" ? "error" : "warning", message, `Write ${meant}.`, [entry])];
  });
}

const last = (name: string) => name.slice(name.lastIndexOf(".") + 1);

/** One completion per prompt has nothing to be compared with. */
function groupOfOne(run: ImportedRun): Own[] {
  const size = settingOf(run, "group_size");
  const byGroup = run.algorithm === "grpo" || run.algorithm === "rloo";
  if (!byGroup || size?.value !== 1) return [];
  const message =
    `${size.name} is 1: one completion has nothing to be compared with, every advantage is 0 or the raw reward`;
  return [own("error", message, `Set ${size.name} to 8.`, [size], {
    replaces: ["group_size_too_small"],
    changes: [{ name: size.name, value: 8 }],
  })];
}

/** A KL term that is switched on with weight 0. */
function klWithoutWeight(run: ImportedRun): Own[] {
  const loss = settingOf(run, "kl_in_loss"), coefficient = settingOf(run, "kl_coef");
  if (loss?.value !== true || coefficient?.value !== 0 || !/kl_loss_coef/.test(coefficient.name)) return [];
  const message = `${loss.name} is on and ${coefficient.name} is 0: the reference is computed and never used`;
  return [
    own("warning", message, `Set ${coefficient.name} to 0.001, or switch ${loss.name} off.`, [coefficient, loss], {
      changes: [{ name: coefficient.name, value: 0.001 }],
    }),
  ];
}

/** A KL term that is in the loss and off the reward. */
function klTwice(run: ImportedRun): Own[] {
  const [loss, reward] = [settingOf(run, "kl_in_loss"), settingOf(run, "kl_in_reward")];
  if (loss?.value !== true || reward?.value !== true || klWithoutWeight(run).length > 0) return [];
  const message = `${loss.name} and ${reward.name} are both on: KL is charged twice`;
  return [own("warning", message, `Switch one of them off.`, [reward, loss])];
}

/** verl asserts that a minibatch is no larger than the batch. */
function largeMinibatch(run: ImportedRun): Own[] {
  const [batch, minibatch] = [settingOf(run, "batch_size"), settingOf(run, "minibatch_size")];
  if (typeof batch?.value !== "number" || typeof minibatch?.value !== "number" || minibatch.value <= batch.value) {
    return [];
  }
  const message = `${minibatch.name} ${minibatch.value} is larger than ${batch.name} ${batch.value}`;
  return [
    own("error", message, `Set ${minibatch.name} to at most ${batch.value}.`, [minibatch, batch], {
      changes: [{ name: minibatch.name, value: batch.value }],
    }),
  ];
}

export const RUN_RULES = {
  unknown_key: {
    systems: [],
    severity: "error",
    also: "warning",
    about: "A key that is one letter from a known one, which the file does not have.",
    change: "the key's spelling",
    source: "the names of options here, data/option_table",
    run: unknownKeys,
  },
  group_of_one: {
    systems: [],
    severity: "error",
    about: "A group of one completion, which has nothing to be compared with.",
    change: "num_generations, actor_rollout_ref.rollout.n, --rollout.n_samples_per_prompt",
    source: "TRL, grpo_config.py, __post_init__; verl, core_algos.py, compute_grpo_outcome_advantage",
    run: groupOfOne,
  },
  kl_without_weight: {
    systems: ["verl", "openrlhf"],
    severity: "warning",
    about: "A KL in the loss with weight 0: a reference is computed and never used.",
    change: "actor_rollout_ref.actor.kl_loss_coef, or use_kl_loss",
    source: "verl, workers/config/actor.py",
    run: klWithoutWeight,
  },
  kl_charged_twice: {
    systems: ["verl"],
    severity: "warning",
    about: "The KL in the loss and off the reward.",
    change: "actor_rollout_ref.actor.use_kl_loss, or algorithm.use_kl_in_reward",
    source: "verl, utils/config.py, validate_config",
    run: klTwice,
  },
  minibatch_larger_than_batch: {
    systems: ["verl"],
    severity: "error",
    about: "A minibatch larger than the batch.",
    change: "actor_rollout_ref.actor.ppo_mini_batch_size",
    source: "verl, workers/config/actor.py, validate",
    run: largeMinibatch,
  },
} as const satisfies Record<string, RunRule>;
