import assert from "node:assert/strict";
import { basename, join } from "node:path";
import { pathPieces } from "../../../../workflows/doctor/follow/path_pieces.ts";
import { collected, inFolder } from "./collected.ts";

/** Follows a path; each act is done after a piece that holds its word. */
async function followed(path: string, acts: (stop: () => void) => readonly (readonly [string, () => unknown])[]) {
  const stop = new AbortController();
  return await collected(pathPieces(path, { stop: stop.signal, shown: basename }), acts(() => stop.abort()));
}

Deno.test("pathPieces() waits for a file that is not there yet, and says so", () =>
  inFolder(async (folder, write) => {
    const texts = await followed(join(folder, "a.log"), (stop) => [
      ["waits", () => void setTimeout(() => write("a.log", "one\n"), 300)],
      ["one", stop],
    ]);
    assert.deepEqual(texts, ["note waits for a.log, which is not there yet", "open a.log", "+one\n"]);
    assert.deepEqual(await followed(join(folder, "b.log"), (stop) => [["waits", stop]]), [
      "note waits for b.log, which is not there yet",
    ]);
  }));

Deno.test("pathPieces() of a folder follows the log that was written last; texts of completions are none", () =>
  inFolder(async (folder, write) => {
    const old = await write("old.log", "old\n");
    await Deno.utime(old, 1, 1);
    await write("train.log", "one\n");
    await write("args.json", "{}");
    for (const name of ["completions.jsonl", "12.jsonl"]) await write(name, '{"prompt": "", "completion": ""}\n');
    const texts = await followed(folder, (stop) => [["one", stop]]);
    assert.deepEqual(texts, ["note follows train.log", "open train.log", "+one\n"]);
    const stop = new AbortController();
    for await (const piece of pathPieces(folder, { stop: stop.signal })) {
      if (piece.kind !== "open") continue;
      assert.deepEqual(piece.followed.beside.map(({ file }) => basename(file)), ["args.json"]);
      stop.abort();
    }
  }));

Deno.test("pathPieces() of a folder without a log waits for one, and goes on with a newer one", () =>
  inFolder(async (folder, write) => {
    const texts = await followed(folder, (stop) => [
      ["waits for a log", () => void setTimeout(() => write("a.log", "one\n"), 100)],
      ["one", async () => {
        await Deno.utime(join(folder, "a.log"), 1, 1);
        await write("b.log", "two\n");
      }],
      ["two", stop],
    ]);
    assert.deepEqual(texts.slice(1), [
      "note follows a.log",
      "open a.log",
      "+one\n",
      "note follows b.log",
      "open b.log",
      "+two\n",
    ]);
  }));

Deno.test("pathPieces() of a pipe ends with it; a run of ours is refused, for it tells its findings itself", () =>
  inFolder(async (folder, write) => {
    const pipe = join(folder, "pipe");
    assert((await new Deno.Command("mkfifo", { args: [pipe] }).output()).success);
    const writing = new Deno.Command("sh", { args: ["-c", 'echo one > "$0"', pipe] }).output();
    assert.deepEqual(await followed(pipe, () => []), ["open pipe", "+one\n"]);
    await writing;
    await Deno.mkdir(join(folder, "tables"));
    await write("run.json", "{}");
    await assert.rejects(followed(folder, () => []), /it is a run of Nonzero, which tells its findings itself/);
  }));
