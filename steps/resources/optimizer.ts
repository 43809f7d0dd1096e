/** AdamW's moments, owned by one training step at a time: a new owner starts from zero. @module */
import { type Policy, stateArray } from "./policy.ts";
import type { Resource, ResourceState } from "./resource.ts";

export class PolicyOptimizer implements Resource {
  #owner: string | null = null;

  constructor(private readonly policy: Policy) {}

  /** Says which step trains now; another one than before forgets the moments. */
  async begin(owner: string): Promise<void> {
    if (this.#owner === owner) return;
    if (this.#owner !== null) {
      const size = this.policy.model.weights.layout.size;
      (await this.policy.model.optimizer()).restore({
        updates: 0,
        m: new Float32Array(size),
        v: new Float32Array(size),
      });
    }
    this.#owner = owner;
  }

  /** Updates the owner has applied. */
  async updates(): Promise<number> {
    return (await this.policy.model.optimizer()).updates;
  }

  async save(): Promise<ResourceState> {
    if (this.#owner === null) return { json: { owner: null, updates: 0 }, arrays: new Map() };
    const { updates, m, v } = (await this.policy.model.optimizer()).save();
    const shape = [m.length];
    return {
      json: { owner: this.#owner, updates },
      arrays: new Map([["m", { shape, data: m }], ["v", { shape, data: v }]]),
    };
  }

  async restore({ json, arrays }: ResourceState): Promise<void> {
    this.#owner = json["owner"] as string | null;
    if (this.#owner === null) return;
    const size = this.policy.model.weights.layout.size;
    (await this.policy.model.optimizer()).restore({
      updates: json["updates"] as number,
      m: stateArray(arrays, "m", size),
      v: stateArray(arrays, "v", size),
    });
  }

  /** The model frees its optimizer. */
  release(): void {}
}
