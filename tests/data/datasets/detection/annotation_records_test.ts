import assert from "node:assert/strict";
import { categoryOf, imageOf, isId } from "../../../../data/datasets/detection/annotation_records.ts";

const image = { id: 7, file_name: "x/a.png", width: 4, height: 3 };
const URL = "http://images.cocodataset.org/train2017/000000391895.jpg";

Deno.test("imageOf() reads COCO's and LVIS's images", () => {
  const plain = { id: 7, width: 4, height: 3, unfinished: [], absent: null };
  assert.deepEqual(imageOf(image, 1), { ...plain, file: "x/a.png" });
  const { file_name: _, ...lvis } = { ...image, coco_url: URL };
  assert.equal(imageOf(lvis, 1).file, "train2017/000000391895.jpg");
  assert.equal(imageOf({ ...image, coco_url: URL }, 1).file, "x/a.png");
  const read = imageOf({ ...lvis, neg_category_ids: [], not_exhaustive_category_ids: [3] }, 1);
  assert.deepEqual([read.absent, read.unfinished], [[], [3]]);
});

for (
  const [change, problem] of [
    [{ id: "7" }, /^SyntaxError: item 2 of "images" has id "7", want a whole number$/],
    [{ id: 2 ** 60 }, /item 2 of "images" has id/],
    [{ width: 0 }, /image 7 is 0 × 3 \(width, height\), want pixels, whole numbers above 0/],
    [{ height: "NaN" }, /image 7 is 4 × NaN/],
    [{ height: undefined }, /image 7 is 4 × none/],
    [{ file_name: undefined }, /image 7 has file_name none and coco_url none/],
    [{ file_name: 5 }, /image 7 has file_name 5/],
    [{ file_name: "../a.png" }, /want a path below the folder of images/],
    [{ file_name: "x\\..\\a.png" }, /want a path below/],
    [{ file_name: "/etc/a.png" }, /want a path below/],
    [{ file_name: "http://x/a.png" }, /want a path below/],
    [{ file_name: undefined, coco_url: "http://x/.." }, /want a path below/],
    [{ neg_category_ids: [1.5] }, /image 7 has neg_category_ids \[1.5\], want a list of categories' ids/],
    [{ not_exhaustive_category_ids: 3 }, /image 7 has not_exhaustive_category_ids 3/],
  ] as const
) {
  Deno.test(`imageOf() refuses ${JSON.stringify(change)}`, () => {
    assert.throws(() => imageOf({ ...image, ...change }, 2), problem);
  });
}

Deno.test("imageOf() and categoryOf() refuse what is no object", () => {
  assert.throws(() => imageOf(null, 3), /item 3 of "images" is null, want an object/);
  assert.throws(() => categoryOf([1], 3), /item 3 of "categories" is \[1\], want an object/);
});

Deno.test("categoryOf() reads COCO's and LVIS's categories", () => {
  assert.deepEqual(categoryOf({ id: 1, name: "dog" }, 1), { id: 1, name: "dog", frequency: null, synonyms: [] });
  const lvis = { id: 1, name: "dog", frequency: "f", synonyms: ["hound"] };
  assert.deepEqual(categoryOf({ ...lvis, def: "…" }, 1), lvis);
  for (const change of [{ name: " " }, { name: 3 }, { frequency: "x" }, { synonyms: [1] }, { name: "\ud800" }]) {
    assert.throws(() => categoryOf({ ...lvis, ...change }, 1), /^SyntaxError: category 1 has /);
  }
});

Deno.test("isId() is true for whole numbers that a number holds", () => {
  assert.deepEqual([0, -1, 5, 1.5, NaN, "1", null, 2 ** 53].map(isId), [
    true,
    true,
    true,
    false,
    false,
    false,
    false,
    false,
  ]);
});
