/**
 * The keys of a config.json that cannot change a number here, and the refusal of those that nobody knows.
 *
 * Source: PreTrainedConfig and GenerationConfig of transformers 4 and 5, and what other programs write into the files of
 * these families. A key stands here if its value may be a number, true, a list or an object; a text needs no entry.
 * @module
 */
import { levenshteinDistance } from "@deno/std/text/levenshtein_distance.js";
import { isObject, type Json, refuse, short, shown } from "./config_json.ts";

const HARMLESS: ReadonlySet<string> = new Set([
  // Names, labels, which class of Python loads it
  "auto_map",
  "keys_to_ignore_at_inference",
  "label2id",
  "task_specific_params",
  // How another program computes: the same numbers, faster or in less memory
  "_attn_implementation_autoset",
  "_flash_attn_2_enabled",
  "base_model_pp_plan",
  "base_model_tp_plan",
  "chunk_size_feed_forward",
  "flash_attn",
  "gradient_checkpointing",
  "pretraining_tp",
  "tensor_parallel",
  "torchscript",
  "transformers.js_config",
  "use_bfloat16",
  "use_cache",
  "use_flash_attention",
  "use_flash_attention_2",
  "use_flash_attn",
  // What a call gives back
  "output_attentions",
  "output_hidden_states",
  "output_scores",
  "return_dict",
  "return_dict_in_generate",
  "tie_last_hidden_states",
  // Of generation: followed only where a workflow says so
  "assistant_confidence_threshold",
  "assistant_lookbehind",
  "bad_words_ids",
  "begin_suppress_tokens",
  "diversity_penalty",
  "do_sample",
  "early_stopping",
  "encoder_no_repeat_ngram_size",
  "encoder_repetition_penalty",
  "epsilon_cutoff",
  "eta_cutoff",
  "exponential_decay_length_penalty",
  "force_words_ids",
  "generation_config",
  "length_penalty",
  "max_length",
  "max_new_tokens",
  "min_length",
  "min_p",
  "no_repeat_ngram_size",
  "num_assistant_tokens",
  "num_beam_groups",
  "num_beams",
  "num_return_sequences",
  "penalty_alpha",
  "remove_invalid_values",
  "repetition_penalty",
  "suppress_tokens",
  "target_lookbehind",
  "temperature",
  "top_k",
  "top_p",
  "typical_p",
  // Lengths that a tokenizer or a server was set to; max_position_embeddings is the model's
  "max_seq_len",
  "max_seq_length",
  "max_sequence_length",
  "model_max_length",
  "seq_length",
  // Said again by keys that are read: is_decoder and is_llama_config by model_type, the pattern by layer_types
  "_sliding_window_pattern",
  "is_decoder",
  "is_llama_config",
  "max_window_layers",
  // Read by vLLM alone, beyond the context that the model was trained with
  "dual_chunk_attention_config",
  // Notes of programs that train
  "neftune_noise_alpha",
  "tie_encoder_decoder",
  "tf_legacy_loss",
  "unsloth_fixed",
  "unsloth_optimized",
]);

/** Ids of tokens, which are the tokenizer's; dropout, which is never applied to a model's own layers. */
const HARMLESS_ENDINGS = /(_token_id|_token_ids|_token_index|dropout|dropout_prob|dropout_rate|_pdrop)$/;

/** Values that say nothing under an unknown key: off, or a note. */
function saysNothing(value: unknown): boolean {
  return value === null || value === false || typeof value === "string" ||
    (Array.isArray(value) && value.length === 0) || (isObject(value) && Object.keys(value).length === 0);
}

/** Throws for the first key that is not `known`, not harmless, and whose value could be part of the mathematics. */
export function refuseUnknown(json: Json, known: ReadonlySet<string>): void {
  for (const [key, value] of Object.entries(json)) {
    if (known.has(key) || HARMLESS.has(key) || HARMLESS_ENDINGS.test(key) || saysNothing(value)) continue;
    const near = [...known].find((name) => levenshteinDistance(name, key) <= 2);
    refuse(
      `"${key}" is ${short(value)}, which is not known for "model_type": ${shown(json.model_type)}`,
      near
        ? `it absent; did you mean "${near}"?`
        : "it null, false or absent; remove it from the file if it changes no number",
    );
  }
}
