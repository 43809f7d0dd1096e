/** Number formats and attention that a model does not stand. @module */
import { type Hit, hit, type LaunchRule, ON_TRAINER } from "./rule.ts";
import type { Launch } from "./launch.ts";

const TYPES = [
  "torch_dtype",
  "dtype",
  "model_init_kwargs.torch_dtype",
  "model_init_kwargs.dtype",
  "model.torch_dtype",
  "model.dtype",
  "ds.param_dtype",
];
const ATTENTION = [
  "attn_implementation",
  "model_init_kwargs.attn_implementation",
  "model.attn_implementation",
  "attn_impl",
];

function twoPrecisions(launch: Launch): Hit | null {
  if (launch.flag("fp16") !== true || launch.flag("bf16") !== true) return null;
  return hit("fp16 and bf16 are both on: transformers takes one of them, and refuses to start", [
    launch.told("bf16"),
    launch.told("fp16"),
  ], { name: "fp16", value: false });
}

const WIDE =
  /gemma-?(?:\d?-?)?(?:2b|7b|[23]n?-)|gemma-?[123]\b|\b(?:flan-|m)?t5[-_]|qwen-?2(?:\.5)?[-_]?(?:vl|omni)\b/i;

function overflows(launch: Launch): Hit | null {
  const isHalf = launch.flag("fp16") === true ||
    /float16$|^fp16$|^half$/.test((launch.word(...TYPES) ?? "").replace(/bfloat16/, ""));
  const told = launch.flag("fp16") === true ? launch.told("fp16") : launch.told(...TYPES);
  if (!isHalf || launch.flag("bf16") === true || !WIDE.test(launch.model ?? "")) return null;
  return hit(
    `${
      launch.model!.split("/").at(-1)
    } was trained in bfloat16, and its activations are beyond what float16 holds: losses become NaN`,
    [told],
    told!.name === "fp16" ? { name: "bf16", value: true } : { name: told!.name, value: "bfloat16" },
    ...(told!.name === "fp16" ? [{ name: "fp16", value: false }] : []),
  );
}

function flashInFull(launch: Launch): Hit | null {
  const told = launch.told(...ATTENTION), type = launch.word(...TYPES);
  if (told === undefined || !/^flash/.test(String(told.value)) || type === null || !/float32$|^fp32$/.test(type)) {
    return null;
  }
  if (launch.flag("bf16") !== false || launch.flag("fp16") === true) return null;
  return hit(
    `${
      launch.called(told.name)
    } is ${told.value} and weights are ${type}, with bf16 and fp16 off: flash attention computes in half precision alone, and refuses`,
    [launch.told(...TYPES), told],
    { name: "bf16", value: true },
  );
}

function softCap(launch: Launch): Hit | null {
  const told = launch.told(...ATTENTION);
  if (told?.value !== "sdpa" || !/gemma-?2\b/i.test(launch.model ?? "")) return null;
  return hit(
    "sdpa leaves out the soft cap on Gemma 2's attention scores, with which it was trained",
    [told],
    { name: told.name, value: "eager" },
  );
}

const REENTRANT = ["gradient_checkpointing_kwargs.use_reentrant", "use_reentrant", "use_reentrant_gc"];

/** Whether checkpointing is re-entrant; null where nothing says it. */
function reentrant(launch: Launch): boolean | null {
  const own = launch.flag(...REENTRANT), dict = launch.value("gradient_checkpointing_kwargs");
  if (own !== null) return own;
  const text = typeof dict === "string" ? dict : JSON.stringify(dict ?? "");
  return /use_reentrant["']?\s*[:=]\s*true/i.test(text)
    ? true
    : /use_reentrant["']?\s*[:=]\s*false/i.test(text)
    ? false
    : null;
}

/** ZeRO-3 by the name of its configuration or by what stands in it. */
export function isZero3(launch: Launch): boolean {
  const named = launch.word("deepspeed", "config_file") ?? "", text = launch.beside.get(named) ?? "";
  return /zero_?-?3|_z3|stage_?3|z3[_.]/i.test(named) || /"?(?:stage|zero_stage)"?\s*:\s*3\b/.test(text) ||
    launch.number("ds.zero_stage", "zero_stage") === 3;
}

function cutByCheckpointing(launch: Launch): Hit | null {
  const told = launch.told(...REENTRANT, "gradient_checkpointing_kwargs");
  if (reentrant(launch) !== true || launch.hasAdapter !== true || isZero3(launch) || launch.system === "unsloth") {
    return null;
  }
  return hit(
    "re-entrant checkpointing beneath an adapter: the frozen inputs need no gradient, and backward may find nothing to differentiate",
    [told],
    told!.name === "gradient_checkpointing_kwargs"
      ? {
        name: told!.name,
        value: launch.form === "keywords" ? { unresolved: "{'use_reentrant': False}" } : `'{"use_reentrant": false}'`,
      }
      : { name: told!.name, value: false },
  );
}

function zero3Checkpointing(launch: Launch): Hit | null {
  const told = launch.told(...REENTRANT, "gradient_checkpointing_kwargs");
  if (reentrant(launch) !== false || launch.hasAdapter !== true || !isZero3(launch)) return null;
  return hit(
    "non-re-entrant checkpointing of an adapter under ZeRO-3 recomputes tensors of other shapes: backward stops with a CheckpointError (TRL from 1.0 on forces the other)",
    [launch.told("deepspeed", "config_file"), told],
    told!.name === "gradient_checkpointing_kwargs"
      ? {
        name: told!.name,
        value: launch.form === "keywords" ? { unresolved: "{'use_reentrant': True}" } : `'{"use_reentrant": true}'`,
      }
      : { name: told!.name, value: true },
  );
}

export const PRECISION_RULES = {
  two_precisions: {
    systems: ON_TRAINER,
    severity: "error",
    about: "fp16 and bf16 at once.",
    change: "fp16",
    source: "transformers, training_args.py, __post_init__",
    check: twoPrecisions,
  },
  overflow_in_fp16: {
    systems: ["trl", "ms-swift", "llamafactory", "openrlhf"],
    severity: "warning",
    about: "float16 for a model that was trained in bfloat16 and needs its range.",
    change: "bf16 in place of fp16",
    source: "transformers#9295, transformers#10956, google/gemma_pytorch#24; Qwen2-VL, model card: bfloat16",
    check: overflows,
  },
  flash_in_float32: {
    systems: ["trl", "ms-swift"],
    severity: "error",
    about: "Flash attention in full precision.",
    change: "bf16, or attn_implementation",
    source: "flash-attn: fp16 and bf16 alone; transformers, modeling_utils.py",
    check: flashInFull,
  },
  soft_cap_left_out: {
    systems: ["trl", "ms-swift"],
    severity: "warning",
    about: "Gemma 2 under an attention without its soft cap.",
    change: "attn_implementation, --attn_impl",
    source: "transformers, models/gemma2/modeling_gemma2.py",
    check: softCap,
  },
  reentrant_checkpointing: {
    systems: ON_TRAINER,
    severity: "warning",
    about: "Re-entrant checkpointing beneath an adapter, whose inputs need no gradient.",
    change: "gradient_checkpointing_kwargs",
    source: "trl#3089; tests/cases/070",
    check: cutByCheckpointing,
  },
  zero3_checkpointing: {
    systems: ["trl"],
    severity: "warning",
    about: "Non-re-entrant checkpointing of an adapter under ZeRO-3.",
    change: "gradient_checkpointing_kwargs",
    source: "trl#2514; TRL, sft_trainer.py, __init__",
    check: zero3Checkpointing,
  },
} as const satisfies Record<string, LaunchRule>;
