import assert from "node:assert/strict";
import type { DetectionOptions, ImageSource } from "../../../../data/datasets/detection/detection_options.ts";
import { detectionRows } from "../../../../data/datasets/detection/detection_rows.ts";
import { annotationsOf, box, categories, images } from "./made_annotations.ts";

const ALL_TRAIN = { train: 1, validation: 0, held_out: 0 }, ALL_HELD_OUT = { train: 0, validation: 0, held_out: 1 };

async function rowsOf(file: object, options: DetectionOptions = {}, source: Partial<ImageSource> = {}) {
  const read = await annotationsOf({ images, categories, ...file });
  return [...detectionRows(read, options, { folder: "", split: null, fractions: ALL_TRAIN, ...source })];
}

const asked = (rows: Awaited<ReturnType<typeof rowsOf>>) =>
  rows.map(({ row }) =>
    `${row["image_id"]} ${row["category"]}${/No Obj/.test(row["answer"] as string) ? " none" : ""}`
  );

const own = [box(1, 2, 9, [1, 1, 9, 9]), box(2, 1, 3, [10, 20, 30, 40]), box(3, 1, 5, [0, 0, 200, 100])];

Deno.test("detectionRows() asks each image for each category that it shows, and answers with its boxes", async () => {
  const rows = await rowsOf({ annotations: own }, { prompt_template: "Where is every {category}?" });
  assert.deepEqual(asked(rows), ["1 dog", "1 traffic_light", "2 bus"]);
  assert.deepEqual(rows[1], {
    row: {
      image: "a.png",
      prompt: "Where is every traffic light?",
      answer: "<answer>[{'Position': [50, 200, 200, 600], 'Confidence': 1}]</answer>",
      split: "train",
      image_id: 1,
      category: "traffic_light",
      category_split: "base",
      width: 200,
      height: 100,
    },
    place: '"traffic_light" in image 1',
    problem: null,
  });
  const [first] = await rowsOf({ annotations: own }, {}, { folder: "x/train" });
  assert.equal(first!.row["image"], "x/train/a.png");
  const [, pixels] = await rowsOf({ annotations: own }, { box_unit: "pixels" });
  assert.match(pixels!.row["answer"] as string, /\[10, 20, 40, 60\]/);
  assert.match(pixels!.row["prompt"] as string, /in pixels/);
});

Deno.test("detectionRows() calls a category by both ends of a name that is long", async () => {
  const [row] = await rowsOf({ annotations: own, categories: [{ id: 9, name: "x".repeat(5e6) }] }, {
    categories: ["x".repeat(5e6)],
  }).then((rows) => rows.slice(-1));
  assert.match(row!.place, /^"x{79}…x{20}" in image 2$/);
});

Deno.test("detectionRows() does not ask for what only a crowd shows, nor takes it for absent", async () => {
  const crowd = box(4, 2, 5, [1, 1, 5, 5], { iscrowd: 1 });
  const rows = await rowsOf({ annotations: [...own, crowd] }, { negatives: 9 });
  assert.deepEqual(asked(rows), ["1 dog", "1 traffic_light", "1 bus none", "2 bus", "2 traffic_light none"]);
});

Deno.test("detectionRows() draws so many absent categories of an image, the same ones every time", async () => {
  const many = Array.from({ length: 40 }, (_, id) => ({ id, name: `thing ${id}` }));
  const some = Array.from({ length: 60 }, (_, id) => ({ id, file_name: `${id}.png`, width: 9, height: 9 }));
  const file = { images: some, categories: many, annotations: [box(1, 3, 7, [1, 1, 2, 2])] };
  const rows = await rowsOf(file, { negatives: 2 });
  assert.equal(rows.length, 121);
  assert.deepEqual(asked(rows), asked(await rowsOf(file, { negatives: 2 })));
  assert(new Set(rows.map(({ row }) => row["category"])).size > 30);
  assert(!asked(rows).includes("3 thing 7 none"));
  // A wider choice does not change what was drawn of the narrower one, as long as it is still the choice.
  const few = await rowsOf(file, { negatives: 1 });
  assert.deepEqual(asked(few).filter((one) => !asked(rows).includes(one)), []);
});

Deno.test("detectionRows() of LVIS asks only for what is known to be absent, and not for what is unfinished", async () => {
  const lvis = [
    { ...images[0], neg_category_ids: [9, 9], not_exhaustive_category_ids: [3] },
    { ...images[1], neg_category_ids: [], not_exhaustive_category_ids: [] },
  ];
  const rows = await rowsOf({ images: lvis, annotations: own }, { negatives: 5 });
  assert.deepEqual(asked(rows), ["1 dog", "1 bus none", "2 bus"]);
});

Deno.test("detectionRows() asks held-out categories of held-out images alone, also as absent ones", async () => {
  const options: DetectionOptions = {
    categories: ["dog", "bus"],
    held_out_categories: ["traffic_light"],
    negatives: 9,
  };
  assert.deepEqual(asked(await rowsOf({ annotations: own }, options)), ["1 dog", "1 bus none", "2 bus", "2 dog none"]);
  const held = await rowsOf({ annotations: own }, options, { fractions: ALL_HELD_OUT });
  assert.deepEqual(asked(held).length, 6);
  for (const { row } of held) {
    assert.equal(row["category_split"], row["category"] === "traffic_light" ? "novel" : "base");
  }
  const part = await rowsOf({ annotations: own }, options, { split: "held_out" });
  assert.deepEqual(part, held);
  const validation = await rowsOf({ annotations: own }, options, { split: "validation" });
  assert(validation.every(({ row }) => row["category_split"] === "base" && row["split"] === "validation"));
});

Deno.test("detectionRows() has all rows of an image in one split, and images in all", async () => {
  const some = Array.from({ length: 300 }, (_, id) => ({ id, file_name: `${id}.png`, width: 9, height: 9 }));
  const rows = await rowsOf({ images: some, annotations: [] }, { negatives: 3 }, {
    fractions: { train: 0.6, validation: 0.2, held_out: 0.2 },
  });
  const splits = new Map<unknown, Set<unknown>>(), counts: Record<string, number> = {};
  for (const { row } of rows) {
    splits.set(row["image_id"], (splits.get(row["image_id"]) ?? new Set()).add(row["split"]));
  }
  for (const own of splits.values()) {
    assert.equal(own.size, 1);
    for (const split of own) counts[split as string] = (counts[split as string] ?? 0) + 1;
  }
  assert(counts["train"]! > 150 && counts["validation"]! > 35 && counts["held_out"]! > 35, JSON.stringify(counts));
});

Deno.test("detectionRows() splits the images of a train file by hash, and no other file's", async () => {
  const splitsOf = async (split: ImageSource["split"]) =>
    (await rowsOf({ annotations: own }, {}, { split, fractions: ALL_HELD_OUT })).map(({ row }) => row["split"]);
  assert.deepEqual(new Set(await splitsOf("train")), new Set(["held_out"]));
  assert.deepEqual(new Set(await splitsOf(null)), new Set(["held_out"]));
  assert.deepEqual(new Set(await splitsOf("validation")), new Set(["validation"]));
});

Deno.test("detectionRows() gives a bad box's whole row as a problem, if it is asked, and strays alone", async () => {
  const bad = [...own, box(4, 1, 5, [1, 1, 0, 1]), box(5, 77, 5, [1, 1, 1, 1])];
  const problems = async (options: DetectionOptions) =>
    (await rowsOf({ annotations: bad }, options)).filter(({ problem }) => problem !== null)
      .map(({ place, problem }) => `${place}: ${problem!.slice(0, 27)}`);
  const stray = "a stray annotation: annotation 5 has image_id 77";
  assert.deepEqual(await problems({}), [stray.slice(0, 47), '"dog" in image 1: annotation 4 has bbox [1,1,']);
  assert.deepEqual((await problems({ categories: ["bus"] })).length, 1);
});
