import assert from "node:assert/strict";
import { join } from "node:path";
import { type DatasetOptions, openDataset } from "../../../data/datasets/open_dataset.ts";
import type { Row } from "../../../data/datasets/row_batch.ts";

const GOLDENS = new URL("../../goldens/datasets/", import.meta.url).pathname;

/** The rows with their places, after bytes are made comparable. */
async function rowsOf(path: string, options: DatasetOptions = {}, columns?: readonly string[]) {
  const dataset = await openDataset(path, options),
    rows: Row[] = [],
    places: string[] = [],
    splits: (string | null)[] = [];
  for await (const batch of dataset.batches(columns)) {
    batch.rows.forEach((row, i) => {
      const plain = (value: unknown) => value instanceof Uint8Array ? [...value] : value;
      rows.push(Object.fromEntries(Object.entries(row).map(([name, value]) => [name, plain(value)])));
      places.push(batch.place(i));
      splits.push(batch.split);
    });
  }
  return { rows, places, splits, format: dataset.format };
}

/** Runs `use` with a folder of files. */
async function withFiles(files: Record<string, string | Uint8Array>, use: (folder: string) => Promise<void>) {
  const folder = await Deno.makeTempDir();
  try {
    for (const [name, content] of Object.entries(files)) {
      await Deno.mkdir(join(folder, name, ".."), { recursive: true });
      await Deno.writeFile(
        join(folder, name),
        typeof content === "string" ? new TextEncoder().encode(content) : content,
      );
    }
    await use(folder);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

async function gzip(text: string): Promise<Uint8Array> {
  return new Uint8Array(
    await new Response(new Blob([text]).stream().pipeThrough(new CompressionStream("gzip"))).arrayBuffer(),
  );
}

const want = JSON.parse(Deno.readTextFileSync(join(GOLDENS, "types.json"))).rows;

for (const name of ["exact.arrow", "exact_gzip.parquet", "exact_brotli.parquet", "exact_zstd.parquet"]) {
  Deno.test(`openDataset() loses no digit, no time and no null of ${name}`, async () => {
    const { rows } = await rowsOf(join(GOLDENS, name));
    assert.deepEqual(rows, JSON.parse(Deno.readTextFileSync(join(GOLDENS, "exact.json"))));
  });
}

for (const name of ["types.arrow", "types_file.arrow", "zstd.arrow", "types.parquet"]) {
  Deno.test(`openDataset() reads every type of ${name} as pyarrow does`, async () => {
    const { rows } = await rowsOf(join(GOLDENS, name));
    const absent = (row: Row) => Object.fromEntries(Object.entries(row).map(([key, value]) => [key, value ?? null]));
    assert.deepEqual(rows.map(absent), want);
    assert.deepEqual(await rowsOf(join(GOLDENS, name), {}, ["kind"]).then(({ rows }) => rows), [
      { kind: "a" },
      { kind: "b" },
      { kind: "a" },
    ]);
  });
}

Deno.test("openDataset() names a compression that is not read", async () => {
  await assert.rejects(
    rowsOf(join(GOLDENS, "lz4.arrow")),
    /lz4\.arrow: its batches are compressed by LZ4_FRAME, want ZSTD/,
  );
});

Deno.test("openDataset() reads what datasets saves, one set or a set of splits", async () => {
  const saved = await rowsOf(join(GOLDENS, "saved"));
  assert.equal(saved.rows.length, 4);
  assert.deepEqual(saved.places.slice(1, 3), [
    "row 2 of data-00000-of-00002.arrow",
    "row 1 of data-00001-of-00002.arrow",
  ]);
  const splits = await rowsOf(join(GOLDENS, "saved_dict"));
  assert.deepEqual(splits.splits, ["train", "train", "train", "train", "held_out", "held_out"]);
});

Deno.test("openDataset() reads a folder as the Hub has it: its card names configurations and splits", async () => {
  const folder = join(GOLDENS, "hub");
  await assert.rejects(rowsOf(folder), /hub: it has 2 configurations: main, socratic; set config: main/);
  await assert.rejects(rowsOf(folder, { config: "man" }), /no configuration "man" .*want one of main, socratic/);
  assert.equal((await rowsOf(folder, { config: "main" })).rows.length, 6);
  assert.deepEqual(new Set((await rowsOf(folder, { config: "socratic" })).splits), new Set(["train"]));
});

Deno.test("openDataset() finds splits in the names of files and folders", () =>
  withFiles({
    "data/train-00000-of-00002.jsonl": '{"q":1}',
    "data/train-00001-of-00002.jsonl": '{"q":2}',
    "data/test.jsonl": '{"q":3}',
    "valid/0.jsonl": '{"q":4}',
    "tokenizer_config.json": "{}",
    ".hidden.jsonl": "broken",
  }, async (folder) => {
    const { rows, splits, places } = await rowsOf(folder);
    assert.deepEqual(rows.map(({ q }) => q), [3, 1, 2, 4]);
    assert.deepEqual(splits, ["held_out", "train", "train", "validation"]);
    assert.equal(places[2], "row 1 of data/train-00001-of-00002.jsonl");
  }));

Deno.test("openDataset() asks which splits are meant where their names say more", () =>
  withFiles(
    { "train_sft.jsonl": '{"q":1}', "train_gen.jsonl": '{"q":2}', "test_sft.jsonl": '{"q":3}' },
    async (folder) => {
      await assert.rejects(
        rowsOf(folder),
        /its splits are test_sft, train_gen, train_sft; say which .*take: \{ train: /,
      );
      const take = { train: "train_sft", held_out: "test_sft" };
      assert.deepEqual((await rowsOf(folder, { take })).rows.map(({ q }) => q), [1, 3]);
      await assert.rejects(rowsOf(folder, { take: { train: "train" } }), /no split "train" \(option take\)/);
    },
  ));

Deno.test("openDataset() says what is wrong with a folder", async () => {
  const bad: [Record<string, string>, RegExp][] = [
    [{ "a.txt": "x" }, /has no file of rows/],
    [{ "a.csv": "q\n1\n", "b.jsonl": '{"q":1}' }, /files of several formats \(CSV, JSON lines\)/],
    [{ "state.json": "{}", "dataset_info.json": "{}" }, /state\.json names no data files/],
    [{ "state.json": '{"_data_files":[{"filename":"data.arrow"}]}' }, /names data\.arrow, which is not there/],
    [{ "state.json": '{"_data_files":[{"filename":"../x.arrow"}]}' }, /names no data files/],
    [
      { "state.json": '{"_data_files":[{"filename":"x"}],"_indices_data_files":[{"filename":"i"}]}' },
      /flatten_indices/,
    ],
    [{ "dataset_dict.json": '{"splits":["../x"]}' }, /names no list of splits/],
    [{ "README.md": "---\nconfigs:\n- data_files: x-*\n---\n", "a.csv": "q\n1\n" }, /names "x-\*" as data/],
  ];
  for (const [files, says] of bad) await withFiles(files, (folder) => assert.rejects(rowsOf(folder), says));
  await assert.rejects(rowsOf("/nowhere/folder"), /want a file ending in .*, or a folder of such/);
});

Deno.test("openDataset() unpacks gzip, and says of one that is cut off how far it got", async () => {
  const text = Array.from({ length: 2000 }, (_, i) => JSON.stringify({ q: `${i} ${"x".repeat(100)}` })).join("\n");
  const packed = await gzip(text);
  await withFiles(
    { "a.jsonl.gz": packed, "b.jsonl.gz": packed.subarray(0, packed.length / 2), "c.csv.gz": "q\n1\n" },
    async (folder) => {
      assert.equal((await rowsOf(join(folder, "a.jsonl.gz"))).rows.length, 2000);
      await assert.rejects(
        rowsOf(join(folder, "b.jsonl.gz")),
        /b\.jsonl\.gz: its gzip data is damaged or cut off after \d+ bytes/,
      );
      await assert.rejects(rowsOf(join(folder, "c.csv.gz")), /its gzip data is damaged/);
    },
  );
});

Deno.test("openDataset() refuses Arrow and Parquet that are cut off or damaged, at every place", async () => {
  for (const name of ["types.arrow", "types_file.arrow", "types.parquet"]) {
    const whole = await Deno.readFile(join(GOLDENS, name));
    await withFiles({}, async (folder) => {
      const path = join(folder, name);
      for (let length = 0; length < whole.length; length += 97) {
        await Deno.writeFile(path, whole.subarray(0, length));
        // Arrow's stream may end after any batch; a cut within one, and any cut of Parquet, is an error.
        const read = await rowsOf(path).catch((error) => error);
        if (read instanceof Error) assert.match(read.message, /^Cannot load prompts from types/, `${name} ${length}`);
        else {assert(
            !name.endsWith(".parquet") && read.rows.length < 3 || length >= whole.length - 1200,
            `${name} ${length}`,
          );}
      }
      for (let at = 0; at < whole.length; at += 31) {
        const damaged = whole.slice();
        damaged[at]! ^= 0xff;
        await Deno.writeFile(path, damaged);
        const read = await rowsOf(path).catch((error) => error);
        if (read instanceof Error) assert.match(read.message, /^Cannot load prompts from types/, `${name} ${at}`);
      }
    });
  }
});

Deno.test("openDataset() reads a large file some rows at a time", () =>
  withFiles({}, async (folder) => {
    const path = join(folder, "large.jsonl"), line = JSON.stringify({ q: "x".repeat(1000) }) + "\n";
    const file = await Deno.open(path, { write: true, create: true });
    const block = new TextEncoder().encode(line.repeat(1000));
    for (let i = 0; i < 30; i++) await file.write(block);
    file.close();
    let rows = 0, most = 0;
    for await (const batch of (await openDataset(path)).batches()) {
      rows += batch.rows.length;
      most = Math.max(most, batch.rows.length);
    }
    assert.equal(rows, 30_000);
    assert(most < 3000, `${most} rows at once`);
  }));

Deno.test("openDataset() knows the lines of CSV, quoted line ends and empty lines counted", () =>
  withFiles({ "a.csv": 'q,a\n"1\n2",x\n\n3,y\n', "b.csv": "q,a\n1,2\n3\n", "c.csv": 'q\n1\n"2' }, async (folder) => {
    const { places } = await rowsOf(join(folder, "a.csv"));
    assert.deepEqual(places, ["row 1 (line 2)", "row 2 (line 5)"]);
    await assert.rejects(rowsOf(join(folder, "b.csv")), /b\.csv: .*line 3/);
    await assert.rejects(rowsOf(join(folder, "c.csv")), /the quoted cell that begins on line 3 does not end/);
  }));

const annotated = (bbox: readonly number[] = [1, 1, 5, 5]) =>
  JSON.stringify({
    images: [{ id: 1, file_name: "a.png", width: 10, height: 20 }],
    annotations: [{ id: 4, image_id: 1, category_id: 2, bbox }],
    categories: [{ id: 2, name: "dog" }, { id: 3, name: "cat" }],
  });

Deno.test("openDataset() reads annotations of images as rows, and asks them what it is told to", async () => {
  await withFiles({ "instances.json": annotated(), "rows.json": '[{"prompt":"a"}]' }, async (folder) => {
    const path = join(folder, "instances.json"), found = await rowsOf(path, {}, ["image", "category", "answer.x"]);
    assert.deepEqual(found, {
      rows: [{
        image: "a.png",
        category: "dog",
        answer: "<answer>[{'Position': [100, 50, 600, 300], 'Confidence': 1}]</answer>",
      }],
      places: ['"dog" in image 1'],
      splits: [null],
      format: "annotations",
    });
    const all = { train: 0, validation: 0, held_out: 1 };
    const more = await rowsOf(path, { detection: { negatives: 1, box_unit: "pixels" }, splits: all }, [
      "answer",
      "split",
    ]);
    assert.deepEqual(more.rows, [
      { answer: "<answer>[{'Position': [1, 1, 6, 6], 'Confidence': 1}]</answer>", split: "held_out" },
      { answer: "<answer>No Objects</answer>", split: "held_out" },
    ]);
    assert.equal((await openDataset(path)).annotated?.includes("image_id"), true);
    assert.equal((await openDataset(join(folder, "rows.json"))).annotated, null);
    await assert.rejects(
      openDataset(join(folder, "rows.json"), { detection: {} }),
      /Cannot load prompts from rows.json: rows.json has no annotations of images, which detection is for/,
    );
    await assert.rejects(
      openDataset(folder),
      /its splits are|instances.json has annotations of images, and rows.json rows/,
    );
    await assert.rejects(
      rowsOf(path, { detection: { categories: ["dgo"] } }),
      /Cannot load prompts from instances.json: it has no category "dgo"/,
    );
  });
});

Deno.test("openDataset() takes the split of annotations from their folder, with the images beside them", async () => {
  const files = { "train/_a.coco.json": annotated(), "test/_a.coco.json": annotated([1, 1, 0, 1]) };
  await withFiles(files, async (folder) => {
    const splits = { train: 0, validation: 0.5, held_out: 0.5 }, places: string[] = [], rows: Row[] = [];
    for await (const batch of (await openDataset(folder, { splits })).batches(["image", "split"])) {
      batch.rows.forEach((row, i) => (rows.push(row), places.push(`${batch.place(i)}: ${batch.problems?.[i]}`)));
    }
    // What the folder holds out is not taken from its train images as well.
    assert.deepEqual(rows[0], { image: "test/a.png", split: "held_out" });
    assert.equal(rows[1]!["image"], "train/a.png");
    assert.notEqual(rows[1]!["split"], "held_out");
    assert.match(places[0]!, /^"dog" in image 1 of test\/_a.coco.json: annotation 4 has bbox \[1,1,0,1\] of width 0/);
  });
});
