/** The log of another system on a live page: read once and then as it grows, by the follower of `diagnose --follow`. @module */
import { basename } from "node:path";
import type { LiveRun } from "../../data/adapters/live_run.ts";
import type { ImportedRun } from "../../data/adapters/run/imported_run.ts";
import { messageOf } from "../../data/error_text.ts";
import { ifThere } from "../../data/file_system.ts";
import type { ReportData } from "../../notebooks/pages/report.ts";
import type { Finding } from "../../steps/diagnoses/diagnosis.ts";
import { faults } from "../doctor/told.ts";
import { reportRows } from "../../steps/metrics/report_rows.ts";
import { examineRun } from "../doctor/examine_run.ts";
import { earlierRun } from "../doctor/follow/earlier_run.ts";
import { pathPieces } from "../doctor/follow/path_pieces.ts";
import { Patience } from "../doctor/follow/patience.ts";
import { readPiece } from "../doctor/follow/read_piece.ts";
import { thinnedRun } from "../doctor/follow/thinned_run.ts";
import { shownPath } from "../terminal/paths.ts";
import type { Followed } from "./followed.ts";
import { logReport } from "./log_report.ts";

/** A log of which nothing has come for so long, in ms, is called quiet. */
export const QUIET_MS = 60_000;

/** The run as it stands: read when it was `taken` so far. */
interface Look {
  readonly taken: number;
  readonly isQuiet: boolean;
  readonly run: ImportedRun;
  /** Those that have held for long enough; of a log that is quiet all: nothing more may come. */
  readonly findings: readonly Finding[];
}

export class FollowedLog implements Followed {
  readonly folder = null;
  readonly #stop = new AbortController();
  readonly #patience = new Patience();
  readonly #told = new Set<string>();
  readonly #reading: Promise<void>;
  #run: LiveRun | null = null;
  #look: Look | null = null;
  #bytesAt: number | null = null;
  #note = "";
  /** Why reading has ended, or null. */
  #ended: { readonly status: "ended" | "failed"; readonly reason?: string } | null = null;

  constructor(private readonly path: string, private readonly now = () => Date.now()) {
    this.#reading = this.#read();
  }

  stamp(): string {
    return [this.#run?.taken ?? 0, this.#note, this.#ended?.status, this.#isQuiet()].join(" ");
  }

  slowStamp(): string {
    const look = this.#looked();
    if (look === null) return this.stamp();
    const { tables } = look.run.rows, causes = look.findings.map(({ cause, severity }) => `${cause} ${severity}`);
    return [
      ...causes,
      tables.metrics?.numCols(),
      Number(tables.completions?.numRows()),
      look.run.part.index,
      this.#note,
      this.#ended?.status,
      look.isQuiet,
    ].join();
  }

  news(): number | null {
    const info = ifThere(() => Deno.statSync(this.path), null);
    return info?.isFile && info.mtime !== null ? info.mtime.getTime() : this.#bytesAt;
  }

  isLive(): boolean {
    return this.#ended === null;
  }

  // deno-lint-ignore require-await
  async steps() {
    const metrics = this.#looked()?.run.rows.tables.metrics;
    return { status: this.#status(), metrics: metrics ? reportRows(metrics) : [] };
  }

  // deno-lint-ignore require-await
  async report(): Promise<ReportData> {
    const look = this.#looked(), reason = this.#ended?.reason ?? this.#run?.unread ?? undefined;
    return logReport({
      path: this.path,
      name: basename(this.path),
      status: this.#status(),
      note: this.#note,
      ...reason === undefined ? {} : { reason },
      run: look?.run ?? null,
      findings: look?.findings ?? [],
    });
  }

  async close(): Promise<void> {
    this.#stop.abort();
    await this.#reading;
  }

  async #read(): Promise<void> {
    const { signal } = this.#stop;
    try {
      for await (const piece of pathPieces(this.path, { stop: signal, shown: shownPath })) {
        if (piece.kind === "note") this.#note = piece.text;
        else {
          this.#run = await readPiece(this.#run, piece);
          this.#bytesAt = this.now();
        }
        if (signal.aborted) return; // what is left to read is for nobody
      }
      await this.#run?.end();
      this.#ended = { status: "ended" };
    } catch (error) {
      this.#ended = { status: "failed", reason: messageOf(error) };
    }
  }

  #status(): string {
    return this.#ended?.status ?? "running";
  }

  #isQuiet(): boolean {
    return this.#ended !== null || this.now() - (this.news() ?? this.now()) > QUIET_MS;
  }

  /** The run as it stands, looked at anew where something has come since. */
  #looked(): Look | null {
    const taken = this.#run?.taken ?? 0, isQuiet = this.#isQuiet();
    if (this.#run === null || taken === 0) return null;
    if (this.#look?.taken === taken && this.#look.isQuiet === isQuiet) return this.#look;
    const run = thinnedRun(this.#run.runs().at(-1)!), { diagnosis, records } = examineRun(run);
    const said = faults(diagnosis);
    const due = this.#patience.tell({
      findings: said,
      records: records + run.thinned,
      part: run.part.index,
      before: (less) => examineRun(earlierRun(run, less)).diagnosis.findings,
    });
    for (const { cause } of due) this.#told.add(cause);
    const findings = isQuiet ? said : said.filter(({ cause }) => this.#told.has(cause));
    return this.#look = { taken, isQuiet, run, findings };
  }
}
