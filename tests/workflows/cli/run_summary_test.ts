import assert from "node:assert/strict";
import { join } from "node:path";
import { promptWithImages } from "../../../data/datasets/prompt_images.ts";
import { segmentPath } from "../../../data/run_folder.ts";
import { encodeTable, tableOfRows } from "../../../data/tables/mod.ts";
import type { RunResult } from "../../../workflows/engine/run_plan.ts";
import { adviceLines, evaluationLines, runSummary } from "../../../workflows/cli/run_summary.ts";
import { commandLine, resumeCommand } from "../../../workflows/terminal/command_line.ts";
import { visualRun } from "../run/visual_run.ts";
import { fabricateRun, logSegments, RUN_A, RUN_B, withRuns } from "./fabricated_run.ts";

const PLAIN = { style: (text: string) => text, columns: 100 };

function resultOf(folder: string, changes: Partial<RunResult> = {}): RunResult {
  return {
    runId: RUN_A,
    folder,
    status: "ok",
    exitCode: 0,
    reason: null,
    evaluations: { before: { sampled: 0.5, greedy: null }, after: { sampled: 0.75, greedy: null } },
    findings: [],
    verdict: { verdict: "benign", causes: [], reasons: [], missing: [] },
    checkpoint: null,
    error: null,
    ...changes,
  };
}

Deno.test("runSummary() shows before and after, one completion per prompt of the last train step, and the report", () =>
  withRuns((runs) => {
    const folder = fabricateRun(runs, RUN_A, { outputs: { export_model: { folder: "/x/model" } } }, [
      { prompt: "seen?", split: "train" },
      { prompt: "two\nlines" },
      { prompt: "-3+5 is $x?" },
    ]);
    const text = runSummary(resultOf(folder), PLAIN).join("\n");
    assert.match(text, /^ok {2}20260102-030405-small-aaaa$/m);
    assert.match(text, /^ +before +after\n +sampled +50\.0 % +75\.0 %$/m);
    assert.match(text, /^ +prompt +completion +answer +reward$/m);
    assert.match(text, /^ +1\+1= +2 +2 +1\.00 +right\n +2\+2= +4⏎ +4 +1\.00 +right$/m);
    assert.match(text, /healthy/);
    assert.match(text, /report +\S+report\.html$/m);
    const sample = commandLine(["sample", RUN_A, "--runs", runs, "--prompt=-3+5 is $x?"]);
    assert(text.includes(`\n  try     ${sample}`), text);
  }));

Deno.test("runSummary() shows of a prompt with images its text, not where they stand", () =>
  withRuns((runs) => {
    const folder = fabricateRun(runs, RUN_A), prompt = promptWithImages("Find 6.", [`${"0".repeat(32)}-7x5.png`]);
    const row = { train_step: 3, prompt_id: 1, sample: 0, prompt, answer: "2", text: "3", reward: 0, correct: false };
    const path = segmentPath("completions", 3, 3);
    Deno.writeFileSync(join(folder, path), encodeTable("completions", tableOfRows("completions", [row])));
    logSegments(folder, segmentPath("completions", 1, 2), path);
    assert.match(runSummary(resultOf(folder), PLAIN).join("\n"), /^ {2}Find 6\. {2,}3 /m);
  }));

Deno.test("runSummary() of a run with two exports names the last as its model: the first is what it built upon", () =>
  withRuns((runs) => {
    const outputs = { base: { folder: "/x/base" }, export_model: { folder: "/x/model" } };
    const text = runSummary(resultOf(fabricateRun(runs, RUN_A, { outputs })), PLAIN).join("\n");
    assert.match(text, /^ {2}model +\/x\/model$/m);
  }));

Deno.test("runSummary() of a run that only trained a reward model offers the scorer, not a sample of the policy", () =>
  withRuns((runs) => {
    const folder = fabricateRun(runs, RUN_A, { outputs: { export_model: { folder: "/x/model" } } });
    const rows = [1, 2].map((train_step) => ({ train_step, phase: "reward_model", step_id: "s", loss: 0.5 }));
    Deno.writeFileSync(
      join(folder, segmentPath("metrics", 1, 2)),
      encodeTable("metrics", tableOfRows("metrics", rows)),
    );
    const text = runSummary(resultOf(folder), PLAIN).join("\n");
    assert.doesNotMatch(text, /^ {2}try /m);
    assert.match(text, new RegExp(`use +as model of a step that loads a reward model: ${RUN_A}`));
  }));

Deno.test("runSummary() of a run that ended badly shows why, at most three findings, and how to resume", () =>
  withRuns((runs) => {
    const findings = ["a", "b", "c", "d"].map((cause) => ({
      cause,
      severity: "error",
      message: `cause ${cause}`,
      hint: `mend ${cause}`,
      train_step: 1,
    }));
    const folder = fabricateRun(runs, RUN_A);
    const failed = runSummary(
      resultOf(folder, { status: "failed", reason: "Cannot", findings, checkpoint: "000007" }),
      PLAIN,
    );
    const text = failed.join("\n");
    assert.match(text, /^failed .*\n {2}Cannot$/m);
    assert.match(text, /error: c\n +cause c\n +mend c/);
    assert.doesNotMatch(text, /cause d/);
    assert.match(text, /1 more finding/);
    assert(text.includes(`\n  resume  ${resumeCommand(folder)}`), text);
    assert.doesNotMatch(text, /healthy/);
    for (const line of failed) assert(line.replace("npx -y deno@2.9.6", "deno").length <= 100, line);
  }));

Deno.test("runSummary() tells to resume where that goes on from something, else to run again", () =>
  withRuns((runs) => {
    const folder = fabricateRun(runs, RUN_A), resume = `\n  resume  ${resumeCommand(folder)}`;
    const text = (changes: Partial<RunResult>, again: string | null = "deno task run x.yaml") =>
      runSummary(resultOf(folder, changes), PLAIN, again).join("\n");
    const early = text({ status: "failed", checkpoint: null });
    assert.match(early, /nothing to resume; once that is mended:\n {2}again {3}deno task run x\.yaml$/);
    assert.doesNotMatch(early, /resume {2}/);
    assert.doesNotMatch(text({ status: "failed", checkpoint: null }, null), /^ {2}(again|resume) /m);
    for (const went of [{ checkpoint: "000007" }, { status: "interrupted" }] as const) {
      const late = text({ status: "failed", ...went });
      assert(late.includes(resume) && !late.includes("  again"), late);
    }
    assert.doesNotMatch(text({ status: "ok" }), /^ {2}(again|resume) /m);
  }));

Deno.test("evaluationLines() shows other evaluations where before and after are not both there, and none without", () => {
  assert.deepEqual(evaluationLines({}, PLAIN), []);
  assert.deepEqual(evaluationLines({ during: { sampled: null } }, PLAIN), []);
  const taught = { before: { sampled: 0.4, split: "train" }, after: { sampled: 0.6, split: "held_out" } };
  assert.deepEqual(evaluationLines(taught, PLAIN)[1]!.trim().split(/\s{2,}/), ["before (train)", "after"]);
  assert.deepEqual(evaluationLines({ during: { sampled: 0.25, greedy: 1 } }, PLAIN), [
    "",
    "            during",
    "  sampled   25.0 %",
    "  greedy   100.0 %",
  ]);
});

Deno.test("evaluationLines() of an evaluation with rewards shows them below the shares, alone where no verifier judged", () => {
  const cells = (lines: string[]) => lines.slice(1).map((line) => line.trim().split(/ {2,}/));
  const rewarded = (sampled: number | null, reward: number) => ({ sampled, greedy: null, sampled_reward: reward });
  assert.deepEqual(cells(evaluationLines({ before: rewarded(null, 0.12345), after: rewarded(null, 1) }, PLAIN)), [
    ["before", "after"],
    ["sampled reward", "0.123", "1"],
  ]);
  assert.deepEqual(cells(evaluationLines({ before: rewarded(0, 0.25), after: rewarded(0.5, 0.75) }, PLAIN)), [
    ["before", "after"],
    ["sampled", "0.0 %", "50.0 %"],
    ["sampled reward", "0.25", "0.75"],
  ]);
});

Deno.test("runSummary() of completions that nobody judged has no column of verdicts", () =>
  withRuns((runs) => {
    const folder = fabricateRun(runs, RUN_A), path = segmentPath("completions", 3, 3);
    const row = {
      train_step: 3,
      prompt_id: 1,
      sample: 0,
      prompt: "a?",
      answer: "2",
      text: "3",
      reward: 0,
      correct: null,
    };
    Deno.writeFileSync(join(folder, path), encodeTable("completions", tableOfRows("completions", [row])));
    logSegments(folder, segmentPath("completions", 1, 2), path);
    assert.match(runSummary(resultOf(folder), PLAIN).join("\n"), /^ {2}a\? +3 +2 +0\.00$/m);
  }));

Deno.test("runSummary() of a stopped run says its finding once", () =>
  withRuns((runs) => {
    const findings = [{ cause: "a", severity: "error", message: "it is so", hint: "mend", train_step: 1 }];
    const stopped = resultOf(fabricateRun(runs, RUN_A), { status: "stopped", reason: "a: it is so", findings });
    assert.equal(runSummary(stopped, PLAIN).join("\n").split("it is so").length, 2);
  }));

Deno.test("adviceLines() wraps texts and leaves commands whole", () => {
  const command = `Then: ${commandLine(["run", "x".repeat(200)])}`;
  const lines = adviceLines([`To change: ${"word ".repeat(40)}`.trim(), command], PLAIN);
  assert.equal(lines.at(-1), `  ${command}`);
  assert(lines.length > 4 && lines.slice(0, -1).every((line) => line.length <= 100));
  assert.deepEqual(adviceLines([], PLAIN), []);
});

Deno.test("runSummary() calls a run healthy only where there was enough to judge, and puts what is over last", () =>
  withRuns((runs) => {
    const folder = fabricateRun(runs, RUN_A);
    const verdict = {
      verdict: "insufficient" as const,
      causes: [],
      reasons: ["80 % fell to 60 %"],
      missing: ["a metric log"],
    };
    const open = runSummary(resultOf(folder, { verdict }), PLAIN).join("\n");
    assert.match(open, /cannot tell without a metric log: no diagnosis fired\n +80 % fell to 60 %/);
    assert.doesNotMatch(open, /healthy/);
    const note = [{ cause: "benign_zero_loss", severity: "info", message: "m", hint: "h", train_step: 1 }];
    const noted = runSummary(resultOf(folder, { findings: note }), PLAIN).join("\n");
    assert.match(noted, /no alarm; noted in the report: benign_zero_loss/);
    const alarm = { severity: "warning", message: "m", hint: "h", train_step: 29 };
    const findings = [{ ...alarm, cause: "gone", at_end: false }, { ...alarm, cause: "there", at_end: true }];
    const text = runSummary(resultOf(folder, { findings }), PLAIN).join("\n");
    assert.match(text, /warning: there\n[^]*warning: gone at train step 29, not at the end/);
  }));

Deno.test("runSummary() of a run that ended before its completions were scored calls none of them wrong", () =>
  withRuns((runs) => {
    const folder = fabricateRun(runs, RUN_A, { status: "interrupted" });
    const asked = JSON.stringify([{ role: "user", content: "2+2?" }]);
    const unscored = [
      { train_step: 2, prompt_id: 1, sample: 0, prompt: "1+1=", answer: "2", text: "2" },
      { train_step: 2, prompt_id: 2, sample: 0, prompt: asked, answer: "4", text: "4" },
    ];
    const bytes = encodeTable("completions", tableOfRows("completions", unscored));
    Deno.writeFileSync(join(folder, segmentPath("completions", 1, 2)), bytes);
    const text = runSummary(resultOf(folder, { status: "interrupted" }), PLAIN).join("\n");
    assert.match(text, /^ +1\+1= +2 +2 +–$/m);
    assert.match(text, /^ +user: 2\+2\? +4 +4 +–$/m, "a conversation as a person reads it");
    assert.doesNotMatch(text, /NaN|wrong/);
  }));

Deno.test("runSummary() says from which IoU on a reward counts a box, beside the IoU of the boxes alone", () =>
  withRuns((runs) => {
    const workflow =
      "steps: [{ with: { rewards: [{ uses: visual/iou }, { uses: visual/confidence, name: near }] } }]\n";
    const said = (folder: string) => {
      Deno.writeTextFileSync(join(folder, "workflow.yaml"), workflow);
      return runSummary(resultOf(folder), PLAIN).join("\n");
    };
    const seen = said(visualRun(runs));
    assert.match(seen, /^ {2}prompt .* reward +IoU$/m);
    assert.match(seen, /^ {2}IoU: of the boxes, any overlap; visual\/iou and near: a box counts from IoU 0\.5 on$/m);
    assert.doesNotMatch(said(fabricateRun(runs, RUN_B)), /IoU/);
  }));

Deno.test("runSummary() writes out what is judged of a prompt with images, boxes with their IoU, within 80 columns", () =>
  withRuns((runs) => {
    const lines = runSummary(resultOf(visualRun(runs)), { ...PLAIN, columns: 80 });
    const rows = lines.filter((line) => line.includes("Find all"));
    assert(rows.length >= 4 && rows.every((line) => line.length <= 80 && !line.includes("<answer>")), rows.join("\n"));
    assert.match(rows[0]!, /^ {2}Find all \d+s\. +\d+,\d+,\d+,\d+ .* \d\.\d\d +(?:right|wrong) +\d\.\d\d$/);
    const one = rows.filter((line) => !line.includes(";"));
    assert(one.some((line) => /\d,\d+ conf\. [01](?:\.\d)? +\d+,\d+,\d+,\d+ +\d\.\d\d /.test(line)), one.join("\n"));
  }));
