import assert from "node:assert/strict";
import { givenFiles } from "../../../../workflows/doctor_page/reading/given_files.ts";

const file = (name: string, webkitRelativePath = "") =>
  Object.defineProperty(new File(["x"], name), "webkitRelativePath", { value: webkitRelativePath });

Deno.test("givenFiles() is one file, several as one folder, or a folder by its name", () => {
  assert.equal(givenFiles([]), null);
  assert.equal(givenFiles([file("a.log")])!.kind, "file");
  const shape = (...files: File[]) => {
    const given = givenFiles(files)!;
    return given.kind === "folder" ? [given.name, ...given.files.map(({ path }) => path)] : null;
  };
  assert.deepEqual(shape(file("a.log"), file("b.yaml")), ["files", "files/a.log", "files/b.yaml"]);
  assert.deepEqual(shape(file("a.log", "run/x/a.log")), ["run", "run/x/a.log"]);
});
