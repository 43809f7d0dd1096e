import assert from "node:assert/strict";
import { Progress } from "../../../workflows/cli/progress.ts";
import { commandLine } from "../../../workflows/terminal/command_line.ts";
import { Output } from "../../../workflows/terminal/terminal.ts";

function record({ live = false, updates = 5, until = 0.5 } = {}) {
  let text = "";
  const decoder = new TextDecoder();
  const out = new Output({
    writeSync: (data) => (text += decoder.decode(data), data.length),
    isTerminal: () => live,
  });
  const progress = new Progress(out, {
    alone: new Set(["warm", "before"]),
    rounds: { count: 2, atMost: false },
    measuring: new Set(["before", "during"]),
    training: new Map([["warm", { count: updates, atMost: true, ...(until ? { until } : {}) }]]),
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
  progress.on({ event: "finding", severity: "error", cause: "entropy_collapse", message: "entropy 0", train_step: 7 });
  progress.on({ event: "step_finished", step: "up", status: "failed", ms: 10, error: "Cannot do\x1b[2J it" });
  progress.close();
  assert.deepEqual(lines(), [
    "  error: entropy_collapse at train step 7: entropy 0",
    "  up                  0.0 s  failed: Cannot do\ufffd[2J it",
  ]);
});

Deno.test("Progress gives a long error one row: the run's end says it in full", () => {
  const { progress, lines } = record();
  const error = `Cannot score with reward "mine": it ${"threw and ".repeat(40)}ended`;
  progress.on({ event: "step_finished", step: "score", status: "failed", ms: 10, error });
  progress.close();
  const [line, ...more] = lines();
  assert.deepEqual(more, []);
  assert.match(line!, /^ +score +0\.0 s +failed: Cannot score with reward "mine": it threw and .*…$/);
  assert.equal(line!.length, 99);
});

Deno.test("Progress leaves the command at the end of a long message on one line", () => {
  const { progress, lines } = record(), command = commandLine(["run", `${"long/".repeat(30)}a.yaml`, "--resume", "x"]);
  progress.on({ event: "message", text: `a.yaml was changed; to go on with the file's: ${command}` });
  progress.close();
  assert.deepEqual(lines(), ["  a.yaml was changed; to go on with the file's:", `    ${command}`]);
});

Deno.test("Progress wraps long texts under themselves, and leaves out kl where there is none", () => {
  const { progress, lines } = record();
  const words = "word ".repeat(60).trim();
  progress.on({ event: "message", text: words });
  progress.on({ event: "finding", severity: "warning", cause: "entropy_collapse", message: words });
  progress.on({ event: "step_finished", step: "before", status: "ok", ms: 10, outputs: { said: words } });
  progress.on({ event: "train_step", train_step: 1, phase: "rollout", reward: 0.5, kl: null });
  progress.close();
  const printed = lines();
  for (const line of printed) assert(line.length <= 100, line);
  assert.equal(printed.filter((line) => /^ {2}word/.test(line)).length, 1);
  assert(printed.some((line) => /^ {29}word/.test(line)));
  const head = printed.find((line) => line.includes("reward"))!;
  assert.doesNotMatch(head, / kl /);
});

Deno.test("Progress shows the accuracy of a warm start when it was measured, and keeps those rows on a terminal", () => {
  for (const live of [false, true]) {
    const { progress, lines } = record({ live, updates: 900 });
    for (let step = 1; step <= 200; step++) {
      const accuracy = step % 25 ? null : step / 500;
      progress.on({ event: "train_step", train_step: step, phase: "sft", step_id: "warm", loss: 1, accuracy });
    }
    progress.close();
    // deno-lint-ignore no-control-regex
    const rows = lines().map((line) => line.replaceAll(/\x1b\[[0-9;]*m/g, "").split(/\r(?:\x1b\[2K)?/).at(-1)!);
    if (live) assert.deepEqual(rows.slice(2).filter((row) => /0\.\d{3}/.test(row)).length, 8, rows.join("\n"));
    if (live) assert.match(rows.at(-1)!, /^ +200 +1\.000 +0\.400 /);
    else assert.match(rows[1]!, /^ +1 +1\.000 +– /);
  }
});

Deno.test("Progress has no accuracy for a supervised step that measures none", () => {
  const { progress, lines } = record({ until: 0 });
  progress.on({
    event: "train_step",
    train_step: 1,
    phase: "sft",
    step_id: "warm",
    loss: 1,
    entropy: 2,
    accuracy: null,
  });
  progress.close();
  assert.match(lines()[0]!, /^ +step +loss +entropy/);
});

Deno.test("Progress goes on showing the last accuracy between two measurements", () => {
  const { progress, lines } = record();
  const on = (train_step: number, accuracy: number | null) =>
    progress.on({ event: "train_step", train_step, phase: "sft", step_id: "warm", loss: 1, accuracy });
  on(1, null);
  on(2, 0.25);
  on(5, null);
  progress.close();
  assert.match(lines().at(-1)!, /^ +5 +1\.000 +0\.250 /);
});

Deno.test("Progress fits 40 columns: fewer columns of numbers, and texts below their heads", () => {
  const width = Object.getOwnPropertyDescriptor(Output.prototype, "columns")!;
  Object.defineProperty(Output.prototype, "columns", { ...width, get: () => 40 });
  try {
    const { progress, lines } = record();
    progress.on({
      event: "step_finished",
      step: "before",
      status: "ok",
      ms: 10,
      outputs: { text: "word ".repeat(20) },
    });
    for (const [train_step, phase] of [[1, "sft"], [2, "rollout"]] as const) {
      progress.on({ event: "train_step", train_step, phase, step_id: "warm", loss: 1, reward: 1, accuracy: 0.5 });
    }
    progress.on({ event: "finding", severity: "warning", cause: "entropy_collapse", message: "word ".repeat(20) });
    progress.close();
    for (const line of lines()) assert(line.length <= 40, line);
    assert.equal(lines()[1], `      text ${"word ".repeat(5).trim()}`);
    assert.match(lines().join("\n"), /step +loss accuracy +ETA\n[^]*step +reward accuracy +ETA\n/);
  } finally {
    Object.defineProperty(Output.prototype, "columns", width);
  }
});
