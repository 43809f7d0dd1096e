import assert from "node:assert/strict";
import { claimsOf, readPost } from "./read_post.ts";

Deno.test("ProseReader goes on about what was spoken of, but not in another paragraph or of another run", async () => {
  assert.deepEqual(claimsOf(await readPost("GRPO. The loss is high. Then it explodes.")).at(-1), "1 loss.explodes");
  assert.deepEqual(claimsOf(await readPost("GRPO. The KL is low. Seed 2 diverges.")).at(-1), "1 training.explodes");
});

Deno.test("ProseReader lists a sentence that says nothing known", async () => {
  const { skipped } = await readPost("GRPO. We had a very long walk in the park yesterday.");
  assert.ok(skipped.some(({ reason }) => reason === "sentence not understood"));
});

Deno.test("ProseReader quotes what is written, where it reads numbers in their order in time", async () => {
  const said = "The eval loss is 1.90 after 3 epochs (1.24 at the start)";
  const { claims, told } = await readPost(`SFT. ${said}, why?`);
  assert.deepEqual([...claims, ...told].filter(({ text }) => text.includes("1.90")).map(({ text }) => text), [
    said,
    said,
  ]);
});

Deno.test("ProseReader gives a score without its name to what was measured first", async () => {
  const of = async (text: string) =>
    (await readPost(`GRPO with verl. ${text}`)).told.filter(({ relation }) => relation === "course").map(({ values }) =>
      values
    );
  assert.deepEqual(await of("The initial score on aime2024 is 53.3 %. After 2 epochs of training, I get 36.7 %."), [[
    0.533,
    0.367,
  ]]);
  assert.deepEqual(await of("The baseline on MATH500 is 62 %. After training it gets only 41 %."), [[0.62, 0.41]]);
  assert.deepEqual(await of("MATH500 is 62 % on two cards. After lunch I get 41 emails."), []);
});
