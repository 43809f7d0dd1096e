import assert from "node:assert/strict";
import { join } from "node:path";
import { renderComparison } from "../../../notebooks/pages/compare.ts";
import { comparisonData } from "../../../workflows/explore/comparison_page.ts";
import { Comparison } from "../../../workflows/explore/compare.ts";
import { openRun } from "../../../workflows/explore/open.ts";
import { visualRun } from "../run/visual_run.ts";
import { fabricateRun, RUN_A, RUN_B, withRuns } from "../cli/fabricated_run.ts";

Deno.test("comparisonData() takes the metrics that some run has, what differs, and answers to the same prompts", () =>
  withRuns(async (runs) => {
    const data = comparisonData(new Comparison([await openRun(RUN_A, runs), await openRun(RUN_B, runs)]));
    assert.deepEqual(data.runs.map(({ name, label, facts }) => [name, label, facts["seed"]]), [
      [RUN_A, "small", "1"],
      [RUN_B, "small", "2"],
    ]);
    assert.deepEqual(data.metrics.map(({ column }) => column), ["reward", "accuracy", "loss", "entropy"]);
    assert.equal(data.metrics[3]!.title, "Entropy");
    assert.deepEqual(data.differences.map(({ name }) => name), ["after.sampled"]);
    assert.deepEqual([data.differences[0]!.group, data.differences[0]!.share], ["Results", true]);
    assert.deepEqual(data.runs.map(({ workflow, status }) => [workflow, status]), [["small", "ok"], ["small", "ok"]]);
    assert.deepEqual(data.completions.map(({ prompt, answers }) => [prompt, answers.length]), [["1+1=", 2], [
      "2+2=",
      2,
    ]]);
  }));

Deno.test("comparisonData() shows what runs learned from and for before all else that differs", () =>
  withRuns(async (runs) => {
    fabricateRun(runs, RUN_B, { params: { size: 5 } });
    for (const [i, id] of [RUN_A, RUN_B].entries()) {
      const step = `{ uses: load_prompts, with: { file: ${i}.jsonl } }`;
      Deno.writeTextFileSync(join(runs, id, "workflow.yaml"), `steps: [${step}]\n`);
    }
    const { differences } = comparisonData(new Comparison([await openRun(RUN_A, runs), await openRun(RUN_B, runs)]));
    assert.deepEqual(differences.slice(0, 2).map(({ group, name }) => [group, name]), [
      ["Data, model and rewards", "load_prompts.file"],
      ["Parameters", "params.size"],
    ]);
  }));

Deno.test("comparisonData() says of a verdict what the report and the doctor say", () =>
  withRuns(async (runs) => {
    const of = (verdict: "benign" | "insufficient") => ({ verdict: { verdict, causes: [], reasons: [], missing: [] } });
    fabricateRun(runs, RUN_A, of("benign"));
    fabricateRun(runs, RUN_B, of("insufficient"));
    const { runs: shown } = comparisonData(new Comparison([await openRun(RUN_A, runs), await openRun(RUN_B, runs)]));
    assert.deepEqual(shown.map(({ facts }) => facts["verdict"]), ["healthy", "cannot tell"]);
  }));

Deno.test("comparisonData() says of a log what the doctor found in it, and how far it goes", () =>
  withRuns(async (runs) => {
    const file = join(runs, "log.txt");
    const line = (step: number) =>
      `{'loss': 0.0, 'grad_norm': 0.0, 'reward': 0.0, 'reward_std': 0.0, 'epoch': ${step}}`;
    Deno.writeTextFileSync(file, Array.from({ length: 12 }, (_, i) => line(i + 1)).join("\n"));
    const { runs: [, log] } = comparisonData(new Comparison([await openRun(RUN_A, runs), await openRun(file, runs)]));
    assert.equal(log!.facts["verdict"], "faulty");
    assert.notEqual(log!.facts["findings"], "none");
    assert.equal(log!.facts["train steps"], "12");
    assert.equal(log!.status, null);
  }));

Deno.test("comparisonData() shows what runs answered to the same prompts with images, and where they differ most", () =>
  withRuns(async (runs) => {
    for (const [id, steps] of [[RUN_A, 12], [RUN_B, 6]] as const) visualRun(runs, id, steps);
    const compared = new Comparison([await openRun(RUN_A, runs), await openRun(RUN_B, runs)]);
    const data = comparisonData(compared), { seen, completions, images } = data;
    assert.deepEqual([seen!.shared, seen!.prompts.length], [40, 12]);
    for (const pairs of seen!.prompts) assert.deepEqual(pairs[0]!.before.ids, pairs[1]!.before.ids);
    const spreads = seen!.prompts.map((pairs) => Math.abs(pairs[0]!.gain - pairs[1]!.gain));
    assert.deepEqual(spreads, spreads.toSorted((a, b) => b - a));
    const { picture } = completions[0]!.answers[0]!;
    assert.match(completions[0]!.prompt, /^Find all \ds\.$/);
    assert("href" in images!(picture!.ids[0]!));
    const html = await renderComparison(data, { live: false });
    assert.match(
      html,
      /40 prompts that all evaluated.*<td class="seen">.*<td class="answer \w+"><div class="picture"/s,
    );
    // A run without pictures has none to compare.
    fabricateRun(runs, RUN_B.replace("bbbb", "dddd"));
    const plain = await openRun(RUN_B.replace("bbbb", "dddd"), runs);
    assert.equal(comparisonData(new Comparison([await openRun(RUN_A, runs), plain])).seen, null);
  }));
