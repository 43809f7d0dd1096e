import assert from "node:assert/strict";
import { claimed, claimedElsewhere, claimEvidence } from "../../../../steps/diagnoses/told/claimed.ts";
import { viewOfPost } from "./view_of_post.ts";

const TEXT =
  "Hi, why is it so? With GRPO the loss is NaN.\n\n> the loss is NaN\n\nWithout the flag the loss is NaN.\n\n" +
  "The KL explodes from step 40 on.\n\n**Reply 1:** For me the loss is NaN.\n";

Deno.test("claimed() gives what the author says of this run, claimedElsewhere() what of another", async () => {
  const view = await viewOfPost(TEXT);
  assert.deepEqual(claimed(view, ["loss.not_finite"]).map(({ line }) => line), [1]);
  assert.deepEqual(claimedElsewhere(view, ["loss.not_finite"]).map(({ line }) => line), [5]);
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
  assert.equal(claimEvidence({ ...claim!, text: "x".repeat(999) }).value, "x".repeat(160));
  assert.equal(claimEvidence({ ...claim!, predicate: "not_finite" }).name, "kl not finite");
});
