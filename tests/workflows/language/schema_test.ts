import assert from "node:assert/strict";
import { DEVICES, isRepeat, WorkflowDocument, type WorkflowInput } from "../../../workflows/language/schema.ts";
import { run } from "../../../workflows/cli/run.ts";
import type { SMALL_KINDS } from "../small_kinds.ts";

Deno.test("WorkflowDocument fills in every default", () => {
  assert.deepEqual(WorkflowDocument.parse({ name: "a", steps: [{ uses: "x" }] }), {
    name: "a",
    about: "",
    params: {},
    seed: 0,
    device: "auto",
    deterministic: false,
    checkpoint: { every: 20, keep: 2 },
    keep_completions: "all",
    repair: "suggest",
    faults: [],
    steps: [{ uses: "x", with: {}, "continue-on-error": false, cache: false }],
  });
});

Deno.test("WorkflowDocument accepts every key of the language", () => {
  const document = {
    name: "all_keys",
    about: "Everything",
    on: {
      schedule: [{
        cron: "*/5 0-6 * JAN,FEB MON",
        timezone: "Europe/Berlin",
        catch_up: "one",
        new_seed: true,
        notify: { on: ["failure"], command: ["./tell.sh", "x"], webhook: "https://example.org/hook" },
        keep_runs: 3,
      }],
    },
    params: { a: 1, b: "x", c: true, d: [1, 2] },
    seed: "${{ params.a }}",
    device: "cuda",
    backend: "napi",
    threads: 2,
    deterministic: true,
    checkpoint: { every: "${{ params.a }}", keep: 3, best: "evaluations.sampled" },
    keep_completions: 5,
    concurrency: { group: "gpu" },
    repair: "off",
    faults: [{ kind: "nan", train_step: 3 }],
    strategy: {
      matrix: { lr: [1e-4, 1e-3], include: [{ lr: 1 }], exclude: [{ lr: 1 }] },
      "max-parallel": 2,
      "fail-fast": false,
    },
    steps: [{
      repeat: 3,
      until: "steps.x.outputs.y > 1",
      name: "outer",
      steps: [{
        repeat: "${{ params.a }}",
        steps: [{
          id: "x",
          name: "X",
          uses: "y",
          with: { deep: [{ a: 1 }] },
          if: true,
          every: 2,
          retry: { max: 1, delay: 0, backoff: 1 },
          "timeout-minutes": 0.5,
          "continue-on-error": true,
          cache: true,
        }],
      }],
    }],
  };
  assert.deepEqual(WorkflowDocument.parse(document), document);
});

for (
  const [what, change] of Object.entries({
    "an unknown key": { nmae: 1 },
    "a name that is not snake_case": { name: "Bad-Name" },
    "four cron fields": { on: { schedule: [{ cron: "0 3 * *" }] } },
    "a cron that never fires": { on: { schedule: [{ cron: "0 3 30 2 *" }] } },
    "a notify without an address": { on: { schedule: [{ cron: "0 3 * * *", notify: { on: ["failure"] } }] } },
    "an unknown time zone": { on: { schedule: [{ cron: "0 3 * * *", timezone: "Mars/Olympus" }] } },
    "a negative seed": { seed: -1 },
    "a fraction of a seed": { seed: 1.5 },
    "a parameter with keys": { params: { a: { b: 1 } } },
    "an empty matrix axis": { strategy: { matrix: { a: [] } } },
    "no steps": { steps: [] },
    "a block without steps": { steps: [{ repeat: 3 }] },
    "no rounds": { steps: [{ repeat: 0, steps: [{ uses: "x" }] }] },
    "a step with both uses and repeat": { steps: [{ uses: "x", repeat: 2, steps: [{ uses: "x" }] }] },
    "eleven retries": { steps: [{ uses: "x", retry: { max: 11 } }] },
    "a timeout of zero": { steps: [{ uses: "x", "timeout-minutes": 0 }] },
  })
) {
  Deno.test(`WorkflowDocument refuses ${what}`, () => {
    const good = { name: "a", steps: [{ uses: "x" }] };
    assert(WorkflowDocument.safeParse(good).success);
    assert(!WorkflowDocument.safeParse({ ...good, ...change }).success);
  });
}

Deno.test("isRepeat() tells blocks from steps", () => {
  const { steps } = WorkflowDocument.parse({
    name: "a",
    steps: [{ uses: "x" }, { repeat: 2, steps: [{ uses: "x" }] }],
  });
  assert.deepEqual(steps.map((entry) => isRepeat(entry)), [false, true]);
});

Deno.test("DEVICES are what the command line takes too, and all that can be had", () => {
  const document = (device: string) => WorkflowDocument.safeParse({ name: "a", device, steps: [{ uses: "x" }] });
  assert.equal(run.options.device!.choices, DEVICES);
  assert.deepEqual(["auto", "cpu", "cuda", "webgpu"].map((device) => document(device).success), [
    true,
    true,
    true,
    false,
  ]);
});

Deno.test("WorkflowInput knows the step kinds' parameters", () => {
  const workflow: WorkflowInput<typeof SMALL_KINDS> = {
    name: "typed",
    steps: [
      { uses: "load_prompts", with: { task: "addition", digits: "${{ params.digits }}" } },
      // @ts-expect-error: no step kind of that name
      { uses: "load_promts" },
      // @ts-expect-error: no such parameter
      { uses: "load_model", with: { modle: "x" } },
    ],
  };
  assert.equal(workflow.steps.length, 3);
});
