import assert from "node:assert/strict";
import { join } from "node:path";
import { fromFileUrl } from "@deno/std/path/from_file_url.js";
import { imagesIn, textOfPrompt } from "../../data/datasets/prompt_images.ts";
import { loadPrompts } from "../../steps/load_prompts.ts";
import { goldenImage } from "../data/images/image_goldens.ts";
import { stepContext } from "./contexts/reward_steps.ts";

const GOLDENS = fromFileUrl(new URL("../goldens/datasets/", import.meta.url));
const ALL_TRAIN = { train: 1, validation: 0, held_out: 0 };

interface Loaded {
  readonly rows: readonly Record<string, unknown>[];
  readonly outputs: Readonly<Record<string, unknown>>;
  /** Names in the run's store. */
  readonly stored: readonly string[];
}

/** Loads a file of such rows, that lies beside `cats/`, with three images. */
async function load(rows: readonly unknown[] | string, given: Record<string, unknown> = {}): Promise<Loaded> {
  const folder = await Deno.makeTempDir();
  try {
    Deno.mkdirSync(join(folder, "cats"));
    for (const name of ["rgb.png", "turned_6.jpg", "moving.gif"]) {
      Deno.writeFileSync(join(folder, "cats", name), goldenImage(name));
    }
    Deno.writeFileSync(join(folder, "cats", "cut.jpg"), goldenImage("rgb.jpg").subarray(0, 690));
    Deno.writeFileSync(join(folder, "cats", "empty.png"), new Uint8Array());
    const file = typeof rows === "string" ? rows : join(folder, "data.jsonl");
    if (typeof rows !== "string") Deno.writeTextFileSync(file, rows.map((row) => JSON.stringify(row)).join("\n"));
    const params = loadPrompts.params.parse({ file, splits: ALL_TRAIN, ...given });
    const context = stepContext({}, { workflow: folder, run: join(folder, "run") });
    const { tables, outputs } = await loadPrompts.run(params, context);
    const store = join(folder, "run", "images");
    const stored = await Deno.stat(store).then(() => [...Deno.readDirSync(store)].map(({ name }) => name), () => []);
    return { rows: tables!.prompts!.objects() as Record<string, unknown>[], outputs: outputs!, stored };
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}
const idsOf = ({ rows }: Loaded) => rows.flatMap(({ prompt }) => imagesIn(String(prompt)));

Deno.test("load_prompts recognises a column of images, and stores each file once", async () => {
  const loaded = await load([
    { image: "cats/rgb.png", prompt: "Which?", answer: "a" },
    { image: "cats/rgb.png", prompt: "Where?", answer: "b" },
    { image: ["cats/rgb.png", "./cats/turned_6.jpg"], prompt: "<image> or <image>?", answer: "c" },
    { image: null, prompt: "Why?", answer: "d" },
  ]);
  assert.deepEqual(loaded.rows.map(({ prompt }) => textOfPrompt(String(prompt))).sort(), [
    " or \n?",
    "Where?",
    "Which?",
    "Why?",
  ]);
  const ids = new Set(idsOf(loaded));
  assert.deepEqual([...ids].map((id) => id.slice(32)).sort(), ["-18x24.jpg", "-7x5.png"]);
  assert.deepEqual([...loaded.stored].sort(), [...ids].sort());
});

Deno.test("load_prompts reads the images that datasets keeps in Parquet", async () => {
  const loaded = await load(join(GOLDENS, "images.parquet"));
  assert.deepEqual(idsOf(loaded).map((id) => id.slice(32)).sort(), ["-18x24.jpg", "-7x5.png"]);
  assert.equal(loaded.stored.length, 2);
});

Deno.test("load_prompts stores no image of a prompt beyond the limit, and the same with options written out", async () => {
  const rows = Array.from({ length: 20 }, (_, i) => ({
    picture: i % 2 === 0 ? "rgb.png" : "turned_6.jpg",
    prompt: `Which ${i}?`,
    answer: "a",
  }));
  const loaded = await load(rows, { limit: 1, image_column: "picture", image_folder: "cats" });
  assert.deepEqual([loaded.rows.length, loaded.stored], [1, idsOf(loaded)]);
});

Deno.test("load_prompts names the row of a bad image, or leaves it out", async () => {
  const row = (image: unknown, prompt = "Which?") => ({ image, prompt, answer: "a" });
  const cases: readonly (readonly [unknown, RegExp])[] = [
    [
      "cats/none.png",
      /row 2: there is no file .*cats\/none\.png; paths begin where.*; mend the row, or set unreadable: skip/,
    ],
    ["cats/empty.png", /row 2: Cannot read image cats\/empty\.png: it is empty, want PNG, JPEG or WebP; mend/],
    ["cats/moving.gif", /row 2: Cannot read image cats\/moving\.gif: it is a GIF/],
    ["https://a.b/c.png", /row 2: "https:\/\/a\.b\/c\.png" is an address/],
    ["cats/cut.jpg", /Cannot read image cats\/cut\.jpg of row 2: its content is broken .*, or set unreadable: skip/],
    [[], /row 2: its prompt has 1 place for images and the row 0 images/],
  ];
  for (const [image, want] of cases) {
    const rows = [row("cats/rgb.png"), row(image, "<image> is it?")];
    await assert.rejects(load(rows), (error: Error) => {
      assert.match(error.message, /^Cannot load prompts from .*data\.jsonl: /);
      assert.match(error.message, want);
      return error instanceof RangeError;
    });
    const { outputs, stored } = await load(rows, { unreadable: "skip" });
    assert.deepEqual([outputs.prompts, outputs.unreadable, stored.length], [1, 1, 1]);
  }
});

Deno.test("load_prompts converts boxes by the size of the row's image, as box_unit says and only then", async () => {
  const row = (solution: string) => ({ image: "cats/turned_6.jpg", problem: "Where?", solution });
  const box_unit = { from: "pixels", to: "thousandths" };
  assert.equal((await load([row("(0,6),(9,24)")], { box_unit })).rows[0]!.answer, "(0,250),(500,1000)");
  assert.equal((await load([row("(0,6),(9,240)")])).rows[0]!.answer, "(0,6),(9,240)");
  const far = [row("(0,6),(9,25)")];
  await assert.rejects(
    load(far, { box_unit }),
    /row 1: box \[0, 6, 9, 25\] is not within its image \(18 × 24 pixels\)/,
  );
  await assert.rejects(load(far, { box_unit, unreadable: "skip" }), /none of its 1 rows has a prompt/);
});

Deno.test("load_prompts reads conversations with images, whose last message is the answer", async () => {
  const conversations = [{ from: "human", value: "<image>Which?" }, { from: "gpt", value: "A cat." }];
  const loaded = await load([{ image: "cats/rgb.png", conversations }]);
  assert.equal(idsOf(loaded).length, 1);
  assert.deepEqual(JSON.parse(String(loaded.rows[0]!.answer)), [{ role: "assistant", content: "A cat." }]);
});

Deno.test("load_prompts names the column that looks like images where boxes go by their size", async () => {
  const row = { picture: "cats/rgb.png", prompt: "Where?", answer: "[1, 2, 3, 4]" };
  const box_unit = { from: "pixels", to: "thousandths" };
  await assert.rejects(
    load([row], { box_unit }),
    /box_unit goes by the size of each row's image, and no column of images is read; set image_column: picture, which/,
  );
  assert.equal((await load([row], { box_unit, image_column: "picture" })).stored.length, 1);
});
