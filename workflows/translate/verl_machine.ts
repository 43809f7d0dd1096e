/** verl's options that change no number here, or that have no place here. @module */
import { alike, each, lacking } from "./entries.ts";
import type { Entry, Table } from "./table.ts";

const A = "actor_rollout_ref.actor.", R = "actor_rollout_ref.rollout.";
const ONE = "one process trains on one device; the graph is cut by prompts_per_pass where memory is short";

/** Names below a prefix. */
const under = (prefix: string, names: string, entry: Entry): Table =>
  each(names.split(" ").map((name) => prefix + name).join(" "), entry);

export const VERL_MACHINE: Table = {
  ...each(
    "trainer.logger trainer.project_name trainer.experiment_name trainer.log_val_generations trainer.rollout_data_dir trainer.validation_data_dir " +
      "trainer.default_local_dir trainer.default_hdfs_dir",
    alike("every metric and completion is in the run's folder"),
  ),
  ...each(
    "trainer.n_gpus_per_node trainer.nnodes trainer.device trainer.balance_batch",
    alike("batches are those of all processes together, in verl too"),
  ),
  ...each(
    "trainer.test_freq trainer.val_before_train trainer.val_only",
    lacking("add a step evaluate where it shall be measured", { at: [-1, false], text: "nothing is evaluated" }),
  ),
  ...each("trainer.resume_mode trainer.resume_from_path", alike("a run is resumed by its id: run --resume")),
  ...under(
    "trainer.",
    "esi_redundant_time del_local_ckpt_after_load max_critic_ckpt_to_keep ray_wait_register_center_timeout use_v1 " +
      "v1.trainer_mode use_legacy_worker_impl remove_previous_ckpt_in_save",
    alike("how verl is run, not what it computes"),
  ),
  "trainer.v1.*": lacking("sampling and training take turns here"),
  "trainer.profile_steps": alike("times are in the run's tables"),
  ...each(
    `${A}ppo_micro_batch_size ${A}ppo_micro_batch_size_per_gpu ${A}use_dynamic_bsz ${A}ppo_max_token_len_per_gpu`,
    alike(ONE),
  ),
  ...each(
    `${A}strategy ${A}ulysses_sequence_parallel_size ${A}use_torch_compile ${A}use_remove_padding ${A}use_fused_kernels ${A}entropy_from_logits_with_chunking ` +
      `${A}entropy_checkpointing ${A}rollout_n ${A}calculate_entropy ${A}calculate_sum_pi_squared ${A}use_prefix_grouper ${A}pad_to_length`,
    alike(ONE),
  ),
  [`${A}fsdp_config.*`]: alike(ONE),
  [`${A}megatron.*`]: alike(ONE),
  [`${A}checkpoint.*`]: alike("checkpoints hold everything that a resumed run needs"),
  [`${A}profiler.*`]: alike("times are in the run's tables"),
  [`${A}entropy_from_logits_chunk_size`]: alike(ONE),
  ...under(
    "actor_rollout_ref.ref.",
    "rollout_n strategy use_torch_compile log_prob_micro_batch_size log_prob_micro_batch_size_per_gpu log_prob_use_dynamic_bsz " +
      "log_prob_max_token_len_per_gpu ulysses_sequence_parallel_size entropy_from_logits_with_chunking entropy_from_logits_chunk_size pad_to_length",
    alike("the reference is a copy of the policy, in float32"),
  ),
  "actor_rollout_ref.ref.fsdp_config.*": alike("the reference is a copy of the policy, in float32"),
  "actor_rollout_ref.ref.megatron.*": alike("the reference is a copy of the policy, in float32"),
  "actor_rollout_ref.ref.model.*": lacking(
    "the reference is a copy of the policy; put a folder into load_model: reference",
  ),
  ...each(
    `${R}name ${R}mode ${R}dtype ${R}gpu_memory_utilization ${R}tensor_model_parallel_size ${R}enforce_eager ${R}free_cache_engine ${R}load_format ` +
      `${R}max_num_batched_tokens ${R}max_num_seqs ${R}max_model_len ${R}prompt_length ${R}calculate_log_probs ${R}ignore_eos ${R}log_prob_micro_batch_size ` +
      `${R}log_prob_micro_batch_size_per_gpu ${R}layered_summon ${R}disable_log_stats ${R}enable_chunked_prefill ${R}enable_prefix_caching`,
    alike("the sampler is built in"),
  ),
  [`${R}val_kwargs.*`]: alike("a step evaluate has its own temperature"),
  [`${R}multi_turn.enable`]: lacking("completions are one turn, without tools", { at: [false], text: "one turn" }),
  [`${R}multi_turn.*`]: alike("without effect unless multi_turn.enable"),
  [`${R}agent.*`]: lacking("completions are one turn, without tools"),
  ...under(
    R,
    "nnodes n_gpus_per_node full_determinism seed data_parallel_size expert_parallel_size pipeline_model_parallel_size logprobs_mode scheduling_policy " +
      "log_prob_use_dynamic_bsz log_prob_max_token_len_per_gpu over_sample_rate multi_stage_wake_up enable_rollout_routing_replay " +
      "moe_load_balance_metrics_interval quantization quantization_config_file swap_space",
    alike("the sampler is built in"),
  ),
  [`${R}engine_kwargs.*`]: alike("the sampler is built in"),
  [`${R}trace.*`]: alike("completions are in the run's tables"),
  ...under(
    "actor_rollout_ref.model.",
    "hf_config_path tokenizer_path use_shm trust_remote_code custom_chat_template external_lib " +
      "enable_activation_offload use_remove_padding use_liger use_fused_kernels",
    alike("the model's graph is built here from its folder, in float32"),
  ),
  "actor_rollout_ref.model.lora_adapter_path": lacking(
    "write it as adapter of load_model, instead of lora",
    {
      at: [null],
      text: "a new adapter",
    },
  ),
  "actor_rollout_ref.model.override_config.*": alike("the folder's config.json decides"),
  "actor_rollout_ref.model.override_config": alike("the folder's config.json decides"),
  "actor_rollout_ref.model.fused_kernel_options.*": alike("the model's graph is built here"),
  "actor_rollout_ref.model.tiled_mlp.*": alike("the model's graph is built here"),
  "actor_rollout_ref.model.lora.*": lacking("Megatron's adapters stand in fused layers; write lora of load_model"),
  "actor_rollout_ref.hybrid_engine": alike("the sampler is the policy's own graph"),
  "actor_rollout_ref.nccl_timeout": alike("one process"),
  "ray_init.*": alike("one process"),
  "ray_kwargs.*": alike("one process"),
  "global_profiler.*": alike("times are in the run's tables"),
  "transfer_queue.*": alike("one process"),
  num_processes: alike("batches are those of all processes together, in verl too"),
};
