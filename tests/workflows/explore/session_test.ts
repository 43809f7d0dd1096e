import assert from "node:assert/strict";
import { defineWorkflow, openWorkflow, runWorkflow } from "../../../workflows/mod.ts";
import { JUPYTER_DISPLAY } from "../../../notebooks/display.ts";
import { interrupt } from "../../../workflows/explore/interrupt.ts";
import { openRunFolder } from "../../../data/open_run_folder.ts";

const WORKFLOW = defineWorkflow({
  name: "stepped",
  seed: 3,
  threads: 1,
  steps: [
    { uses: "load_prompts", with: { task: "addition", digits: 1 } },
    { uses: "load_model", with: { model: "tiny_qwen2" } },
    {
      repeat: 2,
      steps: [
        { uses: "sample_groups", with: { prompts_per_step: 4, group_size: 2, max_new_tokens: 2 } },
        { uses: "score_rewards", with: { rewards: [{ uses: "verifier" }] } },
        { id: "estimate", uses: "compute_advantages", with: { estimator: "grpo" } },
        { uses: "apply_update", with: { learning_rate: 1e-3 } },
      ],
    },
  ],
});

async function withTemporary(body: (runs: string) => Promise<void>): Promise<void> {
  const runs = await Deno.makeTempDir();
  try {
    await body(runs);
  } finally {
    await Deno.remove(runs, { recursive: true });
  }
}

Deno.test("openWorkflow() runs up to a step, gives its tables, and a change of them is what comes next reads", () =>
  withTemporary(async (runs) => {
    const run = await openWorkflow(WORKFLOW, { runs });
    const sampled = await run.step("sample_groups");
    assert.deepEqual([sampled.step, sampled.trainStep, run.next], ["sample_groups", 1, "score_rewards"]);
    assert.equal(sampled.tables.completions!.numRows(), 8);
    const scored = await run.step();
    assert.deepEqual([scored.step, typeof scored.outputs["reward"]], ["score_rewards", "number"]);
    const rewards = [1, 0, 1, 0, 1, 0, 1, 0];
    run.write("completions", run.table("completions").assign({ reward: rewards } as never));
    const { tables } = await run.step("estimate");
    assert.match(await run.chart("groups").svg(), /completion of the group/);
    const advantages = Array.from(tables.completions!.array("advantage") as ArrayLike<number>);
    assert.deepEqual(advantages.map(Math.sign), [1, -1, 1, -1, 1, -1, 1, -1]);
    const second = await run.step("compute_advantages");
    assert.equal(second.trainStep, 2);
    const result = await run.finish();
    assert.deepEqual([result.status, run.next], ["ok", null]);
    await assert.rejects(run.step(), /Cannot run step "next": the run has ended \(ok\)/);
  }));

Deno.test("a run that is walked through comes to the bitwise same rows as one at once", () =>
  withTemporary(async (runs) => {
    const whole = await runWorkflow(WORKFLOW, { runs }), run = await openWorkflow(WORKFLOW, { runs });
    for (let i = 0; i < 7; i++) await run.step();
    const walked = await run.finish();
    const losses = (folder: string) => Array.from(openRunFolder(folder).table("metrics").array("grad_norm"));
    assert.deepEqual(losses(walked.folder), losses(whole.folder));
  }));

Deno.test("a session refuses a step that is not there, and stops saved where it is closed", () =>
  withTemporary(async (runs) => {
    const run = await openWorkflow(WORKFLOW, { runs });
    assert.throws(() => run.table("completions"), /no step has run/);
    await assert.rejects(run.step("sample_group"), /the workflow has none; did you mean "sample_groups"/);
    await run.step("apply_update");
    const { status, checkpoint } = await run.close();
    assert.deepEqual([status, checkpoint !== null], ["interrupted", true]);
  }));

Deno.test("a step that fails says so, and the session is over", () =>
  withTemporary(async (runs) => {
    const run = await openWorkflow(WORKFLOW, { runs });
    await run.step("score_rewards");
    run.write("completions", run.table("completions").select("prompt_id"));
    await assert.rejects(run.step("estimate"), /Cannot read column/);
    assert.equal((await run.finish()).status, "failed");
  }));

Deno.test("the tables of a round's last step are those of its train step, and are changed no more", () =>
  withTemporary(async (runs) => {
    const run = await openWorkflow(WORKFLOW, { runs });
    const { tables, trainStep } = await run.step("apply_update");
    assert.deepEqual([trainStep, run.trainStep, run.next], [1, 1, "sample_groups"]);
    for (const name of ["completions", "metrics", "updates"] as const) {
      assert.deepEqual(new Set(tables[name]!.array("train_step")), new Set([1]), name);
      assert.equal(run.table(name).numRows(), tables[name]!.numRows());
    }
    assert.equal(run.history("metrics", 1).numRows(), 1);
    assert.throws(
      () => run.write("completions", tables.completions!),
      /Cannot change table "completions" of train step 1: it has ended; next is "sample_groups" of train step 2/,
    );
    const last = await run.step("apply_update");
    assert.deepEqual([last.trainStep, last.tables.metrics!.get("train_step", 0)], [2, 2]);
    await run.finish();
    assert.throws(() => run.write("completions", last.tables.completions!), /the run has ended \(ok\)/);
  }));

Deno.test("a step that does not come any more is refused before anything runs", () =>
  withTemporary(async (runs) => {
    const run = await openWorkflow(WORKFLOW, { runs });
    await run.step("sample_groups");
    await assert.rejects(
      run.step("load_model"),
      /Cannot run step "load_model": it does not come any more; next is "score_/,
    );
    assert.deepEqual([run.next, run.trainStep], ["score_rewards", 1]);
    await run.close();
    await assert.rejects(run.step(), /the run has ended \(interrupted: SIGINT\); it is saved: .* --resume /);
  }));

Deno.test("calls that do not wait for each other run one after the other", () =>
  withTemporary(async (runs) => {
    const run = await openWorkflow(WORKFLOW, { runs });
    const ran = await Promise.all([run.step(), run.step(), run.step("estimate")]);
    assert.deepEqual(ran.map(({ step }) => step), ["load_prompts", "load_model", "estimate"]);
    await run.close();
  }));

Deno.test("the stop button stops a run whose steps run, and leaves one that waits", () =>
  withTemporary(async (runs) => {
    const run = await openWorkflow(WORKFLOW, { runs });
    await run.step("sample_groups");
    interrupt();
    assert.equal((await run.step()).step, "score_rewards");
    const rest = run.finish();
    await Promise.resolve();
    while (run.next !== null) await Promise.resolve();
    interrupt();
    assert.equal((await rest).status, "interrupted");
    const aborted = await openWorkflow(WORKFLOW, { runs, signal: AbortSignal.abort() });
    await assert.rejects(aborted.step(), /interrupted/);
  }));

Deno.test("a cell that ends with a step or with the workflow shows what it is", () =>
  withTemporary(async (runs) => {
    const run = await openWorkflow(WORKFLOW, { runs });
    const sampled = await run.step("sample_groups") as unknown as Record<symbol, () => Record<string, string>>;
    assert.match(sampled[JUPYTER_DISPLAY]!()["text/plain"]!, /^sample_groups · train step 1\n/);
    assert.match(
      String(run[JUPYTER_DISPLAY]()["text/plain"]),
      /^stepped · train step 1 · next score_rewards\n {2}load_prompts →/,
    );
    await run.close();
  }));
