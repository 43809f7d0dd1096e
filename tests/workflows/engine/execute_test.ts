/** Outputs, conditions and rounds as the tree is walked. @module */
import assert from "node:assert/strict";
import { fakeRun, rowsOnDisk, withFolder } from "./fake_runs.ts";

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

Deno.test("Execution refuses an output that a step kind does not declare", () =>
  withFolder(async (runs) => {
    const text = "name: o\nsteps:\n- {uses: load_model}\n- {id: warm, uses: fine_tune}\n";
    const run = await fakeRun(text, { runs, at: (_, hooks) => void (hooks.also = { loss: 0.5 }) });
    assert.equal(run.status, "failed");
    assert.match(
      run.reason!,
      /Cannot finish step "warm": it gave output "loss" that "fine_tune" does not declare, want one of done;/,
    );
  }));

Deno.test("Execution refuses outputs of another type than declared, and keeps the first failure", () =>
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

Deno.test("Execution repeats a block until its condition holds, and runs a step in every n-th round only", () =>
  withFolder(async (runs) => {
    const text = `
name: rounds
steps:
  - repeat: 9
    until: "\${{ steps.count.outputs.value >= 4 }}"
    steps:
      - { id: third, uses: act, every: 3 }
      - { id: count, uses: act, with: { value: "\${{ run.train_step }}" } }
  - repeat: 2
    steps: [{ id: all, uses: act }]
`;
    const run = await fakeRun(text, { runs });
    assert.equal(run.status, "ok", run.reason ?? "");
    assert.deepEqual(run.hooks.log, [
      ...["act count 1", "act count 2", "act third 3", "act count 3", "act count 4"],
      ...["act all 5", "act all 6"],
    ]);
  }));

Deno.test("Execution runs steps of a block again within the train step, from the last one of the kind that a step names", () =>
  withFolder(async (runs) => {
    const text = `
name: again
steps:
  - { uses: load_prompts }
  - { uses: load_model }
  - repeat: 2
    steps:
      - { id: before, uses: act }
      - { uses: sample_groups, with: { batches: 1 } }
      - { id: judge, uses: act, with: { again: sample_groups, visits: 3 } }
      - { id: behind, uses: act }
`;
    const run = await fakeRun(text, { runs });
    assert.equal(run.status, "ok", run.reason ?? "");
    const round = (step: number) => [
      `act before ${step}`,
      ...[1, 2, 3].flatMap(() => [`sample ${step}.0`, `act judge ${step}`]),
      `act behind ${step}`,
    ];
    assert.deepEqual(run.hooks.log.slice(2), [...round(1), ...round(2)]);
  }));

Deno.test("Execution names a kind that cannot run again because none stands before", () =>
  withFolder(async (runs) => {
    const text = "name: n\nsteps:\n- repeat: 1\n  steps:\n  - {id: judge, uses: act, with: {again: evaluate}}\n";
    const run = await fakeRun(text, { runs });
    assert.equal(run.status, "failed");
    assert.match(run.reason!, /Cannot run a step "evaluate" again: none stands before step "judge" in its block/);
  }));

Deno.test("Execution tries as often as retry says, after delays that grow, and forgets the rows of a failed try", () =>
  withFolder(async (runs) => {
    const text = `
name: tries
steps:
  - { uses: load_model }
  - { uses: fine_tune, with: { updates: 1 }, retry: { max: 2, delay: 0.001, backoff: 3 } }
`;
    const failing = (times: number) =>
      fakeRun(text, {
        runs,
        at(place, { log }) {
          if (place === "fine_tune 0" && log.filter((other) => other === place).length <= times) throw new Error("no");
        },
      });
    const run = await failing(2);
    assert.equal(run.status, "ok", run.reason ?? "");
    const tries = run.events.flatMap(({ text }) => /; try .*/.exec(String(text))?.[0] ?? []);
    assert.deepEqual(tries, ["; try 2 of 3 in 0.001 s", "; try 3 of 3 in 0.003 s"]);
    const rows = rowsOnDisk(run.folder)["metrics"]!.map((row) => JSON.parse(row).train_step);
    assert.deepEqual(rows, [1]);
    assert.equal((await failing(3)).status, "failed");
  }));
