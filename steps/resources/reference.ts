/** The reference policy: none, a frozen copy of the policy made at the first rollout, its base, or another model. @module */
import type { LanguageModel, Sequences } from "../../gpu/language_model.ts";
import { type Policy, PROMPTS_PER_PASS, stateArray, weightsState } from "./policy.ts";
import type { Resource, ResourceState } from "./resource.ts";

/**
 * none: no KL. copy: the policy as it is when the first group is sampled. adapter_off: the policy's base, without its
 * adapter. folder: weights loaded by load_model.
 */
export type ReferenceKind = (typeof REFERENCES)[number] | "folder";
export const REFERENCES = ["none", "copy", "adapter_off"] as const;

/** What load_model's `reference` means; a folder where it is no word of ours. */
export function referenceKind(reference: string): ReferenceKind {
  return REFERENCES.find((word) => word === reference) ?? "folder";
}

export class Reference implements Resource {
  #model: LanguageModel | null;

  constructor(readonly kind: ReferenceKind, private readonly policy: Policy, model: LanguageModel | null = null) {
    this.#model = model;
  }

  /** Whether there is, or will be, a reference. */
  get exists(): boolean {
    return this.kind !== "none";
  }

  /** The frozen model; a `copy` is made when first asked for, and adapter_off reads the numbers of the policy's base. */
  model(): LanguageModel {
    if (!this.exists) throw new TypeError('Cannot read the reference policy: load_model has reference "none"');
    const { model } = this.policy;
    return this.#model ??= this.kind === "adapter_off" ? model.withoutAdapter() : model.copy();
  }

  /** Nats per token of each completion under the reference. */
  async logprobs(sequences: Sequences, temperature: number): Promise<Float32Array[]> {
    return (await this.model().logprobs(sequences, { temperature, promptsPerPass: PROMPTS_PER_PASS })).logprobs;
  }

  save(): ResourceState {
    if (this.kind !== "copy" || !this.#model) return { json: { kind: this.kind, frozen: false }, arrays: new Map() };
    return weightsState(this.#model, { kind: this.kind, frozen: true });
  }

  restore({ json, arrays }: ResourceState): void {
    if (json["kind"] !== this.kind) {
      throw new TypeError(`Cannot restore the reference: the checkpoint has "${json["kind"]}", want "${this.kind}"`);
    }
    if (!json["frozen"]) return;
    const weights = this.model().weights;
    weights.upload(stateArray(arrays, "weights", weights.layout.size));
  }

  release(): void {
    this.#model?.release();
  }
}
