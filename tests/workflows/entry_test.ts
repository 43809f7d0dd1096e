import assert from "node:assert/strict";
import { join } from "node:path";
import { compare, defineWorkflow, diagnose, openRun, runWorkflow } from "../../workflows/mod.ts";

/** A workflow as an object; a fixed policy that is measured, then one update. */
const WORKFLOW = defineWorkflow({
  name: "object",
  params: { rate: 1e-3 },
  seed: 3,
  threads: 1,
  steps: [
    { uses: "load_prompts", with: { task: "addition", digits: 1 } },
    { uses: "load_model", with: { model: "tiny_qwen2" } },
    {
      repeat: 1,
      steps: [
        { uses: "sample_groups", with: { prompts_per_step: 4, group_size: 2, max_new_tokens: 2 } },
        { uses: "score_rewards", with: { rewards: [{ uses: "verifier" }] } },
        { uses: "compute_advantages", with: { estimator: "grpo" } },
        { uses: "apply_update", with: { learning_rate: "${{ params.rate }}" } },
      ],
    },
  ],
});

Deno.test("the library runs a workflow object, opens its run, compares two and diagnoses one", async () => {
  const runs = await Deno.makeTempDir();
  try {
    const heard: string[] = [];
    const first = await runWorkflow(WORKFLOW, { runs, onEvent: ({ event }) => heard.push(event) });
    const second = await runWorkflow(WORKFLOW, { runs, params: { rate: 1e-4 }, settings: { seed: 4 } });
    assert.deepEqual([first.reason, second.reason], [null, null]);
    assert.equal(heard.at(-1), "run_finished");
    assert.equal((await openRun(first.runId, runs)).tables.metrics.numRows(), 1);
    const { differences, labels } = await compare(first.folder, await openRun(second.folder));
    assert.deepEqual(differences.filter(({ name }) => name !== "seconds"), [
      { name: "seed", values: [3, 4] },
      { name: "params.rate", values: [1e-3, 1e-4] },
      { name: "learning_rate", values: [1e-3, 1e-4] },
    ]);
    assert.deepEqual(labels, ["rate 0.001", "rate 0.0001"]);
    const diagnosed = await diagnose(first.folder);
    assert.deepEqual(diagnosed.map(({ records, path }) => [records, path]), [[1, first.folder]]);
    const shown = await (diagnosed as unknown as Record<symbol, () => Promise<Record<string, string>>>)[
      Symbol.for("Jupyter.display")
    ]!();
    assert.deepEqual(Object.keys(shown), ["text/markdown", "text/plain"]);
    assert.match(shown["text/plain"]!, new RegExp(first.runId));
    assert.equal((await diagnose([first.folder, second.folder])).length, 2);
    assert.match(await Deno.readTextFile(join(first.folder, "report.html")), /<h1>object/);
  } finally {
    await Deno.remove(runs, { recursive: true });
  }
});

Deno.test("runWorkflow() refuses a matrix of several runs, before any of them", async () => {
  const matrix = { ...WORKFLOW, strategy: { matrix: { size: [1, 2] } } };
  await assert.rejects(runWorkflow(matrix, { runs: "/nowhere" }), /its matrix makes 2 runs, want one/);
});

Deno.test("compare() wants two runs or more", async () => {
  await assert.rejects(compare(), /Cannot compare no runs: want two or more/);
  await assert.rejects(compare("last"), /Cannot compare 1 run: want two or more/);
});
