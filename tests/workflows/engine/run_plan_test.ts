/** Runs of fake workflows: order, resume at every safe point, failures, conditions, what is left behind. @module */
import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { closeSandboxes, withSandbox } from "../../../steps/rewards/sandbox/pool.ts";
import type { Sandbox } from "../../../steps/rewards/sandbox/sandbox.ts";
import { DriftError, LockHeldError, StopControl } from "../../../workflows/engine/run_plan.ts";
import { readManifest, writeManifest } from "../../../workflows/store/manifest.ts";
import { checkpointNames } from "../../../workflows/store/retention.ts";
import { acquireLock } from "../../../workflows/store/lock.ts";
import { ENVIRONMENT, fakeRun, rowsOnDisk, withFolder } from "./fake_runs.ts";
import { same } from "../../same.ts";

const NESTED = `
name: nested
params: { rate: 0.1 }
checkpoint: { every: 2, keep: 2, best: evaluations.sampled }
keep_completions: 3
steps:
  - uses: load_prompts
  - uses: load_model
  - { uses: fine_tune, with: { updates: 3 } }
  - repeat: 2
    steps:
      - repeat: 3
        steps:
          - uses: sample_groups
          - { uses: apply_update, with: { rate: "\${{ params.rate }}" } }
          - { id: during, uses: evaluate, every: 2 }
      - { id: outer, uses: evaluate }
  - { id: after, uses: evaluate }
`;

Deno.test("runPlan() walks nested blocks, counts train steps and leaves a whole run folder", () =>
  withFolder(async (runs) => {
    const run = await fakeRun(NESTED, { runs, runId: "whole" });
    assert.equal(run.status, "ok");
    assert.equal(run.exitCode, 0);
    const evaluations = run.hooks.log.filter((place) => place.startsWith("evaluate"));
    assert.deepEqual(evaluations, [
      "evaluate during 5",
      "evaluate outer 6",
      "evaluate during 8",
      "evaluate outer 9",
      "evaluate after 9",
    ]);
    assert.deepEqual(Object.keys(run.evaluations).sort(), ["after", "during", "outer"]);
    const rows = rowsOnDisk(run.folder);
    assert.equal(rows.metrics!.length, 9);
    assert.equal(rows.updates!.length, 12);
    assert.equal(rows.evaluations!.length, 5);
    assert.equal(rows.prompts!.length, 3);
    const manifest = readManifest(run.folder);
    assert.equal(manifest.status, "ok");
    assert.equal(manifest.workflow_folder, Deno.cwd());
    assert.equal(manifest.train_step, 9);
    const names = run.events.map(({ event }) => event);
    assert.equal(names[0], "run_started");
    assert.equal(run.events[0]!.pid, Deno.pid);
    assert.equal(names.at(-1), "run_finished");
    assert.equal(names.filter((name) => name === "train_step").length, 9);
    const lines = Deno.readTextFileSync(join(run.folder, "events.jsonl")).trimEnd().split("\n");
    assert.deepEqual(lines.map((line) => JSON.parse(line).event), names);
    assert.ok(run.hooks.policy!.released);
  }));

Deno.test("runPlan() ends the processes of the run's rewards with the run, and no others", () =>
  withFolder(async (runs) => {
    const path = join(import.meta.dirname!, "../../steps/rewards/user_rewards/by_default.js");
    const limits = { timeoutMs: 10_000, memoryBytes: 512 * 2 ** 20, net: [] };
    const request = { stepId: "score", path, limits, signal: new AbortController().signal, print: () => {} };
    const [own, other] = await Promise.all(
      ["own", "other"].map((runId) =>
        withSandbox({ ...request, runId }, (sandbox: Sandbox) => Promise.resolve(sandbox))
      ),
    );
    await fakeRun("name: short\nsteps:\n  - uses: load_prompts\n", { runs, runId: "own" });
    assert.deepEqual([own!.alive, other!.alive], [false, true]);
    await closeSandboxes();
  }));

Deno.test("runPlan() stopped at any safe point and resumed gives bitwise the same weights and rows", () =>
  withFolder(async (runs) => {
    // The checkpoint of the stop is the only one: a resume cannot lean on an earlier one.
    const text = NESTED.replace("every: 2", "every: 50");
    const whole = await fakeRun(text, { runs, runId: "whole" });
    const want = rowsOnDisk(whole.folder, 3);
    let interrupted = 0;
    for (let place = 0; place < whole.hooks.log.length; place++) {
      const id = `stop_${place}`;
      const first = await fakeRun(text, { runs, runId: id, stopAt: place });
      let last = first;
      if (first.status !== "ok") {
        interrupted++;
        assert.equal(first.exitCode, 130);
        last = await fakeRun(text, { runs, resume: id });
      }
      const where = whole.hooks.log[place]!;
      assert.equal(last.status, "ok", `stopped at ${where}: ${last.reason}`);
      same(last.hooks.policy!.weights, whole.hooks.policy!.weights, `weights after a stop at ${where}`);
      same(rowsOnDisk(last.folder, 3), want, `rows after a stop at ${where}`);
      assert.deepEqual(last.evaluations, whole.evaluations, `evaluations after a stop at ${where}`);
    }
    assert.equal(interrupted, whole.hooks.log.length - 1);
  }));

Deno.test("runPlan() stopped again and again, a few places apart, still gives the same weights", () =>
  withFolder(async (runs) => {
    const whole = await fakeRun(NESTED, { runs, runId: "whole" });
    let run = await fakeRun(NESTED, { runs, runId: "often", stopAt: 4 });
    for (let resumes = 0; run.status === "interrupted" && resumes < 40; resumes++) {
      run = await fakeRun(NESTED, { runs, resume: "often", stopAt: 3 });
    }
    assert.equal(run.status, "ok");
    same(run.hooks.policy!.weights, whole.hooks.policy!.weights);
    same(rowsOnDisk(run.folder, 3), rowsOnDisk(whole.folder, 3));
  }));

Deno.test("runPlan() goes back to the newest checkpoint that verifies and says which it passed over", () =>
  withFolder(async (runs) => {
    const whole = await fakeRun(NESTED, { runs, runId: "whole" });
    const stopped = await fakeRun(NESTED, { runs, runId: "hurt", stopAt: 22 });
    const names = checkpointNames(stopped.folder);
    assert.ok(names.length >= 2);
    const file = join(stopped.folder, "checkpoints", names.at(-1)!, "policy.resource.bin");
    const bytes = Deno.readFileSync(file);
    bytes[5]! ^= 1;
    Deno.writeFileSync(file, bytes);
    const resumed = await fakeRun(NESTED, { runs, resume: "hurt" });
    const told = resumed.events.filter(({ event }) => event === "message").map(({ text }) => String(text));
    assert.match(told.join("\n"), new RegExp(`Checkpoint ${names.at(-1)} is passed over: .*sha256 differs`));
    assert.equal(resumed.status, "ok");
    same(resumed.hooks.policy!.weights, whole.hooks.policy!.weights);
    same(rowsOnDisk(resumed.folder, 3), rowsOnDisk(whole.folder, 3));
  }));

Deno.test("runPlan() keeps the last checkpoints and the best", () =>
  withFolder(async (runs) => {
    const run = await fakeRun(NESTED, { runs, runId: "kept" });
    const measured = run.events.filter(({ event, best }) => event === "checkpoint" && best !== null);
    const best = measured.reduce((a, b) => (b.best as number) >= (a.best as number) ? b : a).checkpoint as string;
    const saved = run.events.filter(({ event }) => event === "checkpoint").map(({ checkpoint }) => checkpoint);
    assert.deepEqual(checkpointNames(run.folder), [...new Set([best, ...saved.slice(-2)])].sort());
  }));

Deno.test("runPlan() refuses to resume a changed run and lists the differences", () =>
  withFolder(async (runs) => {
    await fakeRun(NESTED, { runs, runId: "drift", stopAt: 20 });
    const environment = { ...ENVIRONMENT, threads: 2 };
    const changed = () => fakeRun(NESTED, { runs, resume: "drift", params: { rate: "0.2" }, environment });
    await assert.rejects(changed, (error: unknown) => {
      assert.ok(error instanceof DriftError);
      assert.deepEqual(error.differences, [
        "params.rate is 0.2, was 0.1",
        "threads is 2, was 1",
        "workflow.steps[3].steps[0].steps[1].with.rate is 0.2, was 0.1",
      ]);
      return true;
    });
    const allowed = await fakeRun(NESTED, {
      runs,
      resume: "drift",
      params: { rate: "0.2" },
      allowDrift: true,
    });
    assert.equal(allowed.status, "ok");
    assert.ok(allowed.events.some(({ text }) => text === "Drift allowed: params.rate is 0.2, was 0.1"));
    assert.match(Deno.readTextFileSync(join(allowed.folder, "workflow.yaml")), /rate: 0.2/, "a plain resume reads it");
  }));

Deno.test("runPlan() is refused while another run holds the lock", () =>
  withFolder(async (runs) => {
    Deno.mkdirSync(join(runs, "locked"));
    const lock = acquireLock(join(runs, "locked"), new Date(0));
    await assert.rejects(() => fakeRun(NESTED, { runs, runId: "locked" }), LockHeldError);
    lock.release();
  }));

const FAILING = `
name: failing
steps:
  - { id: first, uses: act, continue-on-error: true }
  - { id: second, uses: act, retry: { max: 2, delay: 0 } }
  - repeat: 3
    steps:
      - { id: third, uses: act }
      - { id: skipped, uses: act }
      - { id: inner_report, uses: act, if: always() }
  - { id: not_reached, uses: act }
  - { id: on_failure, uses: act, if: failure() }
  - { id: report, uses: act, if: always() }
`;

Deno.test("runPlan() tries again, goes on where asked, and runs the report of a failed run", () =>
  withFolder(async (runs) => {
    let seconds = 0;
    const run = await fakeRun(FAILING, {
      runs,
      at(place) {
        if (place === "act first 0") throw new Error("no matter");
        if (place === "act second 0" && ++seconds < 3) throw new Error("not yet");
        if (place === "act third 2") throw new Error("the second round breaks");
      },
    });
    assert.deepEqual(run.hooks.log, [
      "act first 0",
      "act second 0",
      "act second 0",
      "act second 0",
      "act third 1",
      "act skipped 1",
      "act inner_report 1",
      "act third 2",
      "act inner_report 2",
      "act on_failure 2",
      "act report 2",
    ]);
    assert.equal(run.status, "failed");
    assert.equal(run.exitCode, 1);
    assert.equal(run.reason, 'step "third": the second round breaks');
    assert.equal(run.error!.message, "the second round breaks");
    assert.equal(run.events.at(-1)!.status, "failed");
  }));

Deno.test("runPlan() stops with exit 3 when a step says so, findings in the result, report included", () =>
  withFolder(async (runs) => {
    const run = await fakeRun(
      `
name: stopping
steps:
  - repeat: 5
    until: \${{ steps.value.outputs.value >= 9 }}
    steps:
      - { id: value, uses: act, with: { value: 1 } }
      - { id: stopper, uses: act, every: 2, with: { stop: "entropy is gone" } }
  - { id: report, uses: act, if: always() }
`,
      { runs },
    );
    assert.deepEqual(run.hooks.log, [
      "act value 1",
      "act value 2",
      "act stopper 2",
      "act report 2",
    ]);
    assert.equal(run.status, "stopped");
    assert.equal(run.exitCode, 3);
    assert.equal(run.reason, "entropy is gone");
    assert.deepEqual(run.findings.map(({ cause, train_step }) => [cause, train_step]), [["entropy_collapse", 2]]);
    assert.equal(run.events.filter(({ event }) => event === "finding").length, 1);
  }));

Deno.test("runPlan() ends a block when its condition holds", () =>
  withFolder(async (runs) => {
    const run = await fakeRun(
      "name: u\nsteps:\n  - repeat: 5\n    until: ${{ steps.a.outputs.value >= 1 }}\n    steps:\n" +
        "      - { id: a, uses: act, every: 2, with: { value: 1 } }\n",
      { runs },
    );
    assert.deepEqual(run.hooks.log, ["act a 2"]);
  }));

Deno.test("runPlan() fails a step that outlives its time, and says which", () =>
  withFolder(async (runs) => {
    let wake = () => {};
    const run = await fakeRun("name: slow\nsteps:\n  - { id: nap, uses: act, timeout-minutes: 0.0005 }\n", {
      runs,
      at: () => new Promise<void>((resolve) => wake = resolve),
    });
    wake();
    assert.equal(run.status, "failed");
    assert.match(run.reason!, /Cannot finish step "nap": it ran longer than its timeout-minutes 0.0005/);
  }));

Deno.test("runPlan() never saves weights that are not finite", () =>
  withFolder(async (runs) => {
    const run = await fakeRun(NESTED, {
      runs,
      at(place, hooks) {
        if (place === "update 6.0") hooks.policy!.weights[3] = NaN;
      },
    });
    const told = run.events.filter(({ event }) => event === "message").map(({ text }) => String(text));
    assert.match(told[0]!, /^Cannot save resource "policy": "weights"\[3\] is NaN/);
    assert.equal(run.checkpoint, "4.2");
  }));

Deno.test("runPlan() stops hard at the second signal and keeps the last checkpoint", () =>
  withFolder(async (runs) => {
    let time = 0;
    const stop = new StopControl(() => time);
    let wake = () => {};
    const run = await fakeRun(NESTED, {
      runs,
      stop,
      async at(place) {
        if (place !== "sample 5.0") return;
        stop.request("SIGINT");
        time = 500;
        stop.request("SIGINT");
        time = 2000;
        stop.request("SIGINT");
        await new Promise<void>((resolve) => wake = resolve);
      },
    });
    wake();
    assert.equal(run.status, "interrupted");
    assert.equal(run.exitCode, 130);
    assert.match(run.reason!, /stopped hard: a second signal/);
    assert.equal(run.checkpoint, "4.2");
    const resumed = await fakeRun(NESTED, { runs, resume: run.runId });
    const whole = await fakeRun(NESTED, { runs });
    same(resumed.hooks.policy!.weights, whole.hooks.policy!.weights);
  }));

Deno.test("runPlan() takes pure steps from the cache and says why not", () =>
  withFolder(async (runs) => {
    const text = (count: number) =>
      `name: c\nsteps:\n  - { uses: load_prompts, cache: true, with: { count: ${count} } }\n`;
    const told = async (count: number) => {
      const run = await fakeRun(text(count), { runs });
      const message = run.events.find(({ event }) => event === "message")!.text;
      return [run.hooks.log.length, message, rowsOnDisk(run.folder).prompts!.length];
    };
    const miss = 'Step "load_prompts" is not taken from the cache: ';
    assert.deepEqual(await told(2), [1, `${miss}it has not run before`, 2]);
    assert.deepEqual(await told(2), [0, 'Step "load_prompts" is taken from the cache', 2]);
    assert.deepEqual(await told(5), [1, `${miss}params changed: count`, 5]);
    assert.ok(existsSync(join(runs, ".cache")));
  }));

Deno.test("runPlan() starts from the beginning when a run was killed before its first checkpoint", () =>
  withFolder(async (runs) => {
    const first = await fakeRun(NESTED, { runs, runId: "early", stopAt: 1 });
    Deno.removeSync(join(first.folder, "checkpoints"), { recursive: true });
    writeManifest(first.folder, { ...readManifest(first.folder), status: "running", checkpoint: null });
    const again = await fakeRun(NESTED, { runs, resume: "early" });
    const whole = await fakeRun(NESTED, { runs });
    assert.equal(again.status, "ok");
    same(rowsOnDisk(again.folder, 3), rowsOnDisk(whole.folder, 3));
  }));
