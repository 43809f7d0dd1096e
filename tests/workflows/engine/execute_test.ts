/** Outputs, conditions and rounds as the tree is walked. @module */
import assert from "node:assert/strict";
import { stepsOf } from "../../../workflows/engine/execute.ts";
import { fakeRun, withFolder } from "./fake_runs.ts";
import { fakePlan } from "./fake_steps.ts";

Deno.test("stepsOf() lists the steps of nested blocks in the order of the file", () => {
  const text = "name: n\nsteps:\n- {uses: act, id: a}\n- repeat: 2\n  steps:\n  - {uses: act, id: b}\n  - repeat: 2\n" +
    "    steps: [{uses: act, id: c}]\n- {uses: act, id: d}\n";
  assert.deepEqual(stepsOf(fakePlan(text, { log: [] }).steps).map(({ id }) => id), ["a", "b", "c", "d"]);
});

Deno.test("Execution hands outputs to later parameters and conditions", () =>
  withFolder(async (runs) => {
    const text = `
name: outputs
steps:
  - { id: first, uses: act, with: { value: 6 } }
  - { id: second, uses: act, with: { value: "\${{ steps.first.outputs.value }}" } }
  - { id: no, uses: act, if: "\${{ steps.second.outputs.value < 6 }}" }
  - { id: yes, uses: act, if: "\${{ steps.second.outputs.value == 6 }}" }
`;
    const run = await fakeRun(text, { runs });
    assert.equal(run.status, "ok", run.reason ?? "");
    assert.deepEqual(run.hooks.log, ["act first 0", "act second 0", "act yes 0"]);
  }));

Deno.test("Execution refuses outputs that a step kind does not declare, and keeps the first failure", () =>
  withFolder(async (runs) => {
    const text = "name: o\nsteps:\n- {uses: load_model}\n- {uses: evaluate}\n- {id: r, uses: act, if: always()}\n";
    const run = await fakeRun(text, {
      runs,
      at(place, hooks) {
        if (place.startsWith("evaluate")) hooks.policy!.weights = new Float32Array(0);
        if (place.startsWith("act")) throw new Error("the report breaks too");
      },
    });
    assert.equal(run.status, "failed");
    assert.match(run.reason!, /Cannot take outputs of step "evaluate": "sampled"/);
    assert.ok(run.events.some(({ text }) => text === 'After the run had failed: step "r": the report breaks too'));
  }));
