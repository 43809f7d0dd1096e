/** What LLaMA-Factory refuses of data and templates, or reads another way. @module */
import type { Launch } from "./launch.ts";
import { type Hit, hit, type LaunchRule } from "./rule.ts";

const PARSER = "LLaMA-Factory, hparams/parser.py, get_train_args";
const DATA = "LLaMA-Factory, hparams/data_args.py, __post_init__";
const stage = (launch: Launch) => launch.word("stage");

function evaluationWithoutRows(launch: Launch): Hit | null {
  const told = launch.told("eval_strategy", "evaluation_strategy", "do_eval", "do_predict");
  const isOn = launch.flag("do_eval") === true || launch.flag("do_predict") === true ||
    /^(?:steps|epoch)$/.test(launch.word("eval_strategy", "evaluation_strategy") ?? "");
  if (!isOn || launch.isWritten("eval_dataset") || (launch.numberOr(0, "val_size") ?? 1) > 0) return null;
  return hit(
    "an evaluation is asked for, and neither eval_dataset nor val_size gives it rows: LLaMA-Factory refuses to start",
    [launch.told("val_size"), told],
    { name: "val_size", value: 0.05 },
  );
}

function rowsTwice(launch: Launch): Hit | null {
  const told = launch.told("eval_dataset");
  if (told === undefined || told.value === null || (launch.number("val_size") ?? 0) <= 0) return null;
  return hit("eval_dataset and val_size both give rows to evaluate: LLaMA-Factory refuses to start", [
    told,
    launch.told("val_size"),
  ], { name: "val_size" });
}

const SFT_ONLY = ["neat_packing", "train_on_prompt", "mask_history", "predict_with_generate"];

function supervisedOnly(launch: Launch): Hit | null {
  const name = SFT_ONLY.find((one) => launch.flag(one) === true), own = stage(launch);
  if (name === undefined || own === null || own === "sft") return null;
  return hit(`${name} is for stage sft, and this is ${own}: LLaMA-Factory refuses to start`, [
    launch.told("stage"),
    launch.told(name),
  ], { name, value: false });
}

function maskTwice(launch: Launch): Hit | null {
  if (launch.flag("mask_history") !== true || launch.flag("train_on_prompt") !== true) return null;
  return hit(
    "mask_history leaves all turns but the last out of the loss, train_on_prompt takes the prompts in: LLaMA-Factory refuses both at once",
    [
      launch.told("mask_history"),
      launch.told("train_on_prompt"),
    ],
    { name: "train_on_prompt", value: false },
  );
}

function streamedShare(launch: Launch): Hit | null {
  const size = launch.number("val_size");
  if (launch.flag("streaming") !== true) return null;
  if (size !== null && size > 0 && size < 1) {
    return hit("a stream has no length of which val_size could be a share: LLaMA-Factory refuses to start", [
      launch.told("streaming"),
      launch.told("val_size"),
    ], { name: "val_size", value: 1000 });
  }
  const told = launch.told("max_samples");
  if (told === undefined || told.value === null) return null;
  return hit(
    "max_samples does not go with streaming: LLaMA-Factory refuses to start",
    [launch.told("streaming"), told],
    { name: "max_samples" },
  );
}

function packedTogether(launch: Launch): Hit | null {
  if (stage(launch) !== "sft" || launch.flag("packing") !== true || launch.flag("neat_packing") === true) return null;
  return hit("packing without neat_packing: examples in one row see those before them", [launch.told("packing")], {
    name: "neat_packing",
    value: true,
  });
}

function staleTokens(launch: Launch): Hit | null {
  const told = launch.told("tokenized_path");
  if (
    typeof told?.value !== "string" || launch.isWritten("overwrite_cache") && launch.flag("overwrite_cache") === null
  ) return null;
  return hit(
    "rows are taken from tokenized_path once they lie there: a template or cutoff_len that is changed later has no effect",
    [told],
    { name: "tokenized_path" },
  );
}

/** Templates by the models that they are for; the first pattern that a model's name has decides. */
const FAMILIES: readonly (readonly [RegExp, RegExp])[] = [
  [/r1-distill/i, /^deepseek/],
  [/qwen2(?:\.5)?-?vl|qwen3-?vl/i, /^qwen2_vl|^qwen3_vl/],
  [/qwen-?3/i, /^qwen/],
  [/qwen-?(?:2|2\.5|1\.5)/i, /^qwen/],
  [/llama-?3/i, /^llama3|^mllama/],
  [/llama-?2/i, /^llama2/],
  [/mistral|mixtral/i, /^mistral|^ministral/],
  [/gemma/i, /^gemma/],
  [/chatglm3/i, /^chatglm3/],
  [/glm-?4/i, /^glm4/],
  [/internlm2/i, /^intern/],
  [/\byi-/i, /^yi/],
  [/phi-?3/i, /^phi/],
  [/baichuan2/i, /^baichuan2/],
];
/** Templates of some family; what is none of them is somebody's own. */
const KNOWN =
  /^(?:qwen|llama|mistral|gemma|chatglm|glm4|intern|yi|phi|baichuan|deepseek|mllama|ministral|alpaca|vicuna|zephyr)/;
const WRITES: Readonly<Record<string, string>> = {
  "^deepseek": "deepseekr1",
  "^qwen": "qwen",
  "^llama2": "llama2",
  "^mistral|^ministral": "mistral",
};

function strangeTemplate(launch: Launch): Hit | null {
  const told = launch.told("template"), model = launch.model, word = launch.word("template");
  const own = FAMILIES.find(([name]) => name.test(model ?? ""));
  if (told === undefined || word === null || own === undefined || !KNOWN.test(word) || own[1].test(word)) return null;
  const meant = WRITES[own[1].source] ?? own[1].source.replace(/^\^/, "").replace(/\|.*/, "");
  return hit(
    `template ${word} writes the marks of another family than ${
      model!.split("/").at(-1)
    } was trained on: it neither reads turns nor ends its answers as it should`,
    [launch.told("model_name_or_path"), told],
    { name: "template", value: meant },
  );
}

export const LLAMAFACTORY_DATA_RULES = {
  evaluation_without_rows: {
    systems: ["llamafactory"],
    severity: "error",
    about: "An evaluation without rows.",
    change: "val_size, or eval_dataset",
    source: PARSER,
    wantsWhole: true,
    check: evaluationWithoutRows,
  },
  evaluation_rows_twice: {
    systems: ["llamafactory"],
    severity: "error",
    about: "eval_dataset and val_size at once.",
    change: "val_size",
    source: DATA,
    check: rowsTwice,
  },
  option_of_sft: {
    systems: ["llamafactory"],
    severity: "error",
    about: "An option of stage sft in another one.",
    change: "neat_packing, train_on_prompt, mask_history, predict_with_generate",
    source: PARSER,
    check: supervisedOnly,
  },
  mask_against_prompt: {
    systems: ["llamafactory"],
    severity: "error",
    about: "mask_history and train_on_prompt at once.",
    change: "train_on_prompt",
    source: DATA,
    check: maskTwice,
  },
  share_of_stream: {
    systems: ["llamafactory"],
    severity: "error",
    about: "A share of a stream, or a limit on it.",
    change: "val_size, max_samples",
    source: DATA,
    check: streamedShare,
  },
  packed_examples_seen: {
    systems: ["llamafactory"],
    severity: "info",
    about: "Packed examples that see each other.",
    change: "neat_packing",
    source: "LLaMA-Factory, data_args.py, neat_packing",
    wantsWhole: true,
    check: packedTogether,
  },
  tokens_from_before: {
    systems: ["llamafactory"],
    severity: "info",
    about: "Rows that were tokenized before, whatever the template is now.",
    change: "tokenized_path",
    source: "LLaMA-Factory, data/loader.py, get_dataset",
    wantsWhole: true,
    check: staleTokens,
  },
  template_of_other_model: {
    systems: ["llamafactory"],
    severity: "warning",
    about: "The chat template of another family of models.",
    change: "template",
    source: "LLaMA-Factory, README, Supported Models (template)",
    check: strangeTemplate,
  },
} as const satisfies Record<string, LaunchRule>;
