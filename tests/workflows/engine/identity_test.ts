/** What counts as another run. @module */
import assert from "node:assert/strict";
import { differences, identityOf } from "../../../workflows/engine/identity.ts";
import { configHash } from "../../../workflows/store/checkpoint.ts";
import { ENVIRONMENT } from "./fake_runs.ts";
import { fakePlan } from "./fake_steps.ts";

const identity = (text: string) => identityOf(fakePlan(text, { log: [] }), ENVIRONMENT);

Deno.test("identityOf() ignores how a run is stored and sees what decides its numbers", () => {
  const base = identity("name: a\nsteps: [{ uses: load_prompts }]");
  const stored = identity("name: a\nabout: x\ncheckpoint: { every: 3 }\nsteps: [{ uses: load_prompts }]");
  assert.equal(configHash(base), configHash(stored));
  const other = identity("name: a\nseed: 4\nsteps: [{ uses: load_prompts, with: { count: 9 } }]");
  assert.notEqual(configHash(base), configHash(other));
  assert.deepEqual(differences(other, base).sort(), [
    "seed is 4, was 0",
    "workflow.steps[0].with.count is 9, was 3",
  ]);
});

Deno.test("identityOf() sees the threads, for sums depend on them; differences() names what is gone and what is new", () => {
  const plan = fakePlan("name: a\nsteps: [{ uses: load_prompts }]", { log: [] });
  const [one, two] = [1, 2].map((threads) => identityOf(plan, { ...ENVIRONMENT, threads }));
  assert.deepEqual(differences(two!, one!), ["threads is 2, was 1"]);
  assert.deepEqual(differences({ a: 1 }, { a: 1, b: 2 }), ["b is absent, was 2"]);
  assert.deepEqual(differences({ a: 1, b: 2 }, { a: 1 }), ["b is 2, was absent"]);
});

Deno.test("identityOf() sees whether a run is deterministic and which of the matrix it is", () => {
  const plan = fakePlan("name: a\nsteps: [{ uses: load_prompts }]", { log: [] });
  const other = { ...plan, matrix: { size: 2 }, settings: { ...plan.settings, deterministic: true } };
  assert.deepEqual(differences(identityOf(other, ENVIRONMENT), identityOf(plan, ENVIRONMENT)).sort(), [
    "deterministic is true, was false",
    "matrix is absent, was {}",
    "matrix.size is 2, was absent",
  ]);
});
