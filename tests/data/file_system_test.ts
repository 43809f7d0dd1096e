/** Files are told from what blocks when it is read. @module */
import assert from "node:assert/strict";
import { ifThere, isFile, isFolder, isThere, listFolder, notAFile, textIfThere } from "../../data/file_system.ts";

Deno.test("notAFile() names folders and devices, and pipes where they can be made", async () => {
  const folder = Deno.makeTempDirSync();
  try {
    Deno.writeTextFileSync(`${folder}/file`, "");
    assert.equal(notAFile(Deno.statSync(`${folder}/file`)), null);
    assert.equal(notAFile(Deno.statSync(folder)), "a folder");
    if (Deno.build.os === "windows") return;
    assert.equal(notAFile(Deno.statSync("/dev/null")), "a device");
    await new Deno.Command("mkfifo", { args: [`${folder}/pipe`] }).output();
    assert.equal(notAFile(Deno.statSync(`${folder}/pipe`)), "a pipe");
  } finally {
    Deno.removeSync(folder, { recursive: true });
  }
});

Deno.test("isFile(), isFolder() and isThere() take what is below a file, or nowhere, for absent", () => {
  const folder = Deno.makeTempDirSync();
  try {
    Deno.writeTextFileSync(`${folder}/file`, "");
    const paths = ["/file", "", "/none", "/file/x"].map((path) => folder + path);
    assert.deepEqual(paths.map(isFile), [true, false, false, false]);
    assert.deepEqual(paths.map(isFolder), [false, true, false, false]);
    assert.deepEqual(paths.map(isThere), [true, true, false, false]);
  } finally {
    Deno.removeSync(folder, { recursive: true });
  }
});

Deno.test("isThere() sees a link to nothing", () => {
  const folder = Deno.makeTempDirSync();
  try {
    Deno.symlinkSync(`${folder}/none`, `${folder}/link`);
    assert.deepEqual([isThere(`${folder}/link`), isFile(`${folder}/link`)], [true, false]);
  } finally {
    Deno.removeSync(folder, { recursive: true });
  }
});

Deno.test("textIfThere() and listFolder() give nothing of what is absent, and throw for a file in the way", () => {
  const folder = Deno.makeTempDirSync();
  try {
    Deno.writeTextFileSync(`${folder}/b`, "text");
    Deno.writeTextFileSync(`${folder}/a`, "");
    assert.deepEqual(listFolder(folder), ["a", "b"]);
    assert.deepEqual([textIfThere(`${folder}/b`), textIfThere(`${folder}/c`), listFolder(`${folder}/c`)], [
      "text",
      null,
      [],
    ]);
    assert.throws(() => listFolder(`${folder}/a`), Deno.errors.NotADirectory);
    assert.throws(() => textIfThere(`${folder}/a/x`), Deno.errors.NotADirectory);
  } finally {
    Deno.removeSync(folder, { recursive: true });
  }
});

Deno.test("ifThere() takes nothing there for an answer, whatever else is wrong for an error", () => {
  assert.equal(ifThere(() => Deno.readTextFileSync("/nowhere/at/all"), "absent"), "absent");
  assert.equal(ifThere(() => "there", "absent"), "there");
  assert.throws(
    () => ifThere(() => Deno.readTextFileSync("/"), ""),
    (error) => !(error instanceof Deno.errors.NotFound),
  );
});
