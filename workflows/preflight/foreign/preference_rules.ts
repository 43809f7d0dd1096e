/** Options of training on pairs, labels and texts: DPO, KTO, SFT. @module */
import { type Hit, hit, type LaunchRule } from "./rule.ts";
import type { Launch } from "./launch.ts";

function smoothing(launch: Launch): Hit | null {
  if (launch.trainer !== "dpo") return null;
  const name = launch.system === "llamafactory" ? "dpo_label_smoothing" : "label_smoothing";
  const value = launch.numberOr(0, name), losses = launch.list("loss_type", "pref_loss")?.map(String) ?? ["sigmoid"];
  if (value === null) return null;
  const at = [launch.told("loss_type", "pref_loss"), launch.told(name)];
  if (launch.system === "llamafactory") {
    if (value <= 0 || losses[0] === "sigmoid") return null;
    return hit(
      `dpo_label_smoothing is for pref_loss sigmoid alone, and it is ${losses[0]}: LLaMA-Factory refuses to start`,
      at,
      { name },
    );
  }
  if (losses.includes("exo_pair") && value <= 0) {
    return hit("loss_type exo_pair takes the logarithm of label_smoothing, which is 0: TRL refuses it", at, {
      name,
      value: 0.001,
    });
  }
  if (value >= 0.5) {
    return hit(
      `label_smoothing ${value} says that half of the labels or more are wrong: the loss pushes the other way, or divides by 0`,
      at,
      {
        name,
        value: 0.1,
      },
    );
  }
  return null;
}

const WEIGHTS = ["desirable_weight", "undesirable_weight", "kto_chosen_weight", "kto_rejected_weight"];

function weightZero(launch: Launch): Hit | null {
  const told = WEIGHTS.map((name) => launch.told(name)).find((one) => one?.value === 0);
  if (launch.trainer !== "kto" || told === undefined) return null;
  const side = /^(?:desirable|kto_chosen)/.test(told.name) ? "desirable" : "undesirable";
  return hit(`${launch.called(told.name)} 0: nothing is learnt from ${side} examples, and KTO drifts to one side`, [
    told,
  ], { name: told.name, value: 1 });
}

function referenceWithAdapter(launch: Launch): Hit | null {
  const told = launch.told("ref_model");
  if (
    told === undefined || told.value === null || launch.hasAdapter !== true ||
    launch.flag("force_use_ref_model") === true
  ) return null;
  if (launch.system === "llamafactory") return null; // it loads both
  return hit(
    "beneath an adapter the frozen weights are the reference: a ref_model besides is refused",
    [told],
    { name: "ref_model" },
  );
}

const FLASH = /^(?:flash|kernels-community\/(?:vllm-)?flash|fa[23]$)/i;
const ATTENTION = [
  "attn_implementation",
  "model_init_kwargs.attn_implementation",
  "model.attn_implementation",
  "attn_impl",
  "flash_attn",
];

function packedAttention(launch: Launch): Hit | null {
  const packing = launch.told("neat_packing", "padding_free", "packing"), told = launch.told(...ATTENTION);
  if (launch.flag("packing", "neat_packing") !== true || packing === undefined || launch.trainer !== "sft") return null;
  if (launch.word("packing_strategy") === "wrapped") return null;
  const word = launch.word(...ATTENTION);
  if (word === null || FLASH.test(word) || !/^(?:eager|sdpa|disabled)$/.test(word)) return null;
  return hit(
    `packing puts several examples into one row and ${
      launch.called(told!.name)
    } is ${word}, which does not keep them apart: each sees those before it`,
    [packing, told],
    { name: told!.name, value: launch.system === "llamafactory" ? "fa2" : "flash_attention_2" },
  );
}

function packedCollator(launch: Launch): Hit | null {
  const collator = launch.value("data_collator") as { readonly "()"?: string } | null | undefined;
  const name = typeof collator === "object" ? collator?.["()"] : launch.word("data_collator");
  if (!/DataCollatorForCompletionOnlyLM/.test(String(name)) || launch.flag("packing") !== true) return null;
  return hit(
    "the collator finds one response in a row and packing puts several there: TRL refuses both at once (up to 0.19; later the collator is gone)",
    [launch.told("data_collator"), launch.told("packing")],
    { name: "packing", value: false },
  );
}

function packedImages(launch: Launch): Hit | null {
  const told = launch.flag("packing") === true
    ? launch.told("packing")
    : launch.flag("assistant_only_loss") === true
    ? launch.told("assistant_only_loss")
    : undefined;
  if (
    launch.trainer !== "sft" || told === undefined ||
    !/[-_ ]vl\b|[-_]vl-|qwen\w*vl|llava|internvl|smolvlm|paligemma/i.test(launch.model ?? "")
  ) return null;
  return hit(
    `TRL has no ${told.name} for models with images: it refuses to start`,
    [told],
    { name: told.name, value: false },
  );
}

function paddingFreeLength(launch: Launch): Hit | null {
  if (launch.trainer !== "sft" || launch.flag("padding_free") !== true || launch.flag("packing") === true) return null;
  const told = launch.told("max_length");
  if (told === undefined || told.value === null) return null;
  return hit(
    "padding_free without packing does not cut rows to max_length: TRL from 1.0 on refuses it, before that memory runs out on a long row",
    [launch.told("padding_free"), told],
    { name: "packing", value: true },
  );
}

export const PREFERENCE_RULES = {
  label_smoothing_of_loss: {
    systems: ["trl", "unsloth", "llamafactory"],
    severity: "error",
    about: "A label smoothing that the loss cannot have.",
    change: "label_smoothing, dpo_label_smoothing",
    source: "TRL, dpo_trainer.py, exo_pair and robust; LLaMA-Factory, finetuning_args.py, __post_init__",
    check: smoothing,
  },
  kto_weight_zero: {
    systems: ["trl", "ms-swift", "llamafactory", "unsloth"],
    severity: "warning",
    about: "One side of KTO's examples has weight 0.",
    change: "desirable_weight, undesirable_weight, kto_chosen_weight, kto_rejected_weight",
    source: "KTO, arXiv 2402.01306, eq. 8; TRL, KTO, imbalanced data",
    check: weightZero,
  },
  reference_with_adapter: {
    systems: ["trl", "unsloth", "ms-swift"],
    severity: "error",
    about: "A reference model is given where an adapter is trained, whose base is the reference.",
    change: "ref_model",
    source: "ms-swift, rlhf_args.py, __post_init__; TRL, dpo_trainer.py, __init__",
    wantsWhole: true,
    check: referenceWithAdapter,
  },
  packing_without_flash: {
    systems: ["trl", "ms-swift", "unsloth", "llamafactory"],
    severity: "warning",
    about: "Packed rows under an attention that does not keep examples apart.",
    change: "attn_implementation, --attn_impl, flash_attn",
    source: "TRL, sft_trainer.py, __init__ (cross-contamination)",
    wantsWhole: true,
    check: packedAttention,
  },
  packing_with_collator: {
    systems: ["trl", "unsloth"],
    severity: "error",
    about: "Packing with the collator that masks all but one response.",
    change: "packing",
    source: "TRL up to 0.19, sft_trainer.py, __init__",
    check: packedCollator,
  },
  packing_of_images: {
    systems: ["trl"],
    severity: "error",
    about: "Packing, or assistant_only_loss, for a model with images.",
    change: "packing, assistant_only_loss",
    source: "TRL, sft_trainer.py, __init__",
    check: packedImages,
  },
  padding_free_length: {
    systems: ["trl"],
    severity: "warning",
    about: "padding_free with a max_length that it does not keep to.",
    change: "packing, or max_length",
    source: "TRL, sft_trainer.py, __init__",
    wantsWhole: true,
    check: paddingFreeLength,
  },
} as const satisfies Record<string, LaunchRule>;
