/** Options of rewards, the objective and its KL that contradict each other or do nothing. @module */
import { optionDefault } from "../../../data/option_defaults.ts";
import { type Hit, hit, type LaunchRule, ON_TRL } from "./rule.ts";
import type { Launch } from "./launch.ts";

const A = "actor_rollout_ref.actor.";
const TRAINER = "TRL, grpo_trainer.py, _compute_loss";
/** The default clip range, which these trainers share, and the recommended cap of CISPO. */
const CLIP = Number(optionDefault("clip_low", "trl")), CISPO_CAP = 5;

function clipInverted(launch: Launch): Hit | null {
  const both = launch.list("actor.eps_clip_low_high", "eps_clip_low_high");
  const [low, high] = launch.system === "verl"
    ? [launch.numberOr(CLIP, `${A}clip_ratio_low`), launch.numberOr(CLIP, `${A}clip_ratio_high`)]
    : launch.system === "openrlhf"
    ? [both?.[0], both?.[1]].map((value) => typeof value === "number" ? value : value == null ? null : Number(value))
    : [launch.numberOr(CLIP, "epsilon"), launch.number("epsilon_high")];
  if (low == null || high == null || !(high < low) || launch.word("loss_type") === "cispo") return null;
  const [names, name] = launch.system === "verl"
    ? [[`${A}clip_ratio_low`], `${A}clip_ratio_high`]
    : launch.system === "openrlhf"
    ? [[], launch.told("actor.eps_clip_low_high", "eps_clip_low_high")!.name]
    : [["epsilon"], "epsilon_high"];
  return hit(
    `the ratio may fall by ${low} and rise by ${high} only: bounds are meant the other way round (DAPO: 0.2 and 0.28)`,
    [...names.map((one) => launch.told(one)), launch.told(name)],
    { name, value: launch.system === "openrlhf" ? [high, low] : Math.max(0.28, low) },
  );
}

function cispoCap(launch: Launch): Hit | null {
  const cap = launch.numberOr(launch.numberOr(CLIP, "epsilon") ?? CLIP, "epsilon_high");
  if (launch.word("loss_type") !== "cispo" || cap === null || cap >= 1) return null;
  return hit(
    `loss_type cispo cuts every ratio at epsilon_high itself, not at 1 + epsilon_high: at ${cap}${
      launch.isWritten("epsilon_high") ? "" : " (epsilon's, since epsilon_high is not set)"
    } each token counts ${cap} times, and no ratio matters`,
    [launch.told("loss_type"), launch.told("epsilon_high")],
    { name: "epsilon_high", value: CISPO_CAP },
  );
}

function deltaBelowClip(launch: Launch): Hit | null {
  const delta = launch.number("delta"), high = launch.number("epsilon_high") ?? launch.numberOr(CLIP, "epsilon");
  if (delta === null || high === null || delta > 1 + high) return null;
  return hit(
    `delta ${delta} bounds the ratio below 1 + epsilon (${
      1 + high
    }): it takes the place of the clip range and not of what is beyond it`,
    [launch.told("delta")],
    { name: "delta", value: 4 },
  );
}

function ligerAlone(launch: Launch): Hit | null {
  if (launch.flag("use_liger_kernel") !== true && launch.flag("use_liger_loss") !== true) return null;
  const quantile = launch.number("top_entropy_quantile");
  const told = launch.number("delta") !== null
    ? launch.told("delta")
    : quantile !== null && quantile < 1
    ? launch.told("top_entropy_quantile")
    : undefined;
  if (launch.trainer !== "grpo" || told === undefined) return null;
  return hit(
    `Liger's GRPO loss has no ${told.name}: the trainer refuses to start`,
    [launch.told("use_liger_kernel", "use_liger_loss"), told],
    { name: told.name },
  );
}

function scaledDrGrpo(launch: Launch): Hit | null {
  const scale = launch.value("scale_rewards");
  if (launch.word("loss_type") !== "dr_grpo" || scale === false || scale === "none" || scale === "batch") return null;
  return hit(
    "loss_type dr_grpo takes the length out of the loss alone; rewards are still divided by each group's deviation, which Dr. GRPO leaves out",
    [launch.told("scale_rewards"), launch.told("loss_type")],
    { name: "scale_rewards", value: launch.system === "ms-swift" ? "none" : false },
  );
}

function sequenceLoss(launch: Launch): Hit | null {
  if (launch.word("loss_type") !== "luspo" || launch.word("importance_sampling_level") === "sequence") return null;
  return hit(
    "loss_type luspo weighs whole completions by their length and wants one ratio for each, and the ratio is one per token",
    [launch.told("importance_sampling_level"), launch.told("loss_type")],
    { name: "importance_sampling_level", value: "sequence" },
  );
}

/** GSPO's range is some 3e-4; at 0.2 not one sequence is ever clipped. */
const SEQUENCE_CLIP = 0.05;

function gspoClip(launch: Launch): Hit | null {
  const isVerl = launch.system === "verl", names = isVerl ? [`${A}clip_ratio_low`] : ["epsilon"];
  const isSequence = isVerl
    ? launch.word(`${A}policy_loss.loss_mode`) === "gspo"
    : launch.word("importance_sampling_level") === "sequence" && launch.word("loss_type") !== "luspo";
  const clip = launch.numberOr(CLIP, ...names);
  if (!isSequence || clip === null || clip < SEQUENCE_CLIP) return null;
  return hit(
    `the ratio of a whole completion is a mean over its tokens and stays within a thousandth of 1: at a clip range of ${clip}${
      launch.isWritten(...names) ? "" : " (the default)"
    } none is ever clipped`,
    [launch.told("importance_sampling_level", `${A}policy_loss.loss_mode`), launch.told(...names)],
    ...(isVerl
      ? [{ name: `${A}clip_ratio_low`, value: 3e-4 }, { name: `${A}clip_ratio_high`, value: 4e-4 }]
      : [{ name: "epsilon", value: 3e-4 }, { name: "epsilon_high", value: 4e-4 }]),
  );
}

function syncWithoutReference(launch: Launch): Hit | null {
  if (launch.flag("sync_ref_model") !== true || !launch.isRollout) return null;
  const beta = launch.number("beta"), isSilent = !launch.isWritten("beta") && launch.system !== "ms-swift";
  if (beta !== 0 && !isSilent) return null;
  return hit(
    `sync_ref_model moves a reference that is not there: beta is 0${
      isSilent ? " by default since TRL 0.19" : ""
    }, and no reference is loaded`,
    [launch.told("beta"), launch.told("sync_ref_model")],
    { name: "beta", value: 0.04 },
  );
}

function klUnused(launch: Launch): Hit | null {
  const told = launch.told(`${A}kl_loss_coef`);
  if (typeof told?.value !== "number" || told.value === 0 || launch.isWritten(`${A}use_kl_loss`)) return null;
  if (launch.flag("algorithm.use_kl_in_reward") === true) return null;
  return hit(
    "kl_loss_coef has a value and use_kl_loss is off, by default: there is no KL in the loss, and no reference is loaded",
    [told],
    { name: `${A}use_kl_loss`, value: true },
  );
}

function klEstimator(launch: Launch): Hit | null {
  const isVerl = launch.system === "verl";
  const [use, names] = isVerl
    ? [`${A}use_kl_loss`, [`${A}kl_loss_type`]]
    : [launch.told("use_kl_loss")?.name ?? "algo.kl.use_loss", ["algo.kl.estimator", "kl_estimator"]];
  const told = launch.told(...names), word = told === undefined ? isVerl ? "low_var_kl" : "k1" : launch.word(...names);
  if (launch.flag(use) !== true || word === null || !/^(?:kl|k1|abs)$/.test(word)) return null;
  return hit(
    `${launch.called(names.at(-1)!)} ${word}${
      told === undefined ? " (the default)" : ""
    } as a loss: its gradient does not lead back to the reference ` +
      "(that of k1 has mean 0)",
    [launch.told(use), told],
    { name: told?.name ?? (use.includes(".") ? names[0]! : names.at(-1)!), value: isVerl ? "low_var_kl" : "k2" },
  );
}

function clipAlone(launch: Launch): Hit | null {
  const told = launch.told(`${A}clip_ratio`);
  if (typeof told?.value !== "number" || told.value === CLIP) return null;
  if (launch.isWritten(`${A}clip_ratio_low`) && launch.isWritten(`${A}clip_ratio_high`)) return null;
  return hit(
    `clip_ratio ${told.value} has no effect: clip_ratio_low and clip_ratio_high are ${CLIP} by default, and come first`,
    [told],
    { name: `${A}clip_ratio_low`, value: told.value },
    { name: `${A}clip_ratio_high`, value: told.value },
  );
}

export const LOSS_RULES = {
  clip_range_inverted: {
    systems: [...ON_TRL, "verl", "openrlhf"],
    severity: "warning",
    about: "The upper bound of the ratio is nearer to 1 than the lower one.",
    change: "epsilon_high, actor_rollout_ref.actor.clip_ratio_high, --actor.eps_clip_low_high",
    source: "DAPO, arXiv 2503.14476, clip-higher",
    check: clipInverted,
  },
  cispo_cap: {
    systems: ["trl", "ms-swift"],
    severity: "warning",
    about: "CISPO with the clip range of another loss as its cap.",
    change: "epsilon_high",
    source: `${TRAINER}: min(ratio, epsilon_high); TRL recommends 5.0`,
    wantsWhole: true,
    check: cispoCap,
  },
  delta_below_clip: {
    systems: ON_TRL,
    severity: "warning",
    about: "The cap of two-sided clipping lies within the clip range.",
    change: "delta",
    source: "TRL, grpo_config.py, delta; INTELLECT-2, arXiv 2505.07291",
    check: deltaBelowClip,
  },
  liger_without: {
    systems: ["trl", "ms-swift"],
    severity: "error",
    about: "Liger's GRPO loss together with an option that it lacks.",
    change: "delta, top_entropy_quantile, or use_liger_kernel",
    source: "TRL, grpo_config.py, __post_init__; ms-swift, rlhf_args.py, _check_grpo",
    check: ligerAlone,
  },
  dr_grpo_scaled: {
    systems: ["trl", "ms-swift"],
    severity: "info",
    about: "Dr. GRPO by its loss alone, with rewards still divided by the deviation.",
    change: "scale_rewards",
    source: "Dr. GRPO, arXiv 2503.20783; TRL, grpo_config.py, scale_rewards",
    wantsWhole: true,
    check: scaledDrGrpo,
  },
  luspo_by_token: {
    systems: ["trl", "ms-swift"],
    severity: "warning",
    about: "LUSPO without the ratio of whole completions.",
    change: "importance_sampling_level",
    source: "TRL, grpo_config.py, loss_type",
    wantsWhole: true,
    check: sequenceLoss,
  },
  gspo_clip: {
    systems: ["trl", "ms-swift", "verl"],
    severity: "info",
    about: "GSPO with the clip range of GRPO, which is never reached.",
    change: "epsilon and epsilon_high, actor_rollout_ref.actor.clip_ratio_low and clip_ratio_high",
    source: "GSPO, arXiv 2507.18071: 3e-4 and 4e-4",
    wantsWhole: true,
    check: gspoClip,
  },
  sync_without_reference: {
    systems: ON_TRL,
    severity: "error",
    about: "The reference is to follow the policy, and beta 0 loads none.",
    change: "beta, or sync_ref_model",
    source: "TRL, grpo_trainer.py, __init__; beta is 0 since 0.19",
    wantsWhole: true,
    check: syncWithoutReference,
  },
  kl_weight_unused: {
    systems: ["verl"],
    severity: "warning",
    about: "A weight of the KL in the loss, which is not switched on.",
    change: "actor_rollout_ref.actor.use_kl_loss",
    source: "verl, workers/config/actor.py: use_kl_loss False",
    wantsWhole: true,
    check: klUnused,
  },
  kl_estimator_of_loss: {
    systems: ["verl", "openrlhf"],
    severity: "warning",
    about: "An estimator of the KL whose gradient does not hold the policy, in the loss.",
    change: "actor_rollout_ref.actor.kl_loss_type, --algo.kl.estimator",
    source: "OpenRLHF, cli/train_ppo_ray.py; verl, core_algos.py, kl_penalty",
    wantsWhole: true,
    check: klEstimator,
  },
  clip_ratio_alone: {
    systems: ["verl"],
    severity: "warning",
    about: "clip_ratio alone, which clip_ratio_low and clip_ratio_high overrule.",
    change: "actor_rollout_ref.actor.clip_ratio_low and clip_ratio_high",
    source: "verl, core_algos.py, compute_policy_loss_vanilla; workers/config/actor.py",
    wantsWhole: true,
    check: clipAlone,
  },
} as const satisfies Record<string, LaunchRule>;
