/** What in a post proves that a run learns, by how it is trained. */
import assert from "node:assert/strict";
import {
  explained,
  gains,
  heldOutGain,
  isFlawless,
  knowsByHeart,
  neverPaid,
  shownHealth,
  wantedProof,
} from "../../../../steps/diagnoses/told/shown_health.ts";
import { diagnoseRun } from "../../../../steps/diagnoses/diagnose_run.ts";
import { viewOfPost } from "./view_of_post.ts";

const fenced = (head: string, ...rows: string[]) => viewOfPost(`${head}\n\n\`\`\`\n${rows.join("\n")}\n\`\`\`\n`);
const GRPO = "Hi, I run GRPO with TRL, is this right?",
  DPO = "Hi, I run DPO with TRL, is this right?",
  SFT = "Hi, I fine-tune (SFT) with TRL, is this right?";

Deno.test("gains() of a run on rewards are a reward that rises over three records and keeps most of it", async () => {
  const rewards = (...values: number[]) =>
    fenced(GRPO, ...values.map((reward, i) => `{'loss': 0.01, 'reward': ${reward}, 'step': ${i + 1}}`));
  assert.deepEqual(gains(await rewards(0.2, 0.3, 0.5)), ["reward goes from 0.2 to 0.5"]);
  assert.deepEqual(gains(await rewards(0.2, 0.5)), [], "two records are no course");
  assert.deepEqual(gains(await rewards(0.2, 0.7, 0.3)), [], "most is lost again");
  assert.deepEqual(gains(await rewards(0.87, 0.88, 0.88)), [], "it stands");
});

Deno.test("heldOutGain() is a score, a table of models or a loss that gets better, and none of training", async () => {
  const told = async (text: string) => heldOutGain(await viewOfPost(`${SFT}\n\n${text}\n`));
  assert.match((await told("Held-out accuracy went from 0.30 to 0.55."))!, /from 0.3 to 0.55$/);
  assert.equal(await told("Held-out accuracy went from 0.55 to 0.30."), null);
  assert.match(
    (await told("| model | MMLU |\n|---|---|\n| base | 40.0 |\n| SFT | 55.0 |"))!,
    /MMLU: 40 of base, 55 of SFT/,
  );
  const losses = (...values: number[]) =>
    fenced(SFT, ...values.map((loss, i) => `{'eval_loss': ${loss}, 'epoch': ${i + 1}}`));
  assert.match(heldOutGain(await losses(1.9, 1.5, 1.4))!, /held-out loss goes from 1.9 to 1.4/);
  assert.equal(heldOutGain(await losses(1.9, 1.2, 1.8)), null, "it rises again");
});

Deno.test("gains() of pairs are an order above a coin, not one that is known by heart or with a chosen side that falls", async () => {
  const pairs = (accuracy: number, loss: number, chosen = 0.2) =>
    fenced(
      DPO,
      `{'loss': ${loss}, 'rewards/accuracies': ${accuracy}, 'rewards/margins': 0.6, 'rewards/chosen': ${chosen}}`,
    );
  assert.match(gains(await pairs(0.74, 0.55))[0]!, /74 % of the pairs are in order/);
  assert.deepEqual(gains(await pairs(0.52, 0.69)), []);
  assert.deepEqual(gains(await pairs(0.74, 0.55, -4)), []);
  assert.equal(knowsByHeart(await pairs(1, 0.01)), true);
  assert.equal(knowsByHeart(await fenced(DPO, "{'loss': 0.69, 'epoch': 1}", "{'loss': 0.01, 'epoch': 2}")), true);
  assert.deepEqual(gains(await pairs(1, 0.01)), []);
});

Deno.test("isFlawless() is true of held-out pairs that nobody gets wrong, at no loss, and nothing is gained by them", async () => {
  const heldOut = (loss: number, accuracy: number) =>
    fenced(DPO, `{'eval_loss': 0.693}`, `{'eval_loss': ${loss}, 'eval_rewards/accuracies': ${accuracy}}`);
  assert.deepEqual([isFlawless(await heldOut(0.001, 1)), gains(await heldOut(0.001, 1))], [true, []]);
  assert.equal(isFlawless(await heldOut(0.3, 1)), false);
  assert.equal(isFlawless(await heldOut(0.001, 0.9)), false);
  assert.equal(isFlawless(await fenced(SFT, `{'eval_loss': 2.1}`, `{'eval_loss': 0.001}`)), false);
});

Deno.test("gains() of a supervised run are a loss that falls on rows that it sees for the first time", async () => {
  const rows = (epochs: number, ...losses: number[]) =>
    fenced(SFT, ...losses.map((loss, i) => `{'loss': ${loss}, 'epoch': ${epochs * (i + 1) / losses.length}}`));
  assert.match(gains(await rows(0.9, 2.1, 1.8, 1.6))[0]!, /falls from 2.1 to 1.6 within the first epoch/);
  assert.deepEqual(gains(await rows(4, 2.1, 1.8, 1.6)), []);
  assert.deepEqual(gains(await rows(0.9, 1.5, 1.6, 1.5)), []);
  for (
    const [last, proves] of [[1.89, true], [1.91, false], [0.41, true], [0.39, false], [0.01, false]] as const
  ) {
    const found = gains(await rows(0.9, 2, 2, last));
    assert.equal(found.length > 0, proves, `from 2 to ${last}: ${found}`);
  }
});

Deno.test("explained() is what is asked about beside a record that learns, and nothing where nobody asks", async () => {
  const row = (gradient: number) =>
    `{'loss': 0.0, 'grad_norm': ${gradient}, 'reward': 0.6, 'reward_std': 0.3, 'kl': 0.001, 'completion_length': 90}`;
  assert.match(
    explained(await fenced("GRPO: the loss is 0.0, is this normal?", row(0.3)))!,
    /^line 1 asks of loss zero, as healthy runs have it: grad_norm 0.3, reward 0.6/,
  );
  assert.equal(explained(await fenced("GRPO: the loss is 0.0, is this normal?", row(0))), null);
  assert.equal(explained(await fenced(GRPO, row(0.3))), null);
  assert.deepEqual(shownHealth(await fenced(GRPO, row(0.3))), []);
});

Deno.test("explained() takes no record whose groups tie, whose completions are cut, or whose KL is far", async () => {
  const told = async (tied: number, cut: number, kl: number, gradient = 0.3) =>
    explained(
      await fenced(
        "GRPO: the loss is 0.0, is this normal?",
        `{'loss': 0.0, 'grad_norm': ${gradient}, 'reward': 0.6, 'reward_std': 0.3, 'frac_reward_zero_std': ${tied}, ` +
          `'completions/clipped_ratio': ${cut}, 'kl': ${kl}}`,
      ),
    ) !== null;
  for (
    const [explains, tied, cut, kl, gradient] of [
      [true, 0.79, 0.49, 0.99],
      [false, 0.8, 0.1, 0.01],
      [false, 0.1, 0.5, 0.01],
      [false, 0.1, 0.1, 1],
      [true, 0.1, 0.1, 0.01, 2e-4],
      [false, 0.1, 0.1, 0.01, 1e-4],
    ] as const
  ) {
    assert.equal(await told(tied, cut, kl, gradient), explains, [tied, cut, kl, gradient].join(" "));
  }
});

Deno.test("neverPaid() is a part that is 0 on each of several records, penalties apart", async () => {
  const rows = (name: string, ...values: number[]) =>
    fenced(GRPO, ...values.map((v, i) => `{'reward': ${0.3 + i / 10}, 'rewards/${name}': ${v}, 'step': ${i + 1}}`));
  assert.equal(neverPaid(await rows("format_reward", 0, 0)), "format_reward is 0 on all 2 records");
  assert.equal(neverPaid(await rows("format_reward", 0, 0.1)), null);
  assert.equal(neverPaid(await rows("length_penalty", 0, 0)), null);
});

Deno.test("diagnoseRun() says of a post what proves its health, and what would where nothing does", async () => {
  const told = await viewOfPost(`${GRPO} The loss is 0 for 200 steps.\n\nThe reward: 0.38 → 0.44 → 0.59.\n`);
  const { verdict, reasons } = diagnoseRun(told);
  assert.deepEqual(
    [verdict, reasons.includes("reward goes from 0.38 to 0.59")],
    ["benign", true],
    "no gradient is needed",
  );
  const few = await fenced(GRPO, "{'loss': 0.02, 'grad_norm': 0.3, 'reward': 0.4, 'completion_length': 90}");
  const open = diagnoseRun(few);
  assert.equal(open.verdict, "insufficient");
  assert(open.missing.includes(wantedProof(few)));
  assert.match(wantedProof(few), /held-out score/);
});
