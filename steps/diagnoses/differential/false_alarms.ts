/**
 * How often each rule warns of a healthy run, as measured: `deno task bench false_alarms --write` writes the table.
 *
 * Healthy are simulated runs that stay where they are or rise slowly, with noise that has a memory, and the runs labelled
 * benign in tests/slow and tests/cases. Each rule is asked by itself; notes are no alarms. Runs of a rule are those in which
 * it could speak: something that it reads was there and it looked at it.
 * @module
 */

const SURE = 0.05; // Chance that the true rate lies above the bound.
const HALVINGS = 40; // Of the interval in which the bound lies: to 1e-12.
const FEW = 20; // Runs of a kind below which no rate is told.
const KINDS = ["of rollouts", "on pairs", "of other kinds"];

/** The largest rate at which `fired` alarms or fewer in so many runs have a chance of 5 % (Clopper and Pearson 1934). */
export function upperBound(fired: number, runs: number): number {
  if (fired >= runs) return 1;
  let [low, high] = [0, 1];
  for (let i = 0; i < HALVINGS; i++) {
    const rate = (low + high) / 2;
    if (atMost(fired, runs, rate) > SURE) low = rate;
    else high = rate;
  }
  return high;
}

/** Chance of `fired` or fewer of so many runs at a rate, summed in logarithms. */
function atMost(fired: number, runs: number, rate: number): number {
  let log = runs * Math.log1p(-rate), sum = Math.exp(log);
  for (let k = 1; k <= fired; k++) {
    log += Math.log((runs - k + 1) / k) + Math.log(rate) - Math.log1p(-rate);
    sum += Math.exp(log);
  }
  return sum;
}

/** "3 of 1,250 runs of rollouts (at most 0.6 %), …": what the page of a rule says. */
export function falseAlarmText(cause: string): string {
  const share = (rate: number) => `${Number((100 * rate).toPrecision(2))} %`;
  const measured = FALSE_ALARMS[cause];
  if (measured === undefined) return "not measured yet";
  const told = measured.flatMap(([fired, runs], i) =>
    runs < FEW ? [] : [`${fired} of ${runs} runs ${KINDS[i]} (at most ${share(upperBound(fired, runs))})`]
  );
  return told.length === 0 ? `fewer than ${FEW} of the runs print what it reads` : told.join(", ");
}

/** Alarm on so many of the runs in which a rule could speak: of rollouts, on pairs, and of other kinds. */
// written by the benchmark
type Measured = readonly (readonly [alarms: number, runs: number])[];
export const FALSE_ALARMS: Readonly<Record<string, Measured>> = {
  irreproducible_step: [[0, 0], [0, 0], [0, 0]],
  group_integrity: [[0, 0], [0, 0], [0, 0]],
  no_trainable_parameters: [[0, 0], [0, 0], [0, 0]],
  gradient_checkpointing_cuts_gradient: [[0, 0], [0, 0], [0, 0]],
  no_supervised_tokens: [[0, 0], [0, 0], [0, 1]],
  kto_single_class: [[0, 0], [0, 3], [0, 0]],
  kto_vanilla_loss_nan: [[0, 0], [0, 3], [0, 0]],
  invalid_config_value: [[0, 0], [0, 1206], [0, 0]],
  learning_rate_zero: [[0, 1233], [0, 1206], [0, 1]],
  invalid_reward_values: [[0, 1233], [0, 1206], [0, 1]],
  fp16_overflow: [[0, 0], [0, 0], [0, 0]],
  preference_margin_blowup: [[0, 0], [0, 1206], [0, 0]],
  learning_rate_too_high: [[0, 1233], [0, 1206], [0, 1]],
  training_divergence: [[0, 1233], [0, 1206], [0, 1]],
  nan_loss: [[0, 1233], [0, 1206], [0, 1]],
  non_finite_weights: [[0, 1233], [0, 1206], [0, 1]],
  old_logprob_nan: [[0, 1233], [0, 0], [0, 0]],
  kl_nan_isolated: [[0, 1233], [0, 1203], [0, 1]],
  reward_task_mismatch: [[0, 0], [0, 0], [0, 0]],
  garbled_generation: [[0, 1233], [0, 4], [0, 0]],
  coordinates_mismatch: [[0, 14], [0, 0], [0, 0]],
  greedy_sampling: [[0, 14], [0, 0], [0, 0]],
  all_completions_masked: [[0, 1233], [0, 1206], [0, 1]],
  rollout_trainer_mismatch: [[0, 1225], [0, 0], [0, 0]],
  negative_kl_estimate: [[0, 1233], [0, 0], [0, 0]],
  wrong_reference_model: [[0, 1222], [0, 1205], [0, 0]],
  forgetting: [[0, 1221], [0, 0], [0, 0]],
  reward_hacking: [[0, 1231], [0, 0], [0, 0]],
  kl_explosion: [[0, 1225], [0, 0], [0, 0]],
  gradient_spikes: [[0, 1233], [0, 1206], [0, 1]],
  repeated_token_degeneration: [[0, 14], [0, 0], [0, 0]],
  mode_collapse: [[0, 1233], [0, 0], [0, 0]],
  length_collapse: [[1, 1233], [0, 0], [0, 0]],
  entropy_collapse: [[0, 1233], [0, 0], [0, 0]],
  excessive_clipping: [[0, 1218], [0, 0], [0, 0]],
  truncated_completions: [[0, 1233], [0, 0], [0, 0]],
  length_inflation: [[0, 1233], [0, 0], [0, 0]],
  reward_imbalance: [[0, 22], [0, 0], [0, 0]],
  reward_parser_mismatch: [[0, 14], [0, 0], [0, 0]],
  all_correct_saturated: [[0, 1233], [0, 0], [0, 0]],
  format_reward_never_fires: [[0, 20], [0, 0], [0, 0]],
  constant_reward: [[0, 1233], [0, 0], [0, 0]],
  all_incorrect_reward_floor: [[0, 1233], [0, 0], [0, 0]],
  reward_collapse: [[6, 1233], [0, 0], [0, 0]],
  group_size_too_small: [[0, 0], [0, 0], [0, 0]],
  zero_reward_variance: [[0, 1233], [0, 0], [0, 0]],
  identical_preference_pairs: [[0, 0], [0, 1203], [0, 0]],
  flipped_preference_labels: [[0, 0], [0, 1206], [0, 0]],
  likelihood_displacement: [[0, 0], [2, 1206], [0, 0]],
  broken_gradient_path: [[0, 1233], [0, 1206], [0, 1]],
  update_too_small: [[0, 1233], [0, 1206], [0, 1]],
  critic_not_learning: [[0, 2], [0, 0], [0, 0]],
  overfitting: [[0, 1233], [4, 1206], [0, 1]],
  learning_plateau: [[0, 1233], [0, 1206], [0, 1]],
  flat_reward_no_learning: [[0, 422], [0, 0], [0, 0]],
  resource_stall: [[0, 1215], [0, 1200], [0, 0]],
  benign_zero_loss: [[0, 1233], [0, 0], [0, 0]],
};
