/** Files of other systems with values that no person writes: brackets that do not close, signs, names of objects. */
import { integer } from "../../../data/random.ts";

const VALUES = [
  "{{{ [[[ ]]] {{a:b}:c} {[1]:2} {a:{b:c}} [1,2 1,2] ' \" 'a \"a\"b {'a':1} ${x} ${a.b} $X ${X:-7} $(date) `x` 1e-6 1e999",
  "-1 0 .5 5. 1_000 null None true ~ é中文🙂 \u202e \\ \\n &a *a !!python/object [] {} __proto__ constructor {__proto__:1}",
  "[sigmoid,sft] ../../etc/passwd / a/b/ . .. ~/x https://a https:// 0x10 9007199254740993 yes off {a} {:} {,} [,] [:] <<EOF",
  "a=b = : % @x ? | > \u0001 \u001b[31m }}} [[[1],2],3] \"\" '' {a:${b}} [${a},1] \u00a0 \ufeff",
].join(" ").split(" ").concat(["x".repeat(3000), "", "a b", "a #b", "- x", "a: b", "\u0000"]);

const TRL =
  "loss_type beta learning_rate model_name_or_path dataset_name reward_funcs reward_weights num_generations " +
  "per_device_train_batch_size gradient_accumulation_steps max_steps num_train_epochs warmup_ratio lr_scheduler_type " +
  "lr_scheduler_kwargs epsilon_high scale_rewards generation_kwargs seed save_steps temperature max_completion_length " +
  "steps_per_generation num_iterations packing max_length label_smoothing ld_alpha loss_weights use_vllm rpo_alpha cutoff_len";
const VERL =
  "algorithm.adv_estimator data.train_files data.train_batch_size data.prompt_key actor_rollout_ref.model.path " +
  "actor_rollout_ref.actor.optim.lr actor_rollout_ref.actor.ppo_mini_batch_size actor_rollout_ref.rollout.n " +
  "actor_rollout_ref.actor.use_kl_loss actor_rollout_ref.actor.kl_loss_type actor_rollout_ref.actor.loss_agg_mode " +
  "actor_rollout_ref.actor.policy_loss.loss_mode algorithm.kl_ctrl.type algorithm.filter_groups.enable trainer.total_epochs " +
  "critic.model.path custom_reward_function.path reward_model.overlong_buffer.len actor_rollout_ref.actor.optim.betas";
const OPENRLHF =
  "actor.model_name_or_path reward.model_name_or_path reward.remote_url data.prompt_dataset data.input_key " +
  "rollout.batch_size rollout.n_samples_per_prompt train.batch_size algo.advantage.estimator algo.kl.estimator algo.kl.target " +
  "actor.adam.betas actor.eps_clip_low_high reward.clip_range algo.dynamic_filtering_range generate_max_len model.beta";

type Option = readonly [name: string, value: string];

/** How each kind of file writes options; the name decides how it is read. */
const FILES: readonly (readonly [name: string, options: string, write: (options: readonly Option[]) => string])[] = [
  ["a.sh", TRL, (own) => `trl grpo ${own.map(([k, v]) => `--${k} ${v}`).join(" ")}`],
  ["a.sh", TRL, (own) => `trl dpo ${own.map(([k, v]) => `--${k}='${v}'`).join(" \\\n ")}`],
  ["a.sh", TRL, (own) => `swift rlhf --rlhf_type kto ${own.map(([k, v]) => `--${k} "${v}"`).join(" ")}`],
  ["a.sh", VERL, (own) => `python3 -m verl.trainer.main_ppo ${own.map(([k, v]) => `"${k}=${v}"`).join(" ")}`],
  [
    "a.sh",
    OPENRLHF,
    (own) => `deepspeed --module openrlhf.cli.train_ppo_ray ${own.map(([k, v]) => `--${k} ${v}`).join(" ")}`,
  ],
  ["a.yaml", TRL, (own) => `trainer: sft\n${own.map(([k, v]) => `${k}: ${v}`).join("\n")}`],
  ["a.yaml", TRL, (own) => `stage: dpo\ncutoff_len: 9\n${own.map(([k, v]) => `${k}: "${v}"`).join("\n")}`],
  [
    "a.json",
    TRL,
    (own) => JSON.stringify(Object.fromEntries([["trainer", "kto"], ...own.map(([k, v]) => [k, { [v]: [v] }])])),
  ],
  [
    "a.py",
    TRL,
    (own) => `X = ${own[0]![1]}\nGRPOTrainer(model=X, args=GRPOConfig(${own.map(([k, v]) => `${k}=${v}`).join(", ")}))`,
  ],
];

/** The file of a number: the same for the same number. */
export function fuzzedFile(at: number): { readonly name: string; readonly text: string } {
  const below = (draw: number, count: number) => integer(0, "fuzzed", at, 0, draw, count);
  const [name, options, write] = FILES[at % FILES.length]!, names = options.split(" ");
  const own = Array.from({ length: 1 + below(0, 6) }, (_, i): Option => [
    names[below(2 * i + 1, names.length)]!,
    VALUES[below(2 * i + 2, VALUES.length)]!,
  ]);
  return { name, text: write(own) };
}
