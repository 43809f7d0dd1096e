import assert from "node:assert/strict";
import { format } from "../../../steps/rewards/format.ts";
import { rewardBatch } from "./batch.ts";

Deno.test("format.score() agrees with Visual-RFT's format_reward", async () => {
  const file = new URL("../../goldens/formulas/visual_rft_rewards.json", import.meta.url);
  const { cases } = JSON.parse(await Deno.readTextFile(file));
  assert(cases.length > 200);
  for (const { name, inputs, outputs } of cases) {
    assert.deepEqual(format.score(format.params.parse({}), rewardBatch([inputs.completion])), [outputs.format], name);
  }
});

Deno.test("format.score() takes other tags or a pattern for the whole completion", () => {
  const tags = format.params.parse({ think_tag: "scratch", answer_tag: "a" });
  assert.deepEqual(format.score(tags, rewardBatch(["<scratch>x</scratch>\n<a>1</a>", "<a>1</a>"])), [1, 0]);
  const pattern = format.params.parse({ pattern: "\\d+|none" });
  assert.deepEqual(format.score(pattern, rewardBatch(["12", "none", "12 none", "none12"])), [1, 1, 0, 0]);
});

Deno.test("format.params refuses a pattern that does not compile", () => {
  assert.match(format.params.safeParse({ pattern: "(" }).error!.issues[0]!.message, /Invalid regular expression/);
});

Deno.test("format.isolated() is for a person's pattern only", () => {
  assert.equal(format.isolated!(format.params.parse({})), null);
  const { options } = format.isolated!(format.params.parse({ pattern: "a|b" }))!;
  assert.deepEqual(options, { source: "^(?:a|b)$", flags: "s", found: 1, missing: 0 });
});
