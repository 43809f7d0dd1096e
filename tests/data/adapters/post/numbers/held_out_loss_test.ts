import assert from "node:assert/strict";
import { readPost } from "../read_post.ts";

const losses = async (text: string) =>
  (await readPost(`SFT, why is it so? ${text}`)).told.map(({ name, values }) => [name, ...values]);

Deno.test("withHeldOutLoss() takes held-out rows behind a loss for their loss, behind a score for their score", async () => {
  assert.deepEqual(await losses("Лосс на обучении 1,61 → 1,08, на валидации 1,59 → 1,21."), [
    ["loss", 1.61, 1.08],
    ["eval_loss", 1.59, 1.21],
  ]);
  const [, second] = await losses("The accuracy rises from 0.5 to 0.7, on validation 0.5 to 0.6.");
  assert.notEqual(second?.[0], "eval_loss");
});
