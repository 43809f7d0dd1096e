/**
 * Lists the steps of a document in the order they run, each with its id, its place and the blocks around it.
 * @module
 */
import type { Path } from "../language/problems.ts";
import { expressionTexts, lookUpsOf } from "../language/expressions.ts";
import { type Entry, isRepeat, type StepEntry } from "../language/schema.ts";

/** One step of the document. */
export interface StepSite {
  readonly entry: StepEntry;
  /** As written, or the step kind's name with a number if that is taken. */
  readonly id: string;
  readonly path: Path;
  /** Paths of the `repeat` blocks around it, outermost first. */
  readonly blocks: readonly string[];
  /** Its parameters look up `steps` or `run`, which are known only during the run. */
  readonly open: boolean;
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
    return [{ entry, path: here, blocks, open: isOpen(entry.with) }];
  });
}

function isOpen(params: unknown): boolean {
  return expressionTexts(params).some(({ text }) => {
    try {
      return lookUpsOf(text).some(({ root }) => root === "steps" || root === "run");
    } catch {
      return false; // references.ts reports what cannot be read
    }
  });
}

/** The step at a path that `stepSites` gave, in the same document or a substituted copy. */
export function siteAt(steps: readonly Entry[], path: Path): StepEntry {
  return path.slice(1).reduce(
    (inner: unknown, part) => (inner as Record<string | number, unknown>)[part],
    steps,
  ) as StepEntry;
}
