import assert from "node:assert/strict";
import { fileURLToPath } from "node:url";
import { readRun } from "../../../data/adapters/read_run.ts";
import { examine } from "../../../workflows/doctor/examine.ts";
import { examineRun } from "../../../workflows/doctor/examine_run.ts";
import type { Examined } from "../../../workflows/doctor/examined.ts";
import { examinedPost } from "./examined_post.ts";

const CASE = fileURLToPath(new URL("../../cases/026-agentr1-30-nan-all-clipped/log.txt", import.meta.url));

Deno.test("examineRun() says of a run that was read what examine() says of its path", async () => {
  const [run] = await readRun([CASE]);
  assert.deepEqual(examineRun(run!), (await examine([CASE]))[0]);
});

Deno.test("examineRun() counts records where a log tells no train steps, and names what was not read", async () => {
  const examined = examineRun((await readRun([CASE]))[0]!);
  assert(examined.series.size > 3 && examined.records > 0);
  assert(examined.reading.every((line) => line !== ""));
});

const dict = (loss: number, reward: number, epoch: number) =>
  `{'loss': ${loss}, 'grad_norm': 0.31, 'reward': ${reward}, 'reward_std': 0.3, 'kl': 0.002, 'epoch': ${epoch}}`;

for (
  const [told, records] of [
    ["Reward goes from 0.42 to 0.55.", [dict(0.0012, 0.42, 0.08), dict(0.0021, 0.49, 0.16), dict(0.0018, 0.55, 0.24)]],
    ["The reward lies between 0.3 and 0.6.", [dict(0.0012, 0.42, 0.08), dict(0.0021, 0.49, 0.16)]],
    ["The entropy stays at 0.5 for 300 steps.", [dict(0.0012, 0.42, 0.08), dict(0.0021, 0.49, 0.16)]],
    ["loss 一直是 0：", [0, 1, 1, 2].map((loss, i) => dict(loss / 1e4, 0.4 + i / 20, 0.08 * (i + 1)))],
    ["Die Entropie fiel von 1,2 auf 0,6.", [0.42, 0.49, 0.55].map((reward, i) => dict(0.001, reward, 0.08 * (i + 1)))],
  ] as const
) {
  Deno.test(`examineRun() draws the records that are printed beside "${told}", and asks for no others`, async () => {
    const found = await examinedPost(["GRPO with TRL.", "", ...records, "", told].join("\n"));
    const printed = [...found.series.get("reward")!.values].filter((value) => value !== null);
    assert.deepEqual(printed, records.map((line) => Number(/'reward': ([\d.]+)/.exec(line)![1])));
    assert.equal(found.records, records.length);
    assert.doesNotMatch(found.diagnosis.reasons.join("; "), /print no|of 12 records/);
  });
}

/** All numbers that a report shows of a run: its message, its evidence and its drawings. */
function numbersOf({ diagnosis: { findings, afterEffects, reasons }, series, evaluations }: Examined): number[] {
  const texts = [...findings, ...afterEffects].map(({ message }) => message).concat(reasons).join(" ");
  const written = [...texts.matchAll(/(?<![\w.])\d+\.\d+(?! %)/g)].map(([number]) => Number(number));
  const shown = findings.flatMap(({ evidence }) => evidence.map(({ value }) => value));
  const drawn = [...series.values(), ...evaluations.values()].flatMap(({ values }) => values);
  return [...written, ...shown, ...drawn].filter((value) =>
    typeof value === "number" && Number.isFinite(value)
  ) as number[];
}

const TOLD_ONLY = [
  "GRPO TRL. ROUGE-L on the eval set fell from 0.31 to 0.12 while the reward rises from 0.8 to 4.9.",
  "verl, DAPO. Reward went up from 0.21 to 0.48 in the first 120 steps. Then entropy dropped from 0.42 to 0.006 by step 180 and the reward fell to 0.19 at step 300.",
  "verl GRPO：奖励从 0.21 升到 0.87，熵从 0.95 降到 0.01。",
  "PPO mit TRL. Der KL steigt von 0,02 auf 48,5, die Belohnung fällt von 0,81 auf 0,07.",
];
for (const text of TOLD_ONLY) {
  Deno.test(`examineRun() shows no number but those that "${text.slice(0, 40)}…" tells`, async () => {
    const found = await examinedPost(text),
      told = text.match(/\d+(?:[.,]\d+)?/g)!.map((one) => Number(one.replace(",", ".")));
    const isTold = (number: number) =>
      told.some((one) => one === number || told.some((two) => Math.abs(one - two - number) < 1e-9)); // "by 0.74"
    assert.deepEqual(numbersOf(found).filter((number) => !isTold(number)), []);
    const steps = /step|步/.test(text) ? [1, 120, 180, 300] : [];
    const named = found.diagnosis.findings.flatMap(({ train_steps, evidence }) => [
      ...train_steps,
      ...evidence.flatMap(({ train_step }) => train_step ?? []),
    ]);
    assert.deepEqual(named.filter((step) => !steps.includes(step)), []);
    assert(!found.diagnosis.findings.some(({ message }) => /record \d/.test(message)));
  });
}

const TABLE = ["Step\tTraining Loss\treward\treward_std", "1\t0.0\t-0.312\t0.21", "50\t0.0001\t0.41\t0.11"].join("\n");
for (
  const text of [
    `Colab notebook, GRPO with unsloth, copy of the table:\n\n${TABLE}\n\nThe correctness reward never comes. Outputs are empty tags.\n`,
    `GRPO, unsloth\n${TABLE}\n\nThe outputs are empty tags. The eval score falls from 0.4 to 0.1.\n`,
    "verl, GRPO. actor/entropy 0.38, critic/score/mean 0.0, response_length/clip_ratio 0.97, actor/grad_norm 0.0, same numbers on each of 60 steps.\n",
  ]
) {
  Deno.test(`examineRun() says the same of "${text.slice(0, 24)}…" whatever its name`, async () => {
    const all = await Promise.all(["post.md", "post.txt", "-"].map((name) => examinedPost(text, name)));
    const said = all.map((
      { diagnosis, records, statements },
    ) => [diagnosis.verdict, diagnosis.findings[0]?.cause, records, statements]);
    assert.deepEqual(said.slice(1), [said[0], said[0]]);
  });
}

Deno.test("examineRun() shows the boxes in other numbers, and the first record that tells a reward", async () => {
  const found = await examinedPost([
    "VLM-R1, GRPO on grounding. IoU reward is almost 0 all the time. Format reward is 1.0 after 20 steps.",
    "",
    "Output: [120, 45, 388, 290]",
    "Solution: [0.21, 0.11, 0.62, 0.55]",
  ].join("\n"));
  const [finding] = found.diagnosis.findings;
  assert.equal(finding?.cause, "coordinates_mismatch");
  assert.deepEqual(finding.evidence.map(({ value, train_step }) => [value, train_step]), [
    [0, null],
    [1, 20],
    ["[120, 45, 388, 290]", null],
  ]);
  assert.equal(finding.evidence[2]!.note, "gold [0.21, 0.11, 0.62, 0.55]");
});
