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
  readonly nll: {
    readonly loss: number;
    readonly grad_norm: number;
    readonly grad_norms: Readonly<Record<string, number>>;
  };
}

const NATS = { relative: 0, absolute: 1e-4 }, NORMS = { relative: 1e-4, absolute: 1e-7 };
const EXACT = { relative: 0, absolute: 0 };
/** The tokens that end a sample in these goldens, and the most of them. */
const ENDS = [503, 501], MOST = 24;
const TEMPERATURES = [["", 1], ["_t07", 0.7]] as const;

export const forward: TorchTopic = {
  about:
    "transformers' AutoModelForCausalLM: log-probs, entropy, nll with its gradient, greedy (gpu/language_model.ts)",
  takes: (file) => /^forward_(?!.*lora)/.test(file),
  async cases(file) {
    const document = file.document as unknown as Document, checks = new Map<string, Check[]>();
    await withModel(file.model(document.model), async (model) => {
      for (const [suffix, temperature] of TEMPERATURES) {
        checks.set(`distribution${suffix}`, await distribution(model, document, file, suffix, temperature));
      }
      checks.set("nll", await nll(model, document));
      for (const [i, greedy] of document.greedy.entries()) checks.set(`greedy/${i}`, await sampled(model, greedy));
    });
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
  const got = await model.logprobs(batchOf(document), { temperature });
  return (["logprobs", "entropy"] as const).map((kind) => ({
    name: kind + suffix,
    want: unmaskedRows(file.tensors().float32(kind + suffix), document.completion_mask),
    got: got[kind],
    tolerance: NATS,
  }));
}

/** Mean negative log-likelihood of the completion tokens and the gradient's norms. */
async function nll(model: LanguageModel, document: Document): Promise<Check[]> {
  const settings = { loss: { objective: "cross_entropy" }, aggregation: "token_mean", temperature: 1 } as const;
  const { loss } = await model.accumulateGradient(batchOf(document), settings), norms = gradientNorms(model);
  const still = { learningRate: 0, beta1: 0.9, beta2: 0.999, epsilon: 1e-8, weightDecay: 0, maxNorm: 1 };
  const { gradNorm } = await model.applyUpdate(still);
  return [
    { name: "loss", want: document.nll.loss, got: loss, tolerance: NORMS },
    { name: "grad_norm", want: document.nll.grad_norm, got: gradNorm, tolerance: NORMS },
    { name: "grad_norms", want: document.nll.grad_norms, got: norms, tolerance: NORMS },
  ];
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
