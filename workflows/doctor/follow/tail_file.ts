/** A file that grows: read to its end, again and again; rotated or cut, it is read on from the beginning. @module */
import { concat } from "@deno/std/bytes/concat.js";
import { followedFile, type Following, pause, type Piece } from "./origin.ts";

const CHUNK = 1 << 18;
/** So many bytes, those read last, tell whether it is still the same text. */
const REMEMBERED = 256;
const NEWLINE = new Uint8Array([10]);

/** What became of the file since it was opened. */
type Fate = "same" | "gone" | "replaced" | "cut" | "rewritten";

/** One file, open, and how far it has been read. */
class OpenFile {
  #offset = 0;
  #size = 0;
  #remembered: Uint8Array = new Uint8Array();
  #mtime: number | null = null;
  readonly #buffer = new Uint8Array(CHUNK);

  private constructor(private readonly path: string, private readonly file: Deno.FsFile) {}

  static async open(path: string): Promise<OpenFile> {
    return new OpenFile(path, await Deno.open(path));
  }

  /** What is not read yet, up to `size`: what is written meanwhile is looked at first, it may be another text. */
  async *rest(size = this.#size): AsyncGenerator<Piece> {
    while (this.#offset < size) {
      const n = await this.file.read(this.#buffer);
      if (n === null) return;
      const bytes = this.#buffer.subarray(0, n);
      this.#offset += n;
      this.#remembered = concat([this.#remembered, bytes.subarray(-REMEMBERED)]).slice(-REMEMBERED);
      yield { kind: "bytes", bytes, repeated: true };
    }
  }

  async fate(): Promise<Fate> {
    const [now, own] = await Promise.all([stat(this.path), this.file.stat()]), before = this.#size;
    this.#size = own.size;
    if (now === null) return "gone";
    if (now.ino !== own.ino || now.dev !== own.dev) return "replaced";
    if (now.size < this.#offset) return "cut";
    // Two writes within a tick of the file system's clock have one time.
    const mtime = now.mtime?.getTime() ?? 0, isWritten = mtime !== this.#mtime || own.size !== before;
    this.#mtime = mtime;
    return isWritten && !await this.#isSameText() ? "rewritten" : "same";
  }

  /** A file that was cut and has grown past where it was read holds something else there. */
  async #isSameText(): Promise<boolean> {
    const there = new Uint8Array(this.#remembered.length);
    await this.file.seek(this.#offset - there.length, Deno.SeekMode.Start);
    for (let filled = 0; filled < there.length;) {
      const n = await this.file.read(there.subarray(filled));
      if (n === null) return false; // cut meanwhile
      filled += n;
    }
    return there.every((byte, i) => byte === this.#remembered[i]);
  }

  async again(): Promise<void> {
    await this.file.seek(0, Deno.SeekMode.Start);
    this.#offset = 0;
    this.#remembered = new Uint8Array();
  }

  /** A line that was cut off where the text ended is not to be joined with the next one. */
  *lineEnd(): Generator<Piece> {
    if (this.#offset > 0 && this.#remembered.at(-1) !== 10) yield { kind: "bytes", bytes: NEWLINE, repeated: false };
  }

  close(): void {
    this.file.close();
  }
}

/** The pieces of a file that is there; records go on over a rotation, and their lines are counted on. */
export async function* tailFile(path: string, following: Following): AsyncGenerator<Piece> {
  const followed = followedFile(path, following), name = followed.path;
  yield { kind: "open", followed };
  let file = await OpenFile.open(path), gone = false;
  try {
    for (;;) {
      const stopped = following.stop.aborted, fate = await file.fate();
      if (fate === "replaced") {
        const next = await OpenFile.open(path).catch(absent);
        yield* file.rest(Infinity);
        if (next === null) continue;
        yield* file.lineEnd();
        file.close();
        file = next;
        yield { kind: "note", text: `${name} was replaced: reads the new file from its beginning, lines counted on` };
        continue;
      } else if (fate === "cut" || fate === "rewritten") {
        yield* file.lineEnd();
        await file.again();
        yield { kind: "note", text: `${name} was ${fate}: reads it from its beginning, lines counted on` };
      } else if (fate === "gone" && !gone) yield { kind: "note", text: `${name} is gone; waits for it to come back` };
      gone = fate === "gone";
      yield* file.rest();
      if (stopped || await following.leave?.()) return;
      await pause(following);
    }
  } finally {
    file.close();
  }
}

/** What is there, or null. */
export async function stat(path: string): Promise<Deno.FileInfo | null> {
  return await Deno.stat(path).catch(absent);
}

function absent(error: unknown): null {
  if (error instanceof Deno.errors.NotFound) return null;
  throw error;
}
