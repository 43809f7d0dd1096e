import assert from "node:assert/strict";
import { SENTENCES_ZH } from "../../../../workflows/doctor_page/language/sentences_zh.ts";
import { WASTES } from "../../../../steps/diagnoses/cost/waste.ts";
import { checkPlaces } from "./check_places.ts";
import { said, untranslated } from "./untranslated.ts";

Deno.test("SENTENCES_ZH has every place of its English once, and no sentence twice", () => checkPlaces(SENTENCES_ZH));

Deno.test("SENTENCES_ZH says what was lost, of whatever", () => {
  const lost = Object.values(WASTES).flatMap((words) =>
    words === null
      ? []
      : [`the ${words.of} since then ${words.said}`, `45 % of the ${words.of} ${words.said} (6.2 of 11.3 h)`]
  );
  assert.deepEqual(untranslated(lost), []);
});

Deno.test("SENTENCES_ZH counts tokens by ten thousands, and hours in words", () => {
  assert.equal(
    said("55 % of the rollouts taught nothing (6.2 of 11.3 h, 12 GPU hours, $40)."),
    "55 % 的采样全部白费（6.2/11.3 小时，12 GPU 小时，$40）。",
  );
  for (
    const [english, chinese] of [
      ["6.5 thousand tokens", "6500 词元"],
      ["6.5 of 12.3 thousand tokens", "6500/1.23 万词元"],
      ["3.2 million tokens", "320 万词元"],
      ["0.3 of 1.5 billion tokens", "3 亿/15 亿词元"],
      ["35 of 64 min", "35/64 分钟"],
      ["40 s", "40 秒"],
    ] as const
  ) assert.equal(said(`no rollout taught anything (${english})`), `所有采样都没有效果（${chinese}）`);
});
