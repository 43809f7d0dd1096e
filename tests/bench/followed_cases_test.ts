/** The cases as runs that go on: a healthy one is never called dead on the way, a dead one is told early. */
import assert from "node:assert/strict";
import { uniform } from "../../data/random.ts";
import { type CaseLog, caseLogs, type Followed, followText, lineChunks } from "./followed_cases.ts";

/** Pieces of 1 to 2000 bytes, cut anywhere. */
function randomChunks(text: string, seed: number): Uint8Array[] {
  const all = new TextEncoder().encode(text), chunks: Uint8Array[] = [];
  for (let at = 0; at < all.length;) {
    const length = 1 + Math.floor(2000 * uniform(seed, "chunks", 1, 0, chunks.length));
    chunks.push(all.subarray(at, at += length));
  }
  return chunks;
}

const logs = await caseLogs();

/** What follow() says of a faulty log line by line: asked once for all tests. */
const followed = new Map<string, Promise<Followed>>();
function byLines({ name, file, text }: CaseLog): Promise<Followed> {
  const known = followed.get(name) ?? followText(lineChunks(text), file);
  followed.set(name, known);
  return known;
}

for (
  const [how, cut] of [
    ["line by line", lineChunks],
    ["in random chunks", (text: string) => randomChunks(text, 1)],
    ["in other random chunks", (text: string) => randomChunks(text, 2)],
  ] as const
) {
  Deno.test(`follow() fed ${how} tells nothing of a healthy log, and repeats it byte for byte`, async () => {
    const healthy = logs.filter(({ label }) => label.verdict === "benign");
    assert(healthy.length > 15);
    for (const { name, file, text } of healthy) {
      const { told, bytes } = await followText(cut(text), file);
      assert.deepEqual(told, [], name);
      assert.equal(new TextDecoder().decode(bytes), text, name);
    }
  });
}

Deno.test("follow() tells of every dead run of thirty records and more in the first two thirds of its log", async () => {
  // What the reward logs of 121 lack, no rule can tell; 106 is known by its completions alone.
  const dead = logs.filter(({ name, label }) =>
    label.verdict === "faulty" && /^1\d\d/.test(name) && !/^121/.test(name)
  );
  assert(dead.length > 20);
  for (const log of dead) {
    const { told } = await byLines(log), { name } = log;
    assert(told.length > 0, name);
    assert(told[0]!.share < 2 / 3, `${name}: ${told[0]!.cause} at ${told[0]!.share}`);
  }
});

Deno.test("follow() tells each cause of a log once, and what it told stands in the verdict", async () => {
  for (const log of logs.filter(({ label }) => label.verdict === "faulty")) {
    const { told, verdict } = await byLines(log), { name } = log;
    const causes = told.map(({ cause }) => cause);
    assert.deepEqual(causes, [...new Set(causes)], name);
    const { findings, afterEffects } = verdict.at(-1)!.diagnosis, end = [...findings, ...afterEffects];
    for (const cause of causes) assert(end.some((finding) => finding.cause === cause), `${name}: ${cause}`);
  }
});
