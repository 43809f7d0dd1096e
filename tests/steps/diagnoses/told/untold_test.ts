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

Deno.test("untold() asks for more where a text tells too little, and is silent where it tells of health or has a log", async () => {
  assert.match(untold(await viewOfPost(`${HEAD}The reward is 0.5.\n`))!, /too little/);
  assert.equal(untold(await viewOfPost(`${HEAD}The reward rises from 0.1 to 0.8.\n`)), null);
  assert.equal(untold(await viewOfPost(`${HEAD}\`\`\`\n${log(4)}\n\`\`\`\n`)), null);
  assert.equal(untold(await viewOfPost(log(4), "log.txt")), null, "a log is no post");
});

Deno.test("untold() keeps a run from being called healthy where a table has a metric that was not read", async () => {
  const row = (i: number) => `| ${i} | 0.${i} | ${i === 0 ? "" : "2 of 3, 4 below"} |`;
  const table = ["| step | reward | KL |", "|---|---|---|", ...[1, 2, 3, 4].map(row)].join("\n");
  assert.match(untold(await viewOfPost(`${HEAD}${table}\n`))!, /^column 3 of the table on line 3 was not read$/);
});
