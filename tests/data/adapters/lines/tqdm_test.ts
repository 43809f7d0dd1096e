import assert from "node:assert/strict";
import { column, readText } from "../read_text.ts";

Deno.test("TQDM reads OpenRLHF's bars and skips bars drawn again", async () => {
  const bar = (n: number, loss: string) =>
    `Train epoch [1/1]:  50%|█████     | ${n}/8 [00:10<00:10,  2.50s/it, act_loss=${loss}, reward=0.5, gen_len=200, kl=0, act_lr=1e-6]`;
  const run = await readText(`${bar(1, "0.01")}\r${bar(1, "0.01")}\r${bar(2, "nan")}\n`);
  assert.deepEqual(column(run, "policy_loss"), [0.01, NaN]);
  assert.deepEqual(column(run, "completion_length"), [200, 200]);
  assert.equal(run.system, "openrlhf");
});

Deno.test("TQDM gives way to real records of the same log", async () => {
  const run = await readText(
    "50%|█ | 4/8 [00:10<00:10, 2.5s/it, act_loss=0.5, kl=0]\n✨ Global step 1: {'policy_loss': 0.25, 'kl': 0.5}\n",
  );
  assert.deepEqual(column(run, "policy_loss"), [0.25]);
});

Deno.test("TQDM leaves an error that is printed behind a bar to those who read errors", async () => {
  const run = await readText(
    "Train:   7%|▋  | 82/1218 [18:06<22:39, 721.46s/it]/aten/Compare.cu:112: Assertion `probability tensor contains either `inf`, `nan` or element < 0` failed.\n",
  );
  assert.deepEqual(run.messages.map(({ kind }) => kind), ["non_finite", "invalid_probabilities"]);
});
