/** What LLaMA-Factory refuses, or reads another way. @module */
import { isZero3 } from "./precision_rules.ts";
import { type Hit, hit, type LaunchRule } from "./rule.ts";
import type { Launch } from "./launch.ts";

const PARSER = "LLaMA-Factory, hparams/parser.py, get_train_args",
  FINETUNING = "LLaMA-Factory, hparams/finetuning_args.py, __post_init__";
const stage = (launch: Launch) => launch.word("stage");
const kind = (launch: Launch) => launch.word("finetuning_type") ?? "lora";

const OTHER_WORK = ["do_eval", "do_predict"];

/** Training is asked for by a flag whose default is false; an evaluation is meant where that is asked for. */
function notTrained(launch: Launch): Hit | null {
  const isTold = launch.isWritten("do_train");
  if (isTold ? launch.flag("do_train") !== false : !launch.isWritten("stage")) return null;
  if (OTHER_WORK.some((name) => launch.isWritten(name) && launch.flag(name) !== false)) return null;
  return hit(
    isTold
      ? "do_train is false, and nothing else is asked for: the program loads the model and ends, nothing is trained"
      : "do_train is not written, and false by default: the program loads the model and ends, nothing is trained",
    [launch.told("do_train") ?? launch.told("stage")],
    { name: "do_train", value: true },
  );
}

function ppoWithoutReward(launch: Launch): Hit | null {
  if (stage(launch) !== "ppo" || launch.isWritten("reward_model")) return null;
  return hit("stage ppo wants a reward_model: LLaMA-Factory refuses to start", [launch.told("stage")], {
    name: "reward_model",
    value: "saves/reward",
  });
}

function rewardOfAdapter(launch: Launch): Hit | null {
  const type = launch.told("reward_model_type");
  if (
    stage(launch) !== "ppo" || !launch.isWritten("reward_model") || (type?.value ?? "lora") !== "lora" ||
    kind(launch) === "lora"
  ) return null;
  return hit(
    `reward_model_type is lora${type === undefined ? " by default" : ""}, and finetuning_type ${
      kind(launch)
    }: a reward adapter wants an adapter beside it, and LLaMA-Factory refuses`,
    [launch.told("finetuning_type"), type ?? launch.told("reward_model")],
    { name: "reward_model_type", value: "full" },
  );
}

function bestOfRollouts(launch: Launch): Hit | null {
  if (!/^(?:rm|ppo)$/.test(stage(launch) ?? "") || launch.flag("load_best_model_at_end") !== true) return null;
  return hit(`stage ${stage(launch)} has no load_best_model_at_end: LLaMA-Factory refuses to start`, [
    launch.told("stage"),
    launch.told("load_best_model_at_end"),
  ], {
    name: "load_best_model_at_end",
    value: false,
  });
}

function adapterWithoutLora(launch: Launch): Hit | null {
  const told = launch.told("adapter_name_or_path");
  if (told === undefined || told.value === null || kind(launch) === "lora") return null;
  return hit(
    `adapter_name_or_path is read by finetuning_type lora alone, and it is ${
      kind(launch)
    }: LLaMA-Factory refuses to start`,
    [told, launch.told("finetuning_type")],
    {
      name: "finetuning_type",
      value: "lora",
    },
  );
}

const ONLY_LORA = ["use_rslora", "use_dora", "pissa_init", "loraplus_lr_ratio"];

function loraOnly(launch: Launch): Hit | null {
  const name = ONLY_LORA.find((one) => launch.flag(one) === true || (launch.number(one) ?? 0) > 0);
  if (name === undefined || kind(launch) === "lora") return null;
  return hit(`${name} is for finetuning_type lora, and it is ${kind(launch)}: LLaMA-Factory refuses to start`, [
    launch.told("finetuning_type"),
    launch.told(name),
  ], { name });
}

function projectedAdapter(launch: Launch): Hit | null {
  const name = ["use_galore", "use_apollo", "use_badam"].find((one) => launch.flag(one) === true);
  if (name === undefined || kind(launch) !== "lora") return null;
  return hit(
    `${name} trains all weights in little memory, and finetuning_type is lora: LLaMA-Factory refuses both at once`,
    [launch.told("finetuning_type"), launch.told(name)],
    {
      name: "finetuning_type",
      value: "full",
    },
  );
}

function pissaReference(launch: Launch): Hit | null {
  const loss = launch.word("pref_loss") ?? "sigmoid", own = stage(launch) ?? "";
  const hasReference = /^(?:ppo|kto)$/.test(own) || own === "dpo" && !/^(?:orpo|simpo)$/.test(loss);
  if (launch.flag("pissa_init") !== true || !hasReference) return null;
  return hit("pissa_init changes the frozen weights, which are the reference here: LLaMA-Factory refuses to start", [
    launch.told("stage"),
    launch.told("pissa_init"),
  ], { name: "pissa_init", value: false });
}

function zero3Refuses(launch: Launch): Hit | null {
  const name = ["predict_with_generate", "pure_bf16", "use_unsloth", "pissa_init"].find((one) =>
    launch.flag(one) === true
  );
  if (name === undefined || !isZero3(launch)) return null;
  return hit(`${name} does not go with ZeRO-3: LLaMA-Factory refuses to start`, [
    launch.told("deepspeed"),
    launch.told(name),
  ], { name, value: false });
}

export const LLAMAFACTORY_RULES = {
  training_not_asked_for: {
    systems: ["llamafactory"],
    severity: "fatal",
    about: "Nothing asks for the training: do_train is false, or not written, which is the same.",
    change: "do_train",
    source: "LLaMA-Factory, train/sft/workflow.py, run_sft; transformers, TrainingArguments.do_train",
    wantsWhole: true,
    check: notTrained,
  },
  ppo_without_reward_model: {
    systems: ["llamafactory"],
    severity: "error",
    about: "stage ppo without a reward model.",
    change: "reward_model",
    source: FINETUNING,
    wantsWhole: true,
    check: ppoWithoutReward,
  },
  reward_adapter_of_whole_model: {
    systems: ["llamafactory"],
    severity: "error",
    about: "A reward adapter where all weights train.",
    change: "reward_model_type",
    source: FINETUNING,
    check: rewardOfAdapter,
  },
  best_of_stage: {
    systems: ["llamafactory"],
    severity: "error",
    about: "load_best_model_at_end in a stage without it.",
    change: "load_best_model_at_end",
    source: PARSER,
    check: bestOfRollouts,
  },
  adapter_of_other_tuning: {
    systems: ["llamafactory"],
    severity: "error",
    about: "An adapter to go on from, where none is trained.",
    change: "finetuning_type",
    source: "LLaMA-Factory, hparams/parser.py, _verify_model_args",
    check: adapterWithoutLora,
  },
  option_of_lora: {
    systems: ["llamafactory"],
    severity: "error",
    about: "An option of LoRA in a full or freeze training.",
    change: "use_rslora, use_dora, pissa_init, loraplus_lr_ratio",
    source: FINETUNING,
    check: loraOnly,
  },
  projection_of_adapter: {
    systems: ["llamafactory"],
    severity: "error",
    about: "GaLore, APOLLO or BAdam together with LoRA.",
    change: "finetuning_type",
    source: FINETUNING,
    check: projectedAdapter,
  },
  pissa_with_reference: {
    systems: ["llamafactory"],
    severity: "error",
    about: "PiSSA where the frozen weights are the reference.",
    change: "pissa_init",
    source: FINETUNING,
    check: pissaReference,
  },
  zero3_refuses: {
    systems: ["llamafactory"],
    severity: "error",
    about: "An option that ZeRO-3 does not stand.",
    change: "predict_with_generate, pure_bf16, use_unsloth, pissa_init, or deepspeed",
    source: PARSER,
    check: zero3Refuses,
  },
} as const satisfies Record<string, LaunchRule>;
