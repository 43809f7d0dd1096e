/** The digests of segments survive crashes and damage of their own file. @module */
import assert from "node:assert/strict";
import { join } from "node:path";
import { SegmentLog } from "../../../workflows/store/segment_log.ts";
import { withFolder } from "../engine/fake_runs.ts";

const file = (path: string, bytes = 1) => ({ path, bytes, sha256: "0".repeat(64) });

Deno.test("read() gives what was added and not dropped; a file may have been written twice", () =>
  withFolder((folder) => {
    const log = new SegmentLog(folder);
    assert.equal(log.read().size, 0);
    log.add([file("a"), file("b")], { sync: true });
    log.add([file("a", 2)], { sync: false });
    log.drop(["b"]);
    assert.deepEqual([...log.read()], [["a", [file("a"), file("a", 2)]]]);
    log.add([file("b", 3)], { sync: false });
    assert.deepEqual(log.read().get("b"), [file("b", 3)]);
  }));

Deno.test("read() leaves out a line with a flipped bit or cut by a crash, and keeps the others", () =>
  withFolder((folder) => {
    const log = new SegmentLog(folder), path = join(folder, "segments.jsonl");
    log.add([file("a"), file("b"), file("c")], { sync: false });
    const text = Deno.readTextFileSync(path);
    Deno.writeTextFileSync(path, text.replace('"path":"b","bytes":1', '"path":"b","bytes":3').slice(0, -5));
    assert.deepEqual([...log.read().keys()], ["a"]);
    log.add([file("d")], { sync: false });
    assert.deepEqual([...log.read().keys()], ["a", "d"]);
  }));
