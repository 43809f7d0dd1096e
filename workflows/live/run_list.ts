/** The runs of a folder as the live page lists them. @module */
import { join } from "node:path";
import { orElse } from "../../data/file_system.ts";
import { openRunFolder, type RunFolder } from "../../data/open_run_folder.ts";
import { RUN_FILES } from "../../data/run_folder.ts";
import type { ListedRuns, RunRow } from "../../notebooks/pages/runs.ts";
import { reportRows } from "../../steps/metrics/report_rows.ts";
import { isLive, runIds, shownStatus } from "../explore/find_run.ts";
import { withEvents } from "../explore/live_metrics.ts";
import { lockHolder } from "../store/lock.ts";
import { reasonOf } from "../store/write_file.ts";

const MOST = 60; // Runs of the list: the newest.

/** Looks at a folder of runs again and again; what has not changed is not read again. */
export class RunList {
  #known = new Map<string, { readonly stamp: string; readonly row: RunRow | null }>();

  constructor(private readonly runs: string) {}

  /** Changes with any of the runs that are listed, and with how many there are. */
  stamp(): string {
    const { ids, total } = this.#newest();
    return [total, ...ids.map((id) => `${id} ${this.#stampOf(id)}`)].join("\n");
  }

  /** The newest runs, the last one first. What cannot be opened is left out: it is written, or was removed, at this moment. */
  listed(): ListedRuns {
    const { ids, total } = this.#newest();
    const known = new Map(
      ids.map((id) => {
        const stamp = this.#stampOf(id), before = this.#known.get(id);
        return [id, before?.stamp === stamp ? before : { stamp, row: this.#row(id) }] as const;
      }),
    );
    this.#known = known;
    const rows = [...known.values()].flatMap(({ row }) => row ?? []), unread = ids.length - rows.length;
    return { rows, total: total - unread };
  }

  #newest(): { readonly ids: readonly string[]; readonly total: number } {
    const ids = runIds(this.runs);
    return { ids: ids.slice(-MOST).reverse(), total: ids.length };
  }

  /** What is written of it, and whether its process lives: one that was killed writes nothing. */
  #stampOf(id: string): string {
    const folder = join(this.runs, id);
    const files = [RUN_FILES.manifest, RUN_FILES.events].map((name) => {
      const info = orElse(() => Deno.statSync(join(folder, name)), null);
      return `${info?.size}@${info?.mtime?.getTime()}`;
    });
    return [...files, orElse(() => lockHolder(folder) !== null && isLive(folder), null)].join(" ");
  }

  #row(id: string): RunRow | null {
    try {
      return rowOf(openRunFolder(join(this.runs, id), () => {}));
    } catch (error) {
      const kinds = [RangeError, SyntaxError, Deno.errors.NotFound];
      // What the system does not let us read is no reason to hide the others.
      return kinds.some((kind) => error instanceof kind) ? null : unreadable(id, error);
    }
  }
}

/** The row of a run that the system does not let us read: of another user, or on a disk that fails. */
function unreadable(id: string, error: unknown): RunRow {
  const finding = reasonOf(error);
  return { id, name: id, status: "unreadable", trainStep: 0, started: "–", metric: null, finding, values: [] };
}

function rowOf(run: RunFolder): RunRow {
  const { manifest } = run, rows = reportRows(withEvents(run));
  const column = ["reward", "preference_accuracy", "loss"].find((name) =>
    rows.some((row) => Number.isFinite(row[name]))
  );
  const values = column ? rows.map((row) => (row[column] ?? null) as number | null).filter((v) => v !== null) : [];
  const found = manifest.findings.find(({ severity }) => severity !== "info");
  return {
    id: manifest.id,
    name: manifest.name,
    status: shownStatus(run),
    trainStep: Math.max(manifest.train_step, Number(rows.at(-1)?.["train_step"] ?? 0)),
    started: `${manifest.created.slice(0, 16).replace("T", " ")} UTC`,
    metric: column ?? null,
    finding: found ? String(found["cause"]) : "",
    values,
  };
}
