import assert from "node:assert/strict";
import { fromFileUrl } from "@deno/std/path/from_file_url.js";
import { Sandbox, SandboxFailure } from "../../../../steps/rewards/sandbox/sandbox.ts";
import { rewardBatch } from "../batch.ts";

const PATH = fromFileUrl(new URL("../user_rewards/behaves.ts", import.meta.url));
const LIMITS = { timeoutMs: 10_000, memoryBytes: 512 * 2 ** 20, net: [] };
const BATCH = rewardBatch(["a", "bb", "bad"]);
const wait = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

Deno.test("Sandbox.ask() answers for the batch or for one completion after the other, from any", async () => {
  const sandbox = await Sandbox.start(PATH, LIMITS, () => {});
  assert.deepEqual(await sandbox.ask({ batch: BATCH, options: {} }, 1), { values: [1, 2, 3] });
  const replies: unknown[] = [];
  await sandbox.ask({ batch: BATCH, options: {}, from: 1 }, 2, (reply) => replies.push(reply) < 0);
  assert.deepEqual(replies, [{ values: [2] }, { values: [3] }]);
  await sandbox.close();
});

Deno.test("Sandbox.ask() throws SandboxFailure when the process dies, and the sandbox is then dead", async () => {
  const sandbox = await Sandbox.start(PATH, LIMITS, () => {});
  await assert.rejects(sandbox.ask({ batch: BATCH, options: { does: "exits", at: "bad" } }, 1), SandboxFailure);
  assert.equal(sandbox.alive, false);
  await sandbox.close();
});

Deno.test("Sandbox.start() says why a file does not load and leaves no process", async () => {
  await assert.rejects(Sandbox.start(`${PATH}.missing.ts`, LIMITS, () => {}), /Module not found|missing/);
});

Deno.test("Sandbox hands on what is printed after the answer, and ends where it cannot be kept", async () => {
  const printed: string[] = [];
  const sandbox = await Sandbox.start(PATH, LIMITS, (text) => printed.push(text));
  const asked = { batch: BATCH, options: { does: "prints_late", at: "bad" } };
  assert.deepEqual(await sandbox.ask(asked, 1), { values: [1, 2, 1] });
  while (printed.length === 0) await wait(20);
  assert.deepEqual(printed, ["late\n"]);
  sandbox.print = () => {
    throw new Error("the disk is full");
  };
  await sandbox.ask(asked, 1);
  while (sandbox.alive) await wait(20);
  await assert.rejects(sandbox.ask(asked, 1), /printed what cannot be kept: the disk is full/);
  await sandbox.close();
});

Deno.test("Sandbox.ask() says what was thrown after the last answer, once, with its place", async () => {
  for (const does of ["rejects_late", "throws_late"]) {
    const printed: string[] = [];
    const sandbox = await Sandbox.start(PATH, LIMITS, (text) => printed.push(text));
    assert.deepEqual(await sandbox.ask({ batch: BATCH, options: { does, at: "bad" } }, 1), { values: [1, 2, 1] });
    const failure = /threw Error: no await \(behaves.ts:\d+:\d+\) outside of its function, after it had answered/;
    while (printed.length === 0) await wait(20);
    assert.match(printed.join(), failure);
    assert.match((await sandbox.ask({ batch: BATCH, options: {} }, 1) as { failure: string }).failure, failure);
    assert.deepEqual(await sandbox.ask({ batch: BATCH, options: {} }, 1), { values: [1, 2, 3] });
    await sandbox.close();
  }
});

Deno.test("Sandbox.ask() takes an answer that the code forged only where it is one line of as many values", async () => {
  const folder = Deno.makeTempDirSync(), path = `${folder}/forges.js`;
  Deno.writeTextFileSync(
    path,
    "import { parentPort } from 'node:worker_threads';\nexport const score = ({ texts }, { forged }) => {\n" +
      "  for (let number = 1; number < 4; number++) parentPort.postMessage([number, forged]);\n" +
      "  return texts.map(() => 1);\n};\n",
  );
  const ask = async (forged: string) => {
    const sandbox = await Sandbox.start(path, LIMITS, () => {});
    try {
      return await sandbox.ask({ batch: BATCH, options: { forged } }, 1);
    } finally {
      await sandbox.close();
    }
  };
  try {
    assert.deepEqual(await ask('{"values":[7,7,7]}'), { values: [7, 7, 7] });
    for (const values of ["7,7", "7,7,7,7"]) await assert.rejects(ask(`{"values":[${values}]}`), SandboxFailure);
    assert.deepEqual(await ask('{"values":[7,7,7]}\n'), { values: [1, 1, 1] });
  } finally {
    Deno.removeSync(folder, { recursive: true });
  }
});

/** Whether a process has ended; null where that cannot be seen. */
function hasEnded(pid: number): boolean | null {
  if (Deno.build.os !== "linux") return null;
  // By a program: Deno itself reads /proc with all permissions only.
  const { success, stdout } = new Deno.Command("cat", { args: [`/proc/${pid}/status`], stderr: "null" }).outputSync();
  return !success || /^State:\s+Z/m.test(new TextDecoder().decode(stdout));
}

/** Holds the whole program until a process has ended, for 15 s at most; where that cannot be seen, for 1.5 s. */
function holdUntilEnded(pid: number): void {
  const hold = (ms: number) => void Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
  if (hasEnded(pid) === null) return hold(1500);
  for (let i = 0; i < 150 && !hasEnded(pid); i++) hold(100);
}

/** What is said of a reward that grows after its answer, while the program waits or is busy itself. */
async function grown(isBusy: boolean, says: RegExp): Promise<void> {
  const folder = Deno.makeTempDirSync(), path = `${folder}/grows.js`;
  Deno.writeTextFileSync(
    path,
    // It waits before it grows, so that the program has the answer and is busy by then.
    "const kept = [], grow = () => kept.push(new Uint8Array(5e7).fill(1));\nexport const score = ({ texts }) => {\n" +
      "  setTimeout(() => setInterval(grow, 20), 400);\n  return texts.map(() => 1);\n};\n",
  );
  let pid = 0;
  const limits = { ...LIMITS, memoryBytes: 256 * 2 ** 20 };
  const sandbox = await Sandbox.start(path, limits, () => {}, { onSpawned: (its) => pid = its });
  try {
    await sandbox.ask({ batch: BATCH, options: {} }, 1);
    if (isBusy) holdUntilEnded(pid);
    else for (let i = 0; sandbox.alive && !hasEnded(pid) && i < 100; i++) await wait(100);
    await assert.rejects(sandbox.ask({ batch: BATCH, options: {} }, 1), says);
  } finally {
    await sandbox.close();
    Deno.removeSync(folder, { recursive: true });
  }
}

Deno.test(
  "Sandbox ends a process that grows after its answer",
  { ignore: Deno.build.os !== "linux" },
  () => grown(false, /used \d+ MB of memory, allowed are 256|out of memory/),
);

Deno.test("the child ends itself when it grows while the program is busy", () => grown(true, /134, out of memory/));
