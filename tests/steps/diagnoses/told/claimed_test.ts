import assert from "node:assert/strict";
import {
  beginsLater,
  claimed,
  claimEvidence,
  isReassured,
  ON_AND_ON,
} from "../../../../steps/diagnoses/told/claimed.ts";
import { viewOfPost } from "./view_of_post.ts";

const TEXT =
  "Hi, why is it so? With GRPO the loss is NaN.\n\n> the loss is NaN\n\nWithout the flag the loss is NaN.\n\n" +
  "The KL explodes from step 40 on.\n\n**Reply 1:** For me the loss is NaN.\n";

Deno.test("claimed() gives what the author says of this run, and not what of another", async () => {
  const view = await viewOfPost(TEXT);
  assert.deepEqual(claimed(view, ["loss.not_finite"]).map(({ line }) => line), [1]);
  assert.deepEqual(claimed(view, ["loss.not_finite", "kl.explodes"]).map(({ line }) => line), [1, 7]);
  assert.deepEqual(claimed(view, ["reward.zero", "kl.zero"]), []);
  assert.deepEqual(claimed(view, []), []);
});

Deno.test("claimEvidence() shows a claim as one, with its place, its words and its train step", async () => {
  const [claim] = claimed(await viewOfPost(TEXT), ["kl.explodes"]);
  assert.deepEqual(claimEvidence(claim!), {
    source: "post.md",
    line: 7,
    train_step: 40,
    name: "kl explodes",
    value: "The KL explodes from step 40 on",
    note: "a claim",
  });
  assert.equal(claimEvidence({ ...claim!, text: "x".repeat(999) }).value, `${"x".repeat(159)}…`);
  assert.equal(claimEvidence({ ...claim!, predicate: "not_finite" }).name, "kl not finite");
});

Deno.test("beginsLater() is true of what begins at a train step, after an update, or then", () => {
  const later = (text: string, from: number | null = null) => beginsLater({ from, text });
  assert(later("the loss is NaN", 40));
  for (
    const text of [
      "after one training step it becomes NaN",
      "once the first update is done it is NaN",
      "nach einem Update wird er NaN",
      "après une seule mise à jour elle devient NaN",
      "después de un paso pasa a ser NaN",
      "после первого шага NaN",
      "更新一次之后就变成nan了",
      "1 ステップ更新すると NaN になります",
      "한 번 업데이트하고 나면 NaN이 됩니다",
      "then it becomes 0",
      "loss陡降至0",
    ]
  ) assert(later(text), text);
  for (const text of ["the loss is NaN", "at the first step it is NaN"]) assert(!later(text), text);
  assert(!later("the loss is NaN", 1));
});

Deno.test("ON_AND_ON is in what goes on without an end", () => {
  for (const text of ["eval_loss keeps rising", "eval_loss不断上升", "越来越高", "steigt stetig"]) {
    assert(ON_AND_ON.test(text), text);
  }
  assert(!ON_AND_ON.test("eval_loss rose"));
});

Deno.test("isReassured() is true where an answer says that it is as it should be, and not that it is by now", async () => {
  const answered = async (answer: string) => isReassured(await viewOfPost(`SFT: the loss is 0. Why?\n\n> ${answer}\n`));
  for (const answer of ["This is normal.", "这是正常的"]) assert(await answered(answer), answer);
  for (const answer of ["正常了", "It is normal again", "back to normal after the upgrade"]) {
    assert(!await answered(answer), answer);
  }
});
