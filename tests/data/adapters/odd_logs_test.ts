/** Logs that are odd and still true: few records, very many, steps without order, columns that disagree. All end in a report. */
import assert from "node:assert/strict";
import { examine } from "../../../workflows/doctor/examine.ts";
import type { Examined } from "../../../workflows/doctor/examined.ts";
import { headline } from "../../../workflows/doctor/headline.ts";
import { jsonReport } from "../../../workflows/doctor/json_report.ts";
import { markdownReport } from "../../../workflows/doctor/markdown_report.ts";
import { terminalReport } from "../../../workflows/doctor/terminal_report.ts";

const PLAIN = { style: (text: string) => text, columns: 100 };
type Row = Readonly<Record<string, number | null>>;

/** A healthy record of GRPO, the same for the same step. */
function healthy(step: number, of = 1000): Row {
  const noise = (seed: number) => (Math.sin(12.9898 * step + 78.233 * seed) * 43758.5453 % 1) / 20;
  const done = step / of, reward = 0.3 + 0.4 * done + noise(1);
  return {
    step,
    loss: 0.01 + noise(2) / 10,
    grad_norm: 1 + noise(3),
    learning_rate: 1e-6,
    reward,
    "rewards/accuracy/mean": reward,
    reward_std: 0.3 + noise(4),
    frac_reward_zero_std: 0.1 + noise(5),
    kl: 0.01 * done + Math.abs(noise(6)) / 100,
    entropy: 0.9 - 0.2 * done + noise(7),
    "completions/mean_length": 120 + 100 * noise(8),
    "completions/clipped_ratio": 0.02,
  };
}

const upTo = (count: number, from = 1) => Array.from({ length: count }, (_, i) => from + i);
/** JSON has no NaN: Python writes one all the same. */
const lines = (records: readonly Row[]) =>
  records.map((row) => `{${Object.entries(row).map(([name, value]) => `"${name}": ${value}`).join(", ")}}\n`).join("");

/** The run of a log, printed in every form: none may throw, and none may say a thing that is no text. */
async function reported(text: string): Promise<Examined> {
  const path = await Deno.makeTempFile({ suffix: ".jsonl" });
  try {
    await Deno.writeTextFile(path, text);
    const all = await examine([path]);
    assert.equal(all.length, 1);
    const examined = all[0]!;
    const said = [
      headline(examined),
      ...terminalReport(examined, PLAIN, true),
      markdownReport(examined, true),
      JSON.stringify(jsonReport(examined)),
    ].join("\n");
    assert.doesNotMatch(said, /undefined|\[object/);
    return examined;
  } finally {
    await Deno.remove(path);
  }
}

Deno.test("a log of one record, or two, has a report", async () => {
  for (const count of [1, 2]) {
    const { records, diagnosis } = await reported(lines(upTo(count).map((step) => healthy(step))));
    assert.equal(records, count);
    assert.notEqual(diagnosis.verdict, "faulty");
  }
});

Deno.test("a very long log is thinned evenly, and a steady rise in it is no plateau", async () => {
  const { records, reading, diagnosis } = await reported(lines(upTo(120_000).map((step) => healthy(step, 120_000))));
  assert(records < 50_000);
  assert.match(reading.join("\n"), new RegExp(`${120_000 - records} records were read and not kept`));
  assert.deepEqual(diagnosis.findings.map(({ cause }) => cause), []);
});

Deno.test("train steps that repeat or go backwards end in a report", async () => {
  const repeated = await reported(lines(upTo(200).flatMap((step) => [healthy(step), healthy(step)])));
  assert.equal(repeated.records, 400);
  const jitter = [1, ...upTo(300, 4).map((step) => step + 2 - 2 * ((step - 1) % 3))];
  const { records, diagnosis } = await reported(lines(jitter.map((step) => healthy(step))));
  assert.deepEqual([records, diagnosis.verdict], [301, "benign"]);
  const backwards = await reported(lines([1, ...upTo(300, 2).reverse()].map((step) => healthy(step))));
  assert.equal(backwards.records, 301);
});

Deno.test("a metric that is constant, or missing in the middle, ends in a report", async () => {
  const run = upTo(400).map((step) => healthy(step, 400));
  for (const name of ["reward", "entropy", "kl", "grad_norm", "completions/mean_length"]) {
    await reported(lines(run.map((row) => ({ ...row, [name]: 0.5 }))));
    const gap = run.map((row, i) => {
      const { [name]: left, ...rest } = row;
      return i > 100 && i < 300 ? rest : { ...rest, [name]: left! };
    });
    assert.notEqual((await reported(lines(gap))).diagnosis.verdict, "faulty", name);
    await reported(lines(run.map((row, i) => ({ ...row, [name]: i % 3 ? null : NaN }))));
  }
});

Deno.test("a metric that changes its scale at a resume ends in a report", async () => {
  const percents = upTo(200).map((step): Row => ({ ...healthy(step, 400), "completions/clipped_ratio": 2 }));
  const later = upTo(250, 151).map((step) => healthy(step, 400));
  const { records, reading } = await reported(lines([...percents, ...later]));
  assert.equal(records, 400);
  assert.match(reading.join("\n"), /:151: records that the run made again when it was resumed.* \(50 times\)/);
  await reported(lines([...percents.map((row) => ({ ...row, reward: 100 * row["reward"]! })), ...later]));
});

Deno.test("ten evaluations among a thousand records end in a report", async () => {
  const run = upTo(1000).flatMap((step) => [
    healthy(step),
    ...step % 100 === 0 ? [{ step, eval_reward: 0.3 + step / 2500, eval_loss: 0.1 }] : [],
  ]);
  const { records, diagnosis } = await reported(lines(run));
  assert.deepEqual([records, diagnosis.verdict], [1000, "benign"]);
});

Deno.test("columns that contradict each other end in a report", async () => {
  const run = upTo(300).map((step) => healthy(step, 300));
  for (
    const wrong of [
      { reward_std: 0, frac_reward_zero_std: 0 },
      { frac_reward_zero_std: 1, reward_std: 0.5 },
      { "completions/mean_length": 900, "completions/max_length": 100, "completions/min_length": 500 },
      { "completions/clipped_ratio": 1, "completions/mean_terminated_length": 100 },
      { grad_norm: 0, loss: NaN },
      { reward: 5, "rewards/accuracy/mean": 0 },
      { kl: -5, entropy: -1 },
      { learning_rate: 0, grad_norm: 1e9 },
      { reward: Infinity, kl: -Infinity },
      { reward: 1e308, loss: -1e308, grad_norm: 1e308 },
    ] as readonly Row[]
  ) await reported(lines(run.map((row) => ({ ...row, ...wrong }))));
});
