/** Healthy long runs of every shape: what is odd about each is no fault. @module */
import { type Document, type Draw, NUMERIC, preferences, proxy, type Rollout, rollout } from "./documents.ts";
import { type Facts, part } from "./truth.ts";

export interface Healthy {
  readonly why: string;
  readonly document: (draw: Draw) => Document;
  /** By held-out accuracy; a run that does not is thrown away. */
  readonly lives: (facts: Facts) => boolean;
}

/** Held-out accuracy ends at least so far above where it began. */
const gains = (by: number) => ({ held }: Facts) => part(held, 0.75, 1) - part(held, 0, 0.08) >= by;
/** It ends no lower than it began. */
const keeps = gains(-0.02);

const RIGHT = { uses: "verifier" };
const run = (why: string, given: Rollout | ((draw: Draw) => Rollout), lives = gains(0.05)): Healthy => ({
  why,
  document: (draw) => rollout(draw, typeof given === "function" ? given(draw) : given),
  lives,
});
const learned = (why: string, train: object): Healthy => ({
  why,
  document: (draw) => preferences(draw, { train: { ...train } }),
  lives: keeps,
});
const rate = (learning_rate: number, update: object = {}) => ({ update: { learning_rate, ...update } });
const LORA = { model: { lora: { rank: 8, alpha: 16, target_modules: "all_linear" }, reference: "adapter_off" } };
const EASY = { task: "sorting_digits", min_length: 2, max_length: 2 };
const DPO = { loss: "dpo", dpo_loss: ["sigmoid", "sft"], loss_weights: [1, 0.3] };

export const HEALTHY = {
  slow: run("a third of the usual rate", rate(1e-4), gains(0.02)),
  fast: run("twice the usual rate, and it does it good", rate(6e-4)),
  noisy: run(
    "two prompts a step",
    (draw) => ({ sample: { prompts_per_step: 2 }, ...rate(draw.between(1.5e-4, 2.5e-4)) }),
  ),
  noisy_judge: run("a judge that is wrong now and then, and is outvoted", (draw) => ({
    rewards: [proxy("noisy", 1, { chance: draw.between(0.05, 0.15) }, "judge")],
  })),
  large_batch: run("eight prompts a step", { sample: { prompts_per_step: 8 } }),
  multi_phase: run("the rate is lowered twice", {
    steps: 200,
    then: [{ steps: 180, ...rate(1.5e-4) }, { steps: 150, ...rate(6e-5) }],
  }),
  curriculum: run("short strings first: the reward jumps down, and rises again", {
    prompts: EASY,
    steps: 160,
    then: [{ steps: 380, prompts: { task: "sorting_digits", min_length: 2, max_length: 3 } }],
  }, ({ column }) => part(column("reward"), 0.85, 1) > part(column("reward"), 0.32, 0.45)),
  back_to_easy: run("the prompts become easier: the reward jumps up", {
    steps: 300,
    then: [{ steps: 240, prompts: EASY }],
  }),
  warm_up: run("the rate grows over a fifth of the run", rate(3e-4, { warmup_updates: 100 })),
  cosine: run("a cosine to the end of the run", rate(5e-4, { schedule: "cosine", schedule_updates: 520 })),
  linear: run(
    "a line to a tenth at the end of the run",
    rate(4e-4, { schedule: "linear", schedule_updates: 520, schedule_floor: 0.1 }),
  ),
  restarts: run(
    "cosines that begin anew",
    rate(5e-4, { schedule: "cosine_with_restarts", schedule_updates: 520, schedule_cycles: 3 }),
  ),
  kl_in_loss: run("a KL holds the policy near its reference", rate(3e-4, { kl_coef: 0.02 })),
  entropy_bonus_small: run("an entropy bonus that the reward outweighs", rate(3e-4, { entropy_coef: 0.005 })),
  several_updates: run("two updates of each rollout", rate(2e-4, { updates_per_rollout: 2 })),
  minibatches: run("four updates of a quarter each", {
    sample: { prompts_per_step: 8 },
    ...rate(1.5e-4, { updates_per_rollout: 4, minibatches: 4 }),
  }),
  dynamic_sampling: run("groups without spread are sampled anew", { filter: { metric: "correct", max_batches: 3 } }),
  rloo: run("RLOO", { advantages: { estimator: "rloo" } }),
  dr_grpo: run("Dr. GRPO: rewards are not divided by their spread", {
    advantages: { estimator: "dr_grpo" },
    ...rate(4e-4),
  }),
  large_scale: run("rewards of 100 for right, -50 for wrong", {
    rewards: [{ uses: "verifier", with: { right: 100, wrong: -50 } }],
  }),
  two_rewards: run("a small reward for the form beside the verifier", {
    rewards: [RIGHT, proxy("shape", 0.2, { target: 3 })],
  }),
  overlong: run("answers near the cap cost, and become rare", {
    sample: { max_new_tokens: 8 },
    rewards: [RIGHT, { uses: "overlong", weight: 0.5, with: { max_new_tokens: 8, buffer: 3 } }],
  }),
  numeric: run("the last number is judged", { prompts: NUMERIC, sample: { max_new_tokens: 10 } }),
  cool: run("sampled at temperature 0.8", { sample: { temperature: 0.8 } }),
  lora: run("a low-rank adapter", { ...LORA, ...rate(4e-3) }),
  ppo: run("PPO with a critic", {
    sample: { prompts_per_step: 32, group_size: 1 },
    advantages: { estimator: "gae", gamma: 1, lambda: 0.95 },
    update: { preset: "vanilla" },
    critic: { learning_rate: 1e-3 },
  }, gains(0.03)),
  letters: run("another task, which is learned slowly", { base: "letters" }, keeps),
  dpo: learned("DPO that holds the likelihood of the chosen answers", { ...DPO, learning_rate: 1e-4 }),
  dpo_cosine: learned("the same with a cosine", {
    ...DPO,
    learning_rate: 2e-4,
    schedule: "cosine",
    schedule_updates: 520,
  }),
  kto: learned("KTO with a high beta", { loss: "kto", beta: 0.5, desirable_weight: 3, learning_rate: 1e-4 }),
} as const satisfies Readonly<Record<string, Healthy>>;
