/** Chart of the mean reward per train step, with the spread of every reward function. @module */
import { moments } from "../../data/statistics/mod.ts";
import { type Chart, PHASE, type Row, type Source, type Spec, STEP_AXIS } from "./chart.ts";
import { brokenText } from "./broken.ts";
import { colorOf, hasFew, lineLayers, smoothed } from "./lines.ts";
import { seriesLook } from "./palette.ts";
import { byStep, hasLone, numbersOf } from "./step_rows.ts";

const TOTAL = "reward", FUNCTION = "reward.";
const Y = { type: "quantitative", title: "reward", scale: { zero: false } };

/** Of several functions each is drawn, which only completions tell apart; of one the metrics say all, and sooner. */
const COMPLETIONS: Source = {
  reads: "completions",
  needs: ["train_step", TOTAL],
  uses: [`${FUNCTION}*`],
  about: (rows) => brokenText(rows, ["value"]),
  rows: ofCompletions,
  spec: drawing,
};

export const reward: Chart = {
  title: "Reward",
  about:
    "Mean reward over the completions of a train step, before any normalisation, and of each reward function; the " +
    "band is one standard deviation to each side, its median over nine train steps. It should rise, then level off.",
  metrics: {
    reward: { title: "Reward", y: "reward" },
    reward_std: { title: "Reward: standard deviation", y: "reward" },
  },
  sources: [
    { ...COMPLETIONS, rows: (rows) => functionsOf(rows).length > 1 ? ofCompletions(rows) : [] },
    {
      reads: "metrics",
      needs: ["train_step"],
      uses: [TOTAL, "reward_std", `${FUNCTION}*`],
      about: (rows) => brokenText(rows, ["value"]),
      rows: ofMetrics,
      spec: drawing,
    },
    COMPLETIONS, // what is left where a log has nothing else
  ],
};

function ofCompletions(rows: readonly Row[]): Row[] {
  return seriesOf(rows).flatMap((name) => {
    const bounds = boundsOf(numbersOf(rows, name));
    return byStep(rows).flatMap(([train_step, members]) => {
      const values = numbersOf(members, name);
      const { mean, std } = moments(values);
      return values.length ? [point({ train_step }, name, mean, std, bounds)] : [];
    });
  });
}

function ofMetrics(rows: readonly Row[]): Row[] {
  return seriesOf(rows).flatMap((name) => {
    const spread = name === TOTAL ? "reward_std" : "", bounds = isRightOrWrong(rows) ? boundsOf([0, 1]) : ANYWHERE;
    return rows.filter((row) => (row[name] ?? null) !== null).map((row) =>
      point({ train_step: row["train_step"], [PHASE]: row[PHASE] }, name, Number(row[name]), row[spread], bounds)
    );
  });
}

interface Bounds {
  readonly least: number;
  readonly most: number;
}

const ANYWHERE: Bounds = { least: -Infinity, most: Infinity };

function boundsOf(values: readonly number[]): Bounds {
  return values.reduce(({ least, most }, x) => ({ least: Math.min(least, x), most: Math.max(most, x) }), {
    least: Infinity,
    most: -Infinity,
  });
}

/** Rewards of 0 and 1 have the deviation that their mean gives, divided by the completions n or by n - 1. */
function isRightOrWrong(rows: readonly Row[]): boolean {
  const known = rows.filter((row) => Number.isFinite(row[TOTAL]) && Number.isFinite(row["reward_std"]));
  return known.length > 0 && known.every((row) => {
    const mean = Number(row[TOTAL]), variance = mean * (1 - mean);
    const squared = Number(row["reward_std"]) ** 2, n = countOf(row, mean, squared / variance);
    const isNear = (wanted: number) => Math.abs(squared - wanted) <= ROUNDED * variance + 1e-9;
    return mean >= 0 && mean <= 1 && (isNear(variance) || (n > 1 && isNear(variance * n / (n - 1))));
  });
}

/** What the digits that a log prints leave of a variance. */
const ROUNDED = 0.01;

/** Completions of a train step; where nobody says, as many as `ratio` = n / (n - 1) means if `mean` is a share of them; else 0. */
function countOf(row: Row, mean: number, ratio: number): number {
  if (typeof row["completions"] === "number") return row["completions"];
  const n = Math.round(ratio / (ratio - 1)), right = mean * n;
  return n > 1 && Math.abs(right - Math.round(right)) < 0.05 ? n : 0;
}

/** A band does not leave the values there are; without a spread there is none. A value that is not finite leaves a gap. */
function point(row: Row, name: string, value: number, spread: unknown, { least, most }: Bounds): Row {
  const label = name === TOTAL ? TOTAL : name.slice(FUNCTION.length);
  const sides = Number.isFinite(spread)
    ? { low: Math.max(least, value - Number(spread)), high: Math.min(most, value + Number(spread)) }
    : {};
  return { ...row, label, value, ...sides };
}

function functionsOf(rows: readonly Row[]): string[] {
  return [...new Set(rows.flatMap((row) => Object.keys(row).filter((name) => name.startsWith(FUNCTION))))];
}

/** The whole reward and, of two functions or more, each: of one function the whole is the same. */
function seriesOf(rows: readonly Row[]): string[] {
  const functions = functionsOf(rows);
  const total = rows.some((row) => (row[TOTAL] ?? null) !== null) ? [TOTAL] : [];
  return functions.length === 1 && total.length ? total : [...total, ...functions];
}

function drawing(_: ReadonlySet<string>, rows: readonly Row[]): Spec {
  const labels = [...new Set(rows.map((row) => String(row["label"])))];
  const lines = labels.map((label, i) => ({ label, ...seriesLook(i) }));
  const color = colorOf(lines, lines.length > 1);
  return {
    layer: [
      ...rows.some((row) => row["low"] !== undefined)
        ? [{
          transform: [{ filter: "isValid(datum.low)" }, ...smoothed("low", "high")],
          mark: { type: "area", opacity: lines.length > 2 ? 0.1 : 0.16, clip: true },
          encoding: { x: STEP_AXIS, y: { field: "low_median", ...Y }, y2: { field: "high_median" }, color },
        }]
        : [],
      ...hasLone(rows.filter((row) => row["low"] !== undefined))
        ? [{
          mark: { type: "rule", strokeWidth: 6, opacity: 0.25 },
          encoding: { x: STEP_AXIS, y: { field: "low", ...Y }, y2: { field: "high" }, color },
        }]
        : [],
      ...lineLayers(lines, Y, {
        named: lines.length > 1,
        few: hasFew(rows),
        broken: brokenText(rows, ["value"]) !== "",
      }),
    ],
  };
}
