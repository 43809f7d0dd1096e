import assert from "node:assert/strict";
import { join } from "node:path";
import { imagesIn, textOfPrompt } from "../../data/datasets/prompt_images.ts";
import { loadPrompts } from "../../steps/load_prompts.ts";
import { stepContext } from "./contexts/reward_steps.ts";

/** Grey images of 8 × 6 and 6 × 8 pixels. */
const IMAGES = {
  "a.png":
    "iVBORw0KGgoAAAANSUhEUgAAAAgAAAAGCAAAAADbboAnAAAAPklEQVR42mNg4BSSVtE1s2dg5RNX0DSydmHgEpZR1TN38GTgl1DUMrZx9WMQkVXTt3D0CmaQVNI2sXXzjwAAvX4IQVuEk+sAAAAASUVORK5CYII=",
  "b.png":
    "iVBORw0KGgoAAAANSUhEUgAAAAYAAAAICAAAAAD/rdHkAAAAQElEQVR42mNg4BSSVtFlYOUTV9A0YuASllHVM2fgl1DUMrZhEJFV07dwZJBU0jaxdWOQUzewdPJmUNYxtXMPAACq2AeBPouIUAAAAABJRU5ErkJggg==",
};

const FILE = {
  images: [{ id: 1, file_name: "a.png", width: 8, height: 6 }, { id: 2, file_name: "b.png", width: 6, height: 8 }],
  annotations: [
    { id: 1, image_id: 1, category_id: 1, bbox: [0, 0, 4, 3] },
    { id: 2, image_id: 2, category_id: 2, bbox: [3, 4, 3, 4] },
  ],
  categories: [{ id: 1, name: "dog" }, { id: 2, name: "bus" }],
};

/** Puts the file of annotations and the images at these places, and loads them. */
async function loadAnnotated(
  given: Record<string, unknown>,
  file: unknown = FILE,
  { files = ["instances.json"], images = ["a.png", "b.png"] } = {},
) {
  const folder = await Deno.makeTempDir();
  try {
    for (const path of [...files, ...images]) Deno.mkdirSync(join(folder, path, ".."), { recursive: true });
    for (const path of images) {
      const bytes = atob(IMAGES[path.slice(-5) as keyof typeof IMAGES]);
      Deno.writeFileSync(join(folder, path), Uint8Array.from(bytes, (one) => one.charCodeAt(0)));
    }
    for (const path of files) Deno.writeTextFileSync(join(folder, path), JSON.stringify(file));
    const { tables, outputs } = await loadPrompts.run(
      loadPrompts.params.parse({ file: "instances.json", splits: { train: 1, validation: 0, held_out: 0 }, ...given }),
      stepContext({}, { workflow: folder }),
    );
    return { rows: tables!["prompts"]!.objects() as Record<string, unknown>[], outputs: outputs! };
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

Deno.test("load_prompts asks annotated images for their categories", async () => {
  const { rows, outputs } = await loadAnnotated({});
  const told = (row: Record<string, unknown>) =>
    ["answer", "split", "image_id", "category", "category_split", "verifier"].map((name) => row[name]);
  const of = (category: string) => told(rows.find((row) => row["category"] === category)!);
  const answer = (position: string) => `<answer>[{'Position': [${position}], 'Confidence': 1}]</answer>`;
  assert.deepEqual(of("dog"), [answer("0, 0, 500, 500"), "train", 1, "dog", "base", "none"]);
  assert.deepEqual(of("bus"), [answer("500, 500, 1000, 1000"), "train", 2, "bus", "base", "none"]);
  assert.deepEqual([rows.length, outputs["train"], outputs["unreadable"]], [2, 2, 0]);
  const shown = (category: string) => imagesIn(String(rows.find((row) => row["category"] === category)!["prompt"]));
  assert.deepEqual([shown("dog"), shown("bus")].map(([id, ...more]) => [id!.slice(32), more]), [
    ["-8x6.png", []],
    ["-6x8.png", []],
  ]);
});

Deno.test("load_prompts names an annotated image that is not there, whatever else is said", async () => {
  const [first, second] = FILE.images, absent = { ...FILE, images: [first, { ...second, file_name: "none.png" }] };
  for (const given of [{}, { image_folder: "." }, { verifier: "none" }, { detection: { negatives: 1 } }]) {
    await assert.rejects(loadAnnotated(given, absent), /"bus" in image 2: there is no file .*none\.png; paths begin/);
  }
  const { rows, outputs } = await loadAnnotated({ unreadable: "skip" }, absent);
  assert.deepEqual([rows.map((row) => row["category"]), outputs["unreadable"]], [["dog"], 1]);
});

Deno.test("load_prompts names annotations whose size is not their image's, or leaves them out", async () => {
  const lying = {
    ...FILE,
    images: FILE.images.map((image) => image.id === 2 ? { ...image, width: 60, height: 80 } : image),
  };
  await assert.rejects(
    loadAnnotated({}, lying),
    /instances\.json: "bus" in image 2: b\.png is 6 × 8 pixels, and its annotations say 60 × 80, .*; mend the row, or set/,
  );
  const { rows, outputs } = await loadAnnotated({ unreadable: "skip" }, lying);
  assert.deepEqual([rows.map((row) => row["category"]), outputs["unreadable"]], [["dog"], 1]);
});

Deno.test("load_prompts takes names in annotations for names, whatever they look like", async () => {
  const secret = Deno.makeTempFileSync({ suffix: ".png" });
  Deno.writeFileSync(secret, Uint8Array.from(atob(IMAGES["b.png"]), (one) => one.charCodeAt(0)));
  try {
    const way = `${"../".repeat(20)}${secret.slice(1)}`, [dog, bus] = FILE.images;
    for (const name of [[way], [`x/${way}`], [`file://${secret}`], [secret]].map((list) => JSON.stringify(list))) {
      await assert.rejects(
        loadAnnotated({}, { ...FILE, images: [dog, { ...bus, file_name: name }] }),
        /"bus" in image 2: there is no file|leads out of the folder|want a path below the folder/,
        name,
      );
    }
    const category = JSON.stringify([{ role: "user", content: [{ type: "image", image: secret }] }]);
    const named = { ...FILE, categories: [{ id: 1, name: "dog" }, { id: 2, name: category }] };
    const { rows } = await loadAnnotated({ detection: { prompt_template: "{category}" } }, named);
    const text = (row: Record<string, unknown>) => textOfPrompt(String(row["prompt"])).replaceAll("\n", "");
    assert.deepEqual(rows.map(text).sort(), [category.replaceAll("_", " "), "dog"]);
  } finally {
    Deno.removeSync(secret);
  }
});

Deno.test("load_prompts finds the images of a folder's annotations beside them, or in the same one of image_folder", async () => {
  const files = ["set/train/_a.coco.json"];
  for (
    const [images, given] of [
      [["set/train/a.png", "set/train/b.png"], {}],
      [["pictures/train/a.png", "pictures/train/b.png"], { image_folder: "pictures" }],
    ] as const
  ) {
    const { rows } = await loadAnnotated({ file: "set", ...given }, FILE, { files, images: [...images] });
    assert.deepEqual(rows.flatMap((row) => imagesIn(String(row["prompt"]))).length, 2);
  }
});

Deno.test("load_prompts hands on what is asked of annotations, and keeps further columns", async () => {
  const detection = { categories: ["bus"], box_unit: "pixels", prompt_template: "Any {category}?" };
  const { rows } = await loadAnnotated({ detection, columns: ["width"] });
  assert.equal(rows.length, 1);
  assert.match(String(rows[0]!["prompt"]), /Any bus\?/);
  assert.match(String(rows[0]!["answer"]), /\[3, 4, 6, 8\]/);
  assert.deepEqual([rows[0]!["width"], rows[0]!["image_id"]], [6, 2]);
});

Deno.test("load_prompts names a bad annotation, or leaves out its category of its image", async () => {
  const bad = {
    ...FILE,
    annotations: [...FILE.annotations, { id: 3, image_id: 2, category_id: 2, bbox: [0, 0, 60, 5] }],
  };
  await assert.rejects(
    loadAnnotated({}, bad),
    /Cannot load prompts from instances.json: "bus" in image 2: annotation 3 has bbox .* 54 pixels beyond .*; mend it, or set/,
  );
  const { rows, outputs } = await loadAnnotated({ unreadable: "skip" }, bad);
  assert.deepEqual([rows.map((row) => row["category"]), outputs["unreadable"]], [["dog"], 1]);
});

Deno.test("load_prompts refuses detection for a task, and for rows", async () => {
  const params = loadPrompts.params.parse({ task: "addition", detection: {} });
  assert.match(loadPrompts.check!(params)[0]!, /Cannot use "detection": the prompts are a task's/);
  await assert.rejects(
    loadAnnotated({ detection: {} }, [{ prompt: "a", answer: "b" }]),
    /has no annotations of images/,
  );
});
