import assert from "node:assert/strict";
import { Progress } from "../../../workflows/cli/progress.ts";
import { Output } from "../../../workflows/cli/terminal.ts";

function record() {
  let text = "";
  const decoder = new TextDecoder();
  const out = new Output({
    writeSync: (data) => (text += decoder.decode(data), data.length),
    isTerminal: () => false,
  });
  const progress = new Progress(out, {
    alone: new Set(["warm", "before"]),
    rounds: { count: 2, atMost: false },
    supervised: new Map([["warm", { count: 5, atMost: true }]]),
    resumedAfter: null,
  });
  return { progress, lines: () => text.trimEnd().split("\n") };
}

Deno.test("Progress prints a table per phase, and a supervised step's line after its last train step", () => {
  const { progress, lines } = record();
  progress.on({ event: "step_started", step: "warm", uses: "fine_tune" });
  progress.on({ event: "train_step", train_step: 1, phase: "sft", step_id: "warm", loss: 5.6, grad_norm: 1 });
  progress.on({ event: "step_finished", step: "warm", status: "ok", ms: 1500 });
  progress.on({ event: "train_step", train_step: 5, phase: "sft", step_id: "warm", loss: 4.9, grad_norm: 1 });
  progress.on({ event: "train_step", train_step: 6, phase: "rollout", step_id: "up", reward: 0.25, kl: NaN });
  progress.on({
    event: "train_step",
    train_step: 7,
    phase: "rollout",
    step_id: "up",
    reward: 0.5,
    tokens_per_second: 12345.6,
  });
  progress.close();
  const printed = lines();
  assert.match(printed[0]!, /^ +step +loss +accuracy .*ETA$/);
  assert.match(printed[1]!, /^ +1 +5\.600 /);
  assert.match(printed[2]!, /^ +5 +4\.900 /);
  assert.match(printed[3]!, /^ +warm +1\.5 s$/);
  assert.match(printed[4]!, /^ +step +reward .*ETA$/);
  assert.match(printed[5]!, /^ +6 +0\.250 .* NaN /);
  assert.match(printed[6]!, /^ +7 +0\.500 .* 12346 /);
  assert.equal(printed.length, 7);
  for (const line of printed) assert(line.length <= 100, line);
});

Deno.test("Progress names a failed step inside a block with its error, and a finding", () => {
  const { progress, lines } = record();
  progress.on({ event: "finding", severity: "error", cause: "entropy_collapse", message: "entropy 0" });
  progress.on({ event: "step_finished", step: "up", status: "failed", ms: 10, error: "Cannot do\x1b[2J it" });
  progress.close();
  assert.deepEqual(lines(), [
    "  error: entropy_collapse entropy 0",
    "  up                  0.0 s  failed: Cannot do\ufffd[2J it",
  ]);
});

Deno.test("Progress wraps long texts under themselves, and leaves out kl where there is none", () => {
  const { progress, lines } = record();
  const words = "word ".repeat(60).trim();
  progress.on({ event: "message", text: words });
  progress.on({ event: "finding", severity: "warning", cause: "entropy_collapse", message: words });
  progress.on({ event: "step_finished", step: "before", status: "failed", ms: 10, error: words });
  progress.on({ event: "train_step", train_step: 1, phase: "rollout", reward: 0.5, kl: null });
  progress.close();
  const printed = lines();
  for (const line of printed) assert(line.length <= 100, line);
  assert.equal(printed.filter((line) => /^ {2}word/.test(line)).length, 1);
  assert(printed.some((line) => /^ {29}word/.test(line)));
  const head = printed.find((line) => line.includes("reward"))!;
  assert.doesNotMatch(head, / kl /);
});
