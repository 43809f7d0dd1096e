/**
 * What each look shows where a cause is the one: the evidence that confirms it and that the others would not have.
 *
 * A clause after "if"; the look that tells most stands first.
 * @module
 */
import type { Cause } from "../mod.ts";
import type { LookName } from "./looks.ts";

/** What is seen in a look where the cause is there. */
export type Signs = Readonly<Partial<Record<LookName, string>>>;

/** Every cause with at least one look that confirms or excludes it. */
export const SIGNS: Readonly<Record<Cause, Signs> & Record<string, Signs>> = {
  // ***** integrity *****
  irreproducible_step: { run_twice: "the two differ" },
  group_integrity: { read_completions: "completions of one group answer different prompts" },
  // ***** nothing can be trained *****
  no_trainable_parameters: { count_parameters: "none requires a gradient" },
  gradient_checkpointing_cuts_gradient: {
    count_parameters: "they require a gradient and get one only without gradient checkpointing",
  },
  no_supervised_tokens: {
    read_pairs: "every label is masked",
    give_configuration: "the length limit cuts the answers",
  },
  kto_single_class: { read_pairs: "all labels are the same" },
  kto_vanilla_loss_nan: {
    read_pairs: "a batch holds one class only",
    print_each_step: "NaN comes in batches of one class",
  },
  invalid_config_value: { give_configuration: "an option has a value that the system refuses or ignores" },
  learning_rate_zero: {
    print_each_step: "the learning rate is 0",
    give_configuration: "the schedule ends before the run, or the rate is 0",
  },
  // ***** numbers *****
  invalid_reward_values: {
    score_by_hand: "one of them gives None, NaN or a huge number",
    rewards_apart: "one function prints NaN or an outlier",
  },
  fp16_overflow: {
    give_configuration: "it computes in fp16",
    first_tensor: "activations pass 65504 in fp16 and stay finite in bf16",
  },
  preference_margin_blowup: {
    print_each_step: "the margin grows without bound while the chosen log-probs fall",
    read_completions: "they are broken text although the accuracy is high",
  },
  learning_rate_too_high: {
    repeat_smaller: "the break does not come again",
    print_each_step: "the gradient norm jumps just before everything else",
  },
  training_divergence: {
    print_each_step: "the loss leaves its range before any other number",
    repeat_smaller: "it diverges all the same, later",
  },
  nan_loss: {
    first_tensor: "only the loss is not finite: weights and log-probs are",
    print_each_step: "the loss alone is NaN",
  },
  non_finite_weights: { first_tensor: "a weight is not finite before the forward pass" },
  old_logprob_nan: {
    first_tensor: "the log-probs of the rollout are NaN and the weights are not",
    sample_outside: "its logits are NaN",
  },
  kl_nan_isolated: {
    first_tensor: "nothing but the KL is not finite",
    print_each_step: "the KL is NaN, the gradient is not",
  },
  // ***** the task itself *****
  reward_task_mismatch: {
    score_by_hand: "the gold answer gets no more than junk",
    read_completions: "right answers get low rewards",
  },
  garbled_generation: {
    sample_outside: "it reads well there and as noise in the trainer",
    read_completions: "they are noise from the first train step on",
  },
  coordinates_mismatch: {
    read_completions: "boxes have the right form and another scale than the gold ones",
    score_by_hand: "the gold box gets the top reward, rescaled ones too low",
  },
  // ***** sampling *****
  greedy_sampling: {
    more_samples: "most completions of a prompt are the same word for word",
    give_configuration: "temperature, top_p or top_k leave one token",
    read_completions: "groups are copies already at the start",
  },
  all_completions_masked: {
    give_configuration: "truncated completions are masked and the cap is short",
    longer_cap: "they end by themselves",
  },
  rollout_trainer_mismatch: {
    compare_logprobs: "they differ by more than 0.05 nats per token already before the first update",
    sample_outside: "it answers otherwise than in the trainer",
  },
  negative_kl_estimate: {
    give_configuration: "sampling uses top_k, top_p, a penalty or a temperature that the log-probs do not",
    compare_logprobs: "the two differ on rare tokens",
  },
  wrong_reference_model: {
    print_kl: "it is far from 0 in the first train step",
    give_configuration: "the reference is another model or keeps dropout",
  },
  // ***** the policy *****
  reward_hacking: {
    evaluate_held_out: "the score falls while the reward rises",
    read_completions: "those with top rewards share a trick and do not solve the task",
    rewards_apart: "the one that is easy to please rises, the goal falls",
  },
  kl_explosion: {
    repeat_smaller: "the KL stays low and the reward holds",
    print_kl: "it grows long before the reward turns",
    evaluate_held_out: "the score falls as the KL grows, and so does the reward",
  },
  repeated_token_degeneration: { read_completions: "they end in the same words over and over" },
  mode_collapse: {
    more_samples: "different prompts get the same text",
    read_completions: "different prompts get the same text",
  },
  entropy_collapse: {
    print_entropy: "it fell towards 0 before the reward stopped",
    more_samples: "nearly all completions of a prompt agree, wrong ones too",
    read_completions: "completions of one prompt differ at the start and hardly at the end",
  },
  length_collapse: { read_completions: "they have lost their reasoning and give a bare answer" },
  length_inflation: {
    evaluate_held_out: "the score stands still while completions grow",
    read_completions: "long ones say the same again or pad, and are no more often right",
  },
  excessive_clipping: {
    repeat_smaller: "the clipped share falls and the reward rises",
    give_configuration: "one rollout feeds many updates",
  },
  reward_collapse: {
    evaluate_held_out: "the score has fallen with the reward",
    read_completions: "what was right at the best train step is wrong at the end",
  },
  gradient_spikes: {
    print_each_step: "single gradients lie 20 times over their neighbours",
    read_completions: "the batch of a spike holds an outlier in length or reward",
  },
  learning_plateau: {
    evaluate_held_out: "the score stopped rising when the reward did",
    print_ties: "most do: prompts are solved always or never",
  },
  reward_imbalance: {
    rewards_apart: "one has nearly all of the deviation, the goal stands at its floor",
    read_completions: "top rewards go to form, and answers are wrong",
  },
  forgetting: { evaluate_held_out: "another task's score falls while this one's rises" },
  // ***** the signal *****
  truncated_completions: {
    longer_cap: "they end by themselves, and more of them are right",
    read_completions: "they stop in the middle of a sentence",
  },
  reward_parser_mismatch: {
    score_by_hand: "the gold answer as the model writes it gets no reward",
    read_completions: "right answers get the reward of wrong ones",
  },
  all_correct_saturated: {
    evaluate_held_out: "the score is at its top",
    more_samples: "hardly one of 32 is wrong",
    read_completions: "they are right",
  },
  format_reward_never_fires: {
    read_completions: "none has the format",
    score_by_hand: "a completion in the format gets the format reward",
  },
  constant_reward: { score_by_hand: "all three get the same", rewards_apart: "each is one number" },
  all_incorrect_reward_floor: {
    more_samples: "none of 32 is right",
    score_by_hand: "the gold answer gets the top reward: the prompts are too hard",
    read_completions: "they are wrong",
  },
  group_size_too_small: {
    more_samples: "some of 32 are right and some wrong where a group of its size ties",
    give_configuration: "groups have fewer than 8 completions",
  },
  zero_reward_variance: {
    more_samples: "each prompt is solved always or never",
    rewards_apart: "none differs within a group",
    read_completions: "completions of a group deserve the same reward",
  },
  identical_preference_pairs: { read_pairs: "chosen and rejected are the same text" },
  flipped_preference_labels: { read_pairs: "the worse text is called the better one, or neither is better" },
  likelihood_displacement: {
    read_pairs: "chosen and rejected share most of their text",
    print_each_step: "both log-probs fall, the rejected one faster",
  },
  // ***** the update *****
  broken_gradient_path: {
    count_parameters: "parameters require a gradient and have none after backward",
    print_each_step: "the gradient norm is exactly 0 while groups have spread",
  },
  update_too_small: {
    count_parameters: "the optimizer owns none of the weights that are used, or the rate is tiny",
    print_kl: "it stays 0",
  },
  critic_not_learning: {
    print_each_step: "the explained variance stays at or below 0 while the critic's loss is large",
  },
  overfitting: {
    evaluate_held_out: "the held-out score or loss turns while the training one goes on",
    print_each_step: "the training loss steps down at each epoch",
  },
  flat_reward_no_learning: {
    print_ties: "few do: there is a signal that is not used",
    print_kl: "it stays near 0",
    score_by_hand: "a right answer is paid hardly more than a wrong one",
    read_completions: "right ones are paid no better than wrong ones",
  },
  resource_stall: { time_parts: "one part takes longer and longer, or memory runs out" },
  benign_zero_loss: { print_each_step: "the gradient norm is above 0 where the loss prints 0" },
};
