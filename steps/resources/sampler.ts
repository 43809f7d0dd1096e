/**
 * Where completions are sampled: plain data in, plain data out, so that another process may serve it.
 *
 * The draws are keyed by what the request says and by row and token, so the same request gives the same bytes wherever
 * the same weights run on the same CPU class and number of threads.
 * @module
 */
import type { IdsOf } from "../../gpu/sampling/options.ts";
import type { Completion } from "../../gpu/sampling/sampler.ts";
import type { SamplingValues } from "../options/sampling_settings.ts";

export interface SampleRequest {
  /** Completions per prompt. */
  readonly group: number;
  readonly maxNewTokens: number;
  readonly values: SamplingValues;
  /** Completions decoded together, whole groups; all where absent or 0. */
  readonly rowsAtOnce?: number;
  /** Token ids that are never drawn. */
  readonly suppressIds?: readonly number[];
  readonly draws: Draws;
}

/** Key of the uniforms, besides row and token (data/random.ts). */
interface Draws {
  readonly seed: number;
  readonly stream: string;
  readonly trainStep: number;
}

export interface SampledCompletion extends Completion {
  readonly text: string;
}

export interface Sampler {
  /**
   * `group` completions per prompt, a prompt's together. `safePoint` is called after every decoded batch of tokens
   * with what rows have so far, and throws to stop.
   */
  sample(
    prompts: readonly string[],
    request: SampleRequest,
    safePoint?: (idsOf: IdsOf) => Promise<void>,
  ): Promise<SampledCompletion[]>;
}
