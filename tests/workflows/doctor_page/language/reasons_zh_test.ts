import assert from "node:assert/strict";
import { examineRun } from "../../../../workflows/doctor/examine_run.ts";
import { REASONS_ZH } from "../../../../workflows/doctor_page/language/reasons_zh.ts";
import { readText } from "../../../data/adapters/read_text.ts";
import { untranslated } from "./untranslated.ts";
import { checkPlaces } from "./check_places.ts";

Deno.test("REASONS_ZH has every place of its English once, and no sentence twice", () => checkPlaces(REASONS_ZH));

const POSTS = ["h-51-too-few-steps-en", "h-39-zero-loss-en", "i-dpo-acc-one-heldout-one", "i-dpo-stuck-069-zh"];

Deno.test("REASONS_ZH has the reasons, what is missing and how it was read of runs of which nothing is wrong or known", async () => {
  for (const name of POSTS) {
    const post = Deno.readTextFileSync(new URL(`../../../posts/written/${name}/post.md`, import.meta.url));
    const { diagnosis: { reasons, missing }, reading } = examineRun(await readText(post));
    assert.deepEqual(untranslated([...reasons, ...missing, ...reading]), [], name);
  }
});
