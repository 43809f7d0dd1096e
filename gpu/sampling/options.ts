/** Sampling settings: what they mean, which of them are on, what cannot work. @module */
import type { Rows } from "../models/padding.ts";
import type { SamplerKind } from "./pick.ts";

/** Ids that row `prompt · group + sample` has so far; null where it is not among those decoded now. */
export type IdsOf = (row: number) => readonly number[] | null;

/** transformers' names and meaning; the neutral value of each switches it off. */
export interface SampleOptions {
  /** 0 = greedy; then the filters and draws play no part. */
  readonly temperature: number;
  /** 0 = off. */
  readonly topK: number;
  /** 1 = off. */
  readonly topP: number;
  /** 0 = off. */
  readonly minP: number;
  /** 1 = off. */
  readonly repetitionPenalty: number;
  readonly maxNewTokens: number;
  /** Tokens that end a completion; they belong to it. */
  readonly eosIds: readonly number[];
  /** Tokens that are never drawn (transformers' `suppress_tokens`); none where absent. */
  readonly suppressIds?: readonly number[];
  /** A number in [0, 1) for row `prompt · group + sample` and token number `token`, from 0. */
  readonly uniforms: (row: number, token: number) => number;
  /** Called between tokens with how many each row has so far, how many rows go on, and the ids; may be slow or throw. */
  readonly onToken?: (tokens: number, rows: number, idsOf: IdsOf) => void | Promise<void>;
  /** When aborted, `sample` throws its reason between two tokens. */
  readonly signal?: AbortSignal;
  /**
   * Fewest rows computed at once, filled up with copies; 2 makes a row's numbers the same bits in any batch on one
   * thread (a batch of one takes other kernels). Default 1.
   */
  readonly leastRows?: number;
  /** Most rows decoded at once; 0 = all. */
  readonly rowsAtOnce?: number;
}

/** What decides by which graph tokens are drawn. */
type SamplerSettings = Pick<
  SampleOptions,
  "temperature" | "topK" | "topP" | "minP" | "repetitionPenalty" | "suppressIds"
>;

/**
 * Which filters the settings switch on. Where JavaScript can read the probabilities (`readable`), it draws where
 * nothing filters, which costs less than thirty nodes that search a cumulative sum inside a graph; and filters where top-p
 * is among the filters, for which a graph sorts the vocabulary.
 */
export function samplerKind(options: SamplerSettings, readable = false): SamplerKind {
  const { temperature, topK, topP, minP, repetitionPenalty } = options;
  const greedy = temperature === 0;
  const kind = {
    greedy,
    temperature: temperature !== 1,
    topK: greedy ? 0 : topK,
    topP: !greedy && topP < 1,
    minP: !greedy && minP > 0,
    repetitionPenalty: repetitionPenalty !== 1,
    ...(options.suppressIds?.length ? { suppress: options.suppressIds } : {}),
  };
  if (!readable || greedy) return kind;
  if (kind.topP) return { ...kind, topK: 0, topP: false, minP: false, host: { topK, topP, minP } };
  return kind.temperature || kind.topK || kind.minP || kind.repetitionPenalty ? kind : { ...kind, host: true };
}

/** Throws a RangeError for a setting out of range. */
export function checkOptions(options: SampleOptions): void {
  const wrong = (name: string, value: number, want: string) =>
    new RangeError(`Cannot sample with ${name} ${value}: want ${want}`);
  const { temperature, topK, topP, minP, repetitionPenalty, maxNewTokens } = options;
  if (!(temperature >= 0)) throw wrong("temperature", temperature, "0 (greedy) or more");
  if (!Number.isInteger(topK) || topK < 0) throw wrong("top_k", topK, "0 (off) or a positive whole number");
  if (!(topP > 0 && topP <= 1)) throw wrong("top_p", topP, "above 0, at most 1 (off)");
  if (!(minP >= 0 && minP <= 1)) throw wrong("min_p", minP, "0 (off) to 1");
  if (!(repetitionPenalty > 0)) throw wrong("repetition_penalty", repetitionPenalty, "a positive number, 1 = off");
  if (!Number.isInteger(maxNewTokens) || maxNewTokens < 1) throw wrong("max_new_tokens", maxNewTokens, "1 or more");
}

/** Throws a RangeError for an empty prompt, or one that leaves no room for maxNewTokens. */
export function checkPrompts(prompts: Rows, maxPositions: number, maxNewTokens: number): void {
  const empty = prompts.findIndex(({ length }) => length === 0);
  if (empty >= 0) throw new RangeError(`Cannot sample: prompt ${empty} has no tokens, want at least one`);
  const long = prompts.findIndex(({ length }) => length + maxNewTokens > maxPositions);
  if (long >= 0) {
    throw new RangeError(
      `Cannot sample: prompt ${long} has ${prompts[long]!.length} tokens and max_new_tokens is ${maxNewTokens}, ` +
        `want at most ${maxPositions} together; shorten the prompt or lower max_new_tokens`,
    );
  }
}
