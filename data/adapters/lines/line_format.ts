/** What a kind of log line is: one file per format, all listed in mod.ts. @module */
import type { Intake } from "../intake/intake.ts";
import type { Line } from "../source/lines.ts";

/** Reads the lines of one source; keeps what spans lines. */
export interface LineReader {
  /** Takes the line, or returns false where it is not of this format. `isPlain`: it holds no word of a known message. */
  line(line: Line, isPlain: boolean): boolean;
  /** Something has begun that any line may go on with or end: lines without a word of the format are offered, too. */
  readonly isOpen?: boolean;
  /** The source ends, or another format's record begins. */
  end(): void;
}

export interface LineFormat {
  readonly about: string;
  /** A line of this format holds one of these, in any case. */
  readonly words: readonly string[];
  open(intake: Intake): LineReader;
}

/** Rank or process of a prefix such as `[rank3]:`, `[RANK 0]`, `(WorkerDict pid=12, rank=1)`; undefined where none is. */
export function rankOf(prefix: string): number | undefined {
  const found = /(?<![A-Za-z_])rank[ _:=]?\s?(\d{1,5})\b/i.exec(prefix.length > 200 ? prefix.slice(-200) : prefix);
  return found === null ? undefined : Number(found[1]);
}
