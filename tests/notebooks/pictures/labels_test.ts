import assert from "node:assert/strict";
import { uniform } from "../../../data/random.ts";
import { type Area, placeLabels } from "../../../notebooks/pictures/labels.ts";

const meets = (a: Area, b: Area) =>
  Math.min(a.x + a.width, b.x + b.width) > Math.max(a.x, b.x) &&
  Math.min(a.y + a.height, b.y + b.height) > Math.max(a.y, b.y);

Deno.test("placeLabels() keeps labels apart and within the picture, wherever the boxes lie", () => {
  let left = 0;
  for (let picture = 0; picture < 40; picture++) {
    const draw = (row: number, i: number) => uniform(1, "labels", picture, row, i);
    const wanted = Array.from({ length: 1 + picture % 12 }, (_, row) => ({
      box: {
        x: 160 * draw(row, 0),
        y: 160 * draw(row, 1),
        width: 4 + 60 * draw(row, 2),
        height: 4 + 60 * draw(row, 3),
      },
      texts: ["IoU 0.50 · conf. 0.90", "0.50"],
    }));
    const labels = placeLabels(wanted, 224, 224), placed = labels.filter((label) => label !== null);
    left += labels.length - placed.length;
    if (wanted.length <= 3) assert.equal(placed.length, wanted.length);
    for (const [i, label] of placed.entries()) {
      assert(label.x >= 0 && label.y >= 0 && label.x + label.width <= 224 && label.y + label.height <= 224);
      for (const other of placed.slice(i + 1)) assert(!meets(label, other), JSON.stringify([label, other]));
    }
  }
  assert(left > 0, "of twelve boxes not all have room");
});

Deno.test("placeLabels() stands beside a box before it hides it, and is short where there is no room for more", () => {
  const box = { x: 20, y: 60, width: 150, height: 100 };
  const [label] = placeLabels([{ box, texts: ["IoU 0.50"] }], 224, 224);
  assert(label && !meets(label, box));
  assert.equal(placeLabels([{ box, texts: ["a text that is far too wide", "0.50"] }], 60, 224)[0]!.text, "0.50");
  assert.equal(placeLabels([{ box, texts: ["a text that is far too wide"] }], 60, 224)[0], null);
  const beside = { x: 0, y: 70, width: 140, height: 20 }, texts = ["IoU 0.50 · conf. 0.90", "0.50"];
  const all = { x: 0, y: 0, width: 140, height: 68 }, below = { x: 0, y: 92, width: 140, height: 60 };
  const [short] = placeLabels([{ box: beside, texts }, ...[all, below].map((box) => ({ box, texts: [] }))], 180, 152);
  assert.equal(short!.text, "0.50", "short where the long form would hide more");
});
