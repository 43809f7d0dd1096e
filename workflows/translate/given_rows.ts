/** What trainers of given texts share: batches of rows, epochs, lengths, what is cut off. @module */
import { alike, computed, each, lacking, noNumber } from "./entries.ts";
import { type Counting, SOME_STEPS } from "./hugging_face.ts";
import type { Entry, Given, Settings, Table, Target } from "./table.ts";
import { shownValue } from "./written.ts";

type GivenStep = "train_preferences" | "fine_tune" | "train_reward_model";

/** A step that adds up gradients has options for both factors; the others take the whole batch at once. */
const ADDS_UP = new Set<GivenStep>(["train_preferences"]);

/** How such a trainer counts: every update is one of HF's steps. */
export function countingOf(step: GivenStep): Counting {
  return { step, perStep: () => 1, updates: (given) => given.count("max_steps", SOME_STEPS) };
}

/** Rows of a gradient and gradients of an update, whatever stands in the file. */
export function rowBatch(step: GivenStep, device: number, accumulation = 1): (given: Given) => Settings {
  return (given) => {
    const rows = given.count("per_device_train_batch_size", device) * given.count("num_processes", 1);
    const gradients = given.count("gradient_accumulation_steps", accumulation);
    const batch: Settings = ADDS_UP.has(step)
      ? { [`${step}.batch_size`]: rows, [`${step}.gradient_accumulation`]: gradients }
      : { [`${step}.batch_size`]: rows * gradients };
    return batch;
  };
}

/** The entries of a batch of rows. */
export function rowBatchEntries(step: GivenStep, device: number, accumulation = 1): Table {
  const make: Entry["make"] = (value, given) =>
    typeof value !== "number" ? value === null ? { equal: "follows from the others" } : noNumber(value) : {
      set: rowBatch(step, device, accumulation)(given),
      note: `${given.count("per_device_train_batch_size", device)} rows × ${
        given.count("gradient_accumulation_steps", accumulation)
      } gradients × ${given.count("num_processes", 1)} processes`,
    };
  return {
    per_device_train_batch_size: computed(device, make, { also: ["batch_size"] }),
    gradient_accumulation_steps: computed(accumulation, make),
  };
}

/** Epochs of a step that can count them, and what happens else. */
export function rowEpochs(step: GivenStep, epochs = 3): Table {
  return {
    num_train_epochs: computed(epochs, (value, given) => {
      if (given.number("max_steps", -1) > 0) return { equal: "max_steps holds" };
      const why = `the rows of the data set are not known here: ${step} makes ${SOME_STEPS} updates; put ${
        shownValue(value)
      } × rows ÷ a batch into max_updates (and schedule_updates)`;
      return step === "train_preferences" && typeof value === "number" && value >= 1
        ? { set: { "train_preferences.epochs": Math.round(value) }, note: why }
        : { lacks: why };
    }, { tell: true }),
  };
}

/** The longest row. */
export function rowLength(target: Target | null, fallback: number | null): Entry {
  return computed(
    fallback,
    (value) =>
      value === null
        ? { equal: "rows are not cut" }
        : typeof value !== "number"
        ? noNumber(value)
        : target === null
        ? { lacks: "rows are never cut; shorten those of the file" }
        : { set: { [target]: value } },
    { also: ["max_seq_length", "cutoff_len"] },
  );
}

/** Options of TRL's trainers of given rows that change no number or have no place. */
export const ROW_OPTIONS: Table = {
  ...each(
    "dataset_num_proc precompute_ref_log_probs precompute_ref_batch_size activation_offloading padding_free use_logits_to_keep generate_during_eval " +
      "use_liger_loss base_model_attribute_name is_encoder_decoder train_sampling_strategy padding_value label_pad_token_id dataset_kwargs skip_prepare_dataset " +
      "eval_packing num_of_sequences output_router_logits",
    alike("memory and speed only"),
  ),
  ...each(
    "max_prompt_length max_completion_length",
    lacking("only the whole row has a length, max_length", { at: [null], text: "not cut by itself" }),
  ),
  ...each("truncation_mode", lacking("the end is cut off", { at: ["keep_start"], text: "the end is cut off" })),
  ref_model: lacking("the reference is a copy of the policy; put a folder into load_model: reference", {
    at: [null],
    text: "a copy",
  }),
  ...each("sync_ref_model", lacking("the reference stays as it is", { at: [false], text: "it stays" })),
  ...each(
    "ref_model_mixup_alpha ref_model_sync_steps model_adapter_name ref_adapter_name force_use_ref_model ref_model_init_kwargs",
    alike("the reference is a copy of the policy"),
  ),
};
