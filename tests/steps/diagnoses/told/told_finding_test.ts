import assert from "node:assert/strict";
import { printedRecords, toldFinding, toldTooLittle } from "../../../../steps/diagnoses/told/told_finding.ts";
import { alarmsOf } from "./diagnosed.ts";
import { viewOfPost } from "./view_of_post.ts";

const HEAD = "Hi, I run GRPO, why is it so?\n\n";
const log = (records: number) =>
  Array.from({ length: records }, (_, i) => `{'loss': 0.01, 'reward': 0.${i + 1}, 'step': ${i + 1}}`).join("\n");
const BANGS = "The outputs are only exclamation marks.\n";

Deno.test("toldFinding() names a cause by symptoms that people tell, with the lines that say so", async () => {
  const found = toldFinding("old_logprob_nan", await viewOfPost(`${HEAD}${BANGS}\nThe KL is NaN from step 3 on.\n`));
  assert(found !== null);
  assert.match(found.message, /Log-probs turned NaN/);
  assert.deepEqual([...new Set(found.evidence.map(({ line }) => line))].sort(), [3, 5]);
  assert.deepEqual(found.trainSteps, [3]);
});

Deno.test("toldFinding() is silent of a symptom alone that shows something else, of a log, and beside ten records", async () => {
  assert.equal(toldFinding("old_logprob_nan", await viewOfPost(`${HEAD}The reward is stuck.\n`)), null);
  assert.equal(toldFinding("old_logprob_nan", await viewOfPost(`${BANGS}${log(3)}`, "run.log")), null);
  const beside = async (records: number) =>
    toldFinding("old_logprob_nan", await viewOfPost(`${HEAD}${BANGS}\n\`\`\`\n${log(records)}\n\`\`\`\n`));
  assert((await beside(9)) !== null);
  assert.equal(await beside(10), null);
});

Deno.test("toldFinding() is silent of what others have, and of another run", async () => {
  assert.equal(toldFinding("old_logprob_nan", await viewOfPost(`${HEAD}It is odd.\n\n**Reply 1:** ${BANGS}`)), null);
  assert.equal(
    toldFinding(
      "old_logprob_nan",
      await viewOfPost(`${HEAD}Without the flag the outputs are only exclamation marks.\n`),
    ),
    null,
  );
});

Deno.test("toldTooLittle() asks for a text and the scale where only a level is told", async () => {
  const zero = await viewOfPost(`${HEAD}The reward is always 0.\n`);
  assert.match(toldTooLittle("all_incorrect_reward_floor", zero)!.because, /all_incorrect_reward_floor/);
  assert.equal(toldTooLittle("kl_explosion", zero), null, "a level says it");
  const read = await viewOfPost(`${HEAD}The reward is always 0. The completions are readable.\n`);
  assert.equal(toldTooLittle("all_incorrect_reward_floor", read), null);
  const printed = await viewOfPost(`${HEAD}The reward is 0.\n\n\`\`\`\n${log(2)}\n\`\`\`\n`);
  assert.equal(toldTooLittle("all_incorrect_reward_floor", printed), null);
});

Deno.test("printedRecords() counts what a log prints, not what is told", async () => {
  assert.equal(printedRecords(await viewOfPost(`${HEAD}The reward is always 0.\n`)), 0);
  assert.equal(printedRecords(await viewOfPost(`${HEAD}The KL is always 0.\n\n\`\`\`\n${log(4)}\n\`\`\`\n`)), 4);
});

const UNPAID = (answer: string) =>
  `GRPO with TRL, reward is 0 all the time, reward_std 0.\n\nA completion looks like this:\n\n\`\`\`\n12 + 30 = 42. The answer is \\boxed{42}.\n\`\`\`\n\nGround truth: ${answer}\n`;

Deno.test("a right answer beside a reward of 0 is the parser's, a wrong one is not", async () => {
  assert.deepEqual(await alarmsOf(UNPAID("42")), ["reward_parser_mismatch"]);
  assert.deepEqual(await alarmsOf(UNPAID("43")), ["all_incorrect_reward_floor"]);
});
