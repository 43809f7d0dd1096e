/** What verl asserts of its batches and engine, or silently leaves out. @module */
import { type Hit, hit, type LaunchRule } from "./rule.ts";
import type { Launch } from "./launch.ts";

const A = "actor_rollout_ref.actor.",
  R = "actor_rollout_ref.rollout.",
  F = "actor_rollout_ref.ref.",
  M = "actor_rollout_ref.model.";
const VALIDATE = "verl, utils/config.py, validate_config; workers/config/actor.py";
/** The default of ppo_trainer.yaml. */
const MINIBATCH = 256;

const isRun = (launch: Launch) => launch.trainer === "ppo";
const isMegatron = (launch: Launch) =>
  launch.word(`${A}strategy`) === "megatron" || /main_ppo.*megatron|megatron_trainer/.test(launch.text);
/** Also where it is a variable that nothing tells. */
const isDynamic = (launch: Launch) => {
  const own = launch.flag(`${A}use_dynamic_bsz`);
  return own === true || own === null && launch.isWritten(`${A}use_dynamic_bsz`);
};

function batchOverDevices(launch: Launch): Hit | null {
  const batch = launch.number("data.train_batch_size"), group = launch.numberOr(1, `${R}n`), devices = launch.processes;
  if (!isRun(launch) || isMegatron(launch) || isDynamic(launch)) return null;
  if (batch === null || group === null || devices === null || batch * group % devices === 0) return null;
  return hit(
    `${batch} prompts × ${group} completions are no multiple of ${devices} devices: verl refuses to start`,
    [launch.told("trainer.n_gpus_per_node"), launch.told("data.train_batch_size")],
    { name: "data.train_batch_size", value: Math.ceil(batch / devices) * devices },
  );
}

/** Sequences of one minibatch on one device, as the workers compute them. */
function ownMinibatch(launch: Launch): number | null {
  const mini = launch.numberOr(MINIBATCH, `${A}ppo_mini_batch_size`),
    group = launch.numberOr(1, `${R}n`),
    devices = launch.processes;
  const ulysses = launch.numberOr(1, `${A}ulysses_sequence_parallel_size`);
  if (mini === null || group === null || devices === null || ulysses === null || isMegatron(launch)) return null;
  return Math.floor(mini * group / Math.max(1, Math.floor(devices / ulysses)));
}

function minibatchEmpty(launch: Launch): Hit | null {
  const own = ownMinibatch(launch), told = launch.told(`${A}ppo_mini_batch_size`);
  if (own !== 0 || told === undefined) return null;
  return hit(
    `a minibatch of ${told.value} prompts over ${launch.processes} devices leaves none of its sequences for one: verl refuses to start`,
    [launch.told("trainer.n_gpus_per_node"), told],
    { name: told.name, value: launch.processes! },
  );
}

function microNotDividing(launch: Launch): Hit | null {
  const own = ownMinibatch(launch), name = `${A}ppo_micro_batch_size_per_gpu`, micro = launch.number(name);
  if (own === null || own === 0 || micro === null || isDynamic(launch) || own % micro === 0) return null;
  return hit(
    `a device has ${own} sequences of a minibatch (ppo_mini_batch_size × rollout.n ÷ devices), no multiple of the ${micro} of a pass: verl refuses to start`,
    [launch.told(`${A}ppo_mini_batch_size`), launch.told(name)],
    { name, value: [16, 12, 8, 6, 5, 4, 3, 2].find((size) => size <= micro && own % size === 0) ?? 1 },
  );
}

const SIZES = [
  `${A}ppo_micro_batch_size_per_gpu`,
  `${R}log_prob_micro_batch_size_per_gpu`,
  `${F}log_prob_micro_batch_size_per_gpu`,
] as const;

/** Of a script that names data and model and no size of a pass at all: a shortened one may have left some out. */
function microMissing(launch: Launch): Hit | null {
  const place = launch.told(`${A}ppo_mini_batch_size`, "data.train_batch_size");
  const isWhole = launch.isWritten("data.train_files") && launch.isWritten(`${M}path`) && launch.form === "overrides";
  if (!isRun(launch) || !isWhole || place === undefined || isDynamic(launch) || isMegatron(launch)) {
    return null;
  }
  if (SIZES.some((name) => launch.isWritten(name, name.replace("_per_gpu", "")))) return null;
  const usesReference = launch.flag(`${A}use_kl_loss`) === true || launch.flag("algorithm.use_kl_in_reward") === true;
  const missing = usesReference ? SIZES : SIZES.slice(0, 2);
  return hit(
    `the sizes of passes have no default, and use_dynamic_bsz is off: verl refuses to start`,
    [place],
    ...missing.map((name) => ({ name, value: 8 })),
  );
}

const TWICE = [
  `${A}ppo_micro_batch_size`,
  `${R}log_prob_micro_batch_size`,
  `${F}log_prob_micro_batch_size`,
  "critic.ppo_micro_batch_size",
];

function microTwice(launch: Launch): Hit | null {
  const name = TWICE.find((one) => launch.told(one)?.value != null && launch.told(`${one}_per_gpu`)?.value != null);
  if (name === undefined) return null;
  return hit(
    `${name} and ${name}_per_gpu are both set: verl refuses to start`,
    [launch.told(`${name}_per_gpu`), launch.told(name)],
    { name },
  );
}

function filterIdle(launch: Launch): Hit | null {
  const told = launch.told("algorithm.filter_groups.enable");
  if (
    launch.flag("algorithm.filter_groups.enable") !== true ||
    !/\bverl\.trainer\.main_ppo\b|verl\/trainer\/main_ppo/.test(launch.text)
  ) return null;
  return hit(
    "main_ppo reads no filter_groups (up to 0.7): groups of one reward are trained on; the recipe of DAPO filters them",
    [told],
    { name: "algorithm.filter_groups.enable" },
  );
}

const hasCritic = (launch: Launch) => (launch.word("algorithm.adv_estimator") ?? "gae") === "gae";

function criticMissing(launch: Launch): Hit | null {
  if (!isRun(launch) || launch.form !== "overrides" || !hasCritic(launch) || launch.isWritten("critic.model.path")) {
    return null;
  }
  if (!launch.isWritten(`${M}path`)) return null;
  const told = launch.told("algorithm.adv_estimator");
  return hit(
    `adv_estimator is gae${
      told === undefined ? " by default" : ""
    }, which trains a critic, and critic.model.path is not set: it falls back on ~/models/deepseek-llm-7b-chat`,
    [told ?? launch.told(`${M}path`)],
    told === undefined && (launch.number(`${R}n`) ?? 1) > 1
      ? { name: "algorithm.adv_estimator", value: "grpo" }
      : { name: "critic.model.path", value: launch.model ?? "MODEL" },
  );
}

function criticIdle(launch: Launch): Hit | null {
  const told = launch.options.findLast(({ name }) => /^critic\.(?!enable)/.test(name));
  const estimator = launch.word("algorithm.adv_estimator");
  if (told === undefined || estimator === null || estimator === "gae" || launch.flag("critic.enable") === true) {
    return null;
  }
  return hit(`adv_estimator ${estimator} has no critic: the options of critic have no effect`, [
    launch.told("algorithm.adv_estimator"),
    told,
  ], { name: told.name });
}

function neverSaves(launch: Launch): Hit | null {
  const told = launch.told("trainer.save_freq");
  if (!isRun(launch) || told?.value !== -1) return null;
  return hit("trainer.save_freq -1 writes no checkpoint, not at the end either: nothing of the run is left", [told], {
    name: told.name,
    value: 20,
  });
}

export const VERL_RULES = {
  batch_over_devices: {
    systems: ["verl"],
    severity: "error",
    about: "Prompts times completions are no multiple of the devices.",
    change: "data.train_batch_size",
    source: VALIDATE,
    check: batchOverDevices,
  },
  minibatch_empty: {
    systems: ["verl"],
    severity: "error",
    about: "A minibatch that leaves a device without a sequence.",
    change: "actor_rollout_ref.actor.ppo_mini_batch_size",
    source: "verl, workers/fsdp_workers.py, __init__",
    check: minibatchEmpty,
  },
  micro_batch_not_dividing: {
    systems: ["verl"],
    severity: "error",
    about: "A device's share of a minibatch is no multiple of a pass.",
    change: "actor_rollout_ref.actor.ppo_micro_batch_size_per_gpu",
    source: "verl, workers/fsdp_workers.py, __init__",
    check: microNotDividing,
  },
  micro_batch_missing: {
    systems: ["verl"],
    severity: "error",
    about: "Sizes of passes that have no default, without use_dynamic_bsz.",
    change:
      "actor.ppo_micro_batch_size_per_gpu, rollout.log_prob_micro_batch_size_per_gpu, ref.log_prob_micro_batch_size_per_gpu",
    source: VALIDATE,
    wantsWhole: true,
    check: microMissing,
  },
  micro_batch_twice: {
    systems: ["verl"],
    severity: "error",
    about: "A size of passes under its old name and its new one.",
    change: "ppo_micro_batch_size, log_prob_micro_batch_size",
    source: VALIDATE,
    check: microTwice,
  },
  filter_without_effect: {
    systems: ["verl"],
    severity: "warning",
    about: "Dynamic sampling is asked of a trainer that does not read it.",
    change: "the program: recipe.dapo.main_dapo in place of verl.trainer.main_ppo",
    source: "verl, recipe/dapo/dapo_ray_trainer.py, fit; verl#3539",
    check: filterIdle,
  },
  critic_missing: {
    systems: ["verl"],
    severity: "error",
    about: "PPO with a critic, the default, and no model for it.",
    change: "algorithm.adv_estimator, or critic.model.path",
    source: "verl, config/critic/critic.yaml: ~/models/deepseek-llm-7b-chat",
    wantsWhole: true,
    check: criticMissing,
  },
  critic_without_effect: {
    systems: ["verl"],
    severity: "info",
    about: "Options of a critic for an estimator that has none.",
    change: "critic.*",
    source: "verl, trainer/ppo/utils.py, need_critic",
    check: criticIdle,
  },
  never_saves: {
    systems: ["verl"],
    severity: "info",
    about: "No checkpoint is written, not even the last.",
    change: "trainer.save_freq",
    source: "verl, trainer/ppo/ray_trainer.py, fit",
    check: neverSaves,
  },
} as const satisfies Record<string, LaunchRule>;
