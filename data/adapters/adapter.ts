/** What a file format is: a sentence, a sniff and a reader. One file per format, all listed in mod.ts. @module */
import type { Intake } from "./intake/intake.ts";

/** One file (or stdin) to read. */
export interface Source {
  /** As the user named it, or the path below the folder the user named. */
  readonly path: string;
  /** File name alone, lower case; of a .gz that of what is in it. */
  readonly name: string;
  /** Bytes; NaN for stdin and for what is packed. */
  readonly size: number;
  /** The first bytes, at most 64 KiB. */
  readonly head: Uint8Array;
  /** The folder it lies in, as a path that can be opened; null for stdin and for what is packed. */
  readonly folder: string | null;
  /** The file itself, as a path that can be opened; null for stdin and for what is packed. */
  readonly file: string | null;
  chunks(): AsyncIterable<Uint8Array>;
  /** The whole file; throws RangeError above `limit` bytes. */
  bytes(limit: number): Promise<Uint8Array>;
}

export interface Adapter {
  readonly about: string;
  /** How sure the format is, 0 to 1; the surest reads the file. `text` is the decoded head, null where it is binary. */
  sniff(source: Source, text: string | null): number;
  /** Reads the file into the intake. Throws SyntaxError where nothing in it can be read. */
  read(source: Source, intake: Intake): Promise<void>;
}
