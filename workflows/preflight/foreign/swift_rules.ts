/** What ms-swift refuses. @module */
import { type Hit, hit, type LaunchRule } from "./rule.ts";
import type { Launch } from "./launch.ts";

const ARGS = "ms-swift, rlhf_args.py";
const isGrpo = (launch: Launch) => launch.trainer === "grpo";

function modeMissing(launch: Launch): Hit | null {
  if (
    !isGrpo(launch) || launch.flag("use_vllm") !== true ||
    launch.isWritten("vllm_mode", "vllm_server_host", "vllm_server_base_url")
  ) return null;
  return hit(
    "use_vllm wants to be told whose devices vLLM uses, and vllm_mode is not set: ms-swift of 2025 and later refuses to start",
    [launch.told("use_vllm")],
    {
      name: "vllm_mode",
      value: "colocate",
    },
  );
}

function modeWithout(launch: Launch): Hit | null {
  const told = launch.told("vllm_mode");
  if (
    !isGrpo(launch) || told === undefined || launch.told("use_vllm") !== undefined && launch.flag("use_vllm") !== false
  ) return null;
  return hit("vllm_mode is set and use_vllm is not: ms-swift refuses to start", [launch.told("use_vllm"), told], {
    name: "use_vllm",
    value: true,
  });
}

function serverWithoutHost(launch: Launch): Hit | null {
  const told = launch.told("vllm_mode");
  if (told?.value !== "server" || launch.isWritten("vllm_server_host", "vllm_server_base_url")) return null;
  return hit(
    "vllm_mode server wants the address of the server, which swift rollout starts: ms-swift refuses to start",
    [told],
    {
      name: "vllm_server_host",
      value: "127.0.0.1",
    },
  );
}

function asyncWithoutServer(launch: Launch): Hit | null {
  const told = launch.told("async_generate");
  if (launch.flag("async_generate") !== true || launch.word("vllm_mode") === "server") return null;
  return hit("async_generate wants vllm_mode server: ms-swift refuses to start", [launch.told("vllm_mode"), told], {
    name: "vllm_mode",
    value: "server",
  });
}

function truncation(launch: Launch): Hit | null {
  const told = launch.told("truncation_strategy");
  if (!isGrpo(launch) || typeof told?.value !== "string" || /^(?:left|delete)$/.test(told.value)) return null;
  return hit(
    `truncation_strategy ${told.value} is none for GRPO, which takes left or delete: ms-swift refuses to start`,
    [told],
    { name: told.name, value: "delete" },
  );
}

function softOverlong(launch: Launch): Hit | null {
  const told = launch.told("reward_funcs");
  if (!launch.list("reward_funcs")?.includes("soft_overlong") || launch.isWritten("soft_cache_length")) return null;
  const most = launch.number("max_completion_length") ?? 512;
  return hit(
    "the reward soft_overlong wants soft_cache_length, the tokens over which it falls: ms-swift refuses to start",
    [told],
    {
      name: "soft_cache_length",
      value: Math.max(1, Math.round(most / 5)),
    },
  );
}

function packingUnsupported(launch: Launch): Hit | null {
  const told = launch.flag("packing") === true
    ? launch.told("packing")
    : launch.flag("padding_free") === true
    ? launch.told("padding_free")
    : undefined;
  if (told === undefined || !/^(?:ppo|orpo|cpo|simpo|reward|rm)$/.test(launch.trainer ?? "")) return null;
  return hit(
    `${launch.trainer === "reward" ? "rm" : launch.trainer} has no ${told.name} in ms-swift: it refuses to start`,
    [told],
    { name: told.name, value: false },
  );
}

function lengthOfServer(launch: Launch): Hit | null {
  const told = launch.told("vllm_max_model_len");
  if (!isGrpo(launch) || told === undefined || launch.word("vllm_mode") !== "server") return null;
  return hit("with vllm_mode server the length of swift rollout counts, and vllm_max_model_len here is ignored", [
    launch.told("vllm_mode"),
    told,
  ], { name: told.name });
}

function twoNames(launch: Launch): Hit | null {
  const [old, now] = [launch.told("train_type"), launch.told("tuner_type")];
  if (old === undefined || now === undefined) return null;
  return hit("train_type (up to 3) and tuner_type (from 4 on) are one option: no version knows both", [now, old], {
    name: "train_type",
  });
}

export const SWIFT_RULES = {
  engine_mode_missing: {
    systems: ["ms-swift"],
    severity: "error",
    about: "use_vllm without vllm_mode.",
    change: "--vllm_mode",
    source: `${ARGS}, _init_rollout`,
    wantsWhole: true,
    check: modeMissing,
  },
  engine_mode_without_engine: {
    systems: ["ms-swift"],
    severity: "error",
    about: "vllm_mode without use_vllm.",
    change: "--use_vllm",
    source: `${ARGS}, _init_rollout`,
    wantsWhole: true,
    check: modeWithout,
  },
  server_without_host: {
    systems: ["ms-swift"],
    severity: "error",
    about: "vllm_mode server without the server's address.",
    change: "--vllm_server_host",
    source: `${ARGS}, _init_rollout`,
    wantsWhole: true,
    check: serverWithoutHost,
  },
  async_without_server: {
    systems: ["ms-swift"],
    severity: "error",
    about: "Asynchronous sampling without a server.",
    change: "--vllm_mode",
    source: `${ARGS}, _init_rollout`,
    wantsWhole: true,
    check: asyncWithoutServer,
  },
  truncation_of_rollouts: {
    systems: ["ms-swift"],
    severity: "error",
    about: "A way to cut prompts that GRPO does not take.",
    change: "--truncation_strategy",
    source: `${ARGS}, _init_grpo`,
    check: truncation,
  },
  overlong_without_length: {
    systems: ["ms-swift"],
    severity: "error",
    about: "The reward soft_overlong without its length.",
    change: "--soft_cache_length",
    source: `${ARGS}, _init_grpo`,
    wantsWhole: true,
    check: softOverlong,
  },
  packing_unsupported: {
    systems: ["ms-swift"],
    severity: "error",
    about: "Packing, or padding_free, in a training that has none.",
    change: "--packing, --padding_free",
    source: `${ARGS}, _check_padding_free`,
    check: packingUnsupported,
  },
  length_of_server_ignored: {
    systems: ["ms-swift"],
    severity: "warning",
    about: "The length of an engine that is started elsewhere.",
    change: "--vllm_max_model_len of swift rollout",
    source: `${ARGS}, _external_vllm_warning`,
    check: lengthOfServer,
  },
  tuner_under_two_names: {
    systems: ["ms-swift"],
    severity: "error",
    about: "The tuner under its old name and its new one.",
    change: "--train_type",
    source: "ms-swift, Command-line-parameters of 3.9 and of 4",
    check: twoNames,
  },
} as const satisfies Record<string, LaunchRule>;
