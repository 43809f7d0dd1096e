import assert from "node:assert/strict";
import { basename, join } from "node:path";
import { stat, tailFile } from "../../../../workflows/doctor/follow/tail_file.ts";
import { collected, inFolder } from "./collected.ts";

/** Follows a file; each act is done after a piece that holds its word. */
async function tailed(path: string, acts: (stop: () => void) => readonly (readonly [string, () => unknown])[]) {
  const stop = new AbortController();
  return await collected(tailFile(path, { stop: stop.signal, shown: basename }), acts(() => stop.abort()));
}

const append = (path: string, text: string) => Deno.writeTextFile(path, text, { append: true });

Deno.test("tailFile() reads what is there and what is appended, and what is there when it is stopped", () =>
  inFolder(async (_, write) => {
    const path = await write("a.log", "one\n");
    const texts = await tailed(path, (stop) => [
      ["one", () => append(path, "two\n")],
      ["two", async () => {
        await append(path, "three\n");
        stop();
      }],
    ]);
    assert.deepEqual(texts, ["open a.log", "+one\n", "+two\n", "+three\n"]);
  }));

Deno.test("tailFile() reads a rotated file to its end, then the new one; a cut line is not joined with it", () =>
  inFolder(async (folder, write) => {
    const path = await write("a.log", "one\n");
    const texts = await tailed(path, (stop) => [
      ["one", async () => {
        await Deno.rename(path, join(folder, "a.log.1"));
        await append(join(folder, "a.log.1"), "rest, cut");
        await write("a.log", "new\n");
      }],
      ["new\n", stop],
    ]);
    const note = "note a.log was replaced: reads the new file from its beginning, lines counted on";
    assert.deepEqual(texts, ["open a.log", "+one\n", "+rest, cut", "-\n", note, "+new\n"]);
  }));

for (
  const [what, text] of [["cut", "x\n"], ["rewritten", "another text, as long as the first and more\n"]] as const
) {
  Deno.test(`tailFile() reads a file from its beginning that was ${what}`, () =>
    inFolder(async (_, write) => {
      const path = await write("a.log", "one, two, three\nfour");
      const texts = await tailed(path, (stop) => [["four", () => write("a.log", text)], [text, stop]]);
      const note = `note a.log was ${what}: reads it from its beginning, lines counted on`;
      assert.deepEqual(texts, ["open a.log", "+one, two, three\nfour", "-\n", note, `+${text}`]);
    }));
}

Deno.test("tailFile() sees that a file was rewritten and grew within a tick of the file system's clock", () =>
  inFolder(async (_, write) => {
    const path = await write("a.log", "one, two, three\nfour"), text = "another text, longer than the first one\n";
    Deno.utimeSync(path, 1, 1);
    const rewrite = () => {
      Deno.writeTextFileSync(path, text);
      Deno.utimeSync(path, 1, 1);
      return Promise.resolve();
    };
    const texts = await tailed(path, (stop) => [["four", rewrite], ["\n", stop]]);
    assert.equal(texts.at(-1), `+${text}`);
  }));

Deno.test("tailFile() waits for a file that is gone, and says so once", () =>
  inFolder(async (_, write) => {
    const path = await write("a.log", "one\n");
    const texts = await tailed(path, (stop) => [
      ["one", () => Deno.remove(path)],
      ["gone", () => void setTimeout(() => write("a.log", "new\n"), 500)],
      ["new\n", stop],
    ]);
    assert.deepEqual(texts.filter((text) => text.includes("gone")).length, 1);
    assert.equal(texts.at(-1), "+new\n");
  }));

Deno.test("tailFile() leaves a file when it is asked to, after all of it is read; stat() of nothing is null", () =>
  inFolder(async (folder, write) => {
    const path = await write("a.log", "one\n");
    const pieces = tailFile(path, {
      stop: new AbortController().signal,
      shown: basename,
      leave: () => Promise.resolve(true),
    });
    assert.deepEqual(await collected(pieces, []), ["open a.log", "+one\n"]);
    assert.equal(await stat(join(folder, "nothing")), null);
  }));

Deno.test("tailFile() goes over to the file that a link leads to now, after the rest of the other", () =>
  inFolder(async (folder, write) => {
    const [first, second] = [await write("1.log", "one\n"), await write("2.log", "two\n")],
      link = join(folder, "a.log");
    await Deno.symlink(first, link);
    const texts = await tailed(link, (stop) => [
      ["one", async () => {
        await Deno.symlink(second, `${link}.new`);
        await Deno.rename(`${link}.new`, link);
        await append(first, "last\n");
      }],
      ["two", stop],
    ]);
    const note = "note a.log was replaced: reads the new file from its beginning, lines counted on";
    assert.deepEqual(texts.filter((text) => !text.startsWith("+last")), ["open a.log", "+one\n", note, "+two\n"]);
  }));
