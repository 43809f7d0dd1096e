import assert from "node:assert/strict";
import { fromFileUrl } from "@deno/std/path/from_file_url.js";
import { gzipSync } from "node:zlib";
import { DETECTION_COLUMNS } from "../../../../data/datasets/detection/detection_options.ts";
import { holdsAnnotations, openAnnotations } from "../../../../data/datasets/formats/coco.ts";
import { detectionRows } from "../../../../data/datasets/detection/detection_rows.ts";
import { readAnnotations } from "../../../../data/datasets/detection/annotations.ts";
import { box, categories, images } from "../detection/made_annotations.ts";

const GOLDENS = fromFileUrl(new URL("../../../goldens/datasets/annotations/", import.meta.url));
const SPLITS = { folder: "", split: null, fractions: { train: 1, validation: 0, held_out: 0 } };

interface Golden {
  readonly cases: readonly {
    readonly file: string;
    readonly pairs: readonly {
      readonly image_id: number;
      readonly category: string;
      readonly bboxes: readonly (readonly [number, number, number, number])[];
    }[];
  }[];
}

const golden: Golden = JSON.parse(Deno.readTextFileSync(`${GOLDENS}boxes.json`));
const key = (image: unknown, category: unknown) => `${image} ${category}`;

for (const { file, pairs } of golden.cases) {
  Deno.test(`${file} has the boxes that pycocotools reads, for each image and category`, async () => {
    const read = await readAnnotations(GOLDENS + file), found: Record<string, unknown> = {}, wanted: typeof found = {};
    read.images.forEach(({ id }, at) => {
      for (const [category, { boxes, problem }] of read.boxesOf(at)) {
        assert.equal(problem, null);
        found[key(id, read.categories[category]!.name)] = boxes;
      }
    });
    const sizes = new Map(read.images.map((image) => [image.id, image]));
    for (const { image_id, category, bboxes } of pairs) {
      const { width, height } = sizes.get(image_id)!;
      wanted[key(image_id, category)] = bboxes.map((
        [x, y, w, h],
      ) => [x, y, Math.min(width, x + w), Math.min(height, y + h)]);
    }
    assert.deepEqual(found, wanted);
  });

  Deno.test(`${file} is asked for what pycocotools finds, if it is finished and no crowd alone`, async () => {
    const { images: written } = JSON.parse(Deno.readTextFileSync(GOLDENS + file));
    const { categories: named } = JSON.parse(Deno.readTextFileSync(GOLDENS + file));
    const unfinished = new Set(
      (written as { id: number; not_exhaustive_category_ids?: number[] }[]).flatMap(
        ({ id, not_exhaustive_category_ids: ids = [] }) =>
          ids.map((one) => key(id, (named as { id: number; name: string }[]).find((own) => own.id === one)!.name)),
      ),
    );
    const wanted = pairs.filter(({ bboxes }) => bboxes.length > 0).map((pair) => key(pair.image_id, pair.category))
      .filter((one) => !unfinished.has(one));
    const rows = [...detectionRows(await readAnnotations(GOLDENS + file), {}, SPLITS)].map(({ row }) => row);
    assert.deepEqual(rows.map((row) => key(row["image_id"], row["category"])).sort(), wanted.sort());
    assert(wanted.length > 10 && wanted.length < pairs.length, "the file has pairs that are not asked");
    for (const row of rows) {
      // Thousandths by hand: within half of one, or a side that would be lost.
      const { bboxes } = pairs.find((pair) => pair.image_id === row["image_id"] && pair.category === row["category"])!;
      const positions = [...(row["answer"] as string).matchAll(/\[(\d+), (\d+), (\d+), (\d+)\]/g)];
      assert.equal(positions.length, bboxes.length);
      positions.forEach(([, ...written], i) => {
        const [x, y, w, h] = bboxes[i]!, [width, height] = [row["width"] as number, row["height"] as number];
        const exact = [x / width, y / height, (x + w) / width, (y + h) / height].map((share) => 1000 * share);
        written.forEach((one, at) =>
          assert(Math.abs(Number(one) - exact[at]!) <= (w < 3 || h < 3 ? 1 : 0.51), String(written))
        );
      });
    }
  });
}

async function withFile<Read>(name: string, bytes: string | Uint8Array, read: (path: string) => Promise<Read>) {
  const folder = await Deno.makeTempDir(), path = `${folder}/${name}`;
  await Deno.writeFile(path, typeof bytes === "string" ? new TextEncoder().encode(bytes) : bytes);
  try {
    return await read(path);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

const text = JSON.stringify({ images, annotations: [box(1, 1, 5, [1, 1, 5, 5])], categories });

Deno.test("holdsAnnotations() goes by the lists with which a .json file begins", async () => {
  const holds = (name: string, bytes: string | Uint8Array) => withFile(name, bytes, holdsAnnotations);
  assert.equal(await holds("a.json", text), true);
  assert.equal(await holds("a.json.gz", gzipSync(text)), true);
  assert.equal(await holds("a.json", '{"info":{},"annotations":[{"id":1},'), true);
  for (const other of ['{"data":[]}', "[]", `[${text}]`, '{"images":1}\n{"images":2}', ""]) {
    assert.equal(await holds("a.json", other), false, other);
  }
  assert.equal(await holds("a.jsonl", text), false);
});

Deno.test("openAnnotations() gives the columns that are wanted, with places and problems", async () => {
  await withFile("a.json", text, async (path) => {
    const read = async (wanted?: readonly string[]) => {
      const found = [];
      for await (const batch of (await openAnnotations({}, SPLITS)(path, undefined)).batches(wanted)) found.push(batch);
      return found;
    };
    const [batch] = await read(["image", "category"]);
    assert.deepEqual(batch, {
      rows: [{ image: "a.png", category: "dog" }],
      columns: DETECTION_COLUMNS,
      places: ['"dog" in image 1'],
      problems: [null],
    });
    assert.deepEqual(Object.keys((await read())[0]!.rows[0]!), [...DETECTION_COLUMNS]);
    assert.throws(() => openAnnotations({}, SPLITS)(path, "shift_jis"), /annotations are read as UTF-8/);
  });
});
