import assert from "node:assert/strict";
import { EN, ZH } from "../../../../workflows/doctor_page/language/mod.ts";

/** A text of each, whatever it is asked with. */
const said = (value: unknown): string =>
  typeof value === "function" ? String((value as (...given: number[]) => string)(7, 9)) : String(value);

Deno.test("ZH numbers runs", () => {
  assert.equal(ZH.run("1 of 2"), "第 1 次训练（共 2 次）");
  assert.equal(ZH.run("lr 1e-5"), "训练 lr 1e-5");
});

Deno.test("ZH says in Chinese whatever EN says, with what it is given", () => {
  assert.deepEqual(Object.keys(ZH).sort(), Object.keys(EN).sort());
  for (const [key, value] of Object.entries(ZH)) {
    const text = said(value), english = said(EN[key as keyof typeof EN]);
    if (key !== "at" && key !== "colon") assert.match(text, /\p{Script=Han}/u, key);
    assert.deepEqual(text.match(/[79]/g) ?? [], english.match(/[79]/g) ?? [], `${key}: ${text}`);
  }
});
