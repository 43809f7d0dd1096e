/**
 * Logs of runs that learn, and of runs that die, as four systems print them: shapes that no case has. Made here, from a
 * seed, with noise; what a run with such a log is called stands beside it.
 */
import { uniform } from "../../data/random.ts";

/** What is logged of one train step. */
export interface Step {
  readonly loss: number;
  readonly grad_norm: number;
  readonly learning_rate: number;
  readonly reward: number;
  readonly reward_std: number;
  /** Share of the groups whose rewards are all the same. */
  readonly zero_spread: number;
  readonly kl: number;
  readonly entropy: number;
  readonly length: number;
  /** Share of completions that reached the limit. */
  readonly truncated: number;
  /** Seconds. */
  readonly time: number;
}

/** Draws for one log: the same place has the same number. */
export type Draw = (from: number, to: number, place: number) => number;

export const STEPS = 60;

/** A run that learns as most do: the reward rises, everything else moves a little. */
function learning(step: number, draw: Draw): Step {
  return {
    loss: draw(-0.01, 0.012, 1),
    grad_norm: draw(0.2, 0.5, 2),
    learning_rate: 1e-6,
    reward: 0.2 + 0.5 * (1 - Math.exp(-step / 25)) + draw(-0.06, 0.06, 3),
    reward_std: draw(0.3, 0.42, 4),
    zero_spread: Math.floor(draw(0, 4, 5)) / 8,
    kl: 0.0004 * Math.sqrt(step) * draw(0.7, 1.3, 6),
    entropy: 1.1 - 0.3 * (step / STEPS) + draw(-0.06, 0.06, 7),
    length: draw(180, 230, 8),
    truncated: Math.floor(draw(0, 3, 9)) / 64,
    time: draw(10, 12, 10),
  };
}

type Change = (step: number, usual: Step, draw: Draw) => Partial<Step>;

/** Runs that learn, each with something that looks odd to who does not know it. */
export const HEALTHY = {
  plain: () => ({}),
  "a learning rate that warms up from 0": (step) => {
    const share = Math.min(1, (step - 1) / 10);
    return { learning_rate: 1e-6 * share };
  },
  "no reward in the first steps, then it learns": (step, usual, draw) =>
    step > 8 ? {} : {
      reward: step % 3 ? 0 : draw(0.005, 0.02, 20),
      reward_std: step % 3 ? 0 : 0.08,
      zero_spread: step % 3 ? 1 : 7 / 8,
      loss: step % 3 ? 0 : usual.loss / 10,
      grad_norm: step % 3 ? 0.0004 : 0.05,
    },
  "a sparse reward": (step, _, draw) => {
    const solved = Math.floor(draw(0, 3 + step / 12, 21));
    return {
      reward: solved / 64,
      reward_std: solved ? 0.12 + solved / 100 : 0,
      zero_spread: 1 - Math.min(solved, 8) / 8,
      loss: solved ? draw(-0.002, 0.002, 22) : 0,
      grad_norm: solved ? draw(0.03, 0.09, 23) : 0.0001,
    };
  },
  "a loss of 0 in every step: one update per rollout, no KL": (step, _, draw) => ({
    loss: draw(-4e-9, 4e-9, 24),
    kl: 0.0003 * Math.sqrt(step),
  }),
  "a loss of 0 in the first step": (step) => step === 1 ? { loss: 0, kl: 0 } : {},
  "gradients that are clipped": (_step, _usual, draw) => ({ grad_norm: draw(1.5, 6, 25) }),
  "a pause in the middle": (step) => step === 30 ? { time: 5400 } : {},
  "one bad step in the middle": (step) => step === 31 ? { grad_norm: 11, kl: 0.03, loss: 0.09 } : {},
  "noise that hides the gain": (step, _, draw) => ({ reward: 0.3 + 0.004 * step + draw(-0.2, 0.2, 26) }),
  "entropy that sinks and stays": (step, _, draw) => ({
    entropy: 0.35 + 0.7 * Math.exp(-step / 15) + draw(-0.03, 0.03, 27),
  }),
  "completions that grow": (step, _, draw) => ({ length: 150 + 6 * step + draw(-15, 15, 28) }),
} satisfies Record<string, Change>;

/** Runs that die, the step at which they do, and what may be said of it. */
export const DEAD = {
  "NaN at step 37": {
    from: 37,
    causes: ["non_finite_weights", "old_logprob_nan", "nan_loss", "training_divergence"],
    change: (step) =>
      step < 37 ? {} : { loss: NaN, grad_norm: NaN, kl: NaN, entropy: NaN, reward: 0, reward_std: 0, zero_spread: 1 },
  },
  "the same reward everywhere": {
    from: 1,
    causes: ["constant_reward", "zero_reward_variance", "all_incorrect_reward_floor", "all_correct_saturated"],
    change: (_step, _usual, draw) => ({
      reward: 0.5,
      reward_std: 0,
      zero_spread: 1,
      loss: 0.0001 * draw(0.5, 1, 30),
      grad_norm: draw(0.0001, 0.0004, 31),
    }),
  },
  "no gradient: the adapter is not trained": {
    from: 1,
    causes: ["broken_gradient_path", "no_trainable_parameters", "gradient_checkpointing_cuts_gradient"],
    change: (_step, _usual, draw) => ({
      loss: 0,
      grad_norm: 0,
      kl: 0,
      reward: draw(0.25, 0.35, 32),
      entropy: draw(1, 1.1, 33),
    }),
  },
  "entropy collapses": {
    from: 20,
    causes: [
      "entropy_collapse",
      "mode_collapse",
      "reward_collapse",
      "greedy_sampling",
      "learning_rate_too_high",
      "zero_reward_variance",
    ],
    change: (step, usual, draw) =>
      step < 20 ? {} : {
        entropy: Math.max(0.002, usual.entropy * Math.exp(-(step - 20) / 3)) * draw(0.8, 1.2, 34),
        reward_std: Math.max(0.01, 0.35 * Math.exp(-(step - 20) / 5)),
        zero_spread: Math.min(1, 0.2 + (step - 20) / 15),
        reward: 0.35 + draw(-0.02, 0.02, 35),
      },
  },
  "KL explodes": {
    from: 15,
    causes: ["kl_explosion", "training_divergence", "learning_rate_too_high", "reward_collapse"],
    change: (step, usual, draw) =>
      step < 15 ? {} : {
        kl: Math.min(4000, 0.01 * Math.exp((step - 15) / 1.6)) * draw(0.7, 1.3, 36),
        reward: Math.max(0, usual.reward - 0.06 * (step - 15)),
        loss: Math.min(160, 0.0004 * Math.exp((step - 15) / 1.6)),
        grad_norm: draw(4, 40, 37),
      },
  },
} satisfies Record<string, { from: number; causes: readonly string[]; change: Change }>;

const python = (value: number) => Number.isNaN(value) ? "nan" : String(value);
const rounded = (value: number, digits: number) => Number.isNaN(value) ? "nan" : value.toFixed(digits);

/** One step as a system prints it. */
export const PRINTED = {
  "TRL, print-dict": (step, s) =>
    `{'loss': ${rounded(s.loss, 4)}, 'grad_norm': ${python(s.grad_norm)}, 'learning_rate': ${s.learning_rate}, ` +
    `'num_tokens': ${step * 50000}.0, 'completions/mean_length': ${s.length.toFixed(3)}, ` +
    `'completions/clipped_ratio': ${s.truncated}, 'rewards/accuracy_reward/mean': ${python(s.reward)}, ` +
    `'rewards/accuracy_reward/std': ${s.reward_std}, 'reward': ${python(s.reward)}, 'reward_std': ${s.reward_std}, ` +
    `'frac_reward_zero_std': ${s.zero_spread}, 'kl': ${python(s.kl)}, 'entropy': ${python(s.entropy)}, ` +
    `'clip_ratio/low_mean': 0.0, 'clip_ratio/high_mean': 0.0, 'clip_ratio/region_mean': 0.0, ` +
    `'epoch': ${(step / 100).toFixed(2)}}\n`,
  "verl, console": (step, s) =>
    `(TaskRunner pid=4711) step:${step} - actor/pg_loss:${python(s.loss)} - actor/kl_loss:${python(s.kl)} - ` +
    `actor/entropy:${python(s.entropy)} - actor/grad_norm:${python(s.grad_norm)} - actor/lr:${s.learning_rate} - ` +
    `actor/pg_clipfrac:0.0012 - actor/ppo_kl:${python(s.kl / 100)} - critic/score/mean:${python(s.reward)} - ` +
    `critic/rewards/mean:${python(s.reward)} - critic/advantages/mean:-0.0 - critic/advantages/max:${
      s.zero_spread < 1 ? 2.47 : 0
    } - critic/advantages/min:${s.zero_spread < 1 ? -2.47 : 0} - response_length/mean:${s.length} - ` +
    `response_length/clip_ratio:${s.truncated} - timing_s/step:${s.time}\n`,
  "OpenRLHF, progress bar": (step, s) =>
    `Episode [1/1]: ${Math.round(100 * step / STEPS)}%|███▌   | ${step}/${STEPS} [${step}:00<30:00, ${
      s.time.toFixed(2)
    }s/it, ` +
    `policy_loss=${rounded(s.loss, 6)}, actor_lr=${s.learning_rate}, grad_norm=${python(s.grad_norm)}, kl=${
      python(s.kl)
    }, ` +
    `entropy_loss=${python(s.entropy)}, reward=${python(s.reward)}, response_length=${s.length.toFixed(1)}, ` +
    `truncated=${s.truncated}]\r`,
  "ms-swift, dict": (step, s) =>
    `{'loss': ${rounded(s.loss, 8)}, 'grad_norm': ${rounded(s.grad_norm, 8)}, 'learning_rate': ${s.learning_rate}, ` +
    `'memory(GiB)': 61.2, 'train_speed(iter/s)': ${(1 / s.time).toFixed(6)}, 'completions/mean_length': ${s.length}, ` +
    `'completions/clipped_ratio': ${s.truncated}, 'rewards/MathAccuracy/mean': ${python(s.reward)}, ` +
    `'rewards/MathAccuracy/std': ${s.reward_std}, 'reward': ${python(s.reward)}, 'reward_std': ${s.reward_std}, ` +
    `'frac_reward_zero_std': ${s.zero_spread}, 'kl': ${python(s.kl)}, 'entropy/mean': ${python(s.entropy)}, ` +
    `'epoch': ${(step / 100).toFixed(2)}, 'global_step/max_steps': '${step}/${STEPS}'}\n`,
} satisfies Record<string, (step: number, logged: Step) => string>;

/** The lines of a log, one per train step. */
export function shapedLog(print: (step: number, logged: Step) => string, change: Change, seed: number): string[] {
  return Array.from({ length: STEPS }, (_, i) => {
    const step = i + 1, draw: Draw = (from, to, place) => from + (to - from) * uniform(seed, "shape", step, 0, place);
    const usual = learning(step, draw);
    return print(step, { ...usual, ...change(step, usual, draw) });
  });
}
