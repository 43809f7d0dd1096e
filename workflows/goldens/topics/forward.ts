/** Log-probs, entropies, losses and greedy samples of transformers' models against `LanguageModel`. @module */
import type { LanguageModel } from "../../../gpu/language_model.ts";
import { gradientNorms, unmasked, unmaskedRows, withModel } from "../open_model.ts";
import type { Check, TorchFile, TorchTopic } from "../topic.ts";

type Matrix = readonly (readonly number[])[];
interface Greedy {
  readonly prompt_ids: Matrix;
  readonly prompt_mask: Matrix;
  readonly completions: Matrix;
}
interface Document {
  readonly model: string;
  readonly prompt_ids: Matrix;
  readonly prompt_mask: Matrix;
  readonly completion_ids: Matrix;
  readonly completion_mask: Matrix;
  readonly greedy: readonly Greedy[];
  /** Of an adapter: the model that it changes, and its weights with it merged in. */
  readonly base?: string;
  readonly merged?: { readonly tensors: string; readonly weights: readonly string[] };
  readonly nll?: {
    readonly loss: number;
    readonly grad_norm: number;
    readonly grad_norms: Readonly<Record<string, number>>;
  };
}

const NATS = { relative: 0, absolute: 1e-4 }, NORMS = { relative: 1e-4, absolute: 1e-7 };
const MERGED = { relative: 1e-6, absolute: 1e-7 };
const EXACT = { relative: 0, absolute: 0 };
/** The tokens that end a sample in these goldens, and the most of them. */
const ENDS = [503, 501], MOST = 24;
const TEMPERATURES = [["", 1], ["_t07", 0.7]] as const;

export const forward: TorchTopic = {
  about:
    "transformers' AutoModelForCausalLM: log-probs, entropy, nll with its gradient, greedy (gpu/language_model.ts)",
  takes: (file) => file.startsWith("forward_"),
  async cases(file) {
    const document = file.document as unknown as Document, checks = new Map<string, Check[]>();
    const { base, merged } = document, adapter = base === undefined ? null : file.model(document.model);
    await withModel(file.model(base ?? document.model), async (model) => {
      for (const [suffix, temperature] of TEMPERATURES) {
        checks.set(`distribution${suffix}`, await distribution(model, document, file, suffix, temperature));
      }
      if (document.nll) checks.set("nll", await nll(model, document, document.nll));
      if (merged) checks.set("merged", mergedWeights(model, merged, file));
      for (const [i, greedy] of document.greedy.entries()) checks.set(`greedy/${i}`, await sampled(model, greedy));
    }, { merge: adapter });
    // The same numbers by the low-rank path, which is the one that trains.
    await withModel(file.model(base ?? document.model), async (model) => {
      if (adapter === null) return;
      for (const [suffix, temperature] of TEMPERATURES) {
        checks.set(`unmerged/distribution${suffix}`, await distribution(model, document, file, suffix, temperature));
      }
      for (const [i, greedy] of document.greedy.entries()) {
        checks.set(`unmerged/greedy/${i}`, await sampled(model, greedy));
      }
    }, { train: adapter });
    return [...checks].map(([name, found]) => ({ name, checks: () => found }));
  },
};

function batchOf({ prompt_ids, prompt_mask, completion_ids, completion_mask }: Document) {
  const completions = unmasked(completion_ids, completion_mask);
  return { prompts: unmasked(prompt_ids, prompt_mask), group: 1, completions };
}

async function distribution(
  model: LanguageModel,
  document: Document,
  file: TorchFile,
  suffix: string,
  temperature: number,
): Promise<Check[]> {
  const { logprobs, statistics } = await model.logprobs(batchOf(document), { temperature, statistics: ["entropy"] });
  return ([["logprobs", logprobs], ...statistics] as const).map(([kind, got]) => ({
    name: kind + suffix,
    want: unmaskedRows(file.tensors().float32(kind + suffix), document.completion_mask),
    got,
    tolerance: NATS,
  }));
}

/** Mean negative log-likelihood of the completion tokens and the gradient's norms. */
async function nll(model: LanguageModel, document: Document, want: NonNullable<Document["nll"]>): Promise<Check[]> {
  const settings = { loss: { objective: "cross_entropy" }, aggregation: "token_mean", temperature: 1 } as const;
  const { loss } = await model.accumulateGradient(batchOf(document), settings), norms = gradientNorms(model);
  const still = { learningRate: 0, beta1: 0.9, beta2: 0.999, epsilon: 1e-8, weightDecay: 0, maxNorm: 1 };
  const { gradNorm } = await model.applyUpdate(still);
  return [
    { name: "loss", want: want.loss, got: loss, tolerance: NORMS },
    { name: "grad_norm", want: want.grad_norm, got: gradNorm, tolerance: NORMS },
    { name: "grad_norms", want: want.grad_norms, got: norms, tolerance: NORMS },
  ];
}

/** Weights after PEFT's merge_and_unload. */
function mergedWeights(
  model: LanguageModel,
  { tensors, weights }: NonNullable<Document["merged"]>,
  file: TorchFile,
): Check[] {
  const values = model.weights.toHuggingFace(), stored = file.tensors(tensors);
  return weights.map((name) => ({ name, want: stored.float32(name), got: values.get(name)?.data, tolerance: MERGED }));
}

async function sampled(model: LanguageModel, { prompt_ids, prompt_mask, completions }: Greedy): Promise<Check[]> {
  const rows = await model.sample(unmasked(prompt_ids, prompt_mask), 1, {
    temperature: 0,
    topK: 0,
    topP: 1,
    minP: 0,
    repetitionPenalty: 1,
    maxNewTokens: MOST,
    eosIds: ENDS,
    uniforms: () => 0,
  });
  return [{ name: "completions", want: completions, got: rows.map(({ tokenIds }) => [...tokenIds]), tolerance: EXACT }];
}
