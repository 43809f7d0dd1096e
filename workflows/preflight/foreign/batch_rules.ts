/** Batches that hold no whole groups. Source of the arithmetic: TRL, grpo_config.py, __post_init__. @module */
import { type Hit, hit, type LaunchRule, ON_TRL } from "./rule.ts";
import type { Launch } from "./launch.ts";

const CONFIG = "TRL, grpo_config.py, __post_init__";
/** Defaults of the trainers: rows of a device, completions of a group. */
export const TRL_GROUP = 8;
const TRL_ROWS = 8, SWIFT_ROWS = 1, EVAL_ROWS = 8;

const isGrpo = (launch: Launch) => launch.trainer === "grpo" || launch.trainer === "rloo";

/** Completions of one sampling, with what they are made of; null where the file does not tell. */
function sampled(launch: Launch): { readonly count: number; readonly text: string } | null {
  const whole = launch.number("generation_batch_size");
  if (whole !== null) return { count: whole, text: `generation_batch_size ${whole}` };
  if (launch.isWritten("generation_batch_size")) return null;
  const rows = launch.numberOr(launch.system === "ms-swift" ? SWIFT_ROWS : TRL_ROWS, "per_device_train_batch_size");
  const turns = launch.numberOr(1, "gradient_accumulation_steps"),
    own = launch.numberOr(turns ?? 1, "steps_per_generation");
  const count = launch.processes;
  if (rows === null || turns === null || own === null || count === null) return null;
  return {
    count: rows * own * count,
    text: `${rows} rows × ${own} micro-batches × ${count} process${count === 1 ? "" : "es"}`,
  };
}

/** The group of usual size that divides a batch, next to the one that was asked for. */
const fitting = (count: number, asked: number) =>
  [16, 12, 8, 6, 5, 4, 3, 2].filter((size) => count % size === 0)
    .sort((a, b) => Math.abs(a - asked) - Math.abs(b - asked))[0] ?? count;

function groupsNotWhole(launch: Launch): Hit | null {
  const size = launch.numberOr(TRL_GROUP, "num_generations"), all = sampled(launch);
  if (!isGrpo(launch) || size === null || size < 2 || all === null || all.count % size === 0) return null;
  const [device, group] = [
    launch.told("generation_batch_size", "per_device_train_batch_size"),
    launch.told("num_generations"),
  ];
  if (device === undefined && group === undefined) return null; // all by default
  return {
    ...hit(
      `${all.text} are ${all.count} completions, no whole number of groups of ${size}${
        group === undefined ? " (the default)" : ""
      }: the trainer refuses to start`,
      [group, device],
      { name: "num_generations", value: fitting(all.count, size) },
    ),
    replaces: /cannot hold whole groups/,
  };
}

function batchTwice(launch: Launch): Hit | null {
  const [whole, turns] = [launch.told("generation_batch_size"), launch.told("steps_per_generation")];
  if (whole === undefined || turns === undefined || whole.value === null || turns.value === null) return null;
  return hit(
    "generation_batch_size and steps_per_generation say the same thing twice: TRL refuses both at once",
    [whole, turns],
    { name: "steps_per_generation" },
  );
}

function batchUneven(launch: Launch): Hit | null {
  const whole = launch.number("generation_batch_size"), rows = launch.numberOr(TRL_ROWS, "per_device_train_batch_size");
  const one = rows === null ? null : rows * (launch.processes ?? 1);
  if (!isGrpo(launch) || launch.system === "ms-swift" || whole === null || one === null || whole % one === 0) {
    return null;
  }
  return hit(
    `generation_batch_size ${whole} is no multiple of the ${one} rows that all devices take at once: TRL refuses to start`,
    [launch.told("per_device_train_batch_size"), launch.told("generation_batch_size")],
    { name: "generation_batch_size", value: Math.max(1, Math.round(whole / one)) * one },
  );
}

function evaluatedGroups(launch: Launch): Hit | null {
  const strategy = launch.word("eval_strategy", "evaluation_strategy"), count = launch.processes;
  const size = launch.numberOr(
    TRL_GROUP,
    ...(launch.isWritten("num_generations_eval") ? ["num_generations_eval"] : ["num_generations"]),
  );
  const rows = launch.numberOr(EVAL_ROWS, "per_device_eval_batch_size");
  if (
    launch.trainer !== "grpo" || strategy === null || strategy === "no" || count === null || size === null ||
    rows === null
  ) {
    return null;
  }
  if (rows * count % size === 0) return null;
  return hit(
    `an evaluation takes ${rows} rows × ${count} process${
      count === 1 ? "" : "es"
    }, no whole number of groups of ${size}: TRL refuses to start`,
    [
      launch.told("num_generations_eval", "num_generations"),
      launch.told("per_device_eval_batch_size", "eval_strategy", "evaluation_strategy"),
    ],
    { name: "per_device_eval_batch_size", value: size },
  );
}

export const BATCH_RULES = {
  groups_not_whole: {
    systems: ["trl", "ms-swift"],
    severity: "error",
    about: "The completions of one sampling are no whole number of groups.",
    change: "num_generations, or the batch",
    source: `${CONFIG}; trl#3061, trl#2961, trl#3443`,
    check: groupsNotWhole,
  },
  generation_batch_twice: {
    systems: ON_TRL,
    severity: "error",
    about: "generation_batch_size and steps_per_generation at once.",
    change: "steps_per_generation",
    source: CONFIG,
    check: batchTwice,
  },
  generation_batch_uneven: {
    systems: ["trl", "unsloth"],
    severity: "error",
    about: "A generation batch that the devices' rows do not divide.",
    change: "generation_batch_size",
    source: CONFIG,
    check: batchUneven,
  },
  evaluation_groups_not_whole: {
    systems: ["trl"],
    severity: "error",
    about: "The rows of an evaluation are no whole number of groups.",
    change: "per_device_eval_batch_size, num_generations_eval",
    source: CONFIG,
    check: evaluatedGroups,
  },
} as const satisfies Record<string, LaunchRule>;
