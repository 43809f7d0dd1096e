/** What a step may do, and no longer may once it is over. @module */
import assert from "node:assert/strict";
import { z } from "zod";
import { tableOfRows } from "../../../data/tables/mod.ts";
import type { PlannedStep } from "../../../workflows/plan/plan.ts";
import { checkOutputs, openAttempt, StopAtSafePoint } from "../../../workflows/engine/context.ts";
import { RunState } from "../../../workflows/engine/run_state.ts";
import { ENVIRONMENT, RECORD } from "./fake_runs.ts";
import { fakePlan, FakePolicy } from "./fake_steps.ts";
import { same } from "../../same.ts";

function open(options: { restoring?: boolean; stopping?: boolean } = {}) {
  const plan = fakePlan("name: c\nsteps: [{ uses: load_model }, { uses: fine_tune }]", { log: [] });
  const events: string[] = [];
  const log = { write: ({ event }: { event: string }) => void events.push(event), close() {} };
  const state = new RunState(
    plan,
    ENVIRONMENT,
    "r",
    { project: "/", workflow: "/", run: "/nowhere" },
    () => RECORD,
    log,
  );
  const reached: [number, boolean][] = [];
  const attempt = openAttempt(state, plan.steps[1] as PlannedStep, {
    position: 3,
    signal: new AbortController().signal,
    restoring: options.restoring ?? false,
    isStopping: () => options.stopping ?? false,
    reached: (position, advanced) => Promise.resolve(void reached.push([position, advanced])),
  });
  return { state, attempt, context: attempt.context, reached, events };
}

const metrics = tableOfRows("metrics", [{ loss: 1 }]);

Deno.test("openAttempt() keeps the position and tells whether the step counts train steps", async () => {
  const { context, attempt, reached } = open();
  assert.equal(context.position, 3);
  await context.safePoint(4);
  assert.equal(context.advance(), 1);
  assert.equal(context.trainStep, 1);
  await context.safePoint(5);
  await context.safePoint();
  assert.deepEqual(reached, [[4, false], [5, true]]);
  assert.equal(attempt.position, 5);
});

Deno.test("openAttempt() leaves the step at a safe point when the run stops", async () => {
  const { context, attempt } = open({ stopping: true });
  await assert.rejects(() => context.safePoint(7), StopAtSafePoint);
  assert.equal(attempt.position, 7);
});

Deno.test("openAttempt() ends a step at the safe point at which it was closed", async () => {
  const { context, attempt, reached } = open();
  const passed = context.safePoint(4);
  attempt.close(new Error("it is over"));
  await assert.rejects(passed, /it is over/);
  assert.deepEqual(reached, [[4, false]]);
});

Deno.test("openAttempt() refuses tables and resources the step does not have, and all but events once closed", () => {
  const { context, attempt, events } = open();
  context.write({ metrics });
  assert.throws(
    () => context.write({ prompts: metrics }),
    /Cannot take table "prompts" from step "fine_tune": .* metrics/,
  );
  assert.throws(() => context.resource("policy"), /no earlier step gave resource "policy"; the run has none/);
  attempt.close(new Error("it is over"));
  assert.throws(() => context.table("metrics"), /it is over/);
  assert.throws(() => context.write({ metrics }), /it is over/);
  context.emit({ event: "message", text: "printed late" });
  assert.deepEqual(events, ["message"]);
});

Deno.test("openAttempt() discards rows and events while restoring", () => {
  const { context, state, events } = open({ restoring: true });
  context.write({ metrics });
  context.emit({ event: "message", text: "again" });
  assert.equal(state.tables.table("metrics").numRows(), 0);
  assert.deepEqual(events, []);
  assert.throws(() => context.advance(), /Cannot restore step "fine_tune"/);
});

Deno.test("give() restores the saved state of a resource in a resumed step", async () => {
  const { context, state } = open();
  const saved = new FakePolicy(4);
  saved.update(0.3);
  state.pending.set("policy", { ...saved.save() });
  const fresh = new FakePolicy(4);
  await context.give!({ policy: fresh as never });
  same(fresh.weights, saved.weights);
  assert.equal(fresh.updates, 1);
  assert.equal(context.resource("policy"), fresh as never);
  const next = new FakePolicy(4);
  await context.give!({ policy: next as never });
  assert.ok(fresh.released);
  assert.notDeepEqual(next.weights, saved.weights);
});

Deno.test("checkOutputs() takes what a step declares and refuses what it gives besides, whichever kind of object declares", () => {
  const step = (outputs: z.ZodType) => ({ id: "s", uses: "act", kind: { outputs } }) as unknown as PlannedStep;
  const loss = { loss: z.number().nullable() };
  for (const outputs of [z.object(loss), z.strictObject(loss)]) {
    assert.deepEqual(checkOutputs(step(outputs), { loss: null }), { loss: null });
    assert.throws(
      () => checkOutputs(step(outputs), { loss: 1, updates: 2 }),
      /^TypeError: Cannot finish step "s": it gave output "updates" that "act" does not declare, want one of loss; add it/,
    );
    assert.throws(() => checkOutputs(step(outputs), {}), /Cannot take outputs of step "s": "loss": /);
  }
  assert.throws(() => checkOutputs(step(z.object({})), { loss: 1 }), /want one of none/);
  assert.deepEqual(checkOutputs(step(z.looseObject({})), { any: true }), { any: true });
});
