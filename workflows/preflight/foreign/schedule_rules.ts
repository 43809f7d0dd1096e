/** How long a training runs, when it saves and evaluates, and how its learning rate moves. @module */
import { type Hit, hit, type LaunchRule, ON_TRAINER } from "./rule.ts";
import type { Launch } from "./launch.ts";

const EVAL = ["eval_strategy", "evaluation_strategy"] as const;
const ARGUMENTS = "transformers, training_args.py, __post_init__";
const V = "actor_rollout_ref.actor.";

/** Updates, where a positive number of them is written. */
const steps = (launch: Launch) => {
  const count = launch.number("max_steps", "trainer.total_training_steps");
  return count !== null && count > 0 ? count : null;
};

function bestWithoutEvaluation(launch: Launch): Hit | null {
  const best = launch.told("load_best_model_at_end");
  if (launch.flag("load_best_model_at_end") !== true) return null;
  const strategy = launch.told(...EVAL);
  if (strategy !== undefined && strategy.value !== "no") return null;
  return hit(
    `load_best_model_at_end wants an evaluation to tell the best by, and eval_strategy is ${
      strategy === undefined ? "no by default" : "no"
    }: transformers refuses to start`,
    [strategy, best],
    { name: "eval_strategy", value: launch.word("save_strategy") ?? "steps" },
  );
}

function bestBetweenSaves(launch: Launch): Hit | null {
  if (launch.flag("load_best_model_at_end") !== true) return null;
  const strategy = launch.word(...EVAL), save = launch.word("save_strategy") ?? "steps";
  if (strategy === null || strategy === "no" || save === "best") return null;
  if (strategy !== save) {
    return hit(
      `load_best_model_at_end wants checkpoints where it evaluates: eval_strategy is ${strategy}, save_strategy ${save}; transformers refuses to start`,
      [launch.told(...EVAL), launch.told("save_strategy") ?? launch.told("load_best_model_at_end")],
      { name: "save_strategy", value: strategy },
    );
  }
  const [each, saved] = [launch.number("eval_steps"), launch.number("save_steps")];
  if (strategy !== "steps" || each === null || saved === null || each < 1 || saved % each === 0) return null;
  return hit(
    `load_best_model_at_end wants save_steps (${saved}) to be a multiple of eval_steps (${each}): transformers refuses to start`,
    [launch.told("eval_steps"), launch.told("save_steps")],
    { name: "save_steps", value: Math.ceil(saved / each) * each },
  );
}

function warmupBeyondRun(launch: Launch): Hit | null {
  const name = launch.system === "verl" ? `${V}optim.lr_warmup_steps` : "warmup_steps";
  const warmup = launch.number(name), all = steps(launch);
  if (warmup === null || all === null || warmup < all) return null;
  return hit(
    `the warm-up has ${warmup} updates and the run ${all}: the learning rate never arrives`,
    [launch.told("max_steps", "trainer.total_training_steps"), launch.told(name)],
    { name, value: Math.max(1, Math.round(all / 20)) },
  );
}

const SHARES = ["warmup_ratio", `${V}optim.lr_warmup_steps_ratio`, "actor.lr_warmup_ratio", "lr_warmup_ratio"];

function warmupShare(launch: Launch): Hit | null {
  const told = launch.told(...SHARES);
  if (told === undefined || typeof told.value !== "number" || told.value < 1) return null;
  return hit(
    `${
      launch.called(told.name)
    } is a share of the run, and ${told.value} of it is all of it: the learning rate never arrives, or the trainer refuses`,
    [told],
    { name: told.name, value: 0.05 },
  );
}

function savesAfterEnd(launch: Launch): Hit | null {
  const all = steps(launch), every = launch.number("save_steps");
  if (all === null || every === null || every <= all || launch.word("save_strategy") === "no") return null;
  return hit(
    `the run has ${all} updates and saves every ${every}: there is no checkpoint before its end`,
    [launch.told("max_steps"), launch.told("save_steps")],
    { name: "save_steps", value: Math.max(1, Math.floor(all / 4)) },
  );
}

function epochsOverruled(launch: Launch): Hit | null {
  const all = steps(launch), epochs = launch.told("num_train_epochs");
  if (all === null || epochs === undefined) return null;
  return hit(`max_steps ${all} overrules num_train_epochs`, [epochs, launch.told("max_steps")], { name: "max_steps" });
}

const PASSES = [
  "num_train_epochs",
  "trainer.total_epochs",
  "train.num_episodes",
  "num_episodes",
  "train.max_epochs",
  "max_epochs",
];

function trainsNothing(launch: Launch): Hit | null {
  const told = PASSES.map((name) => launch.told(name)).find((one) => one?.value === 0);
  if (told === undefined || steps(launch) !== null) return null;
  return hit(`${launch.called(told.name)} is 0: not one update is made`, [told], { name: told.name, value: 1 });
}

function floorMissing(launch: Launch): Hit | null {
  const told = launch.told("lr_scheduler_type");
  const isFloored = launch.options.some(({ name }) => /^lr_scheduler_kwargs/.test(name));
  if (!/^cosine_with_min_lr$/.test(String(told?.value)) || isFloored) return null;
  return hit(
    "lr_scheduler_type cosine_with_min_lr wants min_lr or min_lr_rate: transformers refuses to start",
    [told],
    launch.form === "keywords"
      ? { name: "lr_scheduler_kwargs", value: { unresolved: '{"min_lr_rate": 0.1}' } }
      : launch.form === "keys"
      ? { name: "lr_scheduler_kwargs", value: "{min_lr_rate: 0.1}" }
      : { name: "lr_scheduler_kwargs", value: `'{"min_lr_rate": 0.1}'` },
  );
}

/** A bound below this leaves nothing of a gradient. */
const LEAST_NORM = 1e-6;
const NORMS = ["max_grad_norm", `${V}grad_clip`, `${V}optim.clip_grad`, "actor.max_norm", "max_norm"];

function crushedGradient(launch: Launch): Hit | null {
  const told = launch.told(...NORMS);
  if (told === undefined || typeof told.value !== "number" || told.value < 0 || told.value >= LEAST_NORM) return null;
  // transformers and DeepSpeed take 0 for "do not clip".
  if (told.value === 0 && launch.system !== "verl") return null;
  const found = hit(
    `${
      launch.called(told.name)
    } ${told.value} scales every gradient to nothing, and the logged norm, which is the one before, does not show it`,
    [told],
    { name: told.name, value: 1 },
  );
  return { ...found, replaces: /scales every gradient to nothing/ };
}

function streamingWithoutSteps(launch: Launch): Hit | null {
  const told = launch.told("streaming", "dataset_streaming", "train_dataset.streaming");
  if (told === undefined || (told.value !== true && told.value !== "true") || steps(launch) !== null) return null;
  return hit(
    "a streamed data set has no length, and max_steps is not set: the trainer refuses to start",
    [told],
    { name: "max_steps", value: 1000 },
  );
}

function deviceMap(launch: Launch): Hit | null {
  const told = launch.told("device_map", "model_init_kwargs.device_map", "model.device_map"), count = launch.processes;
  if (told === undefined || told.value !== "auto" || count === null || count < 2) return null;
  return hit(
    `device_map auto lays one model over all devices, and ${count} processes each want their own: accelerate refuses to train`,
    [told],
    { name: told.name },
  );
}

/** Decoupled decay of this much is no decay but an eraser. */
const HEAVY_DECAY = 5;

function heavyDecay(launch: Launch): Hit | null {
  const told = launch.told("weight_decay", `${V}optim.weight_decay`, "actor.adam.weight_decay", "l2");
  if (told === undefined || typeof told.value !== "number" || told.value < HEAVY_DECAY) return null;
  return hit(
    `${
      launch.called(told.name)
    } ${told.value}: usual are 0 to 0.1; every update takes learning rate × ${told.value} of the weights away`,
    [told],
    { name: told.name, value: 0.01 },
  );
}

export const SCHEDULE_RULES = {
  best_without_evaluation: {
    systems: ["trl", "unsloth", "llamafactory", "visual-rft", "vlm-r1", "r1-v-family"],
    severity: "error",
    about: "load_best_model_at_end without an evaluation to tell the best by.",
    change: "eval_strategy",
    source: `transformers#12685; ${ARGUMENTS}`,
    wantsWhole: true,
    check: bestWithoutEvaluation,
  },
  best_between_saves: {
    systems: ON_TRAINER,
    severity: "error",
    about: "load_best_model_at_end where checkpoints are not saved at evaluations.",
    change: "save_strategy or save_steps",
    source: "transformers#12786, hiyouga/LlamaFactory#8133",
    check: bestBetweenSaves,
  },
  warmup_beyond_run: {
    systems: [...ON_TRAINER, "verl"],
    severity: "warning",
    about: "A warm-up of as many updates as the run has, or more.",
    change: "warmup_steps",
    source: "transformers, optimization.py, get_linear_schedule_with_warmup",
    check: warmupBeyondRun,
  },
  warmup_share_above_one: {
    systems: [...ON_TRAINER, "verl", "openrlhf"],
    severity: "error",
    about: "A warm-up ratio of 1 or more, where a number of updates was meant.",
    change: "warmup_ratio, or warmup_steps in its place",
    source: `${ARGUMENTS}: warmup_ratio lies in [0, 1]`,
    check: warmupShare,
  },
  saves_after_end: {
    systems: ON_TRAINER,
    severity: "info",
    about: "save_steps beyond max_steps: nothing to resume from until the end.",
    change: "save_steps",
    source: "transformers#30160",
    check: savesAfterEnd,
  },
  epochs_overruled: {
    systems: ON_TRAINER,
    severity: "info",
    about: "max_steps and num_train_epochs together: the first overrules.",
    change: "max_steps",
    source: "transformers, training_args.py, max_steps",
    check: epochsOverruled,
  },
  trains_nothing: {
    systems: [...ON_TRAINER, "verl", "openrlhf"],
    severity: "error",
    about: "0 passes over the data and no number of updates.",
    change: "num_train_epochs, trainer.total_epochs, --train.num_episodes",
    source: "transformers, trainer.py, _inner_training_loop; verl, ray_trainer.py, fit",
    check: trainsNothing,
  },
  floor_missing: {
    systems: ON_TRAINER,
    severity: "error",
    about: "The schedule cosine_with_min_lr without its minimum.",
    change: "lr_scheduler_kwargs",
    source: "transformers, optimization.py, get_cosine_with_min_lr_schedule_with_warmup",
    wantsWhole: true,
    check: floorMissing,
  },
  crushed_gradient: {
    systems: [...ON_TRAINER, "verl", "openrlhf"],
    severity: "error",
    about:
      "A bound of the gradient's norm that leaves nothing of it; in verl 0 too, which does not switch it off there.",
    change: "max_grad_norm, actor_rollout_ref.actor.grad_clip",
    source: "verl, dp_actor.py, _optimizer_step; torch, clip_grad_norm_; measured with TRL 1.13",
    check: crushedGradient,
  },
  streaming_without_steps: {
    systems: ["trl", "unsloth", "ms-swift", "llamafactory"],
    severity: "error",
    about: "A streamed data set without max_steps.",
    change: "max_steps",
    source: "LLaMA-Factory, hparams/parser.py, get_train_args; transformers, trainer.py, __init__",
    wantsWhole: true,
    check: streamingWithoutSteps,
  },
  device_map_in_parallel: {
    systems: ON_TRAINER,
    severity: "error",
    about: "device_map auto under a launcher with several processes.",
    change: "device_map",
    source: "accelerate, accelerator.py, prepare_model; TRL, sft_trainer.py, __init__",
    check: deviceMap,
  },
  heavy_decay: {
    systems: [...ON_TRAINER, "verl", "openrlhf"],
    severity: "warning",
    about: "A weight decay that erases the model.",
    change: "weight_decay",
    source: "torch, AdamW: θ ← θ − lr λ θ in each update",
    check: heavyDecay,
  },
} as const satisfies Record<string, LaunchRule>;
