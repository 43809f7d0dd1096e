import assert from "node:assert/strict";
import { join } from "node:path";
import { openRun, openRuns } from "../../../workflows/explore/open.ts";
import { RUN_A, RUN_B, withRuns } from "../cli/fabricated_run.ts";

Deno.test("openRun() takes an id, its end, last and a folder; names those there are where it finds none", () =>
  withRuns(async (runs) => {
    for (const [typed, id] of [[RUN_A, RUN_A], ["aaaa", RUN_A], ["last", RUN_B], [join(runs, RUN_B), RUN_B]] as const) {
      assert.equal((await openRun(typed, runs)).manifest?.id, id);
    }
    await assert.rejects(openRun("zzzz", runs), /Cannot find run "zzzz": .*aaaa/);
  }));

Deno.test("openRun() of a log that holds several runs asks for one of them", async () => {
  const folder = await Deno.makeTempDir();
  try {
    const path = join(folder, "console.log"),
      line = (step: number) => `{'loss': 0.1, 'reward': 0.5, 'step': ${step}}\n`;
    await Deno.writeTextFile(path, [1, 2, 3, 1, 2, 3].map(line).join(""));
    const several = await openRuns(path);
    assert.deepEqual(several.map(({ name }) => name), ["console.log (1 of 2)", "console.log (2 of 2)"]);
    await assert.rejects(openRun(path), /it holds 2; take one of \(await openRuns\(/);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});
