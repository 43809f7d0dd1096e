import assert from "node:assert/strict";
import { promptWithImages } from "../../../data/datasets/prompt_images.ts";
import { completionsLegend, completionTable, shownCompletions } from "../../../notebooks/pages/completions.ts";
import { ShownImages } from "../../../notebooks/pictures/shown_images.ts";

const ID = `${"a".repeat(32)}-56x56.png`, HOSTILE = `</script><script>alert(1)</script><img src=x onerror="alert(2)">`;
const seen = () => ({
  images: new ShownImages(() => ({ href: "data:image/png;base64,AA" })),
  unit: "thousandths" as const,
});
const BOX = "[[0, 0, 500, 500]]";
const row = {
  prompt: promptWithImages(`Find ${HOSTILE}`, [ID]),
  answer: BOX,
  text: `${BOX} ${HOSTILE}`,
  correct: false,
};

Deno.test("shownCompletions() has the picture of a prompt with images, its text alone, and cuts texts", () => {
  const [shown] = shownCompletions([{ ...row, text: BOX + "x".repeat(5000), train_step: 3, reward: 1 }], seen());
  assert.deepEqual([shown!["prompt"], shown!["train_step"], shown!["reward"]], [`Find ${HOSTILE}`, 3, 1]);
  assert.match(String(shown!["picture"]), /^<div class="picture".*<use href="#image-a+-56x56"/);
  assert.equal(String(shown!["text"]).length, 1201);
});

Deno.test("shownCompletions() takes no HTML from a log, and no tags from labels and texts", () => {
  const [log, own] = shownCompletions(
    [{ prompt: "1+1=", text: "2", picture: HOSTILE }, { ...row, picture: HOSTILE }],
    seen(),
  );
  assert(!("picture" in log!));
  const labelled = JSON.stringify([{ bbox_2d: [0, 0, 500, 500], label: HOSTILE }]);
  const [named] = shownCompletions([{ ...row, answer: labelled, text: labelled }], seen());
  const [said] = shownCompletions([{ ...row, answer: HOSTILE, text: HOSTILE }], seen());
  for (const one of [own, named, said]) assert.doesNotMatch(String(one!["picture"]), /<script|<img|onerror="/);
});

Deno.test("shownCompletions() gives the last rows the images that there is room for", () => {
  const asked: string[] = [], ids = ["1", "2", "3"].map((c) => `${c.repeat(32)}-9x9.png`);
  const images = new ShownImages((id) => (asked.push(id), { href: "data:," }));
  const rows = shownCompletions(ids.map((id, i) => ({ ...row, train_step: i, prompt: promptWithImages("x", [id]) })), {
    images,
    unit: "thousandths",
  });
  assert.deepEqual(asked, ids.toReversed());
  assert.deepEqual(rows.map((row) => row["train_step"]), [0, 1, 2]);
});

Deno.test("completionTable() has a column of pictures where a prompt has images, and none elsewhere", () => {
  const table = completionTable([row, { prompt: "1+1=", text: "2" }], seen());
  assert.match(table, /<th>picture<\/th><th>prompt<\/th>/);
  assert.match(
    table,
    /<tr class="wrong"><td data-name="picture"><div class="picture".*<td data-name="picture">–<\/td>/,
  );
  assert.doesNotMatch(table, /<script|<img/);
  assert.doesNotMatch(completionTable([{ prompt: "1+1=", text: "2" }], seen()), /picture/);
  const titles = (html: string) => Array.from(html.matchAll(/<th(?: [^>]*)?>([^<]*)/g), ([, title]) => title);
  const rewarded = completionTable([{ ...row, "reward.visual/iou": 0.5, reward: 0.5 }], seen());
  // A picture shows the answer: rewards are seen first. A name may break where it has two parts.
  assert.deepEqual(titles(rewarded).slice(2), [
    "completion",
    "visual/\u200biou",
    "reward",
    "advantage",
    "tokens",
    "answer",
  ]);
  assert.match(rewarded, /<td class="number" data-name="visual\/\u200biou">0\.5</);
  assert.deepEqual(titles(completionTable([{ prompt: "1+1=", text: "2" }], seen())).slice(0, 3), [
    "prompt",
    "completion",
    "answer",
  ]);
  const notes = { "visual/iou": "a box counts from IoU 0.5 on", other: "is no column here" };
  const scored = { ...row, "reward.visual/iou": 0 };
  assert.match(
    completionsLegend([scored], { ...seen(), notes }),
    /IoU is that of the boxes.* visual\/iou: a box counts from IoU 0\.5 on\.</,
  );
  assert.doesNotMatch(completionsLegend([row], { ...seen(), notes }), /of any overlap/);
  assert.match(completionsLegend([row], seen()), /gold box/);
  assert.equal(completionsLegend([{ prompt: "1+1=", text: "2" }], seen()), "");
});
