/** A configuration of DeepSpeed that says something else than the options beside it. @module */
import { isZero3 } from "./precision_rules.ts";
import { type Hit, hit, type LaunchRule, ON_TRAINER } from "./rule.ts";
import type { Launch } from "./launch.ts";

/** Keys of DeepSpeed with the option that must agree. Source: transformers, integrations/deepspeed.py, trainer_config_process. */
const PAIRS: readonly (readonly [string, string])[] = [
  ["train_micro_batch_size_per_gpu", "per_device_train_batch_size"],
  ["gradient_accumulation_steps", "gradient_accumulation_steps"],
  ["gradient_clipping", "max_grad_norm"],
  ["optimizer.params.lr", "learning_rate"],
  ["optimizer.params.weight_decay", "weight_decay"],
  ["fp16.enabled", "fp16"],
  ["bf16.enabled", "bf16"],
];

/** What a dotted key of a JSON text holds; undefined where it is not there, or no JSON. */
function keyOf(config: unknown, key: string): unknown {
  return key.split(".").reduce<unknown>(
    (held, name) => typeof held === "object" && held !== null ? (held as Record<string, unknown>)[name] : undefined,
    config,
  );
}

function configOf(launch: Launch): unknown {
  const text = launch.beside.get(launch.word("deepspeed", "ds_config") ?? "");
  if (text === undefined || !text.trimStart().startsWith("{")) return null;
  try {
    return JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) return null;
    throw error;
  }
}

function contradicts(launch: Launch): Hit[] {
  const config = configOf(launch);
  return PAIRS.flatMap(([key, name]) => {
    const theirs = keyOf(config, key), own = launch.value(name);
    if (theirs === undefined || theirs === "auto" || own === undefined || own === null || theirs === own) return [];
    if (typeof theirs !== typeof own) return [];
    return hit(
      `${key} is ${theirs} in ${
        launch.word("deepspeed", "ds_config")
      } and ${name} ${own}: transformers refuses to start`,
      [launch.told("deepspeed", "ds_config"), launch.told(name)],
      { name: key, value: '"auto"' },
    );
  });
}

function zero3DeviceMap(launch: Launch): Hit | null {
  const told = launch.told(
    "device_map",
    "model_init_kwargs.device_map",
    "model.device_map",
    "low_cpu_mem_usage",
    "model_init_kwargs.low_cpu_mem_usage",
  );
  if (told === undefined || told.value === null || told.value === false || !isZero3(launch)) return null;
  return hit(
    `ZeRO-3 lays the weights over the processes itself: ${
      launch.called(told.name)
    } besides is refused when the model is loaded`,
    [launch.told("deepspeed", "config_file"), told],
    { name: told.name },
  );
}

export const DEEPSPEED_RULES = {
  deepspeed_contradicts: {
    systems: ON_TRAINER,
    severity: "error",
    about: "DeepSpeed's file and the options say two things of the batch, the rate or the precision.",
    change: 'the key of DeepSpeed\'s file, to "auto"',
    source: "transformers, integrations/deepspeed.py, trainer_config_finalize",
    check: contradicts,
  },
  zero3_device_map: {
    systems: ON_TRAINER,
    severity: "error",
    about: "ZeRO-3 together with device_map or low_cpu_mem_usage.",
    change: "device_map, low_cpu_mem_usage",
    source: "transformers, modeling_utils.py, from_pretrained",
    check: zero3DeviceMap,
  },
} as const satisfies Record<string, LaunchRule>;
