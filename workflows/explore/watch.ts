/** Charts in a notebook cell that follow a run while it goes on. @module */
import { setTimeout as sleep } from "node:timers/promises";
import type { ChartName } from "../../notebooks/charts/mod.ts";
import { type Bundle, show } from "../../notebooks/display.ts";
import { openOne } from "./open.ts";
import { onInterrupt } from "./interrupt.ts";
import type { Run } from "./run.ts";

/** What one looks at first. */
const USUAL: readonly ChartName[] = ["reward", "entropy", "grad_norm", "completion_length"];

export interface WatchOptions {
  /** Names of charts; those of the usual ones that the run has where absent. */
  readonly charts?: readonly ChartName[];
  /** Seconds between two looks at the run. */
  readonly every?: number;
  readonly signal?: AbortSignal;
  /** Folder of all runs, where an id and `last` are looked for; this project's where absent. */
  readonly runs?: string;
  /** Where charts go; this cell where absent. */
  readonly display?: (bundle: Bundle, at: { readonly id: string; readonly update: boolean }) => Promise<void>;
}

let shown = 0; // Display ids differ from cell to cell.

/**
 * Draws charts of a run, which may be named by what `openRun` takes, and draws them anew in place after its train steps,
 * until it ends or is killed, `signal` is aborted or the cell is interrupted. Returns the run as it is then.
 */
export async function watch(run: string | Run, options: WatchOptions = {}): Promise<Run> {
  const { charts = USUAL, every = 1, display = show } = options;
  const path = typeof run === "string" ? (await openOne(run, options.runs)).path : run.path;
  const stop = new AbortController(), release = onInterrupt(() => stop.abort(), options.signal);
  const prefix = `nonzero-${++shown}-`, drawn = new Set<ChartName>();
  let now = await opened(path), last = "";
  try {
    for (;;) {
      const isOver = now.status !== "running" || stop.signal.aborted;
      const state = `${lastStep(now)} ${isOver}`;
      if (state !== last) {
        await draw(
          now,
          charts,
          drawn,
          isOver,
          (bundle, name) => display(bundle, { id: prefix + name, update: drawn.has(name) }),
        );
      }
      if (isOver) return now;
      last = state;
      await sleep(every * 1000, undefined, { signal: stop.signal }).catch(() => {});
      now = await opened(path);
    }
  } finally {
    release();
  }
}

/** A run ends between a look at its manifest and one at its lock: one that seems killed is looked at once more. */
async function opened(path: string): Promise<Run> {
  const run = await openOne(path);
  return run.status === "killed" ? await openOne(path) : run;
}

/** While the run goes on only the live chart is sent: a picture costs the machine that trains ten times as much. */
async function draw(
  run: Run,
  charts: readonly ChartName[],
  drawn: Set<ChartName>,
  isOver: boolean,
  display: (bundle: Bundle, name: ChartName) => Promise<void>,
): Promise<void> {
  const there = new Set(run.charts);
  for (const name of charts) {
    if (!there.has(name)) continue;
    await display(await run.chart(name).bundle({ png: isOver }), name);
    drawn.add(name);
  }
}

function lastStep(run: Run): number {
  const metrics = run.tables.metrics, rows = metrics.numRows();
  return rows ? Number(metrics.get("train_step", rows - 1)) : 0;
}
