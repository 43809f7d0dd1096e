import assert from "node:assert/strict";
import { fileURLToPath } from "node:url";
import { readRun } from "../../../data/adapters/read_run.ts";
import { examine } from "../../../workflows/doctor/examine.ts";
import { examineRun } from "../../../workflows/doctor/examine_run.ts";

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
