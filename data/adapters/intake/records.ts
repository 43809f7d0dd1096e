/**
 * The records of one path, in segments: another file, or a log that goes back to its beginning, is another run.
 * @module
 */
import type { NameInfo } from "./name_info.ts";
import { Progress } from "./progress.ts";
import { RawTable } from "./raw_table.ts";
import { NONE, type Stage } from "./stage.ts";

const MAX_SEGMENTS = 32; // A file with more restarts than this is read on as one run.
const MAX_CLOSED_CELLS = 250_000;
const MAX_RANKS = 8; // Ranks whose records are kept beside those of the first.

/** Records of one run inside one source. */
export interface Segment {
  readonly source: number;
  /** The run that its source says it is of, null where it says none. */
  readonly run: string | null;
  readonly train: RawTable;
  readonly evals: RawTable;
  firstStep: number;
  lastStep: number;
  lastEpoch: number;
  lastLine: number;
  /** What stands between the records. */
  readonly progress: Progress;
  /** Why it was opened, e.g. "step went back to 1". */
  readonly opened: string;
  /** Made of loose lines (`reward: 1`, progress bars): counts only where no real record is. */
  readonly weak: boolean;
  /** How its records stand in the log where they are not in the order of their train steps; they are so here. */
  readonly written?: "newest first" | "out of order";
}

/** One staged record: step and epoch are NaN, rank is undefined where none is printed. */
interface StagedRecord {
  readonly step: number;
  readonly epoch: number;
  readonly line: number;
  readonly rank: number | undefined;
  readonly weak: boolean;
}

/** Where is told what becomes no row. */
interface Notes {
  skip(line: number, reason: string): void;
  message(kind: string, text: string, value: number, line: number): void;
}

export class Records {
  readonly segments: Segment[] = [];
  /** What other ranks of a source print beside the one that counts, by source and rank. */
  readonly otherRanks = new Map<string, Segment>();
  #source = -1;
  #run: string | null = null;
  #segment: Segment | null = null;
  #weak: Segment | null = null;
  /** What stands before the first record of a run is of it. */
  #progress = new Progress();

  constructor(private readonly stage: Stage, private readonly notes: Notes) {}

  /** The records that follow are the next source's. */
  nextSource(): void {
    this.#source++;
    this.nextRun(null);
  }

  /** The records that follow are of this run, which the source names. */
  nextRun(run: string | null): void {
    this.#run = run;
    this.#segment = this.#weak = null;
    this.#progress = new Progress();
  }

  /** What stands between the records of the run that is read. */
  get progress(): Progress {
    return this.#progress;
  }

  /** The train step of the source's last record, or null before the first. */
  get lastStep(): number | null {
    return this.#segment === null || this.#segment.lastLine < 0 ? null : this.#segment.lastStep;
  }

  /** Adds the names of the staged record that `take` wants, as a row or to the row of the same step. */
  add(table: "train" | "evals", record: StagedRecord, take: (info: NameInfo) => boolean): void {
    const { step, epoch, line, rank, weak } = record;
    const current = weak ? this.#weak : this.#segment;
    if (rank !== undefined && current !== null && current.train.rows > 0 && current.train.rank[0] !== -1) {
      if (current.train.rank[0] !== rank) return this.#otherRank(table, record, take);
    }
    const segment = this.#segmentFor(table, record), raw = segment[table];
    if (table !== "train" || !this.#goesOn(raw, step)) {
      raw.addRow(step, line, this.#source, rank ?? -1);
      if (table === "train") segment.progress.record();
    }
    this.#addValues(raw, line, take);
    if (table === "train") {
      segment.lastStep = Number.isNaN(step) ? raw.rows + raw.thinned : step;
      if (Number.isNaN(segment.firstStep)) segment.firstStep = segment.lastStep;
      if (!Number.isNaN(epoch)) segment.lastEpoch = epoch;
    }
    segment.lastLine = line;
  }

  #addValues(raw: RawTable, line: number, take: (info: NameInfo) => boolean): void {
    const { stage } = this;
    for (let i = 0; i < stage.count; i++) {
      const info = stage.infos[i]!;
      if (info.isStep || !take(info)) continue;
      if (!raw.addValue(info, stage.values[i]!, stage.decimals[i]!)) {
        this.notes.skip(line, "more names than a run can have");
      }
    }
  }

  /** One rank's records are enough; another rank's are kept apart, counted, and reported where they are not finite. */
  #otherRank(table: "train" | "evals", record: StagedRecord, take: (info: NameInfo) => boolean): void {
    const { step, line } = record, rank = record.rank!, { count, decimals, values, infos } = this.stage;
    this.notes.skip(line, `records of rank ${rank}, beside those of another rank`);
    const kept = this.#keepRank(rank);
    kept?.[table].addRow(step, line, this.#source, rank);
    if (kept !== null) this.#addValues(kept[table], line, take);
    kept?.[table].shrink(MAX_CLOSED_CELLS);
    for (let i = 0; i < count; i++) {
      if (decimals[i] === NONE || Number.isFinite(values[i]!)) continue;
      return this.notes.message("non_finite_on_other_rank", `rank ${rank}: ${infos[i]!.printed}`, rank, line);
    }
  }

  #keepRank(rank: number): Segment | null {
    const key = `${this.#source} ${rank}`, known = this.otherRanks.get(key);
    if (known !== undefined) return known;
    if (this.otherRanks.size >= MAX_RANKS) return null;
    const segment = this.#newSegment("another rank", `rank ${rank}`, new Progress(), false);
    this.otherRanks.set(key, segment);
    return segment;
  }

  /** Whether the staged record belongs to the last row: the same step of the same source, with other names. */
  #goesOn(raw: RawTable, step: number): boolean {
    const last = raw.rows - 1, { count, infos } = this.stage;
    if (last < 0 || raw.step[last] !== step || raw.source[last] !== this.#source) return false;
    for (let i = 0; i < count; i++) if (infos[i]!.isStrong && raw.hasInLastRow(infos[i]!)) return false;
    return true;
  }

  #segmentFor(table: "train" | "evals", { step, epoch, weak }: StagedRecord): Segment {
    const last = weak ? this.#weak : this.#segment;
    if (last === null) return this.#open(this.#run === null ? "first record" : `run ${this.#run}`, weak);
    if (table === "evals" || last.train.rows === 0 || this.segments.length >= MAX_SEGMENTS) return last;
    if (!Number.isNaN(step)) {
      const isBack = step < last.lastStep && step <= last.firstStep;
      return isBack ? this.#open(`train step went back to ${step}`, weak) : last;
    }
    const isBack = epoch < last.lastEpoch / 2 && last.train.rows > 1;
    return isBack ? this.#open(`epoch went back to ${epoch}`, weak) : last;
  }

  #open(opened: string, weak: boolean): Segment {
    // Runs that are over keep a share of the memory only: many restarts must not add up.
    for (const { train, evals } of this.segments) {
      train.shrink(MAX_CLOSED_CELLS);
      evals.shrink(MAX_CLOSED_CELLS);
    }
    if (!weak && this.#segment !== null) this.#progress = new Progress();
    const segment = this.#newSegment(opened, this.#run, weak ? new Progress() : this.#progress, weak);
    this.segments.push(segment);
    if (weak) this.#weak = segment;
    else this.#segment = segment;
    return segment;
  }

  #newSegment(opened: string, run: string | null, progress: Progress, weak: boolean): Segment {
    return {
      source: this.#source,
      run,
      train: new RawTable(),
      evals: new RawTable(),
      firstStep: NaN,
      lastStep: NaN,
      lastEpoch: NaN,
      lastLine: -1,
      progress,
      opened,
      weak,
    };
  }
}
