/** Segments that are not as they were written, or are not there. */
import assert from "node:assert/strict";
import { join } from "node:path";
import { checkOf, missingText, readSegmentLog, SegmentDigests } from "../../data/segment_digests.ts";
import { sha256 } from "../../data/digest.ts";

const BYTES = new TextEncoder().encode("whole");
const line = (entry: object) => JSON.stringify({ ...entry, check: checkOf(entry) }) + "\n";
const listed = (path: string, bytes = BYTES) => line({ path, bytes: bytes.length, sha256: sha256(bytes) });

function withLog(text: string, check: (folder: string, write: (path: string, bytes: Uint8Array) => void) => void) {
  const folder = Deno.makeTempDirSync();
  Deno.mkdirSync(join(folder, "tables", "metrics"), { recursive: true });
  Deno.writeTextFileSync(join(folder, "segments.jsonl"), text);
  try {
    check(folder, (path, bytes) => Deno.writeFileSync(join(folder, path), bytes));
  } finally {
    Deno.removeSync(folder, { recursive: true });
  }
}

const [FIRST, SECOND] = ["tables/metrics/1-2.arrow", "tables/metrics/3-4.arrow"] as const;

Deno.test("SegmentDigests.require() tells bytes that were changed from those of any entry, and takes what is not listed", () =>
  withLog(listed(FIRST) + listed(FIRST, BYTES.slice(1)) + "{ cut", (folder) => {
    const digests = new SegmentDigests(folder), path = join(folder, FIRST);
    const flipped = BYTES.with(2, 0);
    assert.throws(
      () => digests.require(path, () => flipped),
      /^SyntaxError: it is not as it was written: 5 bytes, sha256 [0-9a-f]{12}…, want 4 bytes, [0-9a-f]{12}… of segments\.jsonl; put back a copy of it/,
    );
    digests.require(path, () => BYTES.slice(1));
    digests.require(path, () => assert.fail("it was looked at before"));
    digests.require(join(folder, SECOND), () => assert.fail("no entry lists it"));
  }));

Deno.test("SegmentDigests.require() reads the log again where a run has written the segment anew", () =>
  withLog(listed(FIRST), (folder) => {
    const digests = new SegmentDigests(folder), anew = BYTES.with(0, 1);
    assert.deepEqual(digests.missing("metrics", 0), []);
    Deno.writeTextFileSync(join(folder, "segments.jsonl"), listed(FIRST, anew), { append: true });
    digests.require(join(folder, FIRST), () => anew);
  }));

Deno.test("SegmentDigests.missing() names what was written by a train step, is not there and was not dropped", () =>
  withLog(listed(FIRST) + listed(SECOND) + listed("tables/metrics/5-6.arrow"), (folder, write) => {
    write(FIRST, BYTES);
    assert.deepEqual(new SegmentDigests(folder).missing("metrics", 4), [SECOND]);
    assert.deepEqual(new SegmentDigests(folder).missing("updates", 9), []);
    const digests = new SegmentDigests(folder);
    assert.equal(digests.missing("metrics", 6).length, 2);
    Deno.writeTextFileSync(join(folder, "segments.jsonl"), line({ path: SECOND, gone: true }), { append: true });
    assert.deepEqual(digests.missing("metrics", 4), []);
    assert.equal(readSegmentLog(folder).size, 2);
  }));

Deno.test("missingText() names the segment and what is lost with it", () =>
  assert.equal(
    missingText(FIRST),
    `Cannot read ${FIRST}: it is not there, and segments.jsonl lists it; its rows are lost`,
  ));
