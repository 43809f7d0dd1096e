import assert from "node:assert/strict";
import { annotationsOf, box, categories, images } from "./made_annotations.ts";

const file = (annotations: readonly unknown[], more: Record<string, unknown> = {}) => ({
  images,
  annotations,
  categories,
  ...more,
});

Deno.test("readAnnotations() gives the boxes of an image by category, in the file's order and without crowds", async () => {
  const own = [
    box(4, 1, 3, [10, 20, 30, 40]),
    box(2, 1, 3, [0, 0, 5, 5], { iscrowd: 0 }),
    box(3, 2, 5, [1, 1, 2, 2]),
    box(5, 1, 3, [1, 1, 9, 9], { iscrowd: 1 }),
    box(6, 1, 9, { counts: [1] }, { iscrowd: true }),
  ];
  for (const order of [["images", "annotations", "categories"], ["annotations", "categories", "images"]]) {
    const all = file(own) as Record<string, unknown>;
    const read = await annotationsOf(Object.fromEntries(order.map((key) => [key, all[key]])));
    assert.deepEqual([...read.boxesOf(0)], [
      [1, { boxes: [[10, 20, 40, 60], [0, 0, 5, 5]], problem: null }],
      [2, { boxes: [], problem: null }],
    ]);
    assert.deepEqual([...read.boxesOf(1)], [[0, { boxes: [[1, 1, 3, 3]], problem: null }]]);
    assert.deepEqual([read.strays, read.isFederated], [[], false]);
  }
});

const good = box(8, 1, 3, [1, 2, 3, 4]);
const PROBLEMS: readonly (readonly [bad: Record<string, unknown>, problem: RegExp])[] = [
  [{ bbox: [1, 2, 3] }, /^annotation 8 has bbox \[1,2,3\], want \[x, y, width, height\] in pixels$/],
  [{ bbox: [1, 2, 3, "4"] }, /^annotation 8 has bbox \[1,2,3,"4"\]/],
  [{ bbox: undefined }, /^annotation 8 has no bbox$/],
  [{ bbox: [1, 2, 0, 4] }, /^annotation 8 has bbox \[1,2,0,4\] of width 0/],
  [{ bbox: [1, 2, -3, 4] }, /^annotation 8 .* of width -3/],
  [{ bbox: [1, 2, 300, 4] }, /^annotation 8 .* reaches 101 pixels beyond/],
  [{ iscrowd: 2 }, /^annotation 8 has iscrowd 2, want 0 or 1$/],
  [{ id: "8" }, /^item 2 of "annotations" has id "8", want a whole number$/],
  [{ id: 7 }, /^annotation 7 has the id of one before it$/],
];

for (const [bad, problem] of PROBLEMS) {
  Deno.test(`readAnnotations() keeps the problem of ${JSON.stringify(bad)} at its image and category`, async () => {
    const read = await annotationsOf(file([box(7, 1, 3, [1, 1, 2, 2]), { ...good, ...bad }]));
    assert.match(read.boxesOf(0).get(1)!.problem!, problem);
    assert.deepEqual(read.strays, []);
  });
}

Deno.test("readAnnotations() names a NaN of Python", async () => {
  const text = JSON.stringify(file([{ ...good, bbox: [1, "!", 3, 4] }])).replace('"!"', "NaN");
  assert.equal(
    (await annotationsOf(text)).boxesOf(0).get(1)!.problem,
    "annotation 8 has bbox [1,NaN,3,4], want [x, y, width, height] in pixels",
  );
});

for (
  const [bad, problem] of [
    [{ ...good, image_id: 77 }, /^annotation 8 has image_id 77, which is none of the file's$/],
    [{ ...good, category_id: 77 }, /^annotation 8 has category_id 77, which is none of the file's$/],
    [{ ...good, image_id: "1" }, /^annotation 8 has image_id "1", want a whole number$/],
    [{ ...good, category_id: undefined }, /^annotation 8 has category_id none, want a whole number$/],
    [5, /^item 1 of "annotations" is 5, want an object$/],
  ] as const
) {
  Deno.test(`readAnnotations() has ${JSON.stringify(bad)} as a stray`, async () => {
    const { strays, boxesOf } = await annotationsOf(file([bad]));
    assert.equal(strays.length, 1);
    assert.match(strays[0]!, problem);
    assert.equal(boxesOf(0).size, 0);
  });
}

for (
  const [more, problem] of [
    [{ categories: undefined }, /it has no "categories", want the images, annotations and categories/],
    [{ images: undefined }, /it has no "images"/],
    [{ annotations: undefined }, /it has no "annotations"/],
    [{ categories: [] }, /its "categories" are none/],
    [{ annotations: { a: 1 } }, /its "annotations" is no list/],
    [{ images: [...images, images[0]] }, /image 1 is in it twice/],
    [{ images: [...images, { ...images[0], id: 9 }] }, /two of its images are a.png/],
    [{ categories: [...categories, { id: 5, name: "x" }] }, /category 5 is in it twice/],
    [{ categories: [...categories, { id: 6, name: "dog" }] }, /two of its categories are called "dog"; rename one/],
    [
      { categories: [6, 7].map((id) => ({ id, name: "x".repeat(5e6) })) },
      /^SyntaxError: two of its categories are called "x{79}…x{20}"; rename one$/,
    ],
    [
      { images: [6, 7].map((id) => ({ ...images[0], id, file_name: "x".repeat(5e6) })) },
      /^SyntaxError: two of its images are x{79}…x{20}$/,
    ],
    [{ categories: [{ id: 6 }] }, /category 6 has name none/],
  ] as const
) {
  Deno.test(`readAnnotations() refuses a file with ${JSON.stringify(more).slice(0, 200)}`, async () => {
    await assert.rejects(annotationsOf(file([good], more)), problem);
  });
}
