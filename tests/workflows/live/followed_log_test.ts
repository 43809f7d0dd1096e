import assert from "node:assert/strict";
import { join } from "node:path";
import type { ReportData } from "../../../notebooks/pages/report.ts";
import { FollowedLog, QUIET_MS } from "../../../workflows/live/followed_log.ts";

const line = (step: number, value?: string) =>
  `{'loss': ${value ?? 0.01}, 'grad_norm': ${value ?? 0.5}, 'kl': ${value ?? 0.0001 * step}, 'reward': ${
    step / 10
  }, 'step': ${step}}\n`;
const lines = (from: number, to: number, loss?: string) =>
  Array.from({ length: to - from + 1 }, (_, i) => line(from + i, loss)).join("");

/** A followed file in a folder of its own, and what waits for its train steps. */
async function withLog(
  body: (path: string, run: FollowedLog, holds: (records: number) => Promise<ReportData>) => Promise<void>,
): Promise<void> {
  const folder = await Deno.makeTempDir(), path = join(folder, "trl.log"), run = new FollowedLog(path);
  try {
    await body(path, run, async (records) => {
      for (;;) {
        const report = await run.report();
        if (report.facts["records"] === String(records)) return report;
        await new Promise((resolve) => setTimeout(resolve, 20));
      }
    });
  } finally {
    await run.close();
    await Deno.remove(folder, { recursive: true });
  }
}

Deno.test("FollowedLog of a log that is not there yet waits for it, says so, and shows what comes", () =>
  withLog(async (path, run, holds) => {
    const waiting = await run.report();
    assert.deepEqual([waiting.status, waiting.cannotTell, waiting.findings], ["running", true, []]);
    assert.match(waiting.facts["note"] ?? "waits", /waits/);
    const before = run.stamp(), slow = run.slowStamp();
    await Deno.writeTextFile(path, lines(1, 3));
    const report = await holds(3);
    assert.deepEqual([report.name, report.facts["system"], report.workflow], ["trl.log", "trl", ""]);
    assert.deepEqual(report.tables.metrics!.map((row) => row["reward"]), [0.1, 0.2, 0.3]);
    assert.notEqual(run.stamp(), before);
    assert.notEqual(run.slowStamp(), slow);
    const seen = run.slowStamp();
    await Deno.writeTextFile(path, lines(4, 4), { append: true });
    await holds(4);
    assert.equal(run.slowStamp(), seen, "train steps alone are no reason to draw the page anew");
    assert.deepEqual((await run.steps()).metrics.length, 4);
  }));

Deno.test("FollowedLog of a log tells a finding when it has held, not at its first record", () =>
  withLog(async (path, run, holds) => {
    await Deno.writeTextFile(path, lines(1, 5) + line(6, "nan"));
    assert.deepEqual((await holds(6)).findings, []);
    const slow = run.slowStamp();
    await Deno.writeTextFile(path, lines(7, 8, "nan"), { append: true });
    const [finding] = (await holds(8)).findings;
    assert.equal(finding!.severity, "fatal");
    assert.notEqual(run.slowStamp(), slow, "the page is drawn anew");
  }));

Deno.test("FollowedLog of a log that is cut goes on with what is written anew, and says so", () =>
  withLog(async (path, _run, holds) => {
    await Deno.writeTextFile(path, lines(1, 9));
    await holds(9);
    await Deno.writeTextFile(path, lines(1, 2));
    const { facts } = await holds(2);
    assert.match(facts["note"]!, /was (cut|rewritten): reads it from its beginning/);
  }));

Deno.test("FollowedLog of a log has the time of its last line, and the whole verdict once it is quiet", async () => {
  const folder = await Deno.makeTempDir(), path = join(folder, "trl.log");
  await Deno.writeTextFile(path, lines(1, 5) + line(6, "nan"));
  const written = new Date("2026-01-02T03:04:05Z");
  await Deno.utime(path, written, written);
  let now = written.getTime() + 1000;
  const run = new FollowedLog(path, () => now);
  try {
    assert.equal(run.news(), written.getTime());
    while ((await run.report()).facts["records"] !== "6") await new Promise((resolve) => setTimeout(resolve, 20));
    assert.deepEqual((await run.report()).findings, []);
    const stamp = run.stamp();
    now += QUIET_MS;
    assert.notEqual(run.stamp(), stamp);
    assert.equal((await run.report()).findings.length, 1, "nothing more comes: what its last record shows is said");
  } finally {
    await run.close();
    await Deno.remove(folder, { recursive: true });
  }
});

Deno.test("FollowedLog of what is no text, or may not be read, says so on the page", async () => {
  const folder = await Deno.makeTempDir(), path = join(folder, "weights.bin");
  await Deno.writeFile(path, Uint8Array.from({ length: 4096 }, (_, i) => i * 7 % 256));
  const run = new FollowedLog(path);
  try {
    for (let look = 0; look < 500 && !(await run.report()).reason; look++) {
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    assert.match((await run.report()).reason ?? "", /binary/);
  } finally {
    await run.close();
    await Deno.remove(folder, { recursive: true });
  }
});
