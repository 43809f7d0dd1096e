/** What OpenRLHF asserts, or switches off with a line in the log. Names before 0.10 have underscores. @module */
import { type Hit, hit, type LaunchRule } from "./rule.ts";
import type { Launch } from "./launch.ts";

const CLI = "OpenRLHF, cli/train_ppo_ray.py";
const ESTIMATOR = ["algo.advantage.estimator", "advantage_estimator"],
  GROUP = ["rollout.n_samples_per_prompt", "n_samples_per_prompt"];
const REMOTE = ["reward.remote_url", "remote_rm_url", "train.agent_func_path", "agent_func_path"];

/** An option's name as the file's version calls it. */
const named = (launch: Launch, now: string, before: string) =>
  launch.options.some(({ name }) => /^(?:actor|algo|rollout|train|data|ds|vllm)\./.test(name)) ? now : before;

const isRun = (launch: Launch) => launch.trainer === "ppo";

function groupOfOne(launch: Launch): Hit | null {
  const word = launch.word(...ESTIMATOR), size = launch.numberOr(1, ...GROUP);
  if (!/^(?:rloo|reinforce_baseline|group_norm|dr_grpo)$/.test(word ?? "") || size !== 1) return null;
  return {
    ...hit(
      `${word} compares the completions of a prompt, and there is one${
        launch.isWritten(...GROUP) ? "" : " by default"
      }: OpenRLHF refuses to start`,
      [launch.told(...ESTIMATOR), launch.told(...GROUP)],
      { name: named(launch, GROUP[0]!, GROUP[1]!), value: 8 },
    ),
    replaces: /^(?:.*one completion has nothing to be compared with|Groups have 1 )/,
  };
}

function escapedTemplate(launch: Launch): Hit | null {
  const told = launch.told("data.input_template", "input_template");
  if (typeof told?.value !== "string" || !told.value.includes("\\n")) return null;
  if (launch.text.split("\n")[told.line - 1]?.includes("$'")) return null; // the shell reads it
  return {
    ...hit(
      `${launch.called(told.name)} holds a backslash and an n where a line's end is meant: models read both letters`,
      [told],
    ),
    change: [{ name: told.name, value: `$'${told.value}'` }],
  };
}

function templateWithoutPlace(launch: Launch): Hit | null {
  const told = launch.told("data.input_template", "input_template");
  if (typeof told?.value !== "string" || told.value === "" || told.value.includes("{}")) return null;
  return hit(
    `${launch.called(told.name)} has no {} for the prompt: OpenRLHF leaves the template out, with a line in the log`,
    [told],
    { name: told.name, value: `'${told.value} {}'` },
  );
}

function filterWithoutGroup(launch: Launch): Hit | null {
  const name = ["algo.dynamic_filtering_enable", "dynamic_filtering"], size = launch.numberOr(1, ...GROUP);
  if (launch.flag(...name) !== true || size === null || size > 1) return null;
  return hit(
    "dynamic filtering keeps groups whose rewards differ, and a group is one completion: OpenRLHF refuses to start",
    [launch.told(...name), launch.told(...GROUP)],
    {
      name: named(launch, GROUP[0]!, GROUP[1]!),
      value: 8,
    },
  );
}

function filterWithoutFunction(launch: Launch): Hit | null {
  const name = ["algo.dynamic_filtering_enable", "dynamic_filtering"];
  if (launch.flag(...name) !== true || launch.isWritten(...REMOTE)) return null;
  return hit("dynamic filtering wants the scores of a reward function, and none is given: OpenRLHF refuses to start", [
    launch.told(...name),
  ], {
    name: named(launch, REMOTE[0]!, REMOTE[1]!),
    value: "reward_func.py",
  });
}

function noReward(launch: Launch): Hit | null {
  const models = ["reward.model_name_or_path", "reward_pretrain"],
    place = launch.told(...ESTIMATOR, "pretrain", "actor.model_name_or_path");
  if (!isRun(launch) || launch.form !== "flags" || place === undefined || launch.isWritten(...REMOTE, ...models)) {
    return null;
  }
  return hit(
    "nothing scores completions: neither a reward model nor a reward function nor an agent is given",
    [place],
    {
      name: named(launch, REMOTE[0]!, REMOTE[1]!),
      value: "reward_func.py",
    },
  );
}

function packedWithoutEngine(launch: Launch): Hit | null {
  const told = launch.told("ds.packing_samples", "packing_samples");
  const engines = launch.numberOr(0, "vllm.num_engines", "vllm_num_engines");
  if (!isRun(launch) || told === undefined || told.value === false || engines === null || engines > 0) return null;
  return hit("packing_samples works with vLLM alone, and no engine is asked for: OpenRLHF refuses to start", [told], {
    name: named(launch, "vllm.num_engines", "vllm_num_engines"),
    value: 1,
  });
}

function sleepIgnored(launch: Launch): Hit | null {
  const told = launch.told("vllm.enable_sleep", "vllm_enable_sleep"),
    all = ["train.colocate_all", "colocate_all_models"];
  if (
    told === undefined || told.value === false || launch.flag(...all) === true || launch.told(...all)?.value === true
  ) return null;
  const isAsync = launch.flag("train.async_enable", "async_train") === true;
  return hit(
    isAsync
      ? "vllm_enable_sleep in asynchronous training: OpenRLHF refuses to start"
      : "vllm_enable_sleep works where all models share their devices, and is switched off otherwise, with a line in the log",
    [told],
    isAsync ? { name: told.name } : { name: named(launch, all[0]!, all[1]!), value: "" },
  );
}

function evaluationWithoutFunction(launch: Launch): Hit | null {
  const told = launch.told("eval.dataset", "eval_dataset");
  if (!isRun(launch) || told === undefined || told.value === null || launch.isWritten(...REMOTE)) return null;
  return hit(
    `${launch.called(told.name)} is scored by a reward function, and none is given: OpenRLHF refuses to start`,
    [told],
    {
      name: named(launch, REMOTE[0]!, REMOTE[1]!),
      value: "reward_func.py",
    },
  );
}

/** Devices of the actor; null where the file does not say. */
function actors(launch: Launch): number | null {
  const nodes = launch.number("actor.num_nodes", "actor_num_nodes"),
    each = launch.number("actor.num_gpus_per_node", "actor_num_gpus_per_node");
  return nodes === null || each === null ? null : nodes * each;
}

function accumulationNotWhole(launch: Launch): Hit | null {
  const batch = launch.number("train.batch_size", "train_batch_size"),
    micro = launch.number("train.micro_batch_size", "micro_train_batch_size");
  const devices = isRun(launch) ? actors(launch) : launch.processes;
  const shared = [
    launch.numberOr(1, "ds.ring_attn_size", "ring_attn_size"),
    launch.numberOr(1, "ds.tensor_parallel_size", "ds_tensor_parallel_size"),
  ];
  if (batch === null || micro === null || devices === null || shared.some((one) => one !== 1)) return null;
  if (launch.flag("train.dynamic_batch_enable", "use_dynamic_batch") === true || batch % (micro * devices) === 0) {
    return null;
  }
  const name = launch.told("train.batch_size", "train_batch_size")!.name;
  return hit(
    `a batch of ${batch} is no multiple of ${micro} rows on ${devices} device${
      devices === 1 ? "" : "s"
    }: DeepSpeed refuses it, or some rows are left out`,
    [launch.told("train.micro_batch_size", "micro_train_batch_size"), launch.told(name)],
    { name, value: Math.max(1, Math.round(batch / (micro * devices))) * micro * devices },
  );
}

function rolloutTooSmall(launch: Launch): Hit | null {
  const prompts = launch.number("rollout.batch_size", "rollout_batch_size"), group = launch.numberOr(1, ...GROUP);
  const size = launch.number("train.batch_size", "train_batch_size");
  if (!isRun(launch) || prompts === null || group === null || size === null || prompts * group >= size) return null;
  const name = launch.told("train.batch_size", "train_batch_size")!.name;
  return hit(
    `a rollout has ${prompts} prompts × ${group} completions, fewer than the ${size} of one update: no update is whole`,
    [launch.told("rollout.batch_size", "rollout_batch_size"), launch.told(name)],
    { name, value: prompts * group },
  );
}

export const OPENRLHF_RULES = {
  estimator_of_group: {
    systems: ["openrlhf"],
    severity: "error",
    about: "An estimator that compares completions, with one of a prompt.",
    change: "--rollout.n_samples_per_prompt (--n_samples_per_prompt before 0.10)",
    source: CLI,
    check: groupOfOne,
  },
  template_escapes: {
    systems: ["openrlhf"],
    severity: "warning",
    about: "A backslash and an n in the template, which the shell does not make a line's end.",
    change: "--data.input_template (--input_template before 0.10)",
    source: CLI,
    check: escapedTemplate,
  },
  template_without_place: {
    systems: ["openrlhf"],
    severity: "warning",
    about: "A template without {}, which is left out.",
    change: "--data.input_template (--input_template before 0.10)",
    source: CLI,
    check: templateWithoutPlace,
  },
  filter_without_group: {
    systems: ["openrlhf"],
    severity: "error",
    about: "Dynamic filtering of groups of one.",
    change: "--rollout.n_samples_per_prompt (--n_samples_per_prompt before 0.10)",
    source: CLI,
    check: filterWithoutGroup,
  },
  filter_without_function: {
    systems: ["openrlhf"],
    severity: "error",
    about: "Dynamic filtering without a reward function.",
    change: "--reward.remote_url (--remote_rm_url before 0.10)",
    source: CLI,
    wantsWhole: true,
    check: filterWithoutFunction,
  },
  no_reward: {
    systems: ["openrlhf"],
    severity: "error",
    about: "Nothing scores the completions.",
    change: "--reward.remote_url, --reward.model_name_or_path, --train.agent_func_path",
    source: CLI,
    wantsWhole: true,
    check: noReward,
  },
  packing_without_engine: {
    systems: ["openrlhf"],
    severity: "error",
    about: "Packed samples without vLLM.",
    change: "--vllm.num_engines (--vllm_num_engines before 0.10)",
    source: CLI,
    wantsWhole: true,
    check: packedWithoutEngine,
  },
  sleep_ignored: {
    systems: ["openrlhf"],
    severity: "warning",
    about: "The engine's sleep where models do not share devices.",
    change: "--train.colocate_all (--colocate_all_models before 0.10)",
    source: CLI,
    wantsWhole: true,
    check: sleepIgnored,
  },
  evaluation_without_function: {
    systems: ["openrlhf"],
    severity: "error",
    about: "An evaluation without the function that scores it.",
    change: "--reward.remote_url (--remote_rm_url before 0.10)",
    source: CLI,
    wantsWhole: true,
    check: evaluationWithoutFunction,
  },
  accumulation_not_whole: {
    systems: ["openrlhf"],
    severity: "error",
    about: "The batch is no whole number of passes over all devices.",
    change: "--train.batch_size (--train_batch_size before 0.10)",
    source: "OpenRLHF, utils/deepspeed/deepspeed.py, setup_distributed; DeepSpeed, runtime/config.py, _batch_assertion",
    check: accumulationNotWhole,
  },
  rollout_smaller_than_batch: {
    systems: ["openrlhf"],
    severity: "error",
    about: "A rollout has fewer completions than one update takes.",
    change: "--train.batch_size (--train_batch_size before 0.10)",
    source: "OpenRLHF, trainer/ray/ppo_actor.py, ppo_train",
    check: rolloutTooSmall,
  },
} as const satisfies Record<string, LaunchRule>;
