/** Real tiny runs: what a repair mends, what it leaves alone, and what it writes down. */
import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { readManifest } from "../../../workflows/store/manifest.ts";
import { readRepairs } from "../../../workflows/repair/mod.ts";
import { withFolder } from "../engine/fake_runs.ts";
import { lastReward, runSmall, type SmallRun, type Told } from "./repaired_runs.ts";

/** Train steps that were computed, forks and all: what a repair costs. */
const computed = (told: Told) => told.events.filter(({ event }) => event === "train_step").length;

let clean: Promise<{ reward: number; steps: number }> | null = null;
/** The same workflow without a fault: what the repaired runs are measured against. */
function cleanRun(): Promise<{ reward: number; steps: number }> {
  return clean ??= (async () => {
    let found = { reward: NaN, steps: 0 };
    await withFolder(async (runs) => {
      const told = await runSmall(runs, {}, { runId: "clean" });
      assert.equal(told.status, "ok");
      assert.equal(told.runId, "clean");
      assert.deepEqual(told.repairs, []);
      assert.deepEqual([...Deno.readDirSync(runs)].map(({ name }) => name), ["clean"]);
      assert(!existsSync(join(runs, "clean", "repairs.jsonl")));
      found = { reward: lastReward(told), steps: computed(told) };
    });
    return found;
  })();
}

Deno.test("runWithRepair() never forks a clean run", async () => {
  const { reward, steps } = await cleanRun();
  assert(reward > 0.1, `reward ${reward}`);
  assert.equal(steps, 40);
});

const FAULTS: readonly {
  what: string;
  cause: string;
  run: SmallRun;
  edit: [string, unknown, unknown];
  tries: number;
}[] = [
  {
    what: "greedy sampling",
    cause: "greedy_sampling",
    run: { sampling: { temperature: 0.01 } },
    edit: ["temperature", 0.01, 1],
    tries: 1,
  },
  {
    what: "completions cut before their end",
    cause: "truncated_completions",
    run: { sampling: { max_new_tokens: 1 } },
    edit: ["max_new_tokens", 1, 2],
    tries: 1,
  },
  {
    what: "a learning rate 1000 times too high",
    cause: "learning_rate_too_high",
    run: { update: { learning_rate: 0.3 } },
    edit: ["learning_rate", 0.3, 0.0003],
    tries: 1,
  },
];

for (const { what, cause, run, edit, tries } of FAULTS) {
  Deno.test(`runWithRepair() mends ${what} and ends within 5 % of the clean reward`, async () => {
    const want = await cleanRun();
    await withFolder(async (runs) => {
      const told = await runSmall(runs, run, { runId: "faulty" });
      assert.equal(told.status, "ok", told.advice.join("\n"));
      assert.equal(told.runId, `faulty.r${tries}b`);
      assert.equal(told.firstRunId, "faulty");
      const reward = lastReward(told);
      assert(reward >= 0.95 * want.reward, `reward ${reward}, clean ${want.reward}`);
      assert(computed(told) <= 1.3 * want.steps, `${computed(told)} train steps, clean ${want.steps}`);
      const records = readRepairs(join(runs, "faulty"));
      assert.deepEqual(records, told.repairs);
      assert.equal(records.length, tries);
      const last = records.at(-1)!;
      assert.equal(last.cause, cause);
      assert.equal(last.decision, "accepted");
      assert.deepEqual(last.change.map(({ key, from, to }) => [key, from, to]), [edit]);
      assert.equal(last.plain!.fired, true);
      assert.equal(last.patched!.fired, false);
      assert.notEqual(last.workflow.before, last.workflow.after);
      assert(records.slice(0, -1).every(({ decision }) => decision === "rejected"));
      const root = readManifest(join(runs, "faulty")), fork = readManifest(told.folder);
      assert.equal(root.status, "stopped");
      assert.equal(root.continued_by, told.runId);
      assert.equal(fork.parent, "faulty");
      assert.deepEqual(fork.repairs, root.repairs);
      assert.match(Deno.readTextFileSync(join(told.folder, "workflow.yaml")), new RegExp(`${edit[0]}: ${edit[2]}\n`));
    });
  });
}

Deno.test("runWithRepair() decides the same again: records differ in nothing", () =>
  withFolder(async (runs) => {
    const run = { sampling: { temperature: 0.01 }, trainSteps: 22 };
    const [first, second] = [
      await runSmall(join(runs, "1"), run, { runId: "same", projectFolder: runs }),
      await runSmall(join(runs, "2"), run, { runId: "same", projectFolder: runs }),
    ];
    assert.equal(first.repairs.length, 1);
    // Times in the tables decide the bytes of a checkpoint.
    const withoutHash = (told: Told) =>
      told.repairs.map(({ checkpoint, ...rest }) => ({ ...rest, at: checkpoint?.checkpoint }));
    assert.deepEqual(withoutHash(first), withoutHash(second));
  }));

Deno.test("runWithRepair() with repair suggest prints the change with its place, and runs nothing", () =>
  withFolder(async (runs) => {
    const told = await runSmall(runs, { repair: "suggest", sampling: { temperature: 0.01 } }, { runId: "told" });
    assert.equal(told.status, "stopped");
    assert.equal(told.exitCode, 3);
    assert.deepEqual([...Deno.readDirSync(runs)].map(({ name }) => name), ["told"]);
    const [record] = told.repairs;
    assert.equal(record!.decision, "suggested");
    assert.deepEqual(record!.change.map(({ step, key, to }) => [step, key, to]), [["sample_groups", "temperature", 1]]);
    assert.match(told.advice[0]!, /^To change: small\.yaml:\d+:\d+: temperature of sample_groups 0\.01 -> 1$/);
    assert.match(told.advice[1]!, / run small\.yaml --runs \S+$/);
    assert.match(told.advice[2]!, /"repair: apply"/);
  }));

Deno.test("runWithRepair() with repair off leaves a stopped run as it is", () =>
  withFolder(async (runs) => {
    const told = await runSmall(runs, { repair: "off", sampling: { temperature: 0.01 } }, { runId: "off" });
    assert.equal(told.status, "stopped");
    assert.deepEqual([told.repairs, told.advice], [[], []]);
    assert(!existsSync(join(runs, "off", "repairs.jsonl")));
  }));

Deno.test("runWithRepair() resumes the fork that was accepted, with its change", () =>
  withFolder(async (runs) => {
    const run = { sampling: { temperature: 0.01 } };
    const whole = await runSmall(runs, run, { runId: "whole" });
    const { StopControl } = await import("../../../workflows/engine/run_plan.ts");
    const stop = new StopControl();
    const first = await runSmall(runs, run, {
      runId: "cut",
      stop,
      onEvent: (event) => {
        if (event.event === "train_step" && event.train_step === 30) stop.request("SIGINT");
      },
    });
    assert.equal(first.status, "interrupted");
    assert.equal(first.runId, "cut.r1b");
    const events: Told["events"][number][] = [];
    const resumed = await runSmall(runs, run, { resume: "cut", onEvent: (event) => events.push(event) });
    assert.equal(resumed.status, "ok");
    assert.equal(resumed.runId, "cut.r1b");
    assert.equal(resumed.repairs.length, 1);
    assert.deepEqual(resumed.evaluations, whole.evaluations);
    const started = events.find(({ event }) => event === "run_started")!;
    assert.equal(started.resumed, true);
  }));
