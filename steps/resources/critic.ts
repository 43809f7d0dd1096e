/** The critic: a value before each token of a completion, by weights of its own or by a head on the policy's. @module */
import type { LanguageModel, Sequences } from "../../gpu/language_model.ts";
import { type Policy, PROMPTS_PER_PASS } from "./policy.ts";
import type { Resource, ResourceState } from "./resource.ts";
import { restoreTrained, takeBody, trainedState } from "./scalar_model.ts";

export class Critic implements Resource {
  /**
   * `trunk` is the policy whose body the critic reads, or null for one of its own. The body is then a copy that
   * `values` renews, and only the head trains: no gradient of the value loss reaches the policy.
   */
  constructor(
    readonly model: LanguageModel,
    private readonly trunk: Policy | null = null,
    /** The folder of the weights beneath an adapter; null where there is none. */
    readonly folder: string | null = null,
  ) {}

  /** Updates made so far. */
  async updates(): Promise<number> {
    return (await this.model.optimizer()).updates;
  }

  /** The value before each token of each completion, in units of the reward; of the policy's body as it is now. */
  async values(sequences: Sequences, promptsPerPass = PROMPTS_PER_PASS): Promise<Float32Array[]> {
    if (this.trunk) takeBody(this.model, this.trunk.model);
    return await this.model.values(sequences, { promptsPerPass });
  }

  save(): Promise<ResourceState> {
    return trainedState(this.model);
  }

  restore(state: ResourceState): Promise<void> {
    return restoreTrained(this.model, state);
  }

  release(): void {
    this.model.release();
  }
}
