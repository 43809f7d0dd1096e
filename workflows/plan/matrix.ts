/** Expands `strategy.matrix` into one combination of values per run, with the meaning of GitHub Actions. @module */
import type { Problem } from "../language/problems.ts";
import type { Scalar } from "../language/schema.ts";
import { didYouMean } from "../../data/did_you_mean.ts";

/** One value per axis. */
export type Combination = Readonly<Record<string, Scalar>>;

/** The matrix as written: axes, and the two lists that add and remove. */
type Matrix = {
  readonly include?: readonly Combination[];
  readonly exclude?: readonly Combination[];
} & Readonly<Record<string, readonly Scalar[] | readonly Combination[] | undefined>>;

const MAX_COMBINATIONS = 256; // More runs than this in one workflow are a mistake.

/**
 * Every run of a matrix; a single empty combination without one.
 *
 * `exclude` drops combinations that agree with all of its values. `include` adds its values to every combination whose
 * axes it does not contradict, and becomes a combination of its own when there is none.
 */
export function expandMatrix(
  matrix: Matrix | undefined,
): { readonly combinations: readonly Combination[]; readonly problems: readonly Problem[] } {
  if (matrix === undefined) return { combinations: [{}], problems: [] };
  const { include = [], exclude = [], ...axes } = matrix;
  const names = Object.keys(axes);
  const path = ["strategy", "matrix"];
  const problems = exclude.flatMap((out, index) =>
    Object.keys(out).filter((name) => !names.includes(name)).map((name): Problem => ({
      path: [...path, "exclude", index, name],
      key: true,
      message: `unknown matrix axis "${name}"${didYouMean(name, names)}`,
    }))
  );
  const count = names.reduce((product, name) => product * axes[name]!.length, 1) + include.length;
  if (count > MAX_COMBINATIONS) {
    return {
      combinations: [],
      problems: [{ path, message: `the matrix has ${count} combinations, want at most ${MAX_COMBINATIONS}` }],
    };
  }
  let base: Combination[] = names.length === 0 ? [] : [{}];
  for (const name of names) {
    base = base.flatMap((row) => (axes[name] as readonly Scalar[]).map((value) => ({ ...row, [name]: value })));
  }
  base = base.filter((row) =>
    !exclude.some((out) => Object.entries(out).every(([name, value]) => row[name] === value))
  );
  const extended = base.map((row) => ({ ...row }) as Record<string, Scalar>);
  const added: Combination[] = [];
  for (const extra of include) {
    const fits = extended.filter((_, index) =>
      Object.entries(extra).every(([name, value]) => !names.includes(name) || base[index]![name] === value)
    );
    if (fits.length === 0) added.push(extra);
    for (const row of fits) Object.assign(row, extra);
  }
  const combinations = [...extended, ...added];
  if (combinations.length === 0) {
    problems.push({ path, message: "the matrix has no combination left: nothing would run" });
  }
  return { combinations, problems };
}

/** Axes that nothing in the workflow looks up: runs that differ by them alone are the same. */
export function unreadAxes([plan]: readonly { readonly unread: readonly Problem[] }[]): string[] {
  return plan!.unread.flatMap(({ path }) => path[0] === "strategy" ? [String(path.at(-1))] : []);
}

/** The run's cell of a matrix: `learning_rate=0.001 seed=2`; empty for a run of its own. */
export function cellName(matrix: Readonly<Record<string, unknown>>): string {
  return Object.entries(matrix).map(([key, value]) => `${key}=${value}`).join(" ");
}
