/// <reference lib="dom" />
import assert from "node:assert/strict";
import { said } from "../../../../workflows/doctor_page/app/said.ts";
import { smallDocument, type SmallElement } from "./small_document.ts";

Deno.test("said() marks what stays English on a Chinese page, and leaves an English one as it is", () => {
  smallDocument();
  assert.deepEqual(said("The loss is NaN.", "en"), ["The loss is NaN."]);
  assert.deepEqual(said("The loss is NaN.", "zh"), ["损失是 NaN。"]);
  const [english, chinese] = said("A fault of <b>mine</b> of 3 kinds. The loss is NaN.", "zh");
  const span = english as unknown as SmallElement;
  assert.deepEqual([span.tag, span.attributes.get("lang"), span.textContent], [
    "span",
    "en",
    "A fault of <b>mine</b> of 3 kinds.",
  ]);
  assert.equal(chinese, "损失是 NaN。");
});
