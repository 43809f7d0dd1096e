import assert from "node:assert/strict";
import { WorkflowDocument } from "../../../workflows/language/schema.ts";
import { settingProblems } from "../../../workflows/plan/settings.ts";

function problems(change: Record<string, unknown>): string[] {
  const good = WorkflowDocument.parse({ name: "a", steps: [{ uses: "x" }] });
  return settingProblems({ ...good, ...change } as WorkflowDocument).map(({ path, message }) =>
    `${path.join(".")} ${message}`
  );
}

Deno.test("settingProblems() is silent for what the schema accepts and something writes", () => {
  assert.deepEqual(problems({}), []);
  for (const best of ["evaluations.sampled", "evaluations.greedy", "metrics.reward"]) {
    assert.deepEqual(problems({ checkpoint: { every: 1, keep: 1, best } }), []);
  }
});

Deno.test("settingProblems() finds a type that came out of a look-up", () => {
  assert.deepEqual(problems({ seed: true }), [
    'seed "seed" is true, want a number or an expression: ${{ params.NAME }}',
  ]);
  assert.match(problems({ threads: "two" })[0]!, /^threads "threads" is "two", want a number/);
});

Deno.test("settingProblems() knows what the best checkpoint can follow", () => {
  const best = (name: string) => problems({ checkpoint: { every: 1, keep: 1, best: name } });
  assert.match(best("metrics.rewrad")[0]!, /unknown "rewrad" of metrics; did you mean "reward"\?/);
  assert.match(best("evaluations.beam")[0]!, /unknown "beam" of evaluations; known: sampled, greedy/);
  assert.match(best("sampled")[0]!, /want evaluations.MODE/);
  assert.match(best("findings.cause")[0]!, /want evaluations.MODE/);
});

Deno.test("settingProblems() wants one thread where rows must not depend on their batch", () => {
  assert.deepEqual(problems({ deterministic: true, threads: 2 }), [
    'threads "threads" is 2, want 1 with deterministic: true; leave it out',
  ]);
  for (const change of [{ deterministic: true, threads: 1 }, { deterministic: true }, { threads: 8 }]) {
    assert.deepEqual(problems(change), []);
  }
});
