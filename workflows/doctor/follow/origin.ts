/** Where a followed log comes from, as pieces: standard input, a file that grows, a document that is rewritten, a folder. @module */
import { basename } from "node:path";

/** A file as readers and reports call it. */
interface Followed {
  /** How reports call it. */
  readonly path: string;
  /** Its file name, lower case: it tells some formats. */
  readonly name: string;
  /** Configurations that lie beside it. */
  readonly beside: readonly { readonly file: string; readonly path: string }[];
}

export type Piece =
  /** The next bytes; `repeated` says whether they are the person's lines, to be passed on. Valid until the next piece is asked for. */
  | { readonly kind: "bytes"; readonly bytes: Uint8Array; readonly repeated: boolean }
  /** Another file goes on in place of what was read. */
  | { readonly kind: "open"; readonly followed: Followed }
  /** The same, all of it at once: a file that its writer replaces as a whole. */
  | { readonly kind: "document"; readonly followed: Followed; readonly bytes: Uint8Array }
  /** What a person should know of the file. */
  | { readonly kind: "note"; readonly text: string };

/** How a file is followed. */
export interface Following {
  /** Ends the pieces, after what is there has been read. */
  readonly stop: AbortSignal;
  /** Asked when nothing new is there: whether to leave this file. */
  readonly leave?: () => Promise<boolean>;
  /** How a path is shown to the person. */
  readonly shown?: (path: string) => string;
}

/** Between two looks at a file, in ms. */
const LOOK_MS = 200;

/** How much is read at once. */
const CHUNK = 1 << 18;

/** The name of one file in reports; what lies beside it is known of a folder only. */
export function followedFile(path: string, { shown = (path) => path }: Pick<Following, "shown">): Followed {
  return { path: shown(path), name: basename(path).toLowerCase(), beside: [] };
}

/** Waits for the time of one look, or until it is stopped. */
export function pause({ stop }: Pick<Following, "stop">): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  if (stop.aborted) return Promise.resolve();
  const timer = setTimeout(resolve, LOOK_MS), end = () => resolve();
  stop.addEventListener("abort", end);
  return promise.finally(() => {
    clearTimeout(timer);
    stop.removeEventListener("abort", end);
  });
}

/** What a stream gives until its end. It is not stopped: what its writer still says would be lost, and the writer with it. */
export async function* streamPieces(
  stream: { read(buffer: Uint8Array): Promise<number | null> },
  followed: Followed,
): AsyncGenerator<Piece> {
  yield { kind: "open", followed };
  const buffer = new Uint8Array(CHUNK);
  for (let n = await stream.read(buffer); n !== null; n = await stream.read(buffer)) {
    yield { kind: "bytes", bytes: buffer.subarray(0, n), repeated: true };
  }
}
