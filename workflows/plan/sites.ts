/**
 * Lists the steps of a document in the order they run, each with its id, its place and the blocks around it.
 * @module
 */
import type { Path, Problem } from "../language/problems.ts";
import { type Entry, isRepeat, type StepEntry, type StepKinds, type Value } from "../language/schema.ts";
import { kindProblem } from "../language/step_params.ts";
import type { Combination } from "./matrix.ts";

export interface StepSite {
  readonly entry: StepEntry;
  /** As written, or the step kind's name with a number if that is taken. */
  readonly id: string;
  readonly path: Path;
  /** Paths of the `repeat` blocks around it, outermost first. */
  readonly blocks: readonly string[];
}

/** What look-ups may name. */
export interface Known {
  readonly params: Readonly<Record<string, Value>>;
  readonly matrix: Combination;
  readonly hasMatrix: boolean;
  readonly sites: readonly StepSite[];
  readonly kinds: StepKinds;
}

/** Every step, depth first. */
export function stepSites(steps: readonly Entry[]): readonly StepSite[] {
  const found = collect(steps, ["steps"], []);
  const taken = new Set(found.map((site) => site.entry.id).filter((id) => id !== undefined));
  return found.map((site) => {
    const { id, uses } = site.entry;
    let free = uses;
    for (let number = 2; id === undefined && taken.has(free); number++) free = `${uses}_${number}`;
    if (id === undefined) taken.add(free);
    return { ...site, id: id ?? free };
  });
}

function collect(steps: readonly Entry[], path: Path, blocks: readonly string[]): Omit<StepSite, "id">[] {
  return steps.flatMap((entry, index) => {
    const here = [...path, index];
    if (isRepeat(entry)) return collect(entry.steps, [...here, "steps"], [...blocks, here.join(".")]);
    return [{ entry, path: here, blocks }];
  });
}

/** Unknown step kinds, ids that are taken, keys that mean nothing where they stand. */
export function siteProblems(sites: readonly StepSite[], kinds: StepKinds): Problem[] {
  return sites.flatMap((site, index) => {
    const problems = [
      kindProblem(site.entry.uses, kinds, site.path),
      idProblem(site, sites.slice(0, index)),
      everyProblem(site),
      cacheProblem(site, kinds),
    ];
    return problems.filter((problem) => problem !== null);
  });
}

function idProblem({ entry, id, path }: StepSite, earlier: readonly StepSite[]): Problem | null {
  if (entry.id === undefined || earlier.every((other) => other.entry.id !== entry.id)) return null;
  return { path: [...path, "id"], message: `id "${id}" is already taken by an earlier step` };
}

function everyProblem({ entry, path, blocks }: StepSite): Problem | null {
  if (entry.every === undefined || blocks.length > 0) return null;
  const message = '"every" counts rounds; it has a meaning inside "repeat" only';
  return { path: [...path, "every"], key: true, message };
}

function cacheProblem({ entry, path }: StepSite, kinds: StepKinds): Problem | null {
  if (!entry.cache || !Object.hasOwn(kinds, entry.uses) || kinds[entry.uses]!.pure) return null;
  const pure = Object.keys(kinds).filter((name) => kinds[name]!.pure).join(", ") || "none";
  const why = "its rows depend on more than parameters and tables";
  return { path: [...path, "cache"], message: `Cannot cache "${entry.uses}": ${why}; step kinds that can: ${pure}` };
}

/** The step at a path that `stepSites` gave, in the same document or a substituted copy. */
export function siteAt(steps: readonly Entry[], path: Path): StepEntry {
  return path.slice(1).reduce(
    (inner: unknown, part) => (inner as Record<string | number, unknown>)[part],
    steps,
  ) as StepEntry;
}
