/** Reads the pieces of a followed log: what follows a run and what shows it do so alike. @module */
import { LiveRun } from "../../../data/adapters/live_run.ts";
import type { Piece } from "./origin.ts";

/** The run that was read, with the piece; another one where another file goes on in its place. Throws what a reader throws. */
export async function readPiece(
  run: LiveRun | null,
  piece: Exclude<Piece, { readonly kind: "note" }>,
): Promise<LiveRun | null> {
  if (piece.kind === "bytes") {
    await run?.feed(piece.bytes);
    return run;
  }
  const next = new LiveRun(piece.followed);
  await next.readBeside(piece.followed.beside);
  if (piece.kind === "open") return next;
  await next.feed(piece.bytes);
  await next.end();
  return next;
}
