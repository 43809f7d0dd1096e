import assert from "node:assert/strict";
import { join } from "node:path";
import { imagesIn } from "../../../../data/datasets/prompt_images.ts";
import { ImageStore } from "../../../../data/images/image_store.ts";
import { filePrompts } from "../../../../data/tasks/rows/file_prompts.ts";
import { decodedTogether, ImageProblem, RowImages } from "../../../../data/tasks/rows/row_images.ts";
import { goldenImage } from "../../images/image_goldens.ts";

const names = (folder: string) => [...Deno.readDirSync(folder)].map(({ name }) => name).sort();

Deno.test("RowImages keeps the images of the rows that are asked for, and opens them in the end", async () => {
  const folder = await Deno.makeTempDir();
  try {
    const store = new ImageStore(join(folder, "images")), images = new RowImages({ store, columns: ["image"] });
    const ids = ["rgb.png", "grey.png", "alpha.png"].map((name, i) => {
      const prompt = images.prompt({ image: goldenImage(name) }, `Which ${name}?`)!;
      if (i < 2) images.keep(`row ${i + 1}`);
      return imagesIn(prompt)[0]!;
    });
    const broken = goldenImage("rgb.jpg");
    const bad = imagesIn(images.prompt({ image: broken.subarray(0, broken.length - 90) }, "Which?")!)[0]!;
    images.keep("row 4");
    const problems = await images.end(new Set([ids[0]!, bad]));
    assert.deepEqual([...problems.keys()], [bad]);
    assert.match(problems.get(bad)!, /^Cannot read image its bytes of row 4: its content is broken/);
    assert.deepEqual(names(store.folder), [ids[0]]);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});

Deno.test("RowImages blames no row for a stored file that was damaged: an earlier one is written again", async () => {
  const folder = await Deno.makeTempDir();
  try {
    const store = new ImageStore(join(folder, "images")), bytes = goldenImage("rgb.png");
    const { id } = store.keep(bytes, "a");
    Deno.writeFileSync(store.path(id), bytes.subarray(0, 50));
    const images = new RowImages({ store, columns: ["image"] });
    images.prompt({ image: bytes }, "Which?");
    images.keep("row 1");
    assert.deepEqual([...await images.end(new Set([id]))], []);
    assert.deepEqual(store.bytes(id), bytes);
    Deno.writeFileSync(store.path(id), bytes.subarray(0, 50));
    await assert.rejects(images.end(new Set([id])), /Cannot read image [0-9a-f]{32}-7x5\.png: its bytes are others/);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});

Deno.test("RowImages tells problems in the order of the prompts", async () => {
  const folder = await Deno.makeTempDir();
  try {
    const store = new ImageStore(join(folder, "images")), images = new RowImages({ store, columns: ["image"] });
    const ids = ["rgb.jpg", "progressive_420.jpg", "cmyk.jpg", "rgb.png", "turned_6.jpg", "grey.jpg"].map((name, i) => {
      const whole = goldenImage(name), bytes = whole.subarray(0, whole.length - (name.endsWith("png") ? 0 : 90));
      images.prompt({ image: bytes }, "Which?");
      images.keep(`row ${i + 1}`);
      return [...images.row.keys()][0]!;
    });
    const broken = ids.filter((id) => id.endsWith("jpg"));
    assert.deepEqual([...(await images.end(new Set(ids))).keys()], broken);
    assert.deepEqual(names(store.folder), ids.filter((id) => id.endsWith("png")));
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});

Deno.test("RowImages takes 64 images of a row and no more, the same one or another, wherever they are named", () => {
  const image = goldenImage("rgb.png"), uri = `data:image/png;base64,${image.toBase64()}`;
  const own = (times: number) => [{ role: "user", content: Array(times).fill({ type: "image", image: uri }) }];
  const images = new RowImages({ store: new ImageStore("nowhere"), columns: ["images"] });
  for (
    const prompt of [
      (times: number) => images.prompt({ images: Array(times).fill(image) }, "Which?"),
      (times: number) => images.prompt({ images: Array(times).fill(image) }, "<image>".repeat(times)),
      (times: number) => images.prompt({ images: [] }, own(times)),
    ]
  ) {
    assert.equal(imagesIn(prompt(64)!).length, 64);
    for (const times of [65, 3000]) {
      assert.throws(() => prompt(times), { name: "RangeError", message: "it has more than 64 images, want fewer" });
    }
  }
});

Deno.test("RowImages bounds the bytes of a row's images, of which the same counts once", () => {
  const images = new RowImages({ store: new ImageStore("nowhere"), columns: ["images"] });
  const image = (last: number) => {
    const bytes = new Uint8Array(31e6);
    bytes.set(goldenImage("rgb.png"));
    bytes[bytes.length - 1] = last;
    return bytes;
  };
  const each = Array.from({ length: 9 }, (_, i) => image(i));
  assert.equal(images.row.size, 0);
  images.prompt({ images: [...each.slice(0, 8), each[0]] }, "Which?");
  assert.equal(images.row.size, 8);
  assert.throws(
    () => images.prompt({ images: each }, "Which?"),
    /^RangeError: its images have more than 256 MB together, want fewer or smaller ones/,
  );
});

Deno.test("decodedTogether() takes four images, or 50 million pixels, at a time", () => {
  const id = (pixels: number, i: number) => `${String(i).padStart(32, "0")}-${pixels}x1000.png`;
  const groups = (...sizes: number[]) => {
    const ids = sizes.map(id), found = decodedTogether(ids);
    assert.deepEqual(found.flat(), ids);
    return found.map(({ length }) => length);
  };
  assert.deepEqual(groups(), []);
  assert.deepEqual(groups(1, 1, 1, 1, 1, 1, 1, 1, 1), [4, 4, 1]);
  assert.deepEqual(groups(50_000, 50_000, 1), [1, 1, 1]);
  assert.deepEqual(groups(25_000, 25_000, 1, 20_000, 29_000), [2, 3]);
});

Deno.test("RowImages leaves prompts alone that show none, and finds those that messages show themselves", () => {
  const images = new RowImages({ store: new ImageStore("nowhere"), columns: [] });
  assert.equal(images.prompt({}, "Is <image> a tag? <|image_pad|>"), null);
  assert.equal(images.prompt({}, [{ role: "user", content: "A" }]), null);
  const uri = `data:image/png;base64,${goldenImage("rgb.png").toBase64()}`;
  const list = [{ role: "user", content: [{ type: "image_url", image_url: { url: uri } }] }];
  for (const value of [list, JSON.stringify(list)]) {
    assert.match(imagesIn(images.prompt({}, value)!)[0]!, /^[0-9a-f]{32}-7x5\.png$/);
  }
  assert.throws(
    () => images.prompt({}, [{ role: "user", content: [{ type: "image", image: "x.png" }] }]),
    ImageProblem,
  );
});

Deno.test("a row whose prompt or answer shows an image that the row does not give is named, or left out", () => {
  const image = `${"0".repeat(32)}-999999x999999.png`, part = { type: "image", image };
  const user = { role: "user", content: "Which?" };
  const forged: readonly Record<string, unknown>[] = [
    { prompt: [{ from: "human", value: [part] }] },
    { prompt: [{ from: "human", value: [part], content: "Which?" }] },
    { prompt: [{ role: "user", content: [part] }] },
    { prompt: JSON.stringify([{ role: "user", content: [part] }]) },
    { prompt: "A", answer: JSON.stringify([{ role: "assistant", content: [part] }]) },
    { messages: [{ from: "human", value: [part] }, { from: "gpt", value: "A" }] },
    { messages: [user, { role: "assistant", content: [part] }] },
  ];
  for (const [i, row] of forged.entries()) {
    const rows = [row, { prompt: "B", messages: [user, { role: "assistant", content: "C" }] }];
    for (const images of [new RowImages({ store: new ImageStore("nowhere"), columns: [] }), undefined]) {
      const options = {
        file: "mine.json",
        columns: [],
        verifier: "none",
        splits: { train: 1, validation: 0, held_out: 0 },
        prompt_column: "prompt",
        answer_column: "answer",
        ..."messages" in row ? { messages_column: "messages" } : {},
        ...images === undefined ? {} : { images },
      };
      const read = (unreadable: "stop" | "skip") =>
        filePrompts({ rows, columns: ["prompt", "answer", "messages"] }, { ...options, unreadable });
      assert.throws(
        () => read("stop"),
        /Cannot load prompts from mine\.json: row 1: (?:its (?:prompt|answer) shows (?:an )?image|there is no file)/,
        `case ${i}`,
      );
      const { rows: kept, unreadable } = read("skip");
      assert.deepEqual([kept.length, unreadable], [1, 1], `case ${i}`);
    }
  }
});
