import assert from "node:assert/strict";
import { fileURLToPath } from "node:url";
import { readRun } from "../../../data/adapters/read_run.ts";
import { examine } from "../../../workflows/doctor/examine.ts";
import { examineRun } from "../../../workflows/doctor/examine_run.ts";
import { examinedPost } from "./examined_post.ts";

const CASE = fileURLToPath(new URL("../../cases/026-agentr1-30-nan-all-clipped/log.txt", import.meta.url));

Deno.test("examineRun() says of a run that was read what examine() says of its path", async () => {
  const [run] = await readRun([CASE]);
  assert.deepEqual(examineRun(run!), (await examine([CASE]))[0]);
});

Deno.test("examineRun() counts records where a log tells no train steps, and names what was not read", async () => {
  const examined = examineRun((await readRun([CASE]))[0]!);
  assert(examined.series.size > 3 && examined.records > 0);
  assert(examined.reading.every((line) => line !== ""));
});

const dict = (loss: number, reward: number, epoch: number) =>
  `{'loss': ${loss}, 'grad_norm': 0.31, 'reward': ${reward}, 'reward_std': 0.3, 'kl': 0.002, 'epoch': ${epoch}}`;

for (
  const [told, records] of [
    ["Reward goes from 0.42 to 0.55.", [dict(0.0012, 0.42, 0.08), dict(0.0021, 0.49, 0.16), dict(0.0018, 0.55, 0.24)]],
    ["The reward lies between 0.3 and 0.6.", [dict(0.0012, 0.42, 0.08), dict(0.0021, 0.49, 0.16)]],
    ["The entropy stays at 0.5 for 300 steps.", [dict(0.0012, 0.42, 0.08), dict(0.0021, 0.49, 0.16)]],
    ["loss 一直是 0：", [0, 1, 1, 2].map((loss, i) => dict(loss / 1e4, 0.4 + i / 20, 0.08 * (i + 1)))],
    ["Die Entropie fiel von 1,2 auf 0,6.", [0.42, 0.49, 0.55].map((reward, i) => dict(0.001, reward, 0.08 * (i + 1)))],
  ] as const
) {
  Deno.test(`examineRun() draws the records that are printed beside "${told}", and asks for no others`, async () => {
    const found = await examinedPost(["GRPO with TRL.", "", ...records, "", told].join("\n"));
    const printed = [...found.series.get("reward")!.values].filter((value) => value !== null);
    assert.deepEqual(printed, records.map((line) => Number(/'reward': ([\d.]+)/.exec(line)![1])));
    assert.equal(found.records, records.length);
    assert.doesNotMatch(found.diagnosis.reasons.join("; "), /print no|of 12 records/);
  });
}
