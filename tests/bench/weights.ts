/**
 * Fits the weights of the differential to labelled runs, and says how well stated probabilities hold on unseen ones.
 *
 *     deno task bench weights DIR... [--folds 5] [--without KIND,...] [--json]
 *
 * Each DIR holds cases with a label.json as in tests/cases, and counts as one source. Unseen are the cases of a fold (by
 * lot, seeded) and, separately, all of a source. Cases in which no cause is possible tell nothing of weights and are left
 * out. --without fits without kinds of evidence: one that earns its place loses log-loss there.
 * @module
 */
import { among, benchArguments, numbers, typed } from "./arguments.ts";
import { type Case, readCases } from "./weights/cases.ts";
import { fit, type FitOptions, PRIOR } from "./weights/fit.ts";
import { type Scored, scoreLines, type Scores, scoresOf } from "./weights/scores.ts";
import { WEIGHTS, type Weights } from "../../steps/diagnoses/differential/weights.ts";
import { UsageError } from "../../workflows/terminal/usage_error.ts";

/** Judges each part by weights that were fitted to the others. */
export function unseen(parts: readonly (readonly Case[])[], options: FitOptions): Scored[] {
  return parts.flatMap((part) => {
    const others = parts.filter((other) => other !== part).flat();
    const weights = fit(others, options);
    return part.map((row) => ({ row, weights }));
  });
}

/** Cases dealt into folds by a seeded lot. */
export function folded(cases: readonly Case[], folds: number): Case[][] {
  let state = 1;
  const draw = () => (state = state * 48271 % 2147483647) / 2147483647; // Lehmer's generator.
  const shuffled = cases.map((row) => ({ row, at: draw() })).toSorted((a, b) => a.at - b.at);
  return Array.from({ length: folds }, (_, fold) => shuffled.filter((_, i) => i % folds === fold).map(({ row }) => row))
    .filter((part) => part.length > 0);
}

/** Everything that is printed. */
export function fitted(cases: readonly Case[], folds: number, options: FitOptions = {}) {
  const told = cases.filter(({ evidence }) => evidence.length > 0);
  const bySource = [...Map.groupBy(told, ({ source }) => source).values()];
  const judged = (weights: Weights) => scoresOf(told.map((row) => ({ row, weights })));
  const weights = fit(told, options), left = unseen(bySource, options);
  return {
    weights,
    prior: judged(PRIOR),
    before: judged(WEIGHTS),
    after: judged(weights),
    folds: scoresOf(unseen(folded(told, folds), options)),
    ...(bySource.length < 2 ? {} : { leftOut: scoresOf(left) }),
    sources: bySource.length < 2 ? [] : bySource.map(([first]): [string, Scores] => [
      first!.source,
      scoresOf(left.filter(({ row }) => row.source === first!.source)),
    ]),
  };
}

/** The report as text. */
export function report({ weights, prior, before, after, folds, leftOut, sources }: ReturnType<typeof fitted>): string {
  const names = Object.keys(WEIGHTS) as (keyof Weights)[];
  return [
    "weight        now   fitted",
    ...names.map((name) =>
      `${name.padEnd(9)} ${WEIGHTS[name].toFixed(1).padStart(7)} ${weights[name].toFixed(2).padStart(8)}`
    ),
    "",
    ...scoreLines("by hand, before any fit", prior),
    ...scoreLines("weights as they are", before),
    ...scoreLines("fitted, on what they were fitted to", after),
    ...scoreLines("fitted, on the fold left out", folds),
    ...(leftOut === undefined ? [] : scoreLines("fitted, on the source left out", leftOut)),
    ...sources.flatMap(([source, scores]) => scoreLines(`  left out ${source}`, scores)),
  ].join("\n");
}

if (import.meta.main) {
  const { json, words, folds, without } = typed(() => {
    const given = benchArguments(Deno.args, { json: false, folds: "5", without: "" }, [1, 20]);
    const [folds = NaN] = numbers("--folds", given.folds);
    if (!Number.isInteger(folds) || folds < 2) {
      throw new UsageError(`Cannot read --folds: it is "${given.folds}", want a whole number from 2`);
    }
    return { ...given, folds, without: among("--without", given.without, Object.keys(WEIGHTS)) };
  });
  const cases = [];
  for (const folder of words) cases.push(...await readCases(folder));
  const result = fitted(cases, folds, { without });
  console.log(json ? JSON.stringify(result) : report(result));
}
