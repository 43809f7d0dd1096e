import assert from "node:assert/strict";
import { join } from "node:path";
import { tableOf } from "../../data/tables/mod.ts";
import { diagnoseRun } from "../../steps/diagnoses/diagnose_run.ts";
import { liveRows } from "../../steps/diagnoses/view/live_rows.ts";
import { tableView } from "../../steps/diagnoses/view/table_view.ts";
import { scramble } from "../../steps/faults/change.ts";
import { growing, trainSteps } from "./contexts/train_steps.ts";
import { type TrainingRun, withRun, withTinyPolicy } from "./contexts/training_run.ts";

Deno.test("diagnose is silent on a healthy run: no finding worth a warning, no stop", () =>
  withRun(async (run) => {
    trainSteps(run, 20);
    const result = await run.run("diagnose");
    assert.equal(result.outputs!["findings"], 0);
    assert.equal(result.stop, undefined);
  }));

Deno.test("diagnose stops at NaN with cause and message, and writes the finding with its evidence", () =>
  withRun(async (run) => {
    trainSteps(run, 3);
    trainSteps(run, 2, { loss: NaN, grad_norm: NaN, non_finite: 1 });
    const result = await run.run("diagnose");
    const causes = run.column<string>("findings", "cause");
    assert(causes.length > 0);
    assert.match(result.stop!, new RegExp(`^(${causes.join("|")}): .`));
    assert(["fatal", "error"].includes(String(result.outputs!["worst"])));
    for (const text of run.column<string>("findings", "evidence")) assert(Array.isArray(JSON.parse(text)));
    assert(run.column<string>("findings", "evidence").some((text) => text.includes('"NaN"')), "NaN survives as text");
    assert.deepEqual(new Set(run.column("findings", "train_step")), new Set([5]));
  }));

Deno.test("diagnose with on_error: warn goes on after an error, but not after what is fatal", () =>
  withRun(async (run) => {
    const spread = { reward_std: 0, group_reward_std: 0, zero_spread_fraction: 1 };
    trainSteps(run, 12, { ...spread, loss: 0, grad_norm: 0, reward: 0, accuracy: 0 });
    const stopped = await run.run("diagnose", { on_error: "stop" });
    const going = await run.run("diagnose", { on_error: "warn" });
    assert.deepEqual([stopped.outputs!["worst"], going.outputs!["worst"]], ["error", "error"]);
    assert.match(stopped.stop!, /^all_incorrect_reward_floor: Every reward is 0/);
    assert.equal(going.stop, undefined);
    trainSteps(run, 2, { loss: NaN, grad_norm: NaN, non_finite: 1 });
    const fatal = await run.run("diagnose", { on_error: "warn" });
    assert.equal(fatal.outputs!["worst"], "fatal");
    assert.notEqual(fatal.stop, undefined);
  }));

const causesOf = (findings: readonly { cause: string }[]) => findings.map(({ cause }) => cause);

Deno.test("diagnose sees a trend in the whole run, at every eighth train step at first, and says what is said afterwards", () =>
  withRun(async (run) => {
    growing(run, 1, 320);
    await run.run("diagnose");
    const told = run.column<string>("findings", "cause");
    assert.equal(told[0], "length_inflation");
    const { findings } = diagnoseRun(tableView(liveRows(run.context("diagnose"), 320)));
    assert.deepEqual(told, causesOf(findings));
    const last = diagnoseRun(tableView(liveRows(run.context("diagnose"), 128), false)).findings;
    assert.ok(!causesOf(last).includes("length_inflation"), "the last 128 train steps have no course");
    growing(run, 321, 323);
    await run.run("diagnose");
    assert.equal(run.tables.currentRows("findings"), 0, "no look at the whole run is due");
    assert.deepEqual(await run.run("diagnose", { window: 200 }).then(({ outputs }) => outputs!["findings"]), 1);
  }));

Deno.test("diagnose does not tell a trend that was not there one look before", () => {
  let [first, ms] = [0, 0]; // Looks take no time.
  return withRun(async (run) => {
    for (let step = 1; step <= 320 && first === 0; step++) {
      growing(run, step, step);
      ms += 1e6;
      if (step % 8 !== 0 || step < 16) continue;
      const { findings } = diagnoseRun(tableView(liveRows(run.context("diagnose"), 320)));
      const tells = causesOf(findings).includes("length_inflation");
      const { outputs } = await run.run("diagnose");
      if (tells) [first] = [step, assert.equal(outputs!["findings"], 0, "it is the first look that sees it")];
    }
    growing(run, first + 1, first + 8);
    ms += 1e6;
    assert.equal((await run.run("diagnose")).outputs!["findings"], 1);
  }, { now: () => ms });
});

Deno.test("diagnose sees at once what is not finite, and a last word in a step of its own, also where no time is left", () =>
  withRun(async (run) => {
    for (let step = 1; step <= 20; step++) {
      trainSteps(run, 1);
      await run.run("diagnose");
    }
    trainSteps(run, 1, { loss: NaN, grad_norm: NaN, non_finite: 1 });
    assert.equal((await run.run("diagnose")).outputs!["worst"], "fatal");
    assert.equal((await run.run("diagnose", {}, { id: "verdict" })).outputs!["worst"], "fatal");
    trainSteps(run, 1);
    assert.equal((await run.run("diagnose")).outputs!["findings"], 0);
    assert.equal((await run.run("diagnose", {}, { id: "other" })).outputs!["worst"], "fatal");
  }, { now: clockOf(1) }));

/** A clock on which nothing takes time but each reading. */
function clockOf(ms: number): () => number {
  let now = 0;
  return () => now += ms;
}

/** Two completions of each of four prompts, all the same. */
function sameText(run: TrainingRun, train_step: number): void {
  const rows = [...Array(8).keys()], of = <T>(value: T) => rows.map(() => value);
  run.tables.write({
    completions: tableOf("completions", {
      ...{ train_step: of(train_step), prompt_id: rows.map((row) => row >> 1), sample: rows.map((row) => row % 2) },
      ...{ prompt: rows.map((row) => `${row >> 1}+5=`), text: of("1"), reward: of(0), completion_tokens: of(2) },
    }),
  }, "sample_groups");
}

Deno.test("diagnose does not stop a run for what the model wrote before any gradient reached it", () =>
  withRun(async (run) => {
    const still = { grad_norm: 0, relative_update: 0, update_size: 0, kl: 0, loss: 0 };
    const flat = { ...{ reward: 0, accuracy: 0, reward_std: 0, group_reward_std: 0, zero_spread_fraction: 1 } };
    trainSteps(run, 2, { ...still, ...flat });
    sameText(run, 2);
    assert.equal((await run.run("diagnose")).stop, undefined);
    trainSteps(run, 2, { ...flat, grad_norm: 0.5, reward: 0.1 });
    sameText(run, 4);
    assert.match((await run.run("diagnose")).stop!, /^mode_collapse: One text is 100 % of the completions/);
  }));

Deno.test("diagnose of a run without metrics says nothing", () =>
  withRun(async (run) => {
    run.tables.advance();
    const { outputs, stop } = await run.run("diagnose");
    assert.deepEqual([outputs, stop], [{ findings: 0, worst: null }, undefined]);
  }));

Deno.test("diagnose sees the first updates of a step that made three hundred by itself, unless a window is given", () =>
  withRun(async (run) => {
    for (let update = 1; update <= 300; update++) {
      const lost = update < 3 ? 0 : -60, train_step = run.tables.advance();
      run.tables.write({
        metrics: tableOf("metrics", {
          train_step: [train_step],
          phase: ["preference"],
          step_id: ["train_preferences"],
          loss: [0.5 + Math.sin(update) / 50],
          grad_norm: [1],
          learning_rate: [3e-3],
          relative_update: [1e-3],
          chosen_logprob: [-1.3 + lost],
          rejected_logprob: [-20 + lost],
          reward_margin: [Math.sin(update) / 50],
          non_finite: [0],
        }),
      }, "train_preferences");
    }
    run.tables.write({
      settings: tableOf("settings", {
        ...{ name: ["parameters"], value: ["765184"], option: [null], written_type: ["number"] },
        ...{ system: ["nonzero"], source: [null], line: [null] },
      }),
    }, "load_model");
    const { stop } = await run.run("diagnose");
    assert.match(stop!, /^learning_rate_too_high: .* within 2 updates$/);
    assert.equal((await run.run("diagnose", { window: 128 })).stop, undefined);
  }));

/** A policy that is right now and then: its rewards differ within groups. */
const WARM = { model: join(import.meta.dirname!, "../models/warm_addition"), reference: "copy" };

Deno.test("diagnose tells another reference from what the later updates of a rollout moved, in an export too", () =>
  withTinyPolicy(async (run) => {
    await run.rollout();
    await run.run("apply_update", { learning_rate: 1e-3, kl_coef: 0.1, updates_per_rollout: 3 });
    const findings = () => diagnoseRun(tableView(liveRows(run.context("diagnose"), 128))).findings;
    const [mean] = run.column<number>("metrics", "kl"), [first, second] = run.column<number>("updates", "kl");
    assert.equal(first, 0);
    assert(mean! > 0.05 && second! > 0.05, `${mean}: the updates moved the policy`);
    assert(!findings().some(({ cause }) => cause === "wrong_reference_model"), "healthy");
    const { updates: _, ...tables } = liveRows(run.context("diagnose"), 128).tables;
    for (const lost of [tables, { ...tables, settings: undefined }]) {
      const { settings, ...rest } = lost;
      const exported = diagnoseRun(tableView({ tables: settings ? { ...rest, settings } : rest, log: null }));
      assert(!exported.findings.some(({ cause }) => cause === "wrong_reference_model"), "without the table updates");
      assert.notEqual(exported.verdict, "benign", "nor is it called healthy: it cannot be told");
    }
  }, WARM));

for (const [kl_coef, table] of [[0.1, "updates"], [0, "metrics"]] as const) {
  Deno.test(`diagnose names another reference where a rollout has several updates and kl_coef ${kl_coef}`, () =>
    withTinyPolicy(async (run) => {
      scramble(run.context("x").resource("reference").model().weights, 5);
      await run.rollout();
      await run.run("apply_update", { learning_rate: 1e-3, kl_coef, updates_per_rollout: 3 });
      const { findings } = diagnoseRun(tableView(liveRows(run.context("diagnose"), 128)));
      const found = findings.find(({ cause }) => cause === "wrong_reference_model");
      const [value] = run.column<number>(table, "kl"), row = { source: null, line: null, train_step: 1, name: "kl" };
      assert.deepEqual(found?.evidence[0], { table, ...row, value });
    }, WARM));
}
