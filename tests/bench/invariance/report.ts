/** The shares of an invariance run as tables, with the cases that break. @module */

/** What became of one case under one change. */
export interface Outcome {
  readonly kind: string;
  readonly change: string;
  readonly of: string;
  readonly kept: boolean;
  /** The answer before and after. */
  readonly said: string;
  readonly unproven: readonly string[];
}

interface Row {
  readonly change: string;
  readonly cases: number;
  readonly kept: number;
}

const rowOf = (change: string, outcomes: readonly Outcome[]): Row => ({
  change,
  cases: outcomes.length,
  kept: outcomes.filter(({ kept }) => kept).length,
});

/** Per kind a row for each change, the sum last. */
export function tableOf(outcomes: readonly Outcome[]): Record<string, Row[]> {
  const kinds = Map.groupBy(outcomes, ({ kind }) => kind);
  return Object.fromEntries([...kinds].map(([kind, of]) => {
    const rows = [...Map.groupBy(of, ({ change }) => change)].map(([change, some]) => rowOf(change, some));
    return [kind, [...rows, rowOf("all", of)]];
  }));
}

const KEPT: Record<string, string> = {
  transformations: "same verdict and first cause",
  cuts: "not led to another cause",
  ablations: "neither another cause nor healthy",
  oddities: "no crash",
};

/** Tables, then what breaks. */
export function report(outcomes: readonly Outcome[]): string {
  const lines = Object.entries(tableOf(outcomes)).flatMap(([kind, rows]) => [
    `${kind}: ${KEPT[kind] ?? ""}`,
    ...rows.map(({ change, cases, kept }) =>
      `  ${change.padEnd(22)} ${`${kept}/${cases}`.padStart(11)} ${(100 * kept / cases).toFixed(1).padStart(6)} %`
    ),
    "",
  ]);
  const broken = outcomes.filter(({ kept }) => !kept).map(({ change, of, said }) => `  ${change}: ${of}: ${said}`);
  const unproven = outcomes.flatMap(({ change, of, unproven }) =>
    unproven.map((cause) => `  ${change}: ${of}: ${cause}`)
  );
  return [
    ...lines,
    `findings without evidence that has a value: ${unproven.length}`,
    ...unproven,
    ...(broken.length === 0 ? [] : ["what breaks (answer before -> after):", ...broken]),
  ].join("\n");
}
