/** Which learning rate is usual: the one table that doctor, preflight and repair read. @module */

/** Peak rates of Adam by the model's size: small models from random weights stand and need more. */
const USUAL = [
  { below: 1e7, update: 3e-4, supervised: 1e-3 },
  { below: 3e8, update: 1e-5, supervised: 1e-4 },
  { below: Infinity, update: 1e-6, supervised: 2e-5 },
] as const;

const ADAPTER = 10; // Adapters stand ten times as much as full weights (TRL's guide on LoRA).

/** Times the usual rate, and parts of it, that are as usual: recipes for one size differ by so much. */
export const AROUND = 2;

/** Times the usual rate from which the first updates destroy the policy. */
export const DESTROYS = 100;
/**
 * Times the usual rate from which it is the cause where a run breaks and nothing else is told that would break it: fewer for
 * adapters, whose usual rate is as high as they stand it with ease.
 */
const BREAKS = { whole: 50, adapter: 10 } as const;
/** Parts of the usual rate, and below, at which nothing moves in a run of a usual length. */
const IDLE = 20;
/** From here on no model stands a rate of Adam: each update is the size of the weights themselves. */
export const ABSURD = 1e-2;
/** What models stand whose name tells no size, as it may be tiny. */
export const STOOD_BY_TINY = 1e-3;
/**
 * Rates that were meant for the other kind of training: of an adapter's usual rate the part at which it is one for all weights
 * (on given texts a smaller part, as a rate a little low still learns there), and of that of all weights of a large model the
 * times at which it is one for an adapter.
 */
const OF_WHOLE = { supervised: 40, update: 10 } as const, OF_ADAPTER = { supervised: 5, update: 30 } as const;

const DIGITS = 6; // More than any rate is written with.

/** What is trained, and how. */
interface Training {
  /** Parameters of the model; null = not known, then it counts as large. */
  readonly parameters: number | null;
  /** Supervised learning on given tokens; false for reinforcement learning and for preferences. */
  readonly supervised: boolean;
  readonly adapter?: boolean;
}

/** The usual learning rate: from `DESTROYS` times it on the first updates destroy the policy. */
export function usualLearningRate({ parameters, supervised, adapter = false }: Training): number {
  const rates = USUAL.find(({ below }) => (parameters ?? Infinity) < below) ?? USUAL.at(-1)!;
  const rate = supervised ? rates.supervised : rates.update;
  // As a person writes it: 10 times 3e-4 is 0.0029999999999999996.
  return adapter ? exact(ADAPTER * rate) : rate;
}

/** The usual learning rates of updates on rollouts, of large models and of the smallest: what is usual where no size is told. */
export function usualRange(adapter: boolean): readonly [large: number, smallest: number] {
  const of = (parameters: number | null) => usualLearningRate({ parameters, supervised: false, adapter });
  return [of(null), of(0)];
}

const exact = (rate: number) => Number(rate.toPrecision(DIGITS));

/** True of a rate that breaks a run as a rule, or at `times` the usual one. */
export function isBreakingRate(
  rate: number,
  training: Training,
  times: number = BREAKS[training.adapter ? "adapter" : "whole"],
): boolean {
  return rate >= exact(times * usualLearningRate(training));
}

/** True of a rate above 0 at which nothing moves. */
export function isIdleRate(rate: number, training: Training): boolean {
  return rate > 0 && rate <= exact(usualLearningRate(training) / IDLE);
}

/** True of an adapter's rate that is one for all weights. */
export function isRateOfWhole(rate: number, supervised: boolean): boolean {
  const usual = usualLearningRate({ parameters: null, supervised, adapter: true });
  return rate <= exact(usual / OF_WHOLE[supervised ? "supervised" : "update"]);
}

/** True of a rate for all weights of a large model that is one for an adapter. */
export function isRateOfAdapter(rate: number, supervised: boolean): boolean {
  const usual = usualLearningRate({ parameters: null, supervised });
  return rate >= exact(OF_ADAPTER[supervised ? "supervised" : "update"] * usual);
}

/** Whether a step learns from given answers or returns, and whether it trains the policy, which an adapter may hold. */
const STEPS: Readonly<Record<string, { readonly supervised: boolean; readonly policy: boolean }>> = {
  apply_update: { supervised: false, policy: true },
  train_preferences: { supervised: false, policy: true },
  fine_tune: { supervised: true, policy: true },
  train_reward_model: { supervised: true, policy: false },
  update_critic: { supervised: true, policy: false },
};

/** The usual learning rate of a step; of one that is not known, that of updates on rollouts. */
export function usualStepRate(step: string, { parameters, adapter }: Omit<Training, "supervised">): number {
  const { supervised, policy } = STEPS[step] ?? STEPS["apply_update"]!;
  return usualLearningRate({ parameters, supervised, adapter: policy && adapter === true });
}
