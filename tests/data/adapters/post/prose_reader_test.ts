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
