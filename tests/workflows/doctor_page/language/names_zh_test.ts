import assert from "node:assert/strict";
import { NAMES_ZH } from "../../../../workflows/doctor_page/language/names_zh.ts";
import { said } from "./untranslated.ts";

Deno.test("NAMES_ZH says names that are words, and other names stay as they are", () => {
  assert.equal(said("The KL is 2.5"), "KL 为 2.5");
  assert.equal(said("The held-out score fell from 0.5 to 0.25"), "留出集分数从 0.5 降到 0.25");
  assert.equal(said("accuracy_reward fell from 0.5 to 0.25"), "accuracy_reward 从 0.5 降到 0.25");
  for (const name of Object.values(NAMES_ZH)) assert.match(name, /\p{Script=Han}|KL/u);
});
