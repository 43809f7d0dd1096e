/** The table of a race: each goal with both medians, the ratio, its range over pairs of runs, and whether it holds. @module */
import { GOALS, LIMITS } from "./goals.ts";
import { median, type Row } from "./rows.ts";

type Column = "seconds" | "peak_rss_mb";

/** Values of one system by run, in the order in which the runs came. */
function byRun(rows: readonly Row[], system: string, bench: string, model: string, column: Column): number[][] {
  const kept = rows.filter((row) =>
    row["kind"] === "step" && row["system"] === system && row["bench"] === bench && row["model"] === model &&
    row["warmup"] !== true && typeof row[column] === "number"
  );
  return [...Map.groupBy(kept, (row) => row["run"]).values()].map((run) => run.map((row) => row[column] as number));
}

/** Ratios peer / ours: of the medians over all steps, and the least and greatest over pairs of runs. */
export function ratios(peer: readonly number[][], ours: readonly number[][]) {
  const pairs = peer.slice(0, ours.length).map((run, k) => median(run) / median(ours[k]!));
  return { ratio: median(peer.flat()) / median(ours.flat()), least: Math.min(...pairs), greatest: Math.max(...pairs) };
}

function quantity(value: number, column: Column): string {
  if (column === "peak_rss_mb") return `${value.toFixed(0)} MiB`;
  return value < 1 ? `${(value * 1000).toPrecision(3)} ms` : `${value.toPrecision(3)} s`;
}

/** Lines of the goals that the rows speak of; `fail` is printed, never thrown. */
export function table(rows: readonly Row[]): string {
  const header = ["what", "model", "peer", "theirs", "ours", "ratio", "min..max", "goal", ""];
  const lines: string[][] = [];
  for (const { what, bench, model, against, column = "seconds", least } of GOALS) {
    const ours = byRun(rows, "ours", bench, model, column);
    const candidates = against.map((system) => ({ system, runs: byRun(rows, system, bench, model, column) }))
      .filter(({ runs }) => runs.length > 0)
      .sort((a, b) => median(a.runs.flat()) - median(b.runs.flat()));
    const peer = candidates[0];
    if (!ours.length || !peer) continue;
    const { ratio, least: low, greatest } = ratios(peer.runs, ours);
    const [theirs, mine] = [peer.runs, ours].map((runs) => quantity(median(runs.flat()), column));
    const range = `${low.toFixed(2)}..${greatest.toFixed(2)}`, verdict = ratio >= least ? "pass" : "fail";
    lines.push([what, model, peer.system, theirs!, mine!, ratio.toFixed(2), range, `≥ ${least}`, verdict]);
  }
  for (const limit of LIMITS) {
    const values = rows.filter((row) =>
      row["kind"] !== "step" && row["system"] === "ours" && row["bench"] === limit.bench &&
      row["model"] === limit.model && typeof row[limit.column] === "number"
    ).map((row) => row[limit.column] as number);
    if (!values.length) continue;
    const value = median(values), holds = "most" in limit ? value <= limit.most : value >= limit.least;
    const goal = "most" in limit ? `≤ ${limit.most}` : `≥ ${limit.least}`;
    const range = `${Math.min(...values).toFixed(3)}..${Math.max(...values).toFixed(3)}`;
    lines.push([limit.what, limit.model, "", "", value.toFixed(3), "", range, goal, holds ? "pass" : "fail"]);
  }
  const widths = header.map((title, i) => Math.max(title.length, ...lines.map((line) => line[i]!.length)));
  const print = (cells: readonly string[]) => cells.map((cell, i) => cell.padEnd(widths[i]!)).join("  ").trimEnd();
  return [print(header), ...lines.map(print)].join("\n");
}
