/** The policy: weights with their sessions, the tokenizer, and what turns texts into rows of tokens and back. @module */
import { longest } from "../../gpu/models/padding.ts";
import type { assistantSpans } from "../../data/hub/templates/assistant_mask.ts";
import type { ChatMessage } from "../../data/hub/templates/chat_template.ts";
import type { HubTokenizer } from "../../data/hub/tokenizer.ts";
import { completionMessages, messagesIn } from "../../data/datasets/messages.ts";
import type { LanguageModel, Sequences } from "../../gpu/language_model.ts";
import { imagesIn, textOfPrompt } from "../../data/datasets/prompt_images.ts";
import { NO_TOWER, type PromptIds, promptIds } from "../../gpu/models/vision/image_input.ts";
import { numbersOf } from "../../gpu/ort/numbers.ts";
import { baseKey, requireBase } from "./adapter.ts";
import { LocalSampler } from "./local_sampler.ts";
import type { PromptImages } from "./prompt_images.ts";
import type { Resource, ResourceState } from "./resource.ts";
import type { Sampler } from "./sampler.ts";

/** What the policy asks of a tokenizer. */
interface PolicyTokenizer extends Pick<HubTokenizer, "eosIds" | "eosId" | "padId" | "bosId" | "vocabSize"> {
  /** Ids before a plain text, such as that of bos_token. */
  readonly begins?: readonly number[];
  encode(text: string): ArrayLike<number>;
  /** Text without special tokens. */
  decode(ids: ArrayLike<number>): string;
}

/** Prompts, with their groups, that one run of the graph reads: bounds the memory of a pass that needs no gradient. */
export const PROMPTS_PER_PASS = 16;

export class Policy implements Resource {
  /** Where completions of this policy are sampled: here, unless another sampler is put in its place. */
  sampler: Sampler = new LocalSampler(this);
  /** The Hugging Face folder that the weights came from, or those beneath an adapter; null where there is none. */
  folder: string | null = null;
  readonly #prompts = new Map<string, PromptIds>();

  constructor(
    readonly model: LanguageModel,
    readonly tokenizer: PolicyTokenizer,
    /** The model folder's generation_config.json, or null. */
    readonly generationConfig: Readonly<Record<string, unknown>> | null,
    /** Files of the tokenizer, for an export: file name to text. */
    readonly files: ReadonlyMap<string, string>,
    /** Turns a prompt into what the model reads, e.g. by its chat template. */
    readonly format: (prompt: string) => string = (prompt) => prompt,
    /** Fewest rows decoded at once: 2 where a row's numbers must not depend on its batch. */
    readonly leastRows = 1,
    /** A list of messages by the chat template, up to where its last message ends. */
    readonly conversation: (messages: readonly ChatMessage[]) => string = noTemplate,
    /** The same with the parts that the assistant wrote. */
    readonly turns: (messages: readonly ChatMessage[]) => ReturnType<typeof assistantSpans> = noTemplate,
    /** Of a model with a vision tower. */
    readonly images: PromptImages | null = null,
  ) {}

  /**
   * Tokens of a prompt, with its images: a plain text begins as the tokenizer has it (bos_token), one by a chat template as that writes it.
   * Throws a RangeError for an empty one, and for one that leaves no room in the context.
   */
  encodePrompt(prompt: string, maxNewTokens: number): PromptIds {
    let ids = this.#prompts.get(prompt);
    if (!ids) {
      const text = this.format(prompt), begins = text === prompt ? this.tokenizer.begins ?? [] : [];
      ids = this.#withImages(prompt, Int32Array.from([...begins, ...Array.from(this.tokenizer.encode(text))]));
      if (this.#prompts.size > 100_000) this.#prompts.clear();
      this.#prompts.set(prompt, ids);
    }
    const most = this.model.config.maxPositions;
    if (ids.length === 0) throw new RangeError(`Cannot read prompt ${quote(prompt)}: it has no token`);
    if (ids.length + maxNewTokens > most) {
      throw new RangeError(
        `Cannot read prompt ${
          quote(prompt)
        }: ${ids.length} tokens and ${maxNewTokens} new ones, want at most ${most} ` +
          `(the model's context); shorten the prompt or lower max_new_tokens`,
      );
    }
    return ids;
  }

  #withImages(prompt: string, ids: Int32Array): PromptIds {
    if (this.images === null) {
      if (imagesIn(prompt).length > 0) throw new TypeError(NO_TOWER);
      return ids;
    }
    const images = this.images.inputsOf(prompt);
    try {
      return promptIds(this.images.expand(ids, images, this.model.config), images);
    } catch (error) {
      if (error instanceof RangeError) throw new RangeError(`Cannot read prompt ${quote(prompt)}: ${error.message}`);
      throw error;
    }
  }

  /** Tokens of an answer, with the end of sequence. */
  encodeAnswer(answer: string): Int32Array {
    return Int32Array.from([...Array.from(this.tokenizer.encode(answer)), this.tokenizer.eosId]);
  }

  /**
   * Tokens of what is to follow a prompt: of a text with the end of sequence; of messages what the chat template writes
   * after the prompt. Throws a RangeError where the template writes the prompt otherwise once there is an answer.
   */
  encodeCompletion(prompt: string, completion: string): Int32Array {
    const messages = completionMessages(completion);
    if (messages === null) return this.encodeAnswer(completion);
    const before = this.format(prompt);
    const whole = this.conversation([...messagesIn(prompt) ?? [{ role: "user", content: prompt }], ...messages]);
    if (whole.startsWith(before)) return Int32Array.from(this.tokenizer.encode(whole.slice(before.length)));
    throw new RangeError(
      `Cannot read the answer to ${quote(prompt)}: the chat template writes the prompt otherwise with an answer, ` +
        "want one that appends the answer to the prompt; give texts in place of messages",
    );
  }

  decode(ids: ArrayLike<number>): string {
    return this.tokenizer.decode(ids);
  }

  /** Prompts and completions as the model's graphs take them. */
  sequences(
    texts: readonly string[],
    completions: readonly ArrayLike<number>[],
    maxNewTokens: number | null = null,
  ): Sequences {
    const prompts = texts.map((text) => this.encodePrompt(text, 0)), group = completions.length / prompts.length;
    return {
      prompts,
      group,
      completions,
      ...(maxNewTokens === null ? {} : { positions: longest(prompts) + maxNewTokens }),
    };
  }

  /** Nats per token of each completion, logits divided by the temperature. */
  async logprobs(sequences: Sequences, temperature: number): Promise<Float32Array[]> {
    return (await this.model.logprobs(sequences, { temperature, promptsPerPass: PROMPTS_PER_PASS })).logprobs;
  }

  /** The same, and the log of the sum over the vocabulary of p² at each token, nats. */
  async logprobsAndSquares(
    sequences: Sequences,
    temperature: number,
  ): Promise<{ readonly logprobs: Float32Array[]; readonly logSumSquares: Float32Array[] }> {
    const options = { temperature, promptsPerPass: PROMPTS_PER_PASS, statistics: ["log_sum_squares"] } as const;
    const { logprobs, statistics } = await this.model.logprobs(sequences, options);
    return { logprobs, logSumSquares: statistics.get("log_sum_squares")! };
  }

  save(): ResourceState {
    const base = baseKey(this.model);
    return weightsState(this.model, {
      parameters: this.model.weights.layout.count,
      ...(base === null ? {} : { base }),
    });
  }

  restore({ json, arrays }: ResourceState): void {
    requireBase(this.model, json);
    this.model.weights.upload(stateArray(arrays, "weights", this.model.weights.layout.size));
  }

  release(): void {
    this.model.release();
    this.model.runtime.release();
  }
}

/** The weights of a model as a state. */
export function weightsState(
  { runtime, weights: { layout, values } }: LanguageModel,
  json: ResourceState["json"],
): ResourceState {
  const data = numbersOf(runtime, values);
  return { json, arrays: new Map([["weights", { shape: [layout.size], data }]]) };
}

/** An array of a saved state; throws when it is missing or of another size. */
export function stateArray(arrays: ResourceState["arrays"], name: string, size: number): Float32Array {
  const array = arrays.get(name);
  if (!array) throw new RangeError(`Cannot restore: the checkpoint has no array "${name}"`);
  if (!(array.data instanceof Float32Array) || array.data.length !== size) {
    throw new RangeError(`Cannot restore "${name}": the checkpoint holds ${array.data.length} values, want ${size}`);
  }
  return array.data;
}

function noTemplate(): never {
  throw new RangeError("Cannot read a list of messages: the tokenizer has no chat template; give texts");
}

function quote(given: string): string {
  const prompt = textOfPrompt(given);
  return JSON.stringify(prompt.length > 60 ? `${prompt.slice(0, 60)}…` : prompt);
}
