/** Adapters: options that train all weights, or nothing. @module */
import { type Hit, hit, type LaunchRule, ON_TRAINER } from "./rule.ts";
import type { Launch, Told } from "./launch.ts";

const M = "actor_rollout_ref.model.";
const RANKS = ["lora_r", "lora_rank", "peft_config.r", "ds.lora.rank", `${M}lora_rank`];
const ALPHAS = ["lora_alpha", "peft_config.lora_alpha", "ds.lora.alpha", `${M}lora_alpha`];
const TARGETS = [
  "lora_target_modules",
  "target_modules",
  "lora_target",
  "peft_config.target_modules",
  "ds.lora.target_modules",
  `${M}target_modules`,
];

/** What switches an adapter on, by system. */
function switchOf(launch: Launch): { readonly name: string; readonly value: string | boolean | number } {
  switch (launch.system) {
    case "llamafactory":
      return { name: "finetuning_type", value: "lora" };
    case "ms-swift":
      return { name: launch.told("tuner_type", "train_type", "sft_type")?.name ?? "tuner_type", value: "lora" };
    case "verl":
      return { name: `${M}lora_rank`, value: 32 };
    case "openrlhf":
      return { name: launch.isWritten("lora_alpha", "target_modules") ? "lora_rank" : "ds.lora.rank", value: 32 };
    default:
      return { name: "use_peft", value: true };
  }
}

function adapterOff(launch: Launch): Hit | null {
  if (launch.form === "keywords" || launch.hasAdapter !== false) return null;
  const own = launch.system === "verl" || launch.system === "openrlhf"
    ? [...ALPHAS, ...TARGETS]
    : [...RANKS, ...ALPHAS];
  const told = own.map((name) => launch.told(name)).find((one) =>
    one !== undefined && one.value !== null && one.value !== 0
  );
  if (told === undefined) return null;
  const change = switchOf(launch);
  return hit(
    `${launch.called(told.name)} is set and ${
      launch.called(change.name)
    } does not switch an adapter on: all weights train, at the adapter's learning rate`,
    [launch.told(change.name), told],
    change,
  );
}

function alphaZero(launch: Launch): Hit | null {
  const told = launch.told(...ALPHAS);
  if (told?.value !== 0) return null;
  return hit(`${launch.called(told.name)} 0 multiplies the adapter by 0: it has no effect and no gradient`, [told], {
    name: told.name,
    value: 32,
  });
}

function rankZero(launch: Launch): Hit | null {
  const told = launch.told(...RANKS);
  if (told === undefined || typeof told.value !== "number" || told.value > 0 || launch.hasAdapter !== true) return null;
  return hit(`${launch.called(told.name)} is ${told.value}: PEFT wants a rank above 0, and refuses`, [told], {
    name: told.name,
    value: 16,
  });
}

const BITS = /(?:^|\.)(?:load_in_4bit|load_in_8bit)$|^(?:quantization_bit|quant_bits)$/;

function quantizedWhole(launch: Launch): Hit | null {
  const told = launch.options.findLast(({ name, value }) =>
    BITS.test(name) && !/^processing_class/.test(name) && value !== false && value !== null && value !== 0
  );
  const isWhole = launch.hasAdapter === false && (launch.form !== "keywords" || !/peft|lora/i.test(launch.text));
  if (told === undefined || !isWhole || launch.flag("model.full_finetuning") === true) return null;
  const change = switchOf(launch);
  return hit(
    `${
      launch.called(told.name)
    } quantizes the weights and no adapter is on: quantized weights cannot be trained, and the trainer refuses`,
    [launch.told(change.name), told],
    change,
  );
}

/** Names of projections by architecture. */
const SEPARATE = new Set(["q_proj", "k_proj", "v_proj", "o_proj", "gate_proj", "up_proj", "down_proj"]);
const FUSED = new Set([
  "query_key_value",
  "dense_h_to_4h",
  "dense_4h_to_h",
  "dense",
  "c_attn",
  "c_proj",
  "c_fc",
  "W_pack",
  "Wqkv",
  "in_proj",
  "out_proj",
  "wq",
  "wk",
  "wv",
  "wo",
  "wi",
]);
const LLAMA_LIKE = /qwen-?(?:2|2\.5|3)|llama|mistral|mixtral|gemma|\byi-|smollm|r1-distill/i;
const OTHERS = /\bgpt2|bloom|falcon-|chatglm|gpt-neox|pythia|baichuan|\bmpt-|flan-t5|\bt5-/i;

function strangeTargets(launch: Launch): Hit | null {
  const told = launch.told(...TARGETS), targets = launch.list(...TARGETS)?.map(String), model = launch.model;
  if (told === undefined || targets === undefined || targets.length === 0 || model === null) return null;
  const wrong = LLAMA_LIKE.test(model) ? FUSED : OTHERS.test(model) ? SEPARATE : null;
  if (wrong === null || !targets.every((name) => wrong.has(name))) return null;
  return hit(
    `${launch.called(told.name)} names ${targets.join(", ")}, which ${
      model.split("/").at(-1)
    } does not have: PEFT finds no module, and refuses`,
    [told],
    { name: told.name, value: launch.system === "llamafactory" ? "all" : "all-linear" },
  );
}

function dropoutInRollouts(launch: Launch): Hit | null {
  const told = launch.told("lora_dropout", "peft_config.lora_dropout");
  if (told === undefined || typeof told.value !== "number" || told.value <= 0 || !launch.isRollout) return null;
  if (launch.hasAdapter !== true || launch.flag("disable_dropout") === true) return null;
  return hit(
    `lora_dropout ${told.value}: old and new log-probs are computed under other masks, and the ratio is off by noise`,
    [told],
    { name: told.name, value: 0 },
  );
}

const pairs: readonly (readonly [string, readonly string[]])[] = [["vllm_max_lora_rank", ["lora_rank"]], [
  "model.max_lora_rank",
  ["peft_config.r"],
]];

function engineRank(launch: Launch): Hit | null {
  for (const [most, ranks] of pairs) {
    const limit = launch.number(most), rank = launch.number(...ranks);
    if (limit === null || rank === null || rank <= limit) continue;
    const at: (Told | undefined)[] = [launch.told(...ranks), launch.told(most)];
    return hit(
      `the adapter has rank ${rank} and the engine takes ${limit} at most: it stops with the first sampling`,
      at,
      { name: most, value: rank },
    );
  }
  return null;
}

export const ADAPTER_RULES = {
  adapter_not_on: {
    systems: [...ON_TRAINER.filter((name) => name !== "unsloth"), "verl", "openrlhf"],
    severity: "warning",
    about: "Options of an adapter that nothing switches on: all weights train.",
    change: "use_peft, finetuning_type, tuner_type, lora_rank",
    source: "TRL, trainer/utils.py, get_peft_config; verl and OpenRLHF: rank 0 is off",
    wantsWhole: true,
    check: adapterOff,
  },
  adapter_scale_zero: {
    systems: [...ON_TRAINER, "verl", "openrlhf"],
    severity: "error",
    about: "lora_alpha 0: the adapter is multiplied by 0.",
    change: "lora_alpha",
    source: "PEFT, tuners/lora/layer.py, scaling = alpha / r",
    check: alphaZero,
  },
  adapter_rank_zero: {
    systems: ON_TRAINER,
    severity: "error",
    about: "An adapter of rank 0.",
    change: "lora_r, lora_rank, r",
    source: "PEFT, tuners/lora/layer.py, update_layer",
    check: rankZero,
  },
  quantized_without_adapter: {
    systems: ON_TRAINER,
    severity: "error",
    about: "Weights in 4 or 8 bits are to be trained themselves.",
    change: "use_peft, finetuning_type, tuner_type",
    source:
      "transformers, trainer.py, validate_quantization_for_training; LLaMA-Factory, hparams/parser.py, _verify_model_args",
    wantsWhole: true,
    check: quantizedWhole,
  },
  adapter_targets_absent: {
    systems: [...ON_TRAINER, "verl", "openrlhf"],
    severity: "error",
    about: "The adapter's modules have names of another architecture.",
    change: "target_modules, lora_target_modules, lora_target",
    source: "PEFT, tuners/tuners_utils.py, inject_adapter; PEFT, utils/constants.py",
    check: strangeTargets,
  },
  adapter_dropout_in_rollouts: {
    systems: ["trl", "ms-swift", "unsloth"],
    severity: "info",
    about: "An adapter's dropout in reinforcement learning.",
    change: "lora_dropout",
    source: "TRL, grpo_config.py, disable_dropout",
    check: dropoutInRollouts,
  },
  engine_rank_too_small: {
    systems: ["ms-swift", "unsloth"],
    severity: "error",
    about: "The sampling engine takes adapters of a lower rank only.",
    change: "max_lora_rank, --vllm_max_lora_rank",
    source: "unslothai/unsloth#2097, modelscope/ms-swift#4221",
    check: engineRank,
  },
} as const satisfies Record<string, LaunchRule>;
