/** Follows a run that goes on: what was read, and what the rules say of it, as soon as they do. @module */
import type { LiveRun } from "../../../data/adapters/live_run.ts";
import type { ImportedRun } from "../../../data/adapters/run/imported_run.ts";
import type { Finding } from "../../../steps/diagnoses/diagnosis.ts";
import { faults } from "../told.ts";
import { examineRun } from "../examine_run.ts";
import type { Examined } from "../examined.ts";
import { earlier } from "./earlier.ts";
import { earlierRun } from "./earlier_run.ts";
import type { Piece } from "./origin.ts";
import { Patience } from "./patience.ts";
import { readPiece } from "./read_piece.ts";
import { thinnedRun } from "./thinned_run.ts";

/** From one diagnosis to the next, in ms; longer where one takes long, so that reading keeps up. */
const DEBOUNCE_MS = 500;

/** What is new. The bytes are valid until the next update is asked for. */
export interface FollowUpdate {
  /** What was read, byte for byte: to be repeated. */
  readonly bytes: Uint8Array;
  /** What holds now and was not told before, or not as severe. */
  readonly findings: readonly Finding[];
  /** The run as it stands, where it was looked at; of a log that restarts its last run. */
  readonly examined: Examined | null;
  /** Records read so far, those not kept included. */
  readonly records: number;
  /** The train step of the last record, or null. */
  readonly trainStep: number | null;
  /** What a person should know of the file. */
  readonly notes: readonly string[];
  /** What was thrown while it was read or judged: a bug of ours. The lines go on. */
  readonly failure: unknown;
  /** At the end: every run that was read. */
  readonly verdict: readonly Examined[] | null;
  /** At the end: causes that were told and no longer hold. */
  readonly over: readonly string[];
}

export interface FollowOptions {
  /** Ends it without waiting for the next piece; the verdict follows. */
  readonly end: AbortSignal;
  /** From one diagnosis to the next, in ms. */
  readonly debounce?: number;
  /** What judges a run. */
  readonly examine?: (run: ImportedRun) => Examined;
}

const NOTHING: FollowUpdate = {
  bytes: new Uint8Array(),
  findings: [],
  examined: null,
  records: 0,
  trainStep: null,
  notes: [],
  failure: null,
  verdict: null,
  over: [],
};

/**
 * Updates as pieces come: bytes before they are read, findings after. Ends with the pieces, or with `end`; the last update
 * has the verdict. What goes wrong in a reader or a rule stands in an update and stops no line.
 */
export async function* follow(pieces: AsyncIterable<Piece>, options: FollowOptions): AsyncGenerator<FollowUpdate> {
  const { end, debounce = DEBOUNCE_MS } = options, run = new Followed(options.examine ?? examineRun);
  const iterator = pieces[Symbol.asyncIterator]();
  let next = iterator.next(), due = -Infinity;
  for (;;) {
    const wait = run.hasNews ? Math.max(0, due - performance.now()) : null;
    const piece = await earlier(next, wait, end);
    if (piece?.done || piece === null && end.aborted) break;
    if (piece) {
      const { value } = piece;
      if (value.kind === "note") yield { ...NOTHING, ...run.counts, notes: [value.text] };
      if (value.kind === "bytes" && value.repeated) yield { ...NOTHING, ...run.counts, bytes: value.bytes };
      if (value.kind !== "note") await run.read(value);
      next = iterator.next();
    }
    const { failure, notes } = run.troubles();
    if (failure !== null || notes.length) yield { ...NOTHING, ...run.counts, failure, notes };
    const from = performance.now();
    if (!run.hasNews || from < due) continue;
    const update = run.look(), to = performance.now();
    if (debounce > 0) due = Math.max(from + debounce, to + (to - from));
    yield update;
  }
  yield await run.verdict();
}

/** What is read of a run so far, and what was told of it. */
class Followed {
  #run: LiveRun | null = null;
  #looked = 0;
  #failed: unknown = null;
  #unread: string | null = null;
  /** After a failure in a reader nothing more is read; after one in a rule it is not said again. */
  #reads = true;
  #judges = true;
  readonly #patience = new Patience();
  #counts: Pick<FollowUpdate, "records" | "trainStep"> = { records: 0, trainStep: null };

  constructor(private readonly examine: (run: ImportedRun) => Examined) {}

  get counts(): Pick<FollowUpdate, "records" | "trainStep"> {
    return this.#counts;
  }

  get hasNews(): boolean {
    return this.#judges && (this.#run?.taken ?? 0) !== this.#looked;
  }

  /** What has gone wrong in reading since it was asked last. */
  troubles(): Pick<FollowUpdate, "failure" | "notes"> {
    const failure = this.#failed,
      unread = this.#run?.unread ?? null,
      isNew = unread !== null && unread !== this.#unread;
    this.#failed = null;
    this.#unread = unread;
    return { failure, notes: isNew ? [`what comes is not read: ${unread}`] : [] };
  }

  async read(piece: Exclude<Piece, { kind: "note" }>): Promise<void> {
    if (!this.#reads) return;
    try {
      const run = await readPiece(this.#run, piece);
      if (run !== this.#run) this.#looked = 0;
      this.#run = run;
    } catch (error) {
      this.#reads = false;
      this.#failed = error;
    }
  }

  /** The run as it stands, and what is to be told of it now. */
  look(): FollowUpdate {
    this.#looked = this.#run!.taken;
    try {
      const run = thinnedRun(this.#run!.runs().at(-1)!), examined = this.examine(run);
      const records = examined.records + run.thinned;
      this.#counts = { records, trainStep: lastStep(run) };
      const before = (less: number) => this.examine(earlierRun(run, less)).diagnosis.findings;
      const findings = this.#patience.tell({
        findings: faults(examined.diagnosis),
        records,
        part: run.part.index,
        before,
      });
      return { ...NOTHING, ...this.#counts, examined, findings };
    } catch (failure) {
      this.#judges = false;
      return { ...NOTHING, ...this.#counts, failure };
    }
  }

  async verdict(): Promise<FollowUpdate> {
    try {
      await this.#run?.end();
      const verdict = this.#run?.runs().map(this.examine) ?? [];
      const last = verdict.at(-1)?.diagnosis, over = this.#patience.over(last?.findings ?? []);
      const findings = last === undefined ? [] : this.#patience.untold(faults(last));
      return { ...NOTHING, ...this.#counts, verdict, findings, over, examined: verdict.at(-1) ?? null };
    } catch (failure) {
      return { ...NOTHING, ...this.#counts, failure: this.#reads && this.#judges ? failure : null };
    }
  }
}

function lastStep({ rows }: ImportedRun): number | null {
  const { metrics } = rows.tables;
  if (!metrics?.numRows() || !metrics.column("train_step")) return null;
  return metrics.get("train_step", metrics.numRows() - 1) as number;
}
