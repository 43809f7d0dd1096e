/** The protocol: what is tried, what is kept, what is refused, and when it ends. */
import assert from "node:assert/strict";
import { join } from "node:path";
import { existsSync } from "node:fs";
import { commandLine } from "../../../workflows/terminal/command_line.ts";
import { readManifest } from "../../../workflows/store/manifest.ts";
import { checkpointNames } from "../../../workflows/store/retention.ts";
import { MORE_KL } from "../../../steps/diagnoses/remedies/often.ts";
import { Repair } from "../../../workflows/repair/repair.ts";
import { smallPlan } from "../preflight/small_plans.ts";
import type { RunFinding, RunResult } from "../../../workflows/engine/run_plan.ts";
import { withFolder } from "../engine/fake_runs.ts";
import { runFaulty, type Trouble } from "./faulty_kinds.ts";

const WARMER = { step: "sample_groups", key: "temperature", set: 1 };
const SLOWER = { step: "apply_update", key: "learning_rate", mul: 0.1, min: 1e-8 };
const SLOW: Trouble = { cause: "kl_explosion", patches: [SLOWER] };

Deno.test("a fault that a factor mends is repaired on a fork from before the finding, and the fork goes on", () =>
  withFolder(async (runs) => {
    const run = await runFaulty(runs, {
      trouble: ({ trainStep, rate }) => trainStep >= 25 && rate > 0.1 ? SLOW : null,
    });
    assert.equal(run.status, "ok");
    assert.equal(run.runId, "faulty.r1b");
    const [record] = run.repairs;
    assert.equal(record!.decision, "accepted");
    assert.equal(record!.checkpoint!.checkpoint, "20.0");
    assert.equal(record!.steps, 20);
    assert.deepEqual([record!.first_step, record!.found_step], [25, 25]);
    assert.deepEqual(record!.plain!.rewards.map(([step]) => step), [21, 22, 23, 24, 25]);
    assert.deepEqual(record!.change.map(({ key, from, to, path }) => [key, from, to, path]), [
      ["learning_rate", 0.8, 0.08, ["steps", 1, "steps", 1]],
    ]);
    // 25 of the run, 5 of the plain fork, 40 of the patched one: train steps before the fork are not computed again.
    assert.equal(run.events.filter(({ event }) => event === "train_step").length, 25 + 5 + 40);
    const started = run.events.filter(({ event }) => event === "run_started");
    assert.deepEqual(started.map((event) => event.run), ["faulty", "faulty.r1a", "faulty.r1b"]);
    assert(
      run.events.some(({ text }) =>
        /^Repair 1 of kl_explosion: from faulty\/20\.0, faulty\.yaml:\d+:\d+: learning_rate/.test(String(text))
      ),
    );
    const { repair, parent, root } = readManifest(run.folder);
    assert.deepEqual([parent, root], ["faulty", "faulty"]);
    assert.equal((repair as { fork: string }).fork, "patched");
  }));

Deno.test("a finding that does not come again on a plain resume is transient: the plain fork goes on", () =>
  withFolder(async (runs) => {
    const run = await runFaulty(runs, {
      trouble: ({ trainStep, again }) => trainStep === 33 && again === 0 ? SLOW : null,
    });
    assert.equal(run.status, "ok");
    assert.equal(run.runId, "faulty.r1a");
    assert.equal(run.repairs[0]!.decision, "transient");
    assert.equal(run.repairs[0]!.patched, null);
    assert(!existsSync(join(runs, "faulty.r1b")));
  }));

Deno.test("a permanent fault is given up after two repairs of its cause, and the run stays stopped", () =>
  withFolder(async (runs) => {
    const run = await runFaulty(runs, { trouble: ({ trainStep }) => trainStep === 5 ? SLOW : null });
    assert.equal(run.status, "stopped");
    assert.equal(run.runId, "faulty");
    assert.deepEqual(run.repairs.map(({ decision }) => decision), ["rejected", "rejected", "refused"]);
    assert.deepEqual(run.repairs.slice(0, 2).map(({ change }) => change[0]!.to), [0.08, 0.0008]);
    assert.match(run.repairs[2]!.why, /kl_explosion was tried 2 times, want at most 2/);
    assert.equal(run.exitCode, 3);
  }));

Deno.test("one fault after the other is repaired, at most three in a run", () =>
  withFolder(async (runs) => {
    const causes = ["kl_explosion", "nan_loss", "mode_collapse", "overfitting"]; // none explains the next
    const run = await runFaulty(runs, {
      // Every new cause wants a smaller step than the one before.
      trouble({ trainStep, rate }) {
        const index = causes.findIndex((_, i) => trainStep === 12 * (i + 1) && rate > 0.9 * 10 ** -(i + 1));
        return index < 0 ? null : { cause: causes[index]!, patches: [SLOWER] };
      },
    });
    assert.deepEqual(run.repairs.map(({ cause, decision }) => [cause, decision]), [
      ["kl_explosion", "accepted"],
      ["nan_loss", "accepted"],
      ["mode_collapse", "accepted"],
      ["overfitting", "refused"],
    ]);
    assert.match(run.repairs[3]!.why, /3 repairs were tried/);
    assert.equal(run.status, "stopped");
    assert.equal(run.runId, "faulty.r3b");
    const edits = readManifest(run.folder).edits as { to: number }[];
    assert.deepEqual(edits.map(({ to }) => to), [0.08, 0.008, 0.0008]);
    assert.equal(readManifest(join(runs, "faulty")).continued_by, "faulty.r1b");
  }));

Deno.test("a change after which less is earned is rejected although the finding is gone", () =>
  withFolder(async (runs) => {
    const run = await runFaulty(runs, {
      reward: ({ trainStep, rate }) => rate > 0.1 ? 0.5 + 0.001 * trainStep : 0.2,
      trouble: ({ trainStep, rate }) => trainStep === 29 && rate > 0.1 ? SLOW : null,
    });
    assert.deepEqual(run.repairs.map(({ decision }) => decision), ["rejected", "rejected", "refused"]);
    const { comparison, why, patched } = run.repairs[0]!;
    assert.match(why, /reward is worse/);
    assert.deepEqual([comparison!.steps, comparison!.worse], [9, true]);
    assert.equal(patched!.fired, false);
    assert(patched!.train_step <= 20 + 20);
  }));

Deno.test("a warmer sampler may earn less than the greedy one it replaces", () =>
  withFolder(async (runs) => {
    const run = await runFaulty(runs, {
      reward: ({ temperature, trainStep }) => temperature < 1 ? 0.9 : 0.3 + 0.001 * trainStep,
      trouble: ({ trainStep, temperature }) =>
        trainStep >= 9 && temperature < 1 ? { cause: "greedy_sampling", patches: [WARMER] } : null,
    });
    assert.deepEqual(run.repairs.map(({ decision }) => decision), ["accepted"]);
    assert.equal(run.status, "ok");
  }));

Deno.test("failures of integrity are never repaired", () =>
  withFolder(async (runs) => {
    for (const code of ["G00", "G01", "K02", "M02", "N05"]) {
      const run = await runFaulty(runs, {
        trouble: ({ trainStep }) =>
          trainStep === 4 ? { cause: "group_integrity", codes: [code], patches: [SLOWER] } : null,
      }, { runId: `run_${code}` });
      assert.deepEqual(run.repairs.map(({ decision }) => decision), ["refused"]);
      assert.match(run.repairs[0]!.why, new RegExp(`failure of integrity \\(${code}\\)`));
      assert(!existsSync(join(runs, `run_${code}.r1a`)));
    }
  }));

Deno.test("a finding without a setting that mends it is left to the person", () =>
  withFolder(async (runs) => {
    const cases: [Trouble["patches"], RegExp][] = [
      [[], /^no setting mends it$/],
      [[{ step: "load_model", key: "reference", set: "copy" }], /no repeated step uses "load_model"/],
      [[{ step: "sample_groups", key: "top_q", set: 1 }], /unknown key "top_q"/],
      [[{ step: "apply_update", key: "learning_rate", set: 7 }], /no change applies: /],
      [[{ step: "sample_groups", key: "temperature", set: 0.5 }], /already so/],
      [[{ step: "apply_update", key: "kl_coef", mul: 2 }], /"kl_coef" of "apply_update" is not set/],
    ];
    for (const [index, [patches, why]] of cases.entries()) {
      const trouble: Trouble = { cause: "reward_hacking", ...(patches ? { patches } : {}) };
      const run = await runFaulty(runs, { trouble: ({ trainStep }) => trainStep === 3 ? trouble : null }, {
        runId: `run_${index}`,
      });
      assert.deepEqual(run.repairs.map(({ decision }) => decision), ["refused"]);
      assert.match(run.repairs[0]!.why, why);
    }
  }));

Deno.test("a finding from the first train step on is repaired from the start of the block, which outlives newer checkpoints", () =>
  withFolder(async (runs) => {
    const run = await runFaulty(runs, {
      trouble: ({ trainStep, rate }) =>
        trainStep >= 40 && rate > 0.1 ? { ...SLOW, trainSteps: Array.from({ length: 40 }, (_, i) => i + 1) } : null,
    }, { every: 5 });
    assert(checkpointNames(join(runs, "faulty")).includes("0.0"));
    assert.equal(run.repairs[0]!.checkpoint!.checkpoint, "0.0");
    assert.equal(run.repairs[0]!.steps, 80);
    assert.equal(run.status, "ok");
  }));

Deno.test("a fork that another finding stops after the first one was due counts as repaired", () =>
  withFolder(async (runs) => {
    const run = await runFaulty(runs, {
      trouble({ trainStep, rate, temperature }) {
        if (trainStep === 25 && rate > 0.1) return SLOW;
        return trainStep === 30 && temperature < 1 ? { cause: "greedy_sampling", patches: [WARMER] } : null;
      },
    });
    assert.deepEqual(run.repairs.map(({ cause, decision }) => [cause, decision]), [
      ["kl_explosion", "accepted"],
      ["greedy_sampling", "accepted"],
    ]);
    assert.match(run.repairs[0]!.why, /not with it in 10 train steps, where another stopped it: greedy_sampling: /);
    assert.match(run.repairs[1]!.why, /not with it in 20 train steps$/);
    assert.equal(run.status, "ok");
    assert.equal(run.runId, "faulty.r2b");
  }));

Deno.test("a fork that an after-effect of the finding stops is rejected, and says after how many train steps", () =>
  withFolder(async (runs) => {
    const run = await runFaulty(runs, {
      trouble({ trainStep, rate }) {
        if (trainStep === 25 && rate > 0.1) return SLOW;
        return trainStep === 30 ? { cause: "mode_collapse", patches: [WARMER] } : null;
      },
    });
    assert.equal(run.repairs[0]!.decision, "rejected");
    assert.match(run.repairs[0]!.why, /the patched fork ended after 10 train steps: mode_collapse: /);
    assert.equal(run.status, "stopped");
  }));

Deno.test("suggest names the parameter to override, and the checkpoint to go on from", () =>
  withFolder(async (runs) => {
    const run = await runFaulty(runs, { trouble: ({ trainStep }) => trainStep === 25 ? SLOW : null }, {
      repair: "suggest",
    });
    assert.equal(run.repairs[0]!.decision, "suggested");
    assert.deepEqual(run.advice.slice(0, 2), [
      "To change: faulty.yaml:10:54: learning_rate of apply_update 0.8 -> 0.08",
      `Then go on from checkpoint 20.0, before train step 25: ${
        commandLine(["run", "faulty.yaml", "--resume", "faulty", "--allow-drift", "--runs", runs, "-p", "rate=0.08"])
      }`,
    ]);
  }));

Deno.test("a rate of the warm start is suggested at its usual value, and not tried on a fork that comes after it", () =>
  withFolder(async (runs) => {
    const plan = smallPlan({ tune: { max_updates: 40, learning_rate: 1 } }, runs);
    const result = { runId: "r", folder: join(runs, "r"), checkpoint: null } as RunResult;
    const finding: RunFinding = {
      train_step: 40,
      cause: "learning_rate_too_high",
      codes: ["C03"],
      severity: "error",
      train_steps: [1],
      message: "it is far out",
      hint: "lower it",
      evidence: "[]",
      remedy: JSON.stringify({ patches: [{ step: "fine_tune", key: "learning_rate", usual: true }], options: [] }),
    };
    const repair = new Repair({ result, plan, edits: [] }, finding, "r", { runsFolder: runs, projectFolder: runs }, []);
    const { record, lines } = await repair.suggest();
    assert.equal(record.decision, "suggested", record.why);
    assert.match(lines[0]!, /learning_rate of fine_tune 1 -> 0\.001$/);
    const applied = await repair.apply();
    assert.deepEqual([applied.record.decision, applied.next], ["refused", null]);
    assert.match(applied.record.why, /learning_rate of fine_tune 1 -> 0\.001: this step runs once, start a new run/);
  }));

Deno.test("more KL is offered with the reference that a run lacks, and said in words of the workflow where it cannot be", () =>
  withFolder(async (runs) => {
    const finding: RunFinding = {
      train_step: 40,
      cause: "mode_collapse",
      codes: ["R09"],
      severity: "error",
      train_steps: [30],
      message: "one text for all",
      hint: "switch the KL on",
      evidence: "[]",
    };
    const repairOf = (reference: string, patches: readonly object[] = MORE_KL) => {
      const plan = smallPlan({ model: { reference }, update: { kl_coef: reference === "none" ? 0 : 0.1 } }, runs);
      const result = { runId: "r", folder: join(runs, "r"), checkpoint: null } as RunResult;
      const found = { ...finding, remedy: JSON.stringify({ patches, options: [] }) };
      return new Repair({ result, plan, edits: [] }, found, "r", { runsFolder: runs, projectFolder: runs }, []);
    };
    const changes = async (...given: Parameters<typeof repairOf>) =>
      (await repairOf(...given).suggest()).record.change.map(({ id, key, from, to }) => [id, key, from, to]);
    assert.deepEqual(await changes("none"), [["apply_update", "kl_coef", 0, 0.01], [
      "load_model",
      "reference",
      "none",
      "copy",
    ]]);
    assert.deepEqual(await changes("copy"), [["apply_update", "kl_coef", 0.1, 0.2]]);
    // A run can go on with a lower rate, and with a reference only start again.
    const lower = [...MORE_KL, { step: "apply_update", key: "learning_rate", mul: 0.3 }];
    assert.deepEqual((await changes("none", lower)).map(([, key]) => key), ["learning_rate"]);
    assert.deepEqual((await changes("copy", lower)).map(([, key]) => key), ["kl_coef"]);
    // A fork comes after the model is loaded.
    const { record } = await repairOf("none").apply();
    assert.match(record.why, /reference of load_model none -> copy: this step runs once, start a new run/);
    assert.doesNotMatch(record.why, /ref_logprobs/);
  }));

Deno.test("what cannot be changed is said once, not again of the factor that goes further", () =>
  withFolder(async (runs) => {
    const patches = [{ step: "apply_update", key: "kl_coef", mul: 2, min: 0.01 }] as const;
    const plan = smallPlan({ model: { reference: "none" }, update: { kl_coef: 0 } }, runs);
    const result = { runId: "r", folder: join(runs, "r"), checkpoint: null } as RunResult;
    const finding = {
      ...{ train_step: 4, cause: "mode_collapse", codes: [], severity: "error", train_steps: [3], message: "m" },
      ...{ hint: "h", evidence: "[]", remedy: JSON.stringify({ patches, options: [] }) },
    } as unknown as RunFinding;
    const repair = new Repair({ result, plan, edits: [] }, finding, "r", { runsFolder: runs, projectFolder: runs }, []);
    const { why } = (await repair.suggest()).record;
    assert.equal(why.split("ref_logprobs").length, 2, why);
  }));
