import assert from "node:assert/strict";
import { examineRun } from "../../../../workflows/doctor/examine_run.ts";
import { follow, type FollowOptions, type FollowUpdate } from "../../../../workflows/doctor/follow/follow.ts";
import type { Piece } from "../../../../workflows/doctor/follow/origin.ts";

const encoder = new TextEncoder(), decoder = new TextDecoder();
const followed = { path: "train.log", name: "train.log", beside: [] };
const line = (step: number, loss: string) =>
  `{'loss': ${loss}, 'grad_norm': ${loss}, 'reward': 0.5, 'step': ${step}}\n`;
const bytes = (text: string): Piece => ({ kind: "bytes", bytes: encoder.encode(text), repeated: true });
const OPEN: Piece = { kind: "open", followed };

/** All updates of these pieces; every look is taken. */
async function updates(pieces: Iterable<Piece>, more: Partial<FollowOptions> = {}): Promise<FollowUpdate[]> {
  const stream = (async function* () {
    yield* pieces;
  })();
  return await Array.fromAsync(follow(stream, { end: new AbortController().signal, debounce: 0, ...more }));
}

/** A run that dies at train step 4. */
const dying = (records: number) =>
  Array.from({ length: records }, (_, i) => bytes(line(i + 1, i < 3 ? `0.${i + 3}` : "nan")));

Deno.test("follow() gives the bytes before what they hold, the finding once, with the train step, and the verdict", async () => {
  const all = await updates([OPEN, ...dying(8)]);
  assert.equal(
    all.map((update) => decoder.decode(update.bytes)).join(""),
    dying(8).map((piece) => decoder.decode((piece as { bytes: Uint8Array }).bytes)).join(""),
  );
  const told = all.filter(({ findings, verdict }) => findings.length && verdict === null);
  assert.deepEqual(told.map(({ findings, records, trainStep }) => [findings[0]!.severity, records, trainStep]), [[
    "fatal",
    5,
    5,
  ]]);
  const last = all.at(-1)!;
  assert.equal(last.verdict?.[0]?.diagnosis.verdict, "faulty");
  assert.deepEqual([last.findings, last.over], [[], []]);
});

Deno.test("follow() says at the end what it did not tell: too few records to be sure of", async () => {
  const all = await updates([OPEN, ...dying(4)]);
  assert.deepEqual(all.flatMap(({ findings }) => findings).map(({ severity }) => severity), ["fatal"]);
  assert.equal(all.at(-1)!.findings.length, 1);
});

Deno.test("follow() goes on with every line when a rule or a reader throws, says so once, and ends without a verdict", async () => {
  const broken = new TypeError("a bug");
  const all = await updates([OPEN, ...dying(8)], {
    examine: () => {
      throw broken;
    },
  });
  assert.equal(all.filter(({ bytes }) => bytes.length).length, 8);
  assert.deepEqual(all.map(({ failure }) => failure).filter((failure) => failure !== null), [broken]);
  assert.equal(all.at(-1)!.verdict, null);
});

Deno.test("follow() goes on with every line when what lies beside the log cannot be read", async () => {
  const folder = await Deno.makeTempDir();
  try {
    const beside = [{ file: folder, path: "a folder" }];
    const all = await updates([{ kind: "open", followed: { ...followed, beside } }, ...dying(8)]);
    assert.equal(all.filter(({ bytes }) => bytes.length).length, 8);
    assert.equal(all.filter(({ failure }) => failure !== null).length, 1);
  } finally {
    await Deno.remove(folder);
  }
});

Deno.test("follow() looks at the last run of a log that restarts, and tells of it again", async () => {
  const all = await updates([OPEN, ...dying(8), ...dying(8)]);
  const told = all.filter(({ findings, verdict }) => findings.length && verdict === null);
  assert.deepEqual(told.map(({ trainStep }) => trainStep), [5, 5]);
  assert.equal(all.at(-1)!.verdict!.length, 2);
});

Deno.test("follow() reads a document anew each time, and repeats nothing of it", async () => {
  const state = (records: number): Piece => ({
    kind: "document",
    followed: { ...followed, path: "trainer_state.json", name: "trainer_state.json" },
    bytes: encoder.encode(
      `{"log_history": [${
        Array.from(
          { length: records },
          (_, i) => `{"loss": ${i < 3 ? 0.5 : NaN}, "grad_norm": ${i < 3 ? 0.5 : NaN}, "step": ${i + 1}}`,
        )
      }]}`,
    ),
  });
  const all = await updates([state(3), state(5), state(8)]);
  assert.deepEqual(all.filter(({ bytes }) => bytes.length), []);
  assert.deepEqual(all.flatMap(({ findings, records }) => findings.map(() => records)), [5]);
  assert.equal(all.at(-1)!.verdict![0]!.records, 8);
});

Deno.test("follow() ends at once when it is told so, with the verdict on what it has read", async () => {
  const end = new AbortController();
  const endless = (async function* (): AsyncGenerator<Piece> {
    yield OPEN;
    yield* dying(6);
    await new Promise(() => {});
  })();
  const all: FollowUpdate[] = [];
  for await (const update of follow(endless, { end: end.signal, debounce: 0 })) {
    all.push(update);
    if (update.findings.length) end.abort();
  }
  assert.equal(all.at(-1)!.verdict![0]!.diagnosis.verdict, "faulty");
});

Deno.test("follow() looks when its time has come though nothing more is read", async () => {
  const { promise: over, resolve } = Promise.withResolvers<void>();
  const quiet = (async function* (): AsyncGenerator<Piece> {
    yield OPEN;
    yield bytes(line(1, "0.5"));
    yield bytes(line(2, "0.5"));
    await over;
  })();
  const seen: number[] = [];
  for await (const { records, examined } of follow(quiet, { end: new AbortController().signal, debounce: 20 })) {
    if (examined === null) continue;
    seen.push(records);
    if (records === 2) resolve();
  }
  assert.deepEqual(seen.slice(0, 2), [1, 2]);
});

Deno.test("follow() says what it does not read, and passes on what is noted", async () => {
  const all = await updates([OPEN, { kind: "bytes", bytes: new Uint8Array(4000), repeated: true }, {
    kind: "note",
    text: "gone",
  }]);
  assert.deepEqual(all.flatMap(({ notes }) => notes), [
    "what comes is not read: it is binary and of no known format",
    "gone",
  ]);
});

Deno.test("follow() of nothing has a verdict on nothing; examine is asked for every run at the end", async () => {
  assert.deepEqual((await updates([])).map(({ verdict }) => verdict), [[]]);
  let asked = 0;
  await updates([OPEN, bytes(line(1, "0.5"))], { examine: (run) => (asked++, examineRun(run)) });
  assert.equal(asked, 2);
});
