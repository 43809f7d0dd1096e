/** Faults in what trains on given completions: losses of preferences, their batches and data, fine-tuning. @module */
import { mutationsOf } from "./mutation.ts";

export const PREFERENCES = mutationsOf({
  "gpu/losses/dpo.ts": [
    ["no_mask_on_sums", "value.mul(weights).sum([1])", "value.sum([1])"],
    ["reference_forgotten", "sums(logprobs.sub(reference))", "sums(logprobs)"],
    ["weight_with_gradient", "logprobs.sub(logSumSquares).stopGradient()", "logprobs.sub(logSumSquares)"],
  ],
  "gpu/losses/kto.ts": [
    ["kl_may_be_negative", "Math.max(0, ratios", "Math.max(-1e9, ratios"],
    ["labels_swapped", "label.sub(other)", "other.sub(label)"],
    ["weights_swapped", "label.mul(loss.desirableWeight)", "other.mul(loss.desirableWeight)"],
  ],
  "gpu/losses/kto_vanilla.ts": [["always_detached", "detach ? kl.stopGradient() : kl", "kl.stopGradient()"]],
  "gpu/losses/preferences/sorted.ts": [["unsorted", "x.gatherElements(order, 0)", "x"]],
  "gpu/models/padding.ts": [["packed_positions_go_on", "if (segment !== before) place = 0;", ""]],
  "steps/preferences/batches.ts": [["own_completion_as_mismatch", "examples.at(r - 1)!", "examples[r]!"]],
  "steps/preferences/loop.ts": [["first_rows_always", "(update - 1) % updatesPerEpoch", "0"]],
  "steps/preferences/examples.ts": [["every_split", "if (splits[row] !== split) continue;", ""]],
  "steps/preferences/references.ts": [
    ["asked_again_on_resume", "context.position > 0 &&", "false &&"],
    ["own_and_mismatched_swapped", "i % 2 === 0", "i % 2 === 1"],
  ],
  "steps/preferences/validation.ts": [
    ["reference_left_out", "own === null ? policy.map(() => 0) : sequenceSums(own, all)", "policy.map(() => 0)"],
    ["reference_swapped", "pairMetrics(policy, theirs, beta)", "pairMetrics(theirs, policy, beta)"],
    ["side_of_zero", "policy[r]! - theirs[r]! > 0", "policy[r]! > 0"],
    ["labelled_swapped", "labelledMetrics(policy, theirs, labels", "labelledMetrics(theirs, policy, labels"],
  ],
  "steps/preferences/loss_options.ts": [
    ["tau_ignored", "discopopTau: given.discopop_tau", "discopopTau: 0.05"],
    ["alpha_ignored", "divergenceAlpha: given.f_divergence_alpha", "divergenceAlpha: 0.5"],
  ],
  "steps/train_reward_model.ts": [[
    "margin_ignored",
    "pairBatch(picked, given.margin)",
    "pairBatch(picked, 0 * given.margin)",
  ]],
  "steps/supervised/examples.ts": [["rejected_ones_too", "(wanted === null || wanted[row])", "true"]],
  "steps/supervised/row_limits.ts": [
    ["context_not_looked_at", "Math.min(maxLength ?? context, context)", "maxLength ?? context"],
    ["cut_without_a_word", "(maxLength ?? Infinity) > context", "maxLength === context"],
  ],
  "steps/supervised/packing.ts": [["prompts_count", "...prompt.map(() => 0)", "...prompt.map(() => 1)"]],
  "data/preferences/file_preferences.ts": [
    ["split_of_folder_ignored", 'folderSplit === null || folderSplit === "train"\n        ?', "true\n        ?"],
    ["apart_forgotten", "apart === undefined ||", "apart !== undefined ||"],
  ],
  "data/preferences/row_preference.ts": [["space_kept", 'a![at - 1] === " "', 'a![at - 1] === "~"']],
});
