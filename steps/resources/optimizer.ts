/** The optimizer's moments, owned by one training step at a time: a new owner starts from zero. @module */
import type { LanguageModel } from "../../gpu/language_model.ts";
import { OPTIMIZER_STATES } from "../../gpu/optimizers/moments.ts";
import type { Policy } from "./policy.ts";
import type { Resource, ResourceState } from "./resource.ts";

export class PolicyOptimizer implements Resource {
  #owner: string | null = null;

  constructor(private readonly policy: Policy) {}

  /** Says which step trains now; another one than before forgets the moments. */
  async begin(owner: string): Promise<void> {
    if (this.#owner === owner) return;
    if (this.#owner !== null) (await this.policy.model.optimizer()).reset();
    this.#owner = owner;
  }

  /** Updates the owner has applied. */
  async updates(): Promise<number> {
    return (await this.policy.model.optimizer()).updates;
  }

  async save(): Promise<ResourceState> {
    if (this.#owner === null) return { json: { owner: null, updates: 0 }, arrays: new Map() };
    const { json, arrays } = await momentsState(this.policy.model);
    return { json: { owner: this.#owner, ...json }, arrays };
  }

  async restore(state: ResourceState): Promise<void> {
    this.#owner = state.json["owner"] as string | null;
    if (this.#owner !== null) await restoreMoments(this.policy.model, state);
  }

  /** The model frees its optimizer. */
  release(): void {}
}

/** Updates and moments of a model as a state. */
export async function momentsState(model: LanguageModel): Promise<ResourceState> {
  const { updates, moments } = (await model.optimizer()).save();
  const arrays = new Map([...moments].map(([name, data]) => [name, { shape: [data.length], data }] as const));
  return { json: { updates, optimizer_state: model.optimizerState }, arrays };
}

/** Restores bitwise what `momentsState` gave; other arrays of the state are not looked at. */
export async function restoreMoments(model: LanguageModel, { json, arrays }: ResourceState): Promise<void> {
  const kind = OPTIMIZER_STATES.find((kind) => kind === (json["optimizer_state"] ?? "float32"));
  if (kind === undefined) {
    throw new RangeError(
      `Cannot restore the optimizer: its state is ${json["optimizer_state"]}, want ${OPTIMIZER_STATES.join(" or ")}`,
    );
  }
  model.setOptimizerState(kind);
  const moments = new Map([...arrays].map(([name, { data }]) => [name, data] as const));
  (await model.optimizer()).restore({ updates: json["updates"] as number, moments });
}
