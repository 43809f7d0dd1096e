/** Rows of a benchmark: one JSON object per line, the format of the peers, and a summary at the end. @module */
import process from "node:process";
import { benchArguments, typed } from "./arguments.ts";

/** One id per process: the k-th run of one side is paired with the k-th of the other. */
const RUN = `${Date.now()}-${Deno.pid}`;

/** Steps that no median counts. */
export const WARMUP = 3;

export type Row = Readonly<Record<string, unknown>>;

/** Prints one row; numbers with seven digits. */
export function emit(row: Row): void {
  const short = Object.entries({ run: RUN, system: "ours", ...row }).map(([key, value]) => [
    key,
    typeof value === "number" ? Number((value as number).toPrecision(7)) : value,
  ]);
  console.log(JSON.stringify(Object.fromEntries(short)));
}

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b), half = sorted.length / 2;
  return sorted.length % 2 ? sorted[Math.floor(half)]! : (sorted[half - 1]! + sorted[half]!) / 2;
}

/** Prints the steps of one benchmark and their medians; each has seconds and peak_rss_mb, and `tokens` are those of one step. */
export function report(head: Row, steps: readonly Row[], tokens?: number, warmup = WARMUP): void {
  steps.forEach((row, step) => emit({ kind: "step", ...head, step, warmup: step < warmup, ...row }));
  const kept = steps.length > warmup ? steps.slice(warmup) : steps;
  const column = (name: string) => kept.map((row) => row[name] as number);
  const names = Object.keys(kept[0]!).filter((name) => name.endsWith("seconds"));
  const seconds = column("seconds");
  emit({
    kind: "summary",
    ...head,
    n: kept.length,
    ...Object.fromEntries(names.map((name) => [name, median(column(name))])),
    seconds_min: Math.min(...seconds),
    seconds_max: Math.max(...seconds),
    ...(tokens ? { tokens_per_second: tokens / median(seconds) } : {}),
    peak_rss_mb: Math.max(...column("peak_rss_mb")),
  });
}

/** High-water mark of this process, MiB. */
export function peakRssMb(): number {
  return Math.round(process.resourceUsage().maxRSS / 102.4) / 10;
}

/** Runs `step` count times and times each. */
export async function timed(count: number, step: (index: number) => void | Promise<void>): Promise<Row[]> {
  const rows: Row[] = [];
  for (let index = 0; index < count; index++) {
    const started = performance.now();
    await step(index);
    rows.push({ seconds: (performance.now() - started) / 1000, peak_rss_mb: peakRssMb() });
  }
  return rows;
}

/** Options of a benchmark over models as text, each with its default; `--model` may be given several times. */
export function options<Names extends string>(
  args: readonly string[],
  defaults: Readonly<Record<Names, string>>,
): Readonly<Record<Names, string>> & { readonly model: readonly string[] } {
  const { words: _, ...given } = typed(() => benchArguments(args, { model: [], ...defaults }));
  return given as unknown as ReturnType<typeof options<Names>>;
}
