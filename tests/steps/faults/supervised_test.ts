import assert from "node:assert/strict";
import { columnArray, tableOf } from "../../../data/tables/mod.ts";
import { Faults } from "../../../steps/faults/inject.ts";
import { stepContext } from "../contexts/reward_steps.ts";
import { seenParams } from "./fault_context.ts";

Deno.test("settings of the warm start are changed as the fault says", async () => {
  const given = { max_updates: 3, learning_rate: 1e-3, warmup_updates: 20, max_grad_norm: 1 };
  assert.deepEqual(await seenParams("sft_learning_rate_ten", given), {
    ...given,
    learning_rate: 10,
    warmup_updates: 0,
  });
  assert.deepEqual(await seenParams("sft_learning_rate_zero", given), { ...given, learning_rate: 0 });
  assert.deepEqual(await seenParams("sft_crushing_clip", given), { ...given, max_grad_norm: 1e-12 });
});

Deno.test("sft_one_row shows one train row to the warm start, and the validation rows as they are", async () => {
  const prompts = tableOf("prompts", {
    prompt_id: [0, 1, 2],
    prompt: ["1+1=", "2+2=", "3+3="],
    answer: ["2", "4", "6"],
    split: ["train", "validation", "train"],
  });
  let seen: string[] = [];
  await new Faults([{ kind: "sft_one_row" }]).run("fine_tune", {}, stepContext({ prompts }), (_, context) => {
    seen = Array.from(columnArray(context.table("prompts"), "prompt") as ArrayLike<string>);
    return {};
  });
  assert.deepEqual(seen, ["1+1=", "2+2=", "1+1="]);
});
