import assert from "node:assert/strict";
import { join } from "node:path";
import { openRunFolder } from "../../../data/open_run_folder.ts";
import { RUN_FILES } from "../../../data/run_folder.ts";
import { CHARTS } from "../../../notebooks/charts/mod.ts";
import { readReport, writeReport } from "../../../workflows/run/write_report.ts";
import { fabricateRun, RUN_A, RUN_B, withRuns } from "../cli/fabricated_run.ts";
import { visualRun } from "./visual_run.ts";

Deno.test("readReport() takes completions of the last train step, evaluations before and after, and findings as JSON", () =>
  withRuns((runs) => {
    const folder = fabricateRun(runs, RUN_A, {
      status: "failed",
      reason: "Cannot go on",
      evaluations: { after: { sampled: 0.75 }, during: { sampled: 0.6 }, before: { sampled: 0.5, greedy: 0.55 } },
      findings: [{
        cause: "entropy_collapse",
        severity: "error",
        message: "m",
        hint: "h",
        codes: ["E01"],
        train_steps: [2],
        evidence: '[{"name":"entropy","value":0}]',
        ruled_out: null,
        at_end: false,
      }],
      verdict: { verdict: "insufficient", causes: [], reasons: [], missing: ["loss"] },
    });
    const data = readReport(openRunFolder(folder));
    assert.deepEqual(data.evaluations.map(({ id, mode, value }) => [id, mode, value]), [
      ["before", "sampled", 0.5],
      ["before", "greedy", 0.55],
      ["after", "sampled", 0.75],
    ]);
    assert.deepEqual(data.completions.map((row) => row["text"]), ["2", "4", "4\n"]);
    assert.deepEqual(data.findings[0]!.evidence, [{ name: "entropy", value: 0 }]);
    assert.deepEqual([data.findings[0]!.ruled_out, data.findings[0]!.at_end, data.cannotTell], [[], false, true]);
    assert.equal(data.facts["time"], "75.0 s");
    assert.equal(data.facts["parameters"], "size 4");
    assert.deepEqual([data.status, data.reason], ["failed", "Cannot go on"]);
  }));

Deno.test("readReport() takes the mean rewards of evaluations that no verifier judged, and no share of 0", () =>
  withRuns((runs) => {
    const nobody = { sampled: null, greedy: null, greedy_reward: null };
    const judged = { before: { sampled: 0, sampled_reward: 0.1 }, after: { sampled: 0, sampled_reward: 0.2 } };
    const unjudged = { before: { ...nobody, sampled_reward: 0.1 }, after: { ...nobody, sampled_reward: 0.2 } };
    const read = (evaluations: typeof judged | typeof unjudged, id: string) =>
      readReport(openRunFolder(fabricateRun(runs, id, { evaluations }))).evaluations;
    assert.deepEqual(read(unjudged, RUN_A), [
      { id: "before", mode: "sampled", value: 0.1, isReward: true },
      { id: "after", mode: "sampled", value: 0.2, isReward: true },
    ]);
    assert.deepEqual(read(judged, RUN_B).map(({ value, isReward }) => [value, isReward]), [[0, undefined], [
      0,
      undefined,
    ]]);
  }));

Deno.test("readReport() tells what each step came to in four digits, without paths and what was not measured", () =>
  withRuns((runs) => {
    const outputs = {
      chosen: { n: 8, best: 2 / 3, held_out: null },
      export_model: { folder: "/a/b" },
      apply_update: { loss: 2.93360661e-8, updates: 10000 },
      last: { loss: -3.469e-18 },
    };
    assert.deepEqual(readReport(openRunFolder(fabricateRun(runs, RUN_A, { outputs }))).outputs, [
      { step: "chosen", text: "n 8, best 0.6667" },
      { step: "apply_update", text: "loss 2.934e-8, updates 10000" },
      { step: "last", text: "loss 0" },
    ]);
  }));

Deno.test("writeReport() writes one page also for a run without rows", () =>
  withRuns(async (runs) => {
    const folder = fabricateRun(runs, RUN_A, { status: "failed", reason: "early" });
    await Deno.remove(join(folder, "tables"), { recursive: true });
    const html = await Deno.readTextFile(await writeReport(folder));
    assert(!/<script|https?:\/\/(?!www\.w3\.org)/.test(html.replace(/<script[^]*/, "")));
    const still = await Deno.readTextFile(await writeReport(folder, { live: false }));
    assert(!/<script|https?:\/\/(?!www\.w3\.org)/.test(still));
    assert.match(html, /early/);
    assert.deepEqual([...Deno.readDirSync(join(folder, "charts"))], []);
  }));

Deno.test("writeReport() writes a specification for each chart that has values", () =>
  withRuns(async (runs) => {
    const folder = fabricateRun(runs, RUN_A);
    await writeReport(folder);
    const specs = [...Deno.readDirSync(join(folder, "charts"))].map(({ name }) => name.replace(".vl.json", "")).sort();
    assert.deepEqual(specs, ["accuracy", "difficulty", "entropy", "groups", "loss", "reward", "zero_spread"]);
    assert(specs.every((name) => name in CHARTS));
  }));

Deno.test("writeReport() of a run with a damaged table and no workflow says what is lost and shows the rest", () =>
  withRuns(async (runs) => {
    const folder = fabricateRun(runs, RUN_A, { status: "failed", reason: "early" });
    Deno.writeTextFileSync(join(folder, "tables/metrics/1-2.arrow"), "not arrow");
    Deno.removeSync(join(folder, "workflow.yaml"));
    const html = await Deno.readTextFile(await writeReport(folder));
    assert.match(html, /class="reason">early\. Cannot read tables\/metrics\/1-2\.arrow/);
    assert.match(html, /workflow\.yaml cannot be read/);
    assert.match(html, /1\+1=/, "completions are shown");
  }));

Deno.test("writeReport() shows completions with their images, each once, and what was answered before and after", () =>
  withRuns(async (runs) => {
    const folder = visualRun(runs), images = [...Deno.readDirSync(join(folder, "images"))].map(({ name }) => name);
    const html = await Deno.readTextFile(await writeReport(folder));
    const defined = [...html.matchAll(/<symbol id="image-([^"]+)"/g)].map(([, id]) => `${id}.png`);
    assert.equal(new Set(defined).size, defined.length);
    assert(defined.length > 20 && defined.every((id) => images.includes(id)));
    const used = new Set([...html.matchAll(/href=\\?"#image-([^"\\]+)/g)].map(([, id]) => `${id}.png`));
    assert.deepEqual(used, new Set(defined));
    assert.match(html, /40 prompts that both evaluations asked, greedy: mean IoU of the boxes 0\.\d\d → 0\.\d\d/);
    assert.match(html, /<b>IoU of the boxes<\/b>/);
    assert.match(html, /<section id="results">.*<a href="#seen">.*<section id="seen">/s);
    const still = await Deno.readTextFile(await writeReport(folder, { live: false }));
    assert(!still.includes("<script") && /<td data-name="picture"><div class="picture"/.test(still));
    // Pictures of text runs would say nothing.
    assert.doesNotMatch(
      await Deno.readTextFile(await writeReport(fabricateRun(runs, RUN_A.replace("aaaa", "cccc")))),
      /class="picture"/,
    );
  }));

Deno.test("writeReport() draws boxes also where an image is gone, and says so", () =>
  withRuns(async (runs) => {
    const folder = visualRun(runs);
    await Deno.remove(join(folder, "images"), { recursive: true });
    const html = await Deno.readTextFile(await writeReport(folder, { live: false }));
    assert.match(html, /class="box".*<p class="note">The image is not in the run&#39;s folder images<\/p>/s);
  }));

Deno.test("readReport() reads boxes and rewards as the run's workflow says", () =>
  withRuns((runs) => {
    const folder = visualRun(runs), file = join(folder, RUN_FILES.workflow);
    assert.equal(readReport(openRunFolder(folder)).boxUnit, "thousandths");
    Deno.writeTextFileSync(
      file,
      "steps:\n  - uses: load_prompts\n    with: { box_unit: { from: pixels, to: pixels } }\n",
    );
    const { boxUnit, beforeAfter, rewardNotes } = readReport(openRunFolder(folder));
    assert.equal(boxUnit, "pixels");
    assert.deepEqual(rewardNotes, {});
    Deno.writeTextFileSync(file, "steps: [{ with: { rewards: [{ uses: visual/iou }] } }]\n");
    const noted = readReport(openRunFolder(folder)).rewardNotes;
    assert.deepEqual(noted, { "visual/iou": "a box counts from IoU 0.5 on" });
    // Thousandths that are taken for pixels lie outside of an image of 56.
    assert(beforeAfter!.pairs[0]!.after.boxes!.gold[0]!.box[3] > 1);
  }));
