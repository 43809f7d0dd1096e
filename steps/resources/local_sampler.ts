/** Samples in this process, by the policy's own model. @module */
import { uniform } from "../../data/random.ts";
import type { PromptIds } from "../../gpu/models/vision/image_input.ts";
import type { LanguageModel } from "../../gpu/language_model.ts";
import type { IdsOf } from "../../gpu/sampling/options.ts";
import type { SampledCompletion, Sampler, SampleRequest } from "./sampler.ts";

/** What a policy gives to it. */
interface Sampled {
  readonly model: LanguageModel;
  readonly tokenizer: { readonly eosIds: readonly number[] };
  /** Fewest rows decoded at once: 2 where a row's numbers must not depend on its batch. */
  readonly leastRows: number;
  encodePrompt(prompt: string, maxNewTokens: number): PromptIds;
  decode(ids: ArrayLike<number>): string;
}

export class LocalSampler implements Sampler {
  constructor(private readonly policy: Sampled) {}

  async sample(
    prompts: readonly string[],
    { group, maxNewTokens, values, rowsAtOnce = 0, suppressIds = [], draws }: SampleRequest,
    safePoint?: (idsOf: IdsOf) => Promise<void>,
  ): Promise<SampledCompletion[]> {
    const { model, tokenizer, leastRows } = this.policy;
    const rows = prompts.map((prompt) => this.policy.encodePrompt(prompt, maxNewTokens));
    const completions = await model.sample(rows, group, {
      temperature: values.temperature,
      topK: values.top_k,
      topP: values.top_p,
      minP: values.min_p,
      repetitionPenalty: values.repetition_penalty,
      maxNewTokens,
      eosIds: tokenizer.eosIds,
      uniforms: (row, token) => uniform(draws.seed, draws.stream, draws.trainStep, row, token),
      rowsAtOnce,
      leastRows,
      suppressIds,
      ...(safePoint ? { onToken: (_tokens: number, _rows: number, idsOf: IdsOf) => safePoint(idsOf) } : {}),
    });
    return completions.map((completion) => ({ ...completion, text: this.policy.decode(completion.tokenIds) }));
  }
}
