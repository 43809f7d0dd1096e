/** A file that its writer replaces as a whole, such as trainer_state.json: read anew when it has changed and stands still. @module */
import { followedFile, type Following, pause, type Piece } from "./origin.ts";
import { stat } from "./tail_file.ts";

/** Larger than this, a document is no log of a run. */
const MAX_BYTES = 1 << 29;

/** Whether a file is written anew each time, and not appended to in lines; by its name, lower case. */
export function isRewritten(name: string): boolean {
  return /^trainer_state.*\.json$|tfevents|\.wandb$|\.parquet$/.test(name);
}

/** The pieces of such a file: all of it each time it has changed. It is nobody's lines: nothing of it is repeated. */
export async function* rereadFile(path: string, following: Following): AsyncGenerator<Piece> {
  const followed = followedFile(path, following);
  let read = "", before = "";
  yield {
    kind: "note",
    text: `${followed.path} is written as a whole: it is read again when it changes, not repeated`,
  };
  for (;;) {
    const stopped = following.stop.aborted, info = await stat(path);
    const state = info === null ? read : `${info.ino} ${info.size} ${info.mtime?.getTime()}`;
    if (state !== read && (state === before || stopped)) {
      if (info!.size > MAX_BYTES) {
        throw new RangeError(`Cannot follow "${followed.path}": it has ${info!.size} bytes, want at most ${MAX_BYTES}`);
      }
      yield { kind: "document", followed, bytes: await Deno.readFile(path) };
      read = state;
    }
    before = state;
    if (stopped || await following.leave?.()) return;
    await pause(following);
  }
}
