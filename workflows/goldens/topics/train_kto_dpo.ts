/** KTO and DPO of TRL on a whole model against the updates of `train_preferences`. @module */
import type { LanguageModel, TrainBatch } from "../../../gpu/language_model.ts";
import { batchKl } from "../../../gpu/losses/kto.ts";
import type { Loss } from "../../../gpu/losses/mod.ts";
import { labelledMetrics, pairMetrics, sequenceSums } from "../../../steps/metrics/preference_metrics.ts";
import { preferenceLoss } from "../../../steps/preferences/loss_options.ts";
import { adamwOf, FIRST_LOSS, gradientChecks, NORM } from "../follow_training.ts";
import { unmasked, withModel } from "../open_model.ts";
import type { Check, Data, Tolerance, TorchFile, TorchTopic } from "../topic.ts";

type Matrix = readonly (readonly number[])[];
interface Case {
  readonly name: string;
  readonly beta: number;
  readonly desirable_weight?: number;
  readonly undesirable_weight?: number;
  /** Summed, one per completion; DPO: those of the chosen ones first. */
  readonly ref_logprobs: readonly number[];
  readonly ref_kl_logprobs?: readonly number[];
  readonly trl_metrics?: Readonly<Record<string, number>>;
  readonly loss: number;
  readonly grad_norm: number;
  readonly grad_norms: Readonly<Record<string, number>>;
}
interface Document {
  readonly model: string;
  readonly input_ids: Matrix;
  readonly attention_mask: Matrix;
  readonly completion_mask: Matrix;
  readonly KL_input_ids?: Matrix;
  readonly KL_attention_mask?: Matrix;
  readonly KL_completion_mask?: Matrix;
  readonly label?: readonly boolean[];
  readonly logprobs: readonly number[];
  readonly kl_logprobs?: readonly number[];
  readonly cases: readonly Case[];
  readonly vanilla_cases?: readonly Case[];
}

const NATS: Tolerance = { relative: 1e-5, absolute: 1e-4 }, REWARD: Tolerance = { relative: 1e-4, absolute: 1e-4 };
/** Below it a margin is rounding, and so is its sign. */
const ROUNDING = 1e-5;
const OPTIMIZER = { lr: 0, betas: [0.9, 0.999], eps: 1e-8, weight_decay: 0 } as const;

export const trainKtoDpo: TorchTopic = {
  about: "TRL's KTOTrainer and DPOTrainer._compute_loss on a model: value, gradients, metrics (gpu/language_model.ts)",
  takes: (file) => file === "train_kto" || file === "train_dpo",
  cases(file) {
    const given = file.document as unknown as Document;
    return [...given.cases, ...given.vanilla_cases ?? []].map((one) => ({
      name: one.name,
      checks: () => withModel(file.model(given.model), (model) => checksOf(model, one, given, file)),
    }));
  },
};

interface Rows {
  readonly prompts: readonly (readonly number[])[];
  readonly completions: readonly (readonly number[])[];
}

/** Prompts and completions of padded rows; `order` says which row comes where. */
function rowsOf(ids: Matrix, attention: Matrix, completion: Matrix, order: readonly number[]): Rows {
  const pick = (rows: Matrix) => order.map((row) => rows[row]!), mask = pick(completion);
  const prompt = pick(attention).map((row, r) => row.map((on, t) => on && !mask[r]![t] ? 1 : 0));
  return { prompts: unmasked(pick(ids), prompt), completions: unmasked(pick(ids), mask) };
}

/** A sum as log-probs of a completion: all of it at the first token. */
const atFirst = (sums: readonly number[], { completions }: Rows) =>
  completions.map(({ length }, r) => Array.from({ length }, (_, t) => (t === 0 ? sums[r]! : 0)));

async function checksOf(model: LanguageModel, one: Case, given: Document, file: TorchFile): Promise<Check[]> {
  const { label } = given, pairs = label === undefined, half = given.input_ids.length / 2;
  const order = given.input_ids.map((_, row) => pairs ? (row % 2 === 0 ? row / 2 : half + (row - 1) / 2) : row);
  const rows = rowsOf(given.input_ids, given.attention_mask, given.completion_mask, order);
  const reference = order.map((row) => one.ref_logprobs[row]!);
  const kl = one.ref_kl_logprobs ? await mismatched(model, one.ref_kl_logprobs, given) : null;
  const batch: TrainBatch = {
    // Pairs share their prompt.
    prompts: pairs ? rows.prompts.filter((_, row) => row % 2 === 0) : rows.prompts,
    group: pairs ? 2 : 1,
    completions: rows.completions,
    inputs: {
      ref_logprobs: atFirst(reference, rows),
      ...(pairs ? {} : { labels: label.map(Number) }),
      ...(kl === null ? {} : { batch_kl: kl.value }),
    },
  };
  const settings = { loss: lossOf(one, pairs), aggregation: "token_mean", temperature: 1 } as const;
  const result = await model.accumulateGradient(batch, settings);
  const gradients = gradientChecks(model, one.name, one.grad_norms, file.tensors());
  const { gradNorm } = await model.applyUpdate(adamwOf(OPTIMIZER, 1));
  const sums = sequenceSums(result.logprobs, result.logprobs.map((row) => row.map(() => 1)));
  const metrics = pairs
    ? pairMetrics(sums, reference, one.beta)
    : labelledMetrics(sums, reference, label.map(Number), one.beta);
  const named: Readonly<Record<string, number | null | undefined>> = {
    "kl": kl?.value,
    "rewards/chosen": metrics.chosen_reward,
    "rewards/rejected": metrics.rejected_reward,
    "rewards/margins": metrics.reward_margin,
    "rewards/accuracies": metrics.preference_accuracy,
    "logps/chosen": metrics.chosen_logprob,
    "logps/rejected": metrics.rejected_logprob,
  };
  const theirs = Object.entries(one.trl_metrics ?? {}).filter(([name]) =>
    name !== "rewards/accuracies" || Math.abs(one.trl_metrics!["rewards/margins"]!) > ROUNDING
  );
  return [
    { name: "loss", want: one.loss, got: result.loss, tolerance: FIRST_LOSS },
    { name: "grad_norm", want: one.grad_norm, got: gradNorm, tolerance: NORM },
    { name: "logprobs", want: order.map((row) => given.logprobs[row]!) as Data, got: sums, tolerance: NATS },
    ...(kl === null ? [] : [{ name: "kl_logprobs", want: given.kl_logprobs!, got: kl.sums, tolerance: NATS }]),
    ...theirs.map(([name, want]): Check => ({ name, want, got: named[name], tolerance: REWARD })),
    ...gradients,
  ];
}

/** The batch's KL by a forward pass over its mismatched pairs. */
async function mismatched(model: LanguageModel, reference: readonly number[], given: Document) {
  const order = given.KL_input_ids!.map((_, row) => row);
  const rows = rowsOf(given.KL_input_ids!, given.KL_attention_mask!, given.KL_completion_mask!, order);
  const { logprobs } = await model.logprobs({ ...rows, group: 1 });
  const sums = sequenceSums(logprobs, logprobs.map((row) => row.map(() => 1)));
  return { sums, value: batchKl(sums.map((sum, r) => sum - reference[r]!)) };
}

function lossOf({ name, beta, desirable_weight, undesirable_weight }: Case, pairs: boolean): Loss {
  if (pairs) return preferenceLoss({ loss: "dpo", beta });
  if (name.startsWith("kto_vanilla")) return preferenceLoss({ loss: "kto_vanilla", beta });
  return preferenceLoss({ loss: "kto", beta, desirable_weight, undesirable_weight });
}
