/** Words that a system does not know for a loss, an estimator, a schedule, an optimizer. @module */
import { levenshteinDistance } from "@deno/std/text/levenshtein_distance.js";
import { suggest } from "../../../data/did_you_mean.ts";
import { type Hit, hit, type LaunchRule, ON_TRAINER } from "./rule.ts";
import type { Launch } from "./launch.ts";

const A = "actor_rollout_ref.actor.";

/** The words of an option; `meant` are those that other systems have for the same. */
interface Vocabulary {
  readonly systems: readonly Launch["system"][];
  readonly names: readonly string[];
  readonly trainer?: RegExp;
  readonly words: readonly string[];
  readonly meant?: Readonly<Record<string, string>>;
}

const spaced = (text: string) => text.trim().split(/\s+/);
const SCHEDULES = spaced(
  "linear cosine cosine_with_restarts polynomial constant constant_with_warmup inverse_sqrt reduce_lr_on_plateau cosine_with_min_lr " +
    "cosine_warmup_with_min_lr warmup_stable_decay",
);
const OPTIMIZERS = spaced(
  "adamw_torch adamw_torch_fused adamw_torch_xla adamw_torch_npu_fused adamw_apex_fused adafactor adamw_anyprecision adamw_torch_4bit " +
    "adamw_torch_8bit ademamix sgd adagrad adamw_bnb_8bit adamw_8bit ademamix_8bit lion_8bit lion_32bit paged_adamw_32bit paged_adamw_8bit " +
    "paged_ademamix_32bit paged_ademamix_8bit paged_lion_32bit paged_lion_8bit rmsprop rmsprop_bnb rmsprop_bnb_8bit rmsprop_bnb_32bit " +
    "galore_adamw galore_adamw_8bit galore_adafactor lomo adalomo grokadamw schedule_free_radam schedule_free_adamw schedule_free_sgd " +
    "apollo_adamw stable_adamw adamw_hf muon",
);

const LOSSES: readonly Vocabulary[] = [
  {
    systems: ["trl", "unsloth"],
    names: ["loss_type"],
    trainer: /^grpo$/,
    words: spaced("grpo bnpo dr_grpo dapo cispo sapo vespo luspo"),
    meant: { drgrpo: "dr_grpo", "dr-grpo": "dr_grpo", gspo: "grpo" },
  },
  {
    systems: ["trl", "unsloth"],
    names: ["loss_type"],
    trainer: /^dpo$/,
    words: spaced(
      "sigmoid hinge ipo exo_pair nca_pair robust bco_pair sppo_hard aot aot_pair aot_unpaired apo_zero apo_down discopop sft sigmoid_norm",
    ),
    meant: { kto: "apo_zero", kto_pair: "apo_zero", dpo: "sigmoid" },
  },
  {
    systems: ["verl"],
    names: [`${A}policy_loss.loss_mode`],
    words: spaced("vanilla gspo sapo gpg clip_cov kl_cov geo_mean cispo dppo_tv dppo_kl dro bypass_mode"),
    meant: { ppo: "vanilla", gmpo: "geo_mean", clip_conv: "clip_cov" },
  },
  {
    systems: ["verl"],
    names: [`${A}loss_agg_mode`],
    words: spaced("token-mean token-sum seq-mean-token-sum seq-mean-token-mean seq-mean-token-sum-norm"),
  },
];
const ESTIMATORS: readonly Vocabulary[] = [
  {
    systems: ["verl"],
    names: ["algorithm.adv_estimator"],
    words: spaced(
      "gae grpo grpo_passk grpo_vectorized gdpo rloo rloo_vectorized reinforce_plus_plus reinforce_plus_plus_baseline remax opo gpg optimal_token_baseline tir_optimal_token_baseline",
    ),
    meant: {
      group_norm: "grpo",
      "reinforce++": "reinforce_plus_plus",
      reinforce: "reinforce_plus_plus",
      reinforce_baseline: "reinforce_plus_plus_baseline",
      ppo: "gae",
    },
  },
  {
    systems: ["openrlhf"],
    names: ["algo.advantage.estimator", "advantage_estimator"],
    words: spaced("gae reinforce rloo reinforce_baseline group_norm dr_grpo"),
    meant: { grpo: "group_norm", "reinforce++": "reinforce", reinforce_plus_plus: "reinforce", ppo: "gae" },
  },
  {
    systems: ["ms-swift"],
    names: ["advantage_estimator"],
    words: spaced("grpo rloo reinforce_plus_plus"),
    meant: { group_norm: "grpo", "reinforce++": "reinforce_plus_plus" },
  },
];
const ENGINES: readonly Vocabulary[] = [
  {
    systems: ["verl"],
    names: ["actor_rollout_ref.rollout.name"],
    words: spaced("vllm sglang hf trtllm naive"),
    meant: { sgl: "sglang", huggingface: "hf" },
  },
  {
    systems: ["verl"],
    names: [`${A}strategy`, "critic.strategy", "actor_rollout_ref.ref.strategy"],
    words: spaced("fsdp fsdp2 megatron veomni torchtitan"),
  },
  {
    systems: ["verl"],
    names: ["reward_model.reward_manager", "reward.reward_manager.name"],
    words: spaced("naive prime batch dapo rate_limited gdpo remote limited"),
  },
  { systems: ["trl", "unsloth", "ms-swift"], names: ["vllm_mode"], words: spaced("server colocate") },
];
const KL_ESTIMATORS: readonly Vocabulary[] = [
  {
    systems: ["verl"],
    names: [`${A}kl_loss_type`, "algorithm.kl_penalty"],
    words: spaced("kl k1 abs mse k2 low_var_kl k3 full kl+ k1+ abs+ mse+ k2+ low_var_kl+ k3+"),
    meant: { low_var: "low_var_kl", lowvar_kl: "low_var_kl" },
  },
  {
    systems: ["openrlhf"],
    names: ["algo.kl.estimator", "kl_estimator"],
    words: spaced("k1 k2 k3"),
    meant: { kl: "k1", low_var_kl: "k3", mse: "k2" },
  },
];
const TRAININGS: readonly Vocabulary[] = [
  {
    systems: ["llamafactory"],
    names: ["stage"],
    words: spaced("pt sft rm ppo dpo kto"),
    meant: { orpo: "dpo", simpo: "dpo", reward: "rm", pretrain: "pt" },
  },
  {
    systems: ["llamafactory"],
    names: ["finetuning_type"],
    words: spaced("lora oft freeze full"),
    meant: { qlora: "lora", full_parameter: "full" },
  },
  {
    systems: ["llamafactory"],
    names: ["pref_loss"],
    words: spaced("sigmoid hinge ipo kto_pair orpo simpo bco"),
    meant: { dpo: "sigmoid" },
  },
  {
    systems: ["ms-swift"],
    names: ["rlhf_type"],
    words: spaced("dpo orpo simpo kto cpo rm ppo grpo gkd"),
    meant: { reward: "rm", dapo: "grpo", gspo: "grpo" },
  },
  {
    systems: ["ms-swift"],
    names: ["train_type", "tuner_type"],
    words: spaced("lora full longlora adalora llamapro adapter vera boft fourierft reft bone lora_llm"),
    meant: { qlora: "lora" },
  },
];

/** Most letters by which a word may differ from the one that is meant: others may be of a newer version. */
const FAR = 2;

function strange(vocabularies: readonly Vocabulary[], effect: string) {
  return (launch: Launch): Hit[] =>
    vocabularies.flatMap(({ systems, names, trainer, words, meant = {} }) => {
      const told = systems.includes(launch.system) && trainer?.test(launch.trainer ?? "") !== false
        ? launch.told(...names)
        : undefined;
      if (typeof told?.value !== "string") return [];
      const word = told.value, near = nearWord(word, words, meant);
      if (near === null) return [];
      return hit(
        `${launch.called(told.name)} "${word}" is none of ${words.join(", ")}; did you mean "${near}"? ${effect}`,
        [told],
        { name: told.name, value: near },
      );
    });
}

/** The word that is meant by one that is none of a list; null where it is one, or near to none. */
export function nearWord(
  word: string,
  words: readonly string[],
  meant: Readonly<Record<string, string>> = {},
): string | null {
  const low = word.toLowerCase();
  if (words.includes(word)) return null;
  const near = meant[low] ?? (words.includes(low) ? low : suggest(word, words));
  return near !== null && (Object.hasOwn(meant, low) || low === near || levenshteinDistance(low, near) <= FAR)
    ? near
    : null;
}

export const WORD_RULES = {
  unknown_loss: {
    systems: ["trl", "unsloth", "verl"],
    severity: "error",
    about: "The name of a loss or of its aggregation that the system does not have.",
    change: "loss_type, actor_rollout_ref.actor.policy_loss.loss_mode, loss_agg_mode",
    source: "TRL, grpo_config.py and dpo_config.py, loss_type; verl, core_algos.py and workers/config/actor.py",
    check: strange(LOSSES, "It is refused, in verl and GRPO only after the first rollout."),
  },
  unknown_estimator: {
    systems: ["verl", "openrlhf", "ms-swift"],
    severity: "error",
    about: "An estimator of advantages under the name of another system.",
    change: "algorithm.adv_estimator, --algo.advantage.estimator, --advantage_estimator",
    source: "verl, core_algos.py, AdvantageEstimator; OpenRLHF, cli/train_ppo_ray.py; ms-swift, rlhf_args.py",
    check: strange(ESTIMATORS, "It is refused."),
  },
  unknown_kl_estimator: {
    systems: ["verl", "openrlhf"],
    severity: "error",
    about: "An estimator of the KL that the system does not have.",
    change: "actor_rollout_ref.actor.kl_loss_type, algorithm.kl_penalty, --algo.kl.estimator",
    source: "verl, core_algos.py, kl_penalty: NotImplementedError in the first update",
    check: strange(KL_ESTIMATORS, "It is refused, in verl only in the first update."),
  },
  unknown_training: {
    systems: ["llamafactory", "ms-swift"],
    severity: "error",
    about: "A stage, kind of tuning or loss of pairs that the system does not have.",
    change: "stage, finetuning_type, pref_loss, --rlhf_type, --tuner_type",
    source: "LLaMA-Factory, finetuning_args.py; ms-swift, Command-line-parameters",
    check: strange(TRAININGS, "It is refused."),
  },
  unknown_engine: {
    systems: ["verl", "trl", "unsloth", "ms-swift"],
    severity: "error",
    about: "A sampling engine, a strategy or a reward manager that the system does not have.",
    change: "actor_rollout_ref.rollout.name, actor.strategy, reward_model.reward_manager, vllm_mode",
    source: "verl, workers/rollout/base.py and workers/reward_manager; TRL, grpo_config.py, vllm_mode",
    check: strange(ENGINES, "It is refused."),
  },
  unknown_schedule: {
    systems: ON_TRAINER,
    severity: "error",
    about: "A schedule of the learning rate that transformers does not have.",
    change: "lr_scheduler_type",
    source: "transformers, trainer_utils.py, SchedulerType",
    check: strange([{
      systems: ON_TRAINER,
      names: ["lr_scheduler_type"],
      words: SCHEDULES,
      meant: { cosine_with_warmup: "cosine", linear_with_warmup: "linear" },
    }], "It is refused."),
  },
  unknown_optimizer: {
    systems: ON_TRAINER,
    severity: "error",
    about: "An optimizer that transformers does not have.",
    change: "optim",
    source: "transformers, training_args.py, OptimizerNames",
    check: strange([{
      systems: ON_TRAINER,
      names: ["optim"],
      words: OPTIMIZERS,
      meant: { adamw: "adamw_torch", adam: "adamw_torch", adam_8bit: "adamw_8bit" },
    }], "It is refused."),
  },
} as const satisfies Record<string, LaunchRule>;
