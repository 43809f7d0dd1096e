/** Fine-tuning of transformers' models against the loss of `fine_tune`. @module */
import type { LanguageModel, TrainBatch, TrainSettings } from "../../../gpu/language_model.ts";
import {
  adamwOf,
  FIRST_LOSS,
  followTraining,
  gradientChecks,
  NORM,
  type TorchOptimizer,
  type Trajectory,
} from "../follow_training.ts";
import { unmasked, withModel } from "../open_model.ts";
import type { Check, TorchFile, TorchTopic } from "../topic.ts";

type Matrix = readonly (readonly number[])[];
interface Case {
  readonly name: string;
  readonly labels: Matrix;
  readonly num_items_in_batch?: number;
  readonly loss: number;
  readonly grad_norm: number;
  readonly grad_norms: Readonly<Record<string, number>>;
  readonly training?: Trajectory;
}
interface Document {
  readonly model: string;
  readonly input_ids: Matrix;
  readonly attention_mask: Matrix;
  readonly optimizer: TorchOptimizer;
  readonly cases: readonly Case[];
}

/** Positions that transformers' loss leaves out. */
const IGNORED = -100;

export const trainSft: TorchTopic = {
  about: "transformers' model(labels).loss: value, gradient and updates (gpu/losses/cross_entropy.ts)",
  takes: (file) => file === "train_sft",
  cases(file) {
    const given = file.document as unknown as Document;
    return given.cases.map((one) => ({ name: one.name, checks: () => checksOf(one, given, file) }));
  },
};

function batchOf({ input_ids, attention_mask }: Document, { labels }: Case): TrainBatch {
  const ids = unmasked(input_ids, attention_mask), wanted = unmasked(labels, attention_mask);
  return {
    prompts: ids.map((row) => row.slice(0, 1)),
    group: 1,
    completions: ids.map((row) => row.slice(1)),
    completionMask: wanted.map((row) => row.slice(1).map((label) => Number(label !== IGNORED))),
  };
}

async function checksOf(one: Case, given: Document, file: TorchFile): Promise<Check[]> {
  const batch = batchOf(given, one),
    settings: TrainSettings = {
      loss: { objective: "cross_entropy" },
      aggregation: "token_mean",
      temperature: 1,
      ...(one.num_items_in_batch ? { totals: { tokens: one.num_items_in_batch } } : {}),
    };
  const tensors = file.tensors(), { training } = one;
  // Of these goldens a case's name says that it trains an adapter.
  const train = one.name.startsWith("lora") ? file.model(`${given.model}_lora`) : null;
  return await withModel(file.model(given.model), async (model: LanguageModel) => {
    const { loss } = await model.accumulateGradient(batch, settings);
    const gradients = gradientChecks(model, one.name, one.grad_norms, tensors);
    const { gradNorm } = await model.applyUpdate(adamwOf({ ...given.optimizer, lr: 0, weight_decay: 0 }, 1));
    const first: Check[] = [
      { name: "loss", want: one.loss, got: loss, tolerance: FIRST_LOSS },
      { name: "grad_norm", want: one.grad_norm, got: gradNorm, tolerance: NORM },
      ...gradients,
    ];
    if (!training) return first;
    const updates = await withModel(
      file.model(given.model),
      (fresh) => followTraining(fresh, one.name, batch, settings, training, given.optimizer, tensors),
      { train },
    );
    return [...first, ...updates];
  }, { train });
}
