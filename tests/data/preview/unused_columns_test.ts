import assert from "node:assert/strict";
import { unusedColumns } from "../../../data/preview/unused_columns.ts";
import { goldenImage } from "../images/image_goldens.ts";

const NOTHING = { columns: ["prompt", "answer"], images: false, split: false };
const found = (cells: Record<string, unknown>, used: Partial<typeof NOTHING> = {}) => {
  const row = { prompt: "Which?", answer: "a", ...cells };
  return unusedColumns([row, row], Object.keys(row), { ...NOTHING, ...used }).map(({ option, column }) => [
    option,
    column,
  ]);
};
const PICTURE = [["image_column", "picture"]];

Deno.test("unusedColumns() names a column of images by whatever name, in each of their forms", () => {
  const bytes = goldenImage("rgb.png");
  const forms = [
    "cats/1.png",
    "C:\\cats\\1.JPEG",
    bytes,
    { bytes, path: null },
    { bytes: null, path: "1.webp" },
    `data:image/png;base64,${bytes.toBase64()}`,
    ["1.png", "2.jpg"],
    '["1.png", "2.jpg"]',
  ];
  for (const picture of forms) assert.deepEqual(found({ picture }), PICTURE);
  // The file itself is meant where a path beside it is a note.
  assert.deepEqual(found({ file_name: "1.png", picture: bytes }), PICTURE);
  const [told] = unusedColumns([{ picture: "1.png" }], ["picture"], NOTHING);
  assert.match(told!.text, /^column "picture" holds images that nothing reads; set image_column: picture/);
});

Deno.test("unusedColumns() is silent on what is no image, is read already, or stands in messages", () => {
  for (const picture of ["a cat", 3, null, "", new Uint8Array([1, 2, 3]), { path: "a.txt" }, [], "see\na.png"]) {
    assert.deepEqual(found({ picture }), []);
  }
  assert.deepEqual(found({ picture: "1.png" }, { images: true }), []);
  assert.deepEqual(found({ picture: "1.png" }, { columns: ["picture.path"] }), []);
  const prompt = (part: object) => [{ role: "user", content: [{ type: "image", ...part }] }];
  assert.deepEqual(found({ picture: "1.png", prompt: prompt({ image: "a.png" }) }), []);
  assert.deepEqual(found({ picture: "1.png", prompt: prompt({}) }), PICTURE);
  const rows = [{ note: "1.png" }, { note: "none" }, { note: "none" }];
  assert.deepEqual(unusedColumns(rows, ["note"], NOTHING), [], "one of three");
});

Deno.test("unusedColumns() names a column of splits, and no other column of that name", () => {
  const rows = [{ split: "train" }, { split: "Held_out" }, { split: "train" }];
  const [told] = unusedColumns(rows, ["split"], NOTHING);
  assert.equal(told!.option, "split_column");
  assert.match(
    told!.text,
    /^column "split" says train, Held_out and nothing reads it: .*set split_column: split to go by it/,
  );
  assert.deepEqual(found({ data_split: "test" }), [["split_column", "data_split"]]);
  for (const split of ["banana", null, 3]) assert.deepEqual(found({ split }), []);
  assert.deepEqual(found({ kind: "train" }), [], "a column of trains");
  assert.deepEqual(found({ split: "train" }, { split: true }), []);
  assert.deepEqual(found({ split: "train" }, { columns: ["split"] }), []);
});
