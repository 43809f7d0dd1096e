/** Pieces as lines of text, and a folder to write logs into, for tests of what is followed. */
import { join } from "node:path";
import type { Piece } from "../../../../workflows/doctor/follow/origin.ts";

const decoder = new TextDecoder();

/** "open NAME", "note TEXT", "document NAME: TEXT", "+TEXT" of what is repeated and "-TEXT" of what is not. */
export function pieceText(piece: Piece): string {
  if (piece.kind === "note") return `note ${piece.text}`;
  if (piece.kind === "open") return `open ${piece.followed.path}`;
  if (piece.kind === "document") return `document ${piece.followed.path}: ${decoder.decode(piece.bytes)}`;
  return `${piece.repeated ? "+" : "-"}${decoder.decode(piece.bytes)}`;
}

/**
 * What comes while `then` acts: after each piece whose text begins with the first word of the next act, that act is done;
 * the last act ends it by `stop`.
 */
export async function collected(
  pieces: AsyncIterable<Piece>,
  acts: readonly (readonly [after: string, act: () => unknown])[],
): Promise<string[]> {
  const texts: string[] = [], left = [...acts];
  for await (const piece of pieces) {
    texts.push(pieceText(piece));
    if (left.length && texts.at(-1)!.includes(left[0]![0])) await left.shift()![1]();
  }
  return texts;
}

/** A folder for one test, with `write(name, text)` into it. */
export async function inFolder(
  body: (folder: string, write: (name: string, text: string) => Promise<string>) => Promise<void>,
): Promise<void> {
  const folder = await Deno.realPath(await Deno.makeTempDir());
  try {
    await body(folder, async (name, text) => {
      await Deno.writeTextFile(join(folder, name), text);
      return join(folder, name);
    });
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}
