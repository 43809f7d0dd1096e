import assert from "node:assert/strict";
import { renderEvaluationRewards } from "../../../notebooks/pages/evaluation_rewards.ts";

const rows = (...ious: readonly (number | null)[]) =>
  ious.map((iou) => ({ "reward.visual/iou": iou, "reward.format": 1, reward: iou === null ? null : iou + 1 }));
const cells = (html: string) =>
  Array.from(html.matchAll(/<tr><td>([^<]*)<\/td>(.*?)<\/tr>/g), ([, name, rest]) => [
    name!.replace("\u200b", ""),
    ...Array.from(rest!.matchAll(/>([^<]+)</g), ([, text]) => text),
  ]);

Deno.test("renderEvaluationRewards() has the mean of each function, of those that were judged, and their sum", () => {
  const html = renderEvaluationRewards([
    { id: "before", mode: "sampled", rows: rows(0.25, 0.75, null) },
    { id: "after", mode: "sampled", rows: rows(1) },
    { id: "after", mode: "greedy", rows: [{ "reward.visual/iou": NaN }] },
  ]);
  assert.deepEqual(cells(html), [
    ["format", "1", "1", "–"],
    ["visual/iou", "0.5", "1", "–"],
    ["reward, their weighted sum", "1.5", "2", "–"],
  ]);
  assert.match(html, /<th>mean reward<\/th><th class="number">sampled, before<\/th>/);
});

Deno.test("renderEvaluationRewards() says under a reward what has to be known of it", () => {
  const rows = [{ "reward.visual/iou": 0.5, "reward.format": 1, reward: 1.5 }];
  const html = renderEvaluationRewards([{ id: "after", mode: "greedy", rows }], {
    "visual/iou": "from <0.5> on",
    x: "y",
  });
  assert.match(html, /visual\/\u200biou<br><small>from &lt;0\.5&gt; on<\/small><\/td>/);
  assert.equal(html.split("<small>").length, 2);
});

Deno.test("renderEvaluationRewards() says nothing without a function, and no sum of a single one", () => {
  assert.equal(renderEvaluationRewards([{ id: "after", mode: "greedy", rows: [{ reward: 1 }] }]), "");
  assert.equal(renderEvaluationRewards([]), "");
  const one = renderEvaluationRewards([{ id: "<b>", mode: "greedy", rows: [{ "reward.<i>": 1, reward: 1 }] }]);
  assert.deepEqual(cells(one), [["&lt;i&gt;", "1"]]);
  assert.match(one, /greedy, &lt;b&gt;/);
});
