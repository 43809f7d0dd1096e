import assert from "node:assert/strict";
import * as posix from "node:path/posix";
import { basename, dirname, join } from "../../../../workflows/doctor_page/in_browser/node_path.ts";

Deno.test("dirname(), basename() and join() are those of node:path with slashes", () => {
  for (const path of ["/a/b.c", "a/b", "a", "/a", "a/b/", "./run/x.log"]) {
    assert.equal(dirname(path), posix.dirname(path), path);
    assert.equal(basename(path), posix.basename(path), path);
  }
  assert.equal(join("a/", "", "b", "c.d"), posix.join("a/", "", "b", "c.d"));
});
