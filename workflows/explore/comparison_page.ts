/** Collects what the page of a comparison shows. @module */
import { TABLES } from "../../data/columns.ts";
import { EVALUATION_MODES } from "../../data/run_folder.ts";
import { askedText } from "../../notebooks/asked_text.ts";
import { comparedRows } from "../../notebooks/comparison.ts";
import { metricLook } from "../../notebooks/metric_look.ts";
import type { ComparisonData } from "../../notebooks/pages/compare.ts";
import { beforeAfter, type PicturePair } from "../../notebooks/pictures/before_after.ts";
import { pictureOf } from "../../notebooks/pictures/picture.ts";
import { columnArray } from "../../data/tables/mod.ts";
import { reportRows } from "../../steps/metrics/report_rows.ts";
import { VERDICT_WORDS } from "../doctor/examined.ts";
import { embeddedImages } from "../run/run_images.ts";
import type { Comparison } from "./compare.ts";
import type { Run } from "./run.ts";

/** What is looked at first; then whatever else some run measured. */
const FIRST = ["reward", "accuracy", "loss", "grad_norm", "entropy", "kl", "completion_length", "truncated_fraction"];
/** Metrics that are no curve to compare. */
const LEFT_OUT = new Set([
  "train_step",
  "phase",
  "step_id",
  "step_ms",
  "sample_ms",
  "score_ms",
  "update_ms",
  "learning_rate",
]);
const MOST_CHARTS = 16, MOST_PROMPTS = 12, MOST_TEXT = 300;

export function comparisonData(compared: Comparison): ComparisonData {
  const rows = compared.runs.map((run, i) => ({
    label: compared.labels[i]!,
    seed: run.seed,
    rows: reportRows(run.tables.metrics),
  }));
  const has = (column: string) => rows.some(({ rows }) => rows.some((row) => Number.isFinite(row[column])));
  const others = Object.keys(TABLES.metrics).filter((name) => !FIRST.includes(name) && !LEFT_OUT.has(name));
  const columns = [...FIRST, ...others].filter(has).slice(0, MOST_CHARTS);
  return {
    runs: compared.runs.map((run, i) => ({
      name: compared.names[i]!,
      label: compared.labels[i]!,
      workflow: run.name,
      status: run.status ?? null,
      facts: factsOf(run),
    })),
    differences: grouped(compared),
    metrics: columns.map((column) => ({
      column,
      ...titleOf(column),
      rows: comparedRows(column, rows.filter(({ rows }) => rows.some((row) => typeof row[column] === "number"))),
    })),
    completions: samePrompts(compared.runs),
    seen: seenPrompts(compared.runs),
    images: embeddedImages(compared.runs.filter(({ manifest }) => manifest !== null).map(({ path }) => path)),
  };
}

/** What the parts of a run's facts are called on the page; null for what its table of runs says. */
const PARTS = [
  "Data, model and rewards",
  "Machine",
  "Parameters",
  "Parameters",
  "Versions",
  "Settings",
  "Results",
  "Results",
  "Results",
  null,
];
/** The order in which they stand, which is that of what explains most. */
const GROUPS = ["Data, model and rewards", "Parameters", "Results", "Settings", "Machine", "Versions"];
/** What stands in the table of runs already. */
const TOLD = new Set(["seed", "status", "train_step"]);
const isShare = (name: string) => EVALUATION_MODES.some((mode) => name.endsWith(`.${mode}`));

function grouped({ runs, differences }: Comparison): ComparisonData["differences"] {
  const parts = new Map(
    runs.flatMap((run) =>
      run.facts().flatMap((facts, part) => facts.map(([name]) => [name, PARTS[part] ?? null] as const))
    ),
  );
  return differences.filter(({ name }) => !TOLD.has(name)).flatMap((difference) => {
    const group = parts.get(difference.name);
    return group ? [{ ...difference, group, ...isShare(difference.name) ? { share: true } : {} }] : [];
  }).sort((a, b) => GROUPS.indexOf(a.group) - GROUPS.indexOf(b.group));
}

/** What the metric is called, and what it is. */
function titleOf(column: string): { title: string; about: string } {
  const known: Readonly<Record<string, { readonly about: string }>> = TABLES.metrics;
  const { about } = known[column]!;
  return { title: metricLook(column).title, about: `${about[0]!.toUpperCase()}${about.slice(1)}.` };
}

function factsOf({ manifest, seed, system, tables, verdict, findings, lost }: Run): Record<string, string> {
  const steps = manifest?.train_step ?? Array.from(columnArray(tables.metrics, "train_step")).at(-1);
  return {
    system: system ?? "unknown",
    verdict: verdict ? VERDICT_WORDS[verdict] : "–",
    seed: seed === null ? "–" : String(seed),
    "train steps": String(steps ?? 0),
    findings: findings.map(({ cause }) => cause).join(", ") || "none",
    ...lost.length ? { lost: lost.join("; ") } : {},
  };
}

/** The last completion that each run gave to a prompt that several of them got. */
function samePrompts(runs: readonly Run[]): ComparisonData["completions"] {
  const last = runs.map((run) => {
    const rows = reportRows(run.tables.completions).filter((row) => typeof row["prompt"] === "string");
    return new Map(rows.map((row) => [String(row["prompt"]), row]));
  });
  const counts = new Map<string, number>();
  for (const of of last) for (const prompt of of.keys()) counts.set(prompt, (counts.get(prompt) ?? 0) + 1);
  const shared = [...counts].filter(([, count]) => count > 1).sort(([, a], [, b]) => b - a).slice(0, MOST_PROMPTS);
  return shared.map(([prompt]) => ({
    prompt: cut(askedText(prompt)),
    answers: last.map((of, run) => {
      const row = of.get(prompt);
      if (!row) return null;
      const picture = pictureOf(row, runs[run]!.boxUnit), text = cut(String(row["text"] ?? ""));
      return { ...row, text, picture };
    }),
  }));
}

/** What the runs answered to the prompts with images that all of them evaluated first and last: those on which they differ most. */
function seenPrompts(runs: readonly Run[]): ComparisonData["seen"] {
  const found = runs.map((run) => beforeAfter(reportRows(run.tables.evaluations), run.boxUnit));
  if (found.length === 0 || found.includes(null)) return null;
  const pairs = found.map((one) => new Map(one!.pairs.map((pair) => [`${pair.before.ids} ${pair.prompt}`, pair])));
  const shared = [...pairs[0]!.keys()].flatMap((key): PicturePair[][] => {
    const of = pairs.map((one) => one.get(key));
    return of.includes(undefined) ? [] : [of as PicturePair[]];
  });
  const spread = (of: readonly PicturePair[]) => {
    const gains = of.map(({ gain }) => gain);
    return Math.max(...gains) - Math.min(...gains);
  };
  const prompts = shared.toSorted((a, b) => spread(b) - spread(a)).slice(0, MOST_PROMPTS);
  return prompts.length === 0
    ? null
    : { runs: found as NonNullable<(typeof found)[number]>[], shared: shared.length, prompts };
}

const cut = (text: string) => text.length > MOST_TEXT ? `${text.slice(0, MOST_TEXT)}…` : text;
