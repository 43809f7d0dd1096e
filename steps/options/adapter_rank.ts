/** Whether a rank can be reached: B A of a matrix [out, in] has no higher rank than the smaller of the two. @module */
import { type AdapterPlan, strengthOf } from "../../gpu/weights/adapter.ts";
import type { Layout } from "../../gpu/weights/layout.ts";

/** Above every width of a model that this program reads, so that a slip of the finger is told before the model is known. */
export const HIGHEST_RANK = 32_768;

/** A matrix that gets an adapter. */
export interface Ranked {
  /** Of its module, without the model's and the layer's. */
  readonly kind: string;
  readonly shape: readonly number[];
  readonly rank: number;
  /** What its adapter can reach. */
  readonly most: number;
}

function ranked({ parameters }: Pick<Layout, "parameters">, plan: AdapterPlan): Ranked[] {
  return parameters.filter(({ name }) => plan.targets.has(name)).map(({ name, shape }) => ({
    kind: name.split(".").at(-2)!,
    shape,
    rank: strengthOf(plan, name).rank,
    most: Math.min(...shape),
  }));
}

/**
 * Throws a RangeError for a rank that no matrix among them can reach. One that some cannot is PEFT's to have: a usual rank
 * for the whole model is more than narrow keys and values hold.
 */
export function requireRank(layout: Pick<Layout, "parameters">, plan: AdapterPlan): void {
  const all = ranked(layout, plan), widest = Math.max(...all.map(({ most }) => most));
  const high = all.find(({ rank }) => rank > widest);
  if (high === undefined) return;
  throw new RangeError(
    `Cannot add an adapter of rank ${high.rank}: ${high.kind} is [${high.shape}], and no matrix that gets one has a smaller ` +
      `side above ${widest}; want at most ${high.most}`,
  );
}

/** One matrix of each kind whose rank is more than it can reach. */
export function beyondReach(layout: Pick<Layout, "parameters">, plan: AdapterPlan): Ranked[] {
  const over = ranked(layout, plan).filter(({ rank, most }) => rank > most);
  return [...new Map(over.map((matrix) => [matrix.kind, matrix])).values()];
}
