/** Follows a path that may not be there yet: a file, a pipe, or the newest log of a trainer's folder. @module */
import { walkFolder } from "../../../data/adapters/source/walk.ts";
import { RUN_FILES } from "../../../data/run_folder.ts";
import { followedFile, type Following, pause, type Piece, streamPieces } from "./origin.ts";
import { isRewritten, rereadFile } from "./reread_file.ts";
import { stat, tailFile } from "./tail_file.ts";

/** Between two looks for a newer file, in ms. */
const NEWER_LOOK_MS = 2000;
/** A file that is written to is left only where another one has been newer by this many ms. */
const QUIET_MS = 60_000;
const LOG = /\.(log|txt|out|err|jsonl)$/;
const TEXTS = /^(completions?|samples?|generations?|rollouts?)\b|^\d+\.jsonl$/;
const CONFIGURATION = /\.ya?ml$|(config|args)\.json$/;
const MAX_BESIDE = 20;
const MAX_BESIDE_BYTES = 1 << 20;

/** What comes of a path, once it is there. */
export async function* pathPieces(path: string, following: Following): AsyncGenerator<Piece> {
  const { path: shown } = followedFile(path, following);
  let info = await stat(path);
  if (info === null) yield { kind: "note", text: `waits for ${shown}, which is not there yet` };
  for (; info === null; info = await stat(path)) {
    if (following.stop.aborted) return;
    await pause(following);
  }
  if (info.isDirectory) yield* folderPieces(path, following);
  else if (info.isFile) yield* filePieces(path, following);
  else {
    using pipe = await Deno.open(path);
    yield* streamPieces(pipe, followedFile(path, following));
  }
}

function filePieces(path: string, following: Following): AsyncGenerator<Piece> {
  return isRewritten(path.split(/[\\/]/).at(-1)!.toLowerCase())
    ? rereadFile(path, following)
    : tailFile(path, following);
}

/** The newest log of a folder, and a newer one when it comes; configurations beside it are read first. */
async function* folderPieces(folder: string, following: Following): AsyncGenerator<Piece> {
  const { path: shown } = followedFile(folder, following);
  let current: string | null = null, waits = false;
  for (;;) {
    const newest = await newestLog(folder, shown, current);
    if (newest !== null) {
      current = newest.path;
      yield { kind: "note", text: `follows ${followedFile(current, following).path}` };
      const beside = newest.beside;
      for await (const piece of filePieces(current, { ...following, leave: leaving(folder, shown, current) })) {
        if (piece.kind === "bytes" || piece.kind === "note") yield piece;
        else yield { ...piece, followed: { ...piece.followed, beside } };
      }
    } else if (!waits) {
      waits = true;
      yield { kind: "note", text: `waits for a log in ${shown}: *.log, *.txt, *.out, *.jsonl or trainer_state.json` };
    }
    if (following.stop.aborted) return;
    await pause(following);
  }
}

/** Asks, now and then, whether the folder has a newer log than `current`. */
function leaving(folder: string, shown: string, current: string): () => Promise<boolean> {
  let looked = performance.now();
  return async () => {
    if (performance.now() - looked < NEWER_LOOK_MS) return false;
    looked = performance.now();
    return (await newestLog(folder, shown, current))?.path !== current;
  };
}

/** The log written last, where `current` has been quiet; null where there is none. */
async function newestLog(folder: string, shown: string, current: string | null) {
  const { files } = await walkFolder(folder);
  if (files.some(({ file }) => file === `${folder}/${RUN_FILES.manifest}`)) {
    throw new Error(
      `Cannot follow "${shown}": it is a run of Nonzero, which tells its findings itself; want another system's log`,
    );
  }
  const logs: { path: string; time: number }[] = [];
  const beside: { file: string; path: string }[] = [];
  for (const { file, path } of files) {
    const name = file.split(/[\\/]/).at(-1)!.toLowerCase(), info = await stat(file);
    if (info === null) continue;
    if (isRewritten(name) || LOG.test(name) && !TEXTS.test(name)) {
      const time = info.mtime?.getTime() ?? 0;
      logs.push({ path: file, time: file === current ? time + QUIET_MS : time });
    } else if (CONFIGURATION.test(name) && info.size <= MAX_BESIDE_BYTES && beside.length < MAX_BESIDE) {
      beside.push({ file, path });
    }
  }
  if (logs.length === 0) return null;
  return { path: logs.reduce((a, b) => b.time > a.time ? b : a).path, beside };
}
