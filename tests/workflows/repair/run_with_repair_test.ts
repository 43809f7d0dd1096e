/** Real tiny runs: what a repair mends, what it leaves alone, and what it writes down. */
import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { PROJECT } from "../../../workflows/terminal/caller.ts";
import type { RunManifest } from "../../../data/run_folder.ts";
import { StopControl } from "../../../workflows/engine/stop.ts";
import { readManifest } from "../../../workflows/store/manifest.ts";
import { readRepairs } from "../../../workflows/repair/record.ts";
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

/** Runs a fault to its end, and says what was written beside it. */
async function mended(run: SmallRun): Promise<{ told: Told; faulty: RunManifest; fork: RunManifest; yaml: string }> {
  let found: Awaited<ReturnType<typeof mended>>;
  await withFolder(async (runs) => {
    const told = await runSmall(runs, run, { runId: "faulty", projectFolder: PROJECT });
    assert.deepEqual(readRepairs(join(runs, "faulty")), told.repairs);
    found = {
      told,
      faulty: readManifest(join(runs, "faulty")),
      fork: readManifest(told.folder),
      yaml: Deno.readTextFileSync(join(told.folder, "workflow.yaml")),
    };
  });
  return found!;
}

const GREEDY: SmallRun = { sampling: { temperature: 0.01 } };
let greedy: ReturnType<typeof mended> | null = null;
/** The mended run that others are compared with. */
const greedyRun = () => greedy ??= mended(GREEDY);

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
    run: GREEDY,
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
    const { told, faulty, fork, yaml } = await (run === GREEDY ? greedyRun() : mended(run));
    assert.equal(told.status, "ok", told.advice.join("\n"));
    assert.equal(told.runId, `faulty.r${tries}b`);
    assert.equal(told.firstRunId, "faulty");
    const reward = lastReward(told);
    assert(reward >= 0.95 * want.reward, `reward ${reward}, clean ${want.reward}`);
    assert(computed(told) <= 1.3 * want.steps, `${computed(told)} train steps, clean ${want.steps}`);
    const records = told.repairs;
    assert.equal(records.length, tries);
    const last = records.at(-1)!;
    assert.equal(last.cause, cause);
    assert.equal(last.decision, "accepted");
    assert.deepEqual(last.change.map(({ key, from, to }) => [key, from, to]), [edit]);
    assert.equal(last.plain!.fired, true);
    assert.equal(last.patched!.fired, false);
    assert.notEqual(last.workflow.before, last.workflow.after);
    assert(records.slice(0, -1).every(({ decision }) => decision === "rejected"));
    assert.equal(faulty.status, "stopped");
    assert.equal(faulty.continued_by, told.runId);
    assert.equal(fork.parent, "faulty");
    assert.deepEqual(fork.repairs, faulty.repairs);
    assert.match(yaml, new RegExp(`${edit[0]}: ${edit[2]}\n`));
  });
}

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

/** The same fault once more, interrupted in the fork that was accepted, and resumed. */
async function interrupted() {
  const stop = new StopControl(), events: Told["events"][number][] = [];
  const onEvent = (event: Told["events"][number]) => {
    if (event.event === "train_step" && event.train_step === 30) stop.request("SIGINT");
  };
  let told: { first: Told; resumed: Told };
  await withFolder(async (runs) => {
    told = {
      first: await runSmall(runs, GREEDY, { runId: "faulty", projectFolder: PROJECT, stop, onEvent }),
      resumed: await runSmall(runs, GREEDY, {
        resume: "faulty",
        projectFolder: PROJECT,
        onEvent: (event) => events.push(event),
      }),
    };
  });
  return { ...told!, events };
}

let cut: ReturnType<typeof interrupted> | null = null;
const cutRun = () => cut ??= interrupted();

Deno.test("runWithRepair() decides the same again: records differ in nothing", async () => {
  const [{ told }, { first }] = [await greedyRun(), await cutRun()];
  assert.equal(first.repairs.length, 1);
  // Times in the tables decide the bytes of a checkpoint.
  const withoutHash = ({ repairs }: Told) =>
    repairs.map(({ checkpoint, ...rest }) => ({ ...rest, at: checkpoint?.checkpoint }));
  assert.deepEqual(withoutHash(first), withoutHash(told));
});

Deno.test("runWithRepair() resumes the fork that was accepted, with its change", async () => {
  const [{ told }, { first, resumed, events }] = [await greedyRun(), await cutRun()];
  assert.equal(first.status, "interrupted");
  assert.equal(first.runId, "faulty.r1b");
  assert.equal(resumed.status, "ok");
  assert.equal(resumed.runId, "faulty.r1b");
  assert.equal(resumed.repairs.length, 1);
  assert.deepEqual(resumed.evaluations, told.evaluations);
  const started = events.find(({ event }) => event === "run_started")!;
  assert.equal(started.resumed, true);
});
