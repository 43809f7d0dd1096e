/** What trainers of given texts share: batches of rows, epochs, lengths, what is cut off. @module */
import { alike, computed, each, lacking, noNumber } from "./entries.ts";
import { type Counting, passesNote, SOME_STEPS } from "./hugging_face.ts";
import { passesOver } from "./row_count.ts";
import type { Entry, Given, Settings, Table, Target } from "./table.ts";
import { shownValue } from "./written.ts";

type GivenStep = "train_preferences" | "fine_tune" | "train_reward_model";

/** A step that adds up gradients has options for both factors; the others take the whole batch at once. */
const ADDS_UP = new Set<GivenStep>(["train_preferences"]);

/** How such a trainer counts: every update is one of HF's steps. */
export function countingOf(step: GivenStep): Counting {
  return {
    step,
    perStep: () => 1,
    rows: rowsOfUpdate,
    updates: (given) => given.count("max_steps", updatesOfRows(given) ?? SOME_STEPS),
  };
}

/** Rows of an update that gradient accumulation is chosen for where ms-swift says nothing. */
const USUAL_BATCH = 16;

/** Gradient accumulation is what makes 16 rows where it is not said. */
export const usualAccumulation = (given: Given) => Math.max(1, Math.ceil(USUAL_BATCH / rowsOfGradient(given)));

const rowsOfGradient = (given: Given) =>
  given.count("per_device_train_batch_size", 1) * given.count("num_processes", 1);

const gradientsOf = (given: Given) =>
  given.value("gradient_accumulation_steps") === null
    ? usualAccumulation(given)
    : given.count("gradient_accumulation_steps", 1);

const rowsOfUpdate = (given: Given) => rowsOfGradient(given) * gradientsOf(given);

/** Updates that the epochs make of rows that are known: transformers trains on the last, smaller batch too. */
function updatesOfRows(given: Given): number | null {
  const epochs = given.number("num_train_epochs", 3), batches = passesOver(given, rowsOfGradient(given), 1, true);
  return batches === null || !(epochs > 0) ? null : Math.ceil(epochs * Math.ceil(batches / gradientsOf(given)));
}

/** KTO takes its KL from mismatched pairs, for which a batch has two rows at least. */
export const KTO_LEAST = 2;

/** A batch of `rows` and as many `gradients` to an update; fewer rows than `least` are joined, the update's rows stay. */
export function batchOf(step: GivenStep, rows: number, gradients: number, least = 1): Settings {
  const whole = rows * gradients;
  if (!ADDS_UP.has(step)) return { [`${step}.batch_size`]: whole };
  const size = rows >= least ? rows : whole % least === 0 ? least : Math.max(least, whole);
  return {
    [`${step}.batch_size`]: size,
    [`${step}.gradient_accumulation`]: rows >= least ? gradients : Math.max(1, Math.floor(whole / size)),
  };
}

/** What is to know of a batch that has fewer rows than `least`. */
export function joinedNote(rows: number, gradients: number, least: number): string {
  const whole = rows * gradients;
  return rows >= least ? "" : `; the KL wants ${least} rows at once: ` +
    (whole < least ? `${least} rows an update here` : `rows are joined, the same ${whole} an update`);
}

/** Rows of a gradient and gradients of an update, and the epochs of a step that counts them. */
export function rowBatch(step: GivenStep, device: number, accumulation = 1, least = 1): (given: Given) => Settings {
  return (given) => {
    const rows = given.count("per_device_train_batch_size", device) * given.count("num_processes", 1);
    const gradients = given.count("gradient_accumulation_steps", accumulation);
    return { ...batchOf(step, rows, gradients, least), ...epochsOf(step, given) };
  };
}

/** Passes over the rows, which end the run where max_updates does not. */
export function epochsOf(step: GivenStep, given: Given): Settings {
  const epochs = given.number("num_train_epochs", 0);
  return step !== "train_preferences" || epochs < 1 || given.number("max_steps", -1) > 0
    ? {}
    : { [`${step}.epochs`]: Math.round(epochs) };
}

/** The entries of a batch of rows. */
export function rowBatchEntries(step: GivenStep, device: number, accumulation = 1, least = 1): Table {
  const make: Entry["make"] = (value, given) => {
    if (typeof value !== "number") return value === null ? { equal: "follows from the others" } : noNumber(value);
    const own = given.count("per_device_train_batch_size", device), processes = given.count("num_processes", 1);
    const gradients = given.count("gradient_accumulation_steps", accumulation);
    return {
      set: batchOf(step, own * processes, gradients, least),
      note: `${own} rows × ${gradients} gradients × ${processes} processes` +
        joinedNote(own * processes, gradients, least),
    };
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
      const updates = updatesOfRows(given);
      if (updates !== null && typeof value === "number" && value > 0) {
        return { set: { [`${step}.max_updates`]: updates }, note: passesNote(given, value, rowsOfUpdate(given)) };
      }
      const isKept = step === "train_preferences" && typeof value === "number" && value >= 1;
      return {
        lacks: `the rows of the data set are not known here: ${step} ends after ${SOME_STEPS} updates` +
          `${isKept ? `, or ${Math.round(value)} epochs where that is less` : ""}; put ${shownValue(value)} × rows ÷ ` +
          "rows of an update into max_updates (and schedule_updates)",
      };
    }, { tell: true }),
  };
}

/** When a step measures on rows of its own. */
export function rowEvaluation(step: "train_preferences" | "train_reward_model"): Table {
  return each(
    "eval_strategy evaluation_strategy eval_steps do_eval eval_dataset",
    lacking(
      `set evaluate_every of ${step} to the updates between measurements, and give validation a share in splits of ` +
        "load_preferences (or a split_column)",
      { at: ["no", false, null], text: "nothing is evaluated" },
    ),
  );
}

/** The longest row, with what is to be said of longer ones. */
export function rowLength(target: Target, fallback: number | null, note = ""): Entry {
  return computed(
    fallback,
    (value) =>
      value === null
        ? { equal: "rows are not cut" }
        : typeof value !== "number"
        ? noNumber(value)
        : { set: { [target]: value }, note },
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
