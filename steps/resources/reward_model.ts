/** A reward model: one score for a prompt with its completion, read at the last token. @module */
import type { ColumnTable } from "arquero";
import { columnArray } from "../../data/tables/mod.ts";
import { imagesIn } from "../../data/datasets/prompt_images.ts";
import type { LanguageModel, TrainBatch } from "../../gpu/language_model.ts";
import { type Policy, PROMPTS_PER_PASS } from "./policy.ts";
import type { Resource, ResourceState } from "./resource.ts";
import { restoreTrained, trainedState } from "./scalar_model.ts";

/** What turns texts into the rows of tokens that the model was trained on, and lies beside it in a folder. */
type ScoredTexts = Pick<Policy, "encodePrompt" | "encodeAnswer" | "tokenizer" | "files" | "generationConfig">;

/** Of a batch of completions, what is scored. */
interface Scored {
  readonly prompts: readonly string[];
  readonly texts: readonly string[];
  readonly truncated: readonly boolean[];
}

/** Any id: the token after the last one is not read, only the position before it. */
const AFTER = 0;

export class RewardModel implements Resource {
  /** The folder of the weights beneath an adapter; null where there is none. */
  readonly folder: string | null;
  /** Its weights are a state of the run; else they come from a folder again. */
  private readonly trained: boolean;
  /** Its tokens are those of the policy: what was sampled is scored as it is. */
  private readonly sampledTokens: boolean;

  constructor(
    readonly model: LanguageModel,
    readonly texts: ScoredTexts,
    { trained = false, sampledTokens = trained, folder = null }: {
      readonly trained?: boolean;
      readonly sampledTokens?: boolean;
      readonly folder?: string | null;
    } = {},
  ) {
    this.trained = trained;
    this.sampledTokens = sampledTokens;
    this.folder = folder;
  }

  /** One score per completion, in the order given; `tokens` are completions with their end of sequence, if they have one. */
  async scores(prompts: readonly string[], tokens: readonly ArrayLike<number>[]): Promise<number[]> {
    if (this.model.config.vision === null && prompts.some((prompt) => imagesIn(prompt).length > 0)) {
      throw new RangeError(
        "Cannot score completions: the reward model reads words alone and prompts have images, want one with a vision tower; " +
          "load another by load_reward_model, or leave the reward reward_model out",
      );
    }
    const { completions, completionMask: mask } = readAtTheEnd(tokens);
    const batch = { prompts: prompts.map((prompt) => this.texts.encodePrompt(prompt, 1)), group: 1, completions };
    const values = await this.model.values(batch, { promptsPerPass: PROMPTS_PER_PASS });
    return values.map((row, i) => row[mask[i]!.length - 1]!);
  }

  /**
   * The scores of a batch of `completions`: of a model that reads the policy's tokens by the very ones that were sampled,
   * of another by its own tokenizer, with an end of sequence where the completion ended by itself.
   */
  async scoresOf({ prompts, texts, truncated }: Scored, completions: ColumnTable): Promise<number[]> {
    if (this.sampledTokens && completions.column("token_ids")) {
      return await this.scores(prompts, Array.from(columnArray(completions, "token_ids") as ArrayLike<Int32Array>));
    }
    const tokens = texts.map((text, i) => {
      const ended = this.texts.encodeAnswer(text);
      return truncated[i] ? ended.subarray(0, -1) : ended;
    });
    return await this.scores(prompts, tokens);
  }

  async save(): Promise<ResourceState> {
    return this.trained ? await trainedState(this.model) : { json: { trained: false }, arrays: new Map() };
  }

  async restore(state: ResourceState): Promise<void> {
    if (this.trained) await restoreTrained(this.model, state);
  }

  release(): void {
    this.model.release();
  }
}

/**
 * Completions with one token more, and a mask that is 1 there alone: the value before it is the one at the completion's
 * last token, which is transformers' score of a sequence.
 */
export function readAtTheEnd(
  tokens: readonly ArrayLike<number>[],
): Required<Pick<TrainBatch, "completions" | "completionMask">> {
  const completions = tokens.map((row) => Int32Array.from([...Array.from(row), AFTER]));
  const completionMask = completions.map(({ length }) => {
    const mask = new Float32Array(length);
    mask[length - 1] = 1;
    return mask;
  });
  return { completions, completionMask };
}
