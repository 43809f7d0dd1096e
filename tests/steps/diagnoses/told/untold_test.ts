import assert from "node:assert/strict";
import { openComplaints, untold } from "../../../../steps/diagnoses/told/untold.ts";
import { viewOfPost } from "./view_of_post.ts";

const HEAD = "Hi, I run GRPO, why is it so?\n\n";
const log = (records: number, reward = (i: number) => 0.1 + i / 100) =>
  Array.from({ length: records }, (_, i) => `{'loss': 0.01, 'reward': ${reward(i)}, 'step': ${i + 1}}`).join("\n");
const complaints = async (text: string) =>
  openComplaints(await viewOfPost(HEAD + text)).map(({ line, subject, predicate }) =>
    `${line} ${subject}.${predicate}`
  );

Deno.test("openComplaints() are those that no printed number answers", async () => {
  assert.deepEqual(await complaints("The reward is stuck.\n"), ["3 reward.constant"]);
  assert.deepEqual(await complaints(`The reward is stuck.\n\n\`\`\`\n${log(2)}\n\`\`\`\n`), ["3 reward.constant"]);
  assert.deepEqual(await complaints(`The reward is stuck.\n\n\`\`\`\n${log(3)}\n\`\`\`\n`), []);
  assert.deepEqual(await complaints(`The outputs are gibberish.\n\n\`\`\`\n${log(3)}\n\`\`\`\n`), [
    "3 completions.garbled",
  ]);
});

Deno.test("openComplaints() leaves praise, and what others or another run have, alone", async () => {
  assert.deepEqual(await complaints("The reward rises.\n\nThe outputs are readable.\n"), []);
  assert.deepEqual(await complaints("Without the flag the reward is stuck.\n\n**Reply 1:** My reward is stuck.\n"), []);
});

Deno.test("untold() says which complaint keeps a run from being called healthy", async () => {
  assert.match(
    untold(await viewOfPost(`${HEAD}The reward is stuck.\n`))!,
    /^line 3 says "The reward is stuck", and no number tells why$/,
  );
});

Deno.test("untold() keeps a run from being called healthy beside another try that is broken", async () => {
  const text = `${HEAD}Seed 1:\n\n\`\`\`\n${log(12)}\n\`\`\`\n\nSeed 2: the loss is NaN from step 30 on.\n`;
  assert.match(untold(await viewOfPost(text))!, /^line \d+ tells of a run that is broken: "Seed 2: the loss is NaN/);
  assert.equal(untold(await viewOfPost(text.replace("the loss is NaN from step 30 on", "the same"))), null);
});

Deno.test("untold() keeps a run from being called healthy where the base answers in its place", async () => {
  const text = "SFT: the held-out accuracy rises from 0.4 to 0.6.";
  assert.match(untold(await viewOfPost(`${text} The adapter was not merged.\n`))!, /not be what was trained$/);
  assert.equal(untold(await viewOfPost(`${text} The adapter was merged.\n`)), null);
});

Deno.test("untold() asks for more where a text tells too little, and is silent where it tells of health or has a log", async () => {
  assert.match(untold(await viewOfPost(`${HEAD}The reward is 0.5.\n`))!, /too little/);
  assert.equal(untold(await viewOfPost(`${HEAD}The reward rises from 0.1 to 0.8.\n`)), null);
  assert.match(
    untold(await viewOfPost(`${HEAD}The loss falls from 0.9 to 0.1.\n`))!,
    /too little/,
    "GRPO's says nothing",
  );
  assert.equal(untold(await viewOfPost(log(4), "log.txt")), null, "a log is no post");
});

Deno.test("untold() keeps a run from being called healthy where a table has a metric that was not read", async () => {
  const row = (i: number) => `| ${i} | 0.${i} | ${i === 0 ? "" : "2 of 3, 4 below"} |`;
  const table = ["| step | reward | KL |", "|---|---|---|", ...[1, 2, 3, 4].map(row)].join("\n");
  assert.match(untold(await viewOfPost(`${HEAD}${table}\n`))!, /^column 3 of the table on line 3 was not read$/);
});

const fenced = (text: string) => `${HEAD}\`\`\`\n${text}\n\`\`\`\n`;

Deno.test("untold() wants of few records what proves learning, of ten and more that no rule fires", async () => {
  assert.match(untold(await viewOfPost(fenced(log(1))))!, /^nothing on the one record proves that the run learns$/);
  assert.match(untold(await viewOfPost(fenced(log(4, () => 0.4))))!, /^nothing on the 4 records proves/);
  assert.equal(untold(await viewOfPost(fenced(log(4, (i) => 0.1 + i / 10)))), null);
  assert.equal(untold(await viewOfPost(fenced(log(10, () => 0.4)))), null);
});

Deno.test("untold() names a part of the reward that is never paid, though the rest rises", async () => {
  const rows = [0.3, 0.5, 0.7].map((r, i) => `{'reward': ${r}, 'rewards/format_reward': 0.0, 'step': ${i + 1}}`);
  assert.match(untold(await viewOfPost(fenced(rows.join("\n"))))!, /^format_reward is 0 on all 3 records/);
});

Deno.test("untold() takes a complaint about what serves the goal for answered where that gets better held out", async () => {
  const about = (what: string) => `Hi, I fine-tune by GRPO.\n\n${what}\n\nHeld-out accuracy went from 0.30 to 0.55.\n`;
  assert.equal(untold(await viewOfPost(about("The KL explodes."))), null);
  assert.match(untold(await viewOfPost(about("The KL is NaN.")))!, /no number tells why/);
  assert.match(untold(await viewOfPost(about("The training gives NaN.")))!, /no number tells why/);
  assert.match(untold(await viewOfPost(about("The reward is stuck.")))!, /no number tells why/);
});

Deno.test("untold() leaves the reward that pairs imply alone, and asks of pairs that are known by heart for others", async () => {
  const pairs = "Hi, I train with DPO (TRL), beta 0.1.\n\n";
  assert.deepEqual(openComplaints(await viewOfPost(`${pairs}The reward is 0 at first.\n`)), []);
  const view = await viewOfPost(`${pairs}The loss goes from 0.693 to 0.001, rewards/accuracies are at 1.0.\n`);
  assert.match(untold(view)!, /known by heart/);
  const heldOut = (loss: number, accuracy: number) =>
    viewOfPost(
      `${pairs}\`\`\`\n{'eval_loss': 0.693, 'eval_rewards/accuracies': 0.5}\n` +
        `{'eval_loss': ${loss}, 'eval_rewards/accuracies': ${accuracy}}\n\`\`\`\n`,
    );
  assert.match(untold(await heldOut(0.001, 1))!, /told apart without a flaw/);
  assert.equal(untold(await heldOut(0.52, 0.74)), null);
});

Deno.test("untold() shows that a quotation is cut, between two words", async () => {
  const long = `The completions are garbled ${"and longer than before ".repeat(5)}`;
  const said = /^line 3 says "(.+)", and/.exec(untold(await viewOfPost(`I run GRPO.\n\n${long}.\n`)) ?? "")?.[1] ?? "";
  assert(said.length <= 80 && long.startsWith(`${said.slice(0, -1)} `), said);
});

Deno.test("untold() calls no run of words alone healthy beside a bad sign, or a doubt that is not understood", async () => {
  const gain = "GRPO. Reward goes from 0.2 to 0.6, test accuracy from 40% to 54%.";
  assert.equal(untold(await viewOfPost(`${gain} Is this fine?`)), null);
  for (
    const more of [
      "But since step 500 users hate each answer.",
      "What happened to the tone of it, something is weird.",
      "不过用户都觉得很奇怪。",
      "Die Nutzer sind aber leider unzufrieden.",
    ]
  ) {
    assert.match(untold(await viewOfPost(`${gain} ${more}`)) ?? "", /not understood/, more);
  }
  const falls =
    "DPO. Chosen rewards fall from -0.2 to -9, rejected from -0.3 to -14, eval accuracy 0.5 to 0.71. Is it fine?";
  assert.match(untold(await viewOfPost(falls)) ?? "", /chosen side falls/);
});
