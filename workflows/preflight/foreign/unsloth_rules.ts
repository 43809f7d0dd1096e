/** What Unsloth's patches and its engine want. @module */
import { type Hit, hit, type LaunchRule } from "./rule.ts";
import type { Launch } from "./launch.ts";

function engineMissing(launch: Launch): Hit | null {
  const fast = launch.told("model.fast_inference");
  if (launch.flag("use_vllm") !== true || launch.flag("model.fast_inference") === true) return null;
  if (!launch.options.some(({ name }) => name.startsWith("model."))) return null;
  return hit(
    "use_vllm samples with the engine that from_pretrained opens under fast_inference, and it is not on: there is no engine",
    [fast, launch.told("use_vllm")],
    { name: "model.fast_inference", value: true },
  );
}

/** Line, from 1, of the first import of a module. */
function importLine(text: string, pattern: RegExp): number | null {
  const at = text.split("\n").findIndex((line) => pattern.test(line));
  return at < 0 ? null : at + 1;
}

function importedLate(launch: Launch): Hit | null {
  const own = importLine(launch.text, /^\s*(?:from|import)\s+unsloth\b/),
    others = importLine(launch.text, /^\s*(?:from|import)\s+(?:trl|transformers|peft)\b/);
  if (own === null || others === null || others > own) return null;
  return {
    message:
      "unsloth is imported after the libraries that it patches: its patches, memory and speed are missing in part, without an error",
    at: own,
    change: [],
    byHand: `Import unsloth above line ${others}.`,
  };
}

function wholeInFour(launch: Launch): Hit | null {
  if (launch.flag("model.full_finetuning") !== true || launch.flag("model.load_in_4bit") !== true) return null;
  return hit(
    "full_finetuning trains all weights, which load_in_4bit freezes in four bits: one of them is switched off",
    [
      launch.told("model.full_finetuning"),
      launch.told("model.load_in_4bit"),
    ],
    { name: "model.load_in_4bit", value: false },
  );
}

function adapterOnWhole(launch: Launch): Hit | null {
  const told = launch.told("peft_config.r");
  if (launch.flag("model.full_finetuning") !== true || told === undefined) return null;
  return hit(
    "full_finetuning trains all weights, and get_peft_model puts an adapter on them: one of them is not meant",
    [told, launch.told("model.full_finetuning")],
    {
      name: "model.full_finetuning",
      value: false,
    },
  );
}

export const UNSLOTH_RULES = {
  engine_not_opened: {
    systems: ["unsloth"],
    severity: "error",
    about: "use_vllm without fast_inference, which opens the engine.",
    change: "fast_inference of from_pretrained",
    source: "unslothai/unsloth#2107: no attribute vllm_engine",
    check: engineMissing,
  },
  imported_late: {
    systems: ["unsloth"],
    severity: "warning",
    about: "unsloth is imported after trl, transformers or peft.",
    change: "the order of imports",
    source: "unsloth, __init__.py: a warning on imports before it",
    check: importedLate,
  },
  whole_in_four_bits: {
    systems: ["unsloth"],
    severity: "warning",
    about: "All weights are to train, in four bits.",
    change: "load_in_4bit",
    source: "unsloth, models/loader.py, from_pretrained",
    check: wholeInFour,
  },
  adapter_on_full_finetuning: {
    systems: ["unsloth"],
    severity: "warning",
    about: "full_finetuning together with get_peft_model.",
    change: "full_finetuning",
    source: "unsloth, models/loader.py, from_pretrained",
    check: adapterOnWhole,
  },
} as const satisfies Record<string, LaunchRule>;
