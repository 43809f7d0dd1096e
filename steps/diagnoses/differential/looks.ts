/**
 * The looks that decide between causes: few, each with what is done for it in every system.
 *
 * A look is a change that makes a run print more, or an experiment of a few minutes; what it must show for a cause stands
 * in `signs.ts`. Option names were checked against the systems' own argument lists.
 * @module
 */
import { SMALLER_TRIAL } from "../remedies/often.ts";
import type { Patch, Value } from "../remedies/patch.ts";
import { groupSize, isReinforcement } from "../view/groups.ts";
import { isFromStart } from "../view/onset.ts";
import { finiteOf, TELLING_COMPLETIONS } from "../view/numbers.ts";
import type { RunView } from "../view/run_view.ts";
import { goalsOf, rewardFunctions } from "../view/rewards.ts";
import { scores } from "../view/scores.ts";
import { interval } from "../view/start.ts";

/** One look. */
export interface Look {
  /** What to do, an imperative clause without a capital. */
  readonly about: string;
  /** Changes that other systems and ours know as options of the run. */
  readonly patches?: readonly Patch[];
  /** Options that only say what is printed or measured: by system, then by name. Empty where an heir of TRL has none. */
  readonly prints?: Readonly<Record<string, Readonly<Record<string, Value>>>>;
  /** Words of a command of ours, for a run of ours; RUN stands for it. */
  readonly command?: readonly string[];
  /** A line of a workflow of ours. */
  readonly line?: string;
  /** True where the run at hand shows already what this would show. */
  readonly isDone?: (view: RunView) => boolean;
  /** What is said and done otherwise in a run, whose first finding began at a train step. */
  readonly inRun?: (view: RunView, onset: number | null) => Partial<Pick<Look, "about" | "prints" | "command">>;
}

/** A look as it is said of a run. */
export function lookAt(name: LookName, view: RunView, onset: number | null): Look {
  const look: Look = LOOKS[name];
  return { ...look, ...look.inRun?.(view, onset) };
}

const EVERY = 10; // Train steps from one evaluation to the next.
const EVALUATIONS = 3; // Evaluations that show before and after.
const SAMPLES = 32; // Completions of one prompt that tell never from seldom.

export const LOOKS = {
  read_completions: {
    about: "read 20 completions from before the onset and 20 from the end, with their rewards",
    prints: {
      trl: { log_completions: true },
      verl: { "trainer.rollout_data_dir": "rollouts" },
      "visual-rft": {},
    },
    command: ["report", "RUN"],
    inRun: (view, onset) => {
      const there = printedWhere(view, onset);
      if (there !== null) return { about: `read the completions in ${there}, with their rewards`, prints: {} };
      return isFromStart(view, onset)
        ? {
          about: "read 20 completions of the model that training began with and 20 from the end, with their rewards",
        }
        : {};
    },
  },
  evaluate_held_out: {
    about: "score held-out prompts at checkpoints from before and after the onset, by what the task wants",
    prints: {
      trl: { eval_strategy: "steps", eval_steps: EVERY },
      verl: { "trainer.test_freq": EVERY },
      openrlhf: { "eval.steps": EVERY },
    },
    line: "{ uses: evaluate, with: { split: held_out, limit: 500, modes: [sampled, greedy] } }",
    isDone: isEvaluated,
    inRun: (view, onset) =>
      isFromStart(view, onset)
        ? {
          about:
            "score held-out prompts with the model that training began with and the last checkpoint, by what the task wants",
        }
        : {},
  },
  rewards_apart: {
    about: "print each reward function by itself: its mean and its deviation within groups",
    command: ["report", "RUN"],
    isDone: (view) => rewardFunctions(view).length > 1,
  },
  score_by_hand: {
    about: "call the reward function on a gold answer, an empty one and junk",
    command: ["sample", "RUN"],
  },
  print_entropy: {
    about: "print the entropy of every train step",
    prints: {
      verl: { "actor_rollout_ref.actor.calculate_entropy": true },
      openrlhf: { "actor.entropy_coef": 0 },
      "ms-swift": { log_entropy: true },
      "visual-rft": {},
    },
    isDone: (view) => view.has("entropy"),
  },
  print_kl: {
    about: "print the KL to the model that training began with, from the first train step on",
    patches: [{ step: "apply_update", key: "kl_coef", least: 0.001 }, { option: "kl_in_loss", set: true }],
    line: "reference: copy  # load_model",
    isDone: (view) => view.has("kl") || view.has("kl_sequence"),
  },
  print_each_step: {
    about: "print loss, gradient norm and learning rate of every update",
    patches: [{ option: "logging_steps", set: 1 }, { option: "logging_nan_filter", set: false }],
    command: ["report", "RUN"],
    isDone: (view) => view.imported && view.stepsPrinted && view.records > 1 && interval(view) <= 1,
  },
  compare_logprobs: {
    about: "compare the log-probs of sampler and trainer on the same tokens before an update",
    prints: {
      trl: { vllm_importance_sampling_correction: true },
      verl: { "actor_rollout_ref.rollout.calculate_log_probs": true },
      openrlhf: { "algo.advantage.is_correction_enable": "" },
      "ms-swift": { rollout_importance_sampling_mode: "token_truncate" },
      "visual-rft": {},
    },
    command: ["report", "RUN"],
    isDone: (view) =>
      ["sampler_logprob_gap", "sampler_logprob_gap_mean", "sampler_probability_gap", "sampler_kl"].some((name) =>
        view.has(name)
      ),
  },
  give_configuration: {
    about: "give the configuration beside the log: the folder of the run, not the file alone",
    isDone: (view) => view.settings.length > 0,
  },
  repeat_smaller: {
    about:
      "repeat 50 train steps with smaller steps from the last checkpoint before the onset (Hugging Face's trainers: " +
      "load it as the model, a resume brings its old rate back)",
    patches: [SMALLER_TRIAL],
    prints: { verl: { "trainer.resume_mode": "auto" }, openrlhf: { "ckpt.load_enable": "" } },
    command: ["run", "--resume", "RUN", "--allow-drift"],
    // There is nothing to go on from.
    inRun: (view, onset) =>
      isFromStart(view, onset)
        ? { about: "start again with smaller steps, for 50 train steps", prints: {}, command: [] }
        : {},
  },
  more_samples: {
    about: `sample ${SAMPLES} completions for each of 20 prompts and count the right ones`,
    // Evaluations alone sample so many: larger groups in training would be another run.
    prints: {
      trl: { num_generations_eval: SAMPLES, eval_strategy: "steps", eval_on_start: true },
      verl: {
        "actor_rollout_ref.rollout.val_kwargs.n": SAMPLES,
        "actor_rollout_ref.rollout.val_kwargs.do_sample": true,
        "trainer.val_only": true,
      },
      openrlhf: { "eval.n_samples_per_prompt": SAMPLES },
      "ms-swift": {},
      "visual-rft": {},
    },
    command: ["sample", "RUN", "-n", String(SAMPLES)],
    isDone: (view) => (groupSize(view) ?? 0) >= SAMPLES,
  },
  print_ties: {
    about: "print in what share of the groups all completions get the same reward",
    command: ["report", "RUN"],
    isDone: (view) => view.has("zero_spread_fraction"),
  },
  longer_cap: {
    // No system has a cap of its own for evaluations: the checkpoint is sampled outside of the training.
    about: "let the last checkpoint answer 20 prompts with four times the length cap",
    command: ["sample", "RUN", "--max-new-tokens", "2048"],
  },
  sample_outside: {
    about: "sample the same prompts with the plain model outside of the trainer, at temperature 1",
    command: ["sample", "RUN", "--temperature", "1"],
  },
  count_parameters: {
    about: "count the parameters that require a gradient, and those that the optimizer owns, before the first update",
    command: ["runs", "show", "RUN"],
  },
  first_tensor: {
    about:
      "load the last checkpoint before the onset and look for the first tensor that is not finite, forward and backward",
    command: ["run", "--resume", "RUN"],
    inRun: (view, onset) =>
      isFromStart(view, onset)
        ? {
          about:
            "load the model that training began with and look for the first tensor that is not finite, forward and backward",
          command: [],
        }
        : {},
  },
  read_pairs: {
    about: "read 20 examples as the trainer sees them, after the chat template and the cut",
    command: ["export", "RUN", "--format", "jsonl", "--out", "tables", "--table", "preferences"],
  },
  time_parts: {
    about: "time sampling, rewards and updates apart, and watch memory and processors meanwhile",
    command: ["report", "RUN"],
    isDone: (view) => view.has("sample_ms") && view.has("update_ms"),
  },
  run_twice: {
    about: "run the same train step twice from one checkpoint and compare the numbers",
    command: ["run", "--resume", "RUN"],
  },
} as const satisfies Record<string, Look>;

/** File and lines of the completions that a log prints; null where too few are of what is wrong, and in runs of ours, which have a command. */
function printedWhere({ imported, completions }: RunView, onset: number | null): string | null {
  const rows = completions.filter(({ source }) => source !== null);
  const since = rows.filter(({ trainStep }) => trainStep === null || onset === null || trainStep >= onset);
  if (!imported || since.length < TELLING_COMPLETIONS) return null;
  const files = [...new Set(rows.map(({ source }) => source!.split(/[\\/]/).at(-1)!))];
  const lines = rows.flatMap(({ line }) => line ?? []), [from, to] = [Math.min(...lines), Math.max(...lines)];
  if (files.length > 1) return `${files[0]} and ${files.length - 1} more file${files.length > 2 ? "s" : ""}`;
  return lines.length === 0 ? files[0]! : `${files[0]}, line${from === to ? ` ${from}` : `s ${from} to ${to}`}`;
}

/** Held-out prompts were scored before and after; of given texts their loss, or how often the better one is told, says it. */
function isEvaluated(view: RunView): boolean {
  const columns = isReinforcement(view)
    ? goalsOf(view).map(({ column }) => column)
    : ["loss", "preference_accuracy", "token_accuracy"];
  return scores(view).some(({ values }) => values.length >= EVALUATIONS) ||
    columns.some((name) => finiteOf(view.evaluation(name)).length >= EVALUATIONS);
}

export type LookName = keyof typeof LOOKS;
