/** verl's critic as options of our steps. @module */
import { alike, computed, each, lacking, noNumber, number } from "./entries.ts";
import { modelPlace } from "./hub_names.ts";
import { recomputes } from "./low_memory.ts";
import type { Entry, Given, Table } from "./table.ts";

const NOTHING = "without effect unless adv_estimator is gae";

const hasCritic = (given: Given) =>
  given.value("critic.enable") === true ||
  given.value("critic.enable") !== false && given.value("algorithm.adv_estimator") === "gae";

/** An entry that holds only where there is a critic. */
const onlyWith = (entry: Entry): Entry => ({
  ...entry,
  make: (value, given) => hasCritic(given) ? entry.make(value, given) : { equal: NOTHING },
});

/** The updates on a rollout; what is not said of the critic is the policy's. */
function batchOf(given: Given) {
  const of = (name: string, otherwise: number) =>
    given.number(`critic.${name}`, given.number(`actor_rollout_ref.actor.${name}`, otherwise));
  const prompts = given.number("data.train_batch_size", 1024);
  const minibatches = Math.max(1, Math.round(prompts / of("ppo_mini_batch_size", 256)));
  return {
    "update_critic.minibatches": minibatches,
    "update_critic.updates_per_rollout": minibatches * of("ppo_epochs", 1),
  };
}

/** `optimizer` makes the entries of a group of optimizer options. */
export function verlCritic(optimizer: (step: string, prefix: string, rate: number) => Table): Table {
  const own: Table = {
    ...optimizer("update_critic", "critic.optim.", 1e-5),
    "critic.cliprange_value": number("update_critic.value_clip", 0.5),
    "critic.ppo_epochs": computed(null, (_, given) => ({ set: batchOf(given) })),
    "critic.ppo_mini_batch_size": computed(null, (_, given) => ({ set: batchOf(given) })),
    "critic.grad_clip": number("update_critic.max_grad_norm"),
    "critic.loss_agg_mode": computed(
      null,
      (value) =>
        value === null || value === "token-mean"
          ? { equal: "token_mean" }
          : { lacks: "values are averaged over tokens" },
    ),
    "critic.model.enable_gradient_checkpointing": recomputes("update_critic"),
    "critic.model.path": computed(
      undefined,
      (value, given) =>
        typeof value === "string"
          ? { set: { "load_critic.model": modelPlace(value, given) }, note: value }
          : noNumber(value),
    ),
  };
  return {
    ...Object.fromEntries(Object.entries(own).map(([name, entry]) => [name, onlyWith(entry)])),
    "critic.enable": computed(
      null,
      (value) =>
        value === true
          ? { set: { "workflow.with_load_critic": true, "workflow.with_compute_values": true } }
          : { equal: "adv_estimator decides" },
    ),
    "trainer.critic_warmup": lacking("critic and policy train from the first step", {
      at: [0],
      text: "both train from the first step",
    }),
    ...each(
      "critic.shuffle critic.data_loader_seed critic.strategy critic.rollout_n critic.loss_scale_factor",
      alike("as the policy's update"),
    ),
    ...each(
      "critic.ppo_micro_batch_size critic.ppo_micro_batch_size_per_gpu critic.use_dynamic_bsz critic.ppo_max_token_len_per_gpu " +
        "critic.forward_max_token_len_per_gpu critic.forward_micro_batch_size critic.forward_micro_batch_size_per_gpu " +
        "critic.ulysses_sequence_parallel_size critic.nccl_timeout",
      alike("one process, float32; prompts_per_pass bounds memory"),
    ),
    "critic.model.*": alike("one process, float32; prompts_per_pass bounds memory"),
    "critic.fsdp.*": alike("one process, float32; prompts_per_pass bounds memory"),
    "critic.megatron.*": alike("one process, float32; prompts_per_pass bounds memory"),
    "critic.checkpoint.*": alike("checkpoints hold everything that a resumed run needs"),
  };
}
