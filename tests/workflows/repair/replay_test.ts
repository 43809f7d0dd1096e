/** A recorded decision can be made again, and a record that is not true is found out. */
import assert from "node:assert/strict";
import { join } from "node:path";
import { checkpointNames } from "../../../workflows/store/retention.ts";
import { replayRepair } from "../../../workflows/repair/mod.ts";
import { ENVIRONMENT, withFolder } from "../engine/fake_runs.ts";
import { faultyPlan, runFaulty, type World } from "./faulty_kinds.ts";

const WORLD: World = {
  reward: ({ trainStep, rate }) => rate > 0.1 ? 0.2 : 0.3 + 0.001 * trainStep,
  trouble: ({ trainStep, rate }) =>
    trainStep >= 25 && rate > 0.1
      ? { cause: "kl_explosion", patches: [{ step: "apply_update", key: "learning_rate", mul: 0.1 }] }
      : null,
};

Deno.test("replayRepair() makes the same forks with the same outcome and leaves nothing behind", () =>
  withFolder(async (runs) => {
    const { repairs } = await runFaulty(runs, WORLD);
    const options = { runsFolder: runs, projectFolder: runs, environment: ENVIRONMENT };
    const before = [...Deno.readDirSync(runs)].map(({ name }) => name).sort();
    assert.deepEqual(await replayRepair(faultyPlan(WORLD), repairs[0]!, options), []);
    assert.deepEqual([...Deno.readDirSync(runs)].map(({ name }) => name).sort(), before);
    const patched = { ...repairs[0]!.patched!, rewards: [[21, 0.9]] as [number, number][] };
    assert.deepEqual(await replayRepair(faultyPlan(WORLD), { ...repairs[0]!, patched }, options), [
      "patched: reward 0.321 at train step 21, was 0.9",
    ]);
    const healthy: World = { reward: WORLD.reward! };
    const [first, second] = await replayRepair(faultyPlan(healthy), repairs[0]!, options);
    assert.deepEqual([first, second], [
      "plain: the finding did not come again",
      "plain: judged at train step 40, was 25",
    ]);
  }));

Deno.test("replayRepair() refuses another workflow, another checkpoint, and a decision without forks", () =>
  withFolder(async (runs) => {
    const { repairs } = await runFaulty(runs, WORLD);
    const [record] = repairs, options = { runsFolder: runs, projectFolder: runs, environment: ENVIRONMENT };
    const replay = (changed: object) => replayRepair(faultyPlan(WORLD), { ...record!, ...changed }, options);
    await assert.rejects(
      () => replayRepair(faultyPlan(WORLD, { every: 7 }), record!, options),
      /the workflow has changed since/,
    );
    await assert.rejects(() => replay({ checkpoint: null }), /no fork was made/);
    const [other] = checkpointNames(join(runs, "faulty"));
    await assert.rejects(() => replay({ checkpoint: { ...record!.checkpoint, checkpoint: other } }), /is another one/);
  }));
