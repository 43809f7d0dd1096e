/** TRL's model, data and adapter options, the same for all of its trainers. @module */
import { adapterEntries, type AdapterNames, loraOf, otherAdapters } from "./adapters.ts";
import { alike, choice, computed, each, lacking, noNumber } from "./entries.ts";
import { dataPlace, modelPlace } from "./hub_names.ts";
import { QUANTIZED } from "./low_memory.ts";
import type { Given, Made, Settings, Table } from "./table.ts";
import { isRecord, isUnresolved, shownValue, type Value, valueText } from "./written.ts";

/** Of TRL's command line (ModelConfig), of PEFT's LoraConfig in a script, and of Unsloth's get_peft_model. */
export const TRL_LORA: AdapterNames = {
  rank: ["lora_r", 16],
  alpha: ["lora_alpha", 32],
  dropout: ["lora_dropout", 0.05],
  targets: ["lora_target_modules", null],
  saved: "lora_modules_to_save",
  rslora: "use_rslora",
};
const SCRIPT: AdapterNames = {
  rank: ["peft_config.r", 8],
  alpha: ["peft_config.lora_alpha", 8],
  dropout: ["peft_config.lora_dropout", 0],
  targets: ["peft_config.target_modules", null],
  saved: "peft_config.modules_to_save",
  rslora: "peft_config.use_rslora",
  excluded: "peft_config.exclude_modules",
  layers: "peft_config.layers_to_transform",
  layersPattern: "peft_config.layers_pattern",
  rankPattern: "peft_config.rank_pattern",
  alphaPattern: "peft_config.alpha_pattern",
  init: "peft_config.init_lora_weights",
};
const UNSLOTH: AdapterNames = {
  rank: ["model.r", 16],
  alpha: ["model.lora_alpha", 16],
  dropout: ["model.lora_dropout", 0],
  targets: ["model.target_modules", "all_linear"],
};
const SCRIPTED = ["peft_config.r", "peft_config.lora_alpha", "peft_config.target_modules", "peft_config.lora_dropout"];

/** What a file calls its model or data: a text, also that of a name that only the program knows. */
const nameOf = (value: Value) => isUnresolved(value) ? null : typeof value === "string" ? value : null;

const REVISIONS = ["model_revision", "revision", "model_init_kwargs.revision", "model.revision"];

/** The model of a script or command line, at the revision that it names. */
function modelOf(value: Value, given: Given): Made {
  const name = nameOf(value);
  if (name === null) {
    return {
      lacks: `only known when the program runs (${shownValue(value)}); put the folder of the model into load_model`,
    };
  }
  const revision = REVISIONS.find((option) => given.isWritten(option));
  return {
    set: { "load_model.model": modelPlace(name, given, revision === undefined ? null : given.value(revision)) },
    note: name,
  };
}

/** What is read of a data set of the Hub besides its name: nothing of a file. */
const ofHub = (make: (value: Value, given: Given) => Made) =>
  computed(undefined, (value, given) => {
    const name = nameOf(given.value("dataset_name"));
    return name !== null && dataPlace(name, given).startsWith("hf:")
      ? value === null ? { equal: "that of the data set" } : make(value, given)
      : { equal: "write these rows into the file" };
  });

/** `source` is the step that reads the rows: load_prompts or load_preferences. */
export function modelAndData(source: "load_prompts" | "load_preferences"): Table {
  const key = `${source}.file` as const;
  return {
    model_name_or_path: computed(undefined, modelOf, {
      asText: true,
      also: ["model", "model_id_or_path", "model_name"],
    }),
    model_init_kwargs: lacking("the folder's config.json decides", { at: [null], text: "the folder's config.json" }),
    ...each(
      REVISIONS.join(" "),
      computed(
        undefined,
        (value, given) =>
          value === null ? { equal: "that of the model" } : modelOf(given.value("model_name_or_path"), given),
      ),
    ),
    ...each(
      "dtype torch_dtype model_init_kwargs.torch_dtype model_init_kwargs.dtype model.torch_dtype model.dtype bnb_4bit_compute_dtype",
      lacking("weights are float32 here", { at: ["float32", "fp32", "auto", null], text: "float32" }),
    ),
    ...each(
      "trust_remote_code model.trust_remote_code model_init_kwargs.trust_remote_code model.attn_implementation model.device_map " +
        "model_init_kwargs.attn_implementation model_init_kwargs.device_map model_init_kwargs.use_cache model.use_cache " +
        "device_map",
      alike("the model's graph is built here from its config.json, on the run's device"),
    ),
    ...QUANTIZED,
    use_peft: computed(
      undefined,
      (value, given) => value === true ? { set: loraOf(given, TRL_LORA) } : { equal: "all weights train" },
    ),
    ...adapterEntries(TRL_LORA, (given) => given.value("use_peft") === true),
    ...adapterEntries(SCRIPT, (given) => SCRIPTED.some((name) => given.isWritten(name))),
    ...adapterEntries(UNSLOTH, (given) => given.isWritten("model.r")),
    peft_config: lacking("its settings are only known when the program runs; write them into lora of load_model", {
      at: [null],
      text: "all weights train",
    }),
    ...otherAdapters(
      "lora_target_parameters lora_task_type use_dora peft_config.bias peft_config.task_type " +
        "peft_config.use_dora model.bias peft_config.loftq_config peft_config.inference_mode",
    ),
    ...each("peft_config.random_state peft_config.use_gradient_checkpointing", alike("memory and draws only")),
    dataset_name: computed(undefined, (value, given) => {
      if (given.isWritten("train_dataset.data_files")) return { equal: "data_files holds the rows" };
      const name = nameOf(value);
      return name === null
        ? {
          lacks: `only known when the program runs (${shownValue(value)}); write its rows into the file of ${source}`,
        }
        : {
          set: {
            [key]: dataPlace(name.replace(/#\d+$/, ""), given, given.value("train_dataset.revision")),
            ...limitOf(name, source),
          },
          note: name,
        };
    }, { asText: true, also: ["train_dataset", "dataset"] }),
    "train_dataset.data_files": computed(undefined, (value) => {
      const file = localFile(value);
      return file === null
        ? { lacks: `want one .jsonl, .csv or .parquet; write the rows into the file of ${source}` }
        : { set: { [key]: file }, note: /\.json$/.test(valueText(value)) ? "rows as lines of JSON" : "" };
    }),
    ...each(
      "dataset_config train_dataset.name train_dataset.config_name dataset.name",
      ofHub((value) => ({ set: { [`${source}.config`]: value } })),
    ),
    ...each("dataset_train_split train_dataset.split dataset.split", ofHub((value) => splitOf(value, source))),
    "train_dataset.revision": ofHub(() => ({ equal: "in the address of the data set" })),
    ...each(
      "train_dataset.data_dir " +
        "dataset_mixer.* dataset_mixer dataset_splits dataset_configs train_dataset.streaming dataset_streaming train_dataset.trust_remote_code train_dataset.cache_dir",
      alike("write these rows into the file"),
    ),
    ...each(
      "eval_dataset eval_dataset.split eval_dataset.name dataset_test_split eval_dataset.data_files",
      lacking("add a step evaluate and rows with split held_out", { at: [null, "test"], text: "nothing is evaluated" }),
    ),
    ...each(
      "processing_class tokenizer pad_token ignore_bias_buffers processing_class.padding_side",
      alike("the tokenizer of the model's folder"),
    ),
    eos_token: lacking(
      "the model's folder says what ends a completion: change eos_token of its tokenizer_config.json and eos_token_id of its " +
        "config.json and generation_config.json",
      { at: [null, "<EOS_TOKEN>"], text: "as the model's folder says" },
    ),
    chat_template_path: lacking(
      "the chat template is that of the model's folder: where this is a file, write it as chat_template of load_model, which " +
        "puts plain texts through it too",
      { at: [null], text: "that of the model's folder" },
    ),
    tokenizer_name_or_path: lacking("the tokenizer is that of the model's folder: put this one's files there", {
      at: [null],
      text: "that of the model's folder",
    }),
    ...each(
      "callbacks data_collator compute_metrics optimizers preprocess_logits_for_metrics formatting_func compute_loss_func",
      lacking("code of one's own; a step, a reward or a diagnosis of your own takes its place", {
        at: [null],
        text: "none",
      }),
    ),
    ...(source === "load_prompts"
      ? {
        dataset_prompt_column: computed(undefined, (value) =>
          typeof value === "string"
            ? { set: { "load_prompts.prompt_column": value } }
            : { lacks: "it is no name of a column" }),
      }
      : {}),
    system_prompt: lacking("write it into each prompt, as a list of messages", { at: [null], text: "none" }),
    ...imageSizes(),
    shuffle_dataset: choice(undefined, { true: { equal: "rows are drawn by the seed" } }, "rows are drawn by the seed"),
    disable_dropout: alike("there is no dropout here"),
    num_processes: computed(1, () => ({ equal: "in the size of a batch" }), { also: ["nproc_per_node", "world_size"] }),
    trainer: alike("what the workflow does"),
    router_aux_loss_coef: lacking("mixtures of experts are not here", {
      at: [0, null, 0.001],
      text: "no mixture of experts",
    }),
    cast_lm_head_to_fp32: alike("the head is float32 here"),
    pad_to_multiple_of: alike("padding changes no number"),
  };
}

/** Pixels of an image, between which it is scaled. */
function imageSizes(): Table {
  const size = (name: "min_pixels" | "max_pixels") =>
    computed(
      undefined,
      (value) =>
        value === null
          ? { equal: "as the model's folder says" }
          : typeof value === "number"
          ? { set: { [`load_model.${name}`]: value } }
          : noNumber(value),
    );
  return { min_pixels: size("min_pixels"), max_pixels: size("max_pixels") };
}

/** ms-swift's `name#1000` is so many rows of it. */
function limitOf(name: string, source: string): Settings {
  const rows = /#(\d+)$/.exec(name)?.[1];
  return rows === undefined ? {} : { [`${source}.limit`]: Number(rows) };
}

/** The one file that `data_files` names, by itself, in a list or under "train"; null where it is none or many. */
function localFile(value: Value): string | null {
  const one = isRecord(value) ? value["train"] ?? null : value,
    file = Array.isArray(one) && one.length === 1 ? one[0] : one;
  return typeof file === "string" && /^[^*?:]+\.(?:jsonl?|csv|parquet)$/.test(file)
    ? file.replace(/\.json$/, ".jsonl")
    : null;
}

/** The split that trains; slices and sums of splits are not read. */
export function splitOf(value: Value, source: string): Made {
  return typeof value === "string" && /^\w+$/.test(value)
    ? { set: { [`${source}.take`]: { train: value } } }
    : { lacks: `"${shownValue(value)}" is no name of a split; all rows are read: set take or limit of ${source}` };
}
