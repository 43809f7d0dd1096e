/** Places of patches against those of transformers, and against their definition written out. */
import assert from "node:assert/strict";
import { patchPlaces, patchWindows, writePatchTables } from "../../../../gpu/models/vision/patch_places.ts";
import { goldenConfig, VISION_CASES, type VisionCase, visionGolden } from "./vision_golden.ts";

const QWEN2 = goldenConfig("qwen2_vl").vision!, QWEN25 = goldenConfig("qwen2_5_vl").vision!;

Deno.test("patchPlaces() goes through the squares of merged patches, row by row, and through each row by row", () => {
  const places = patchPlaces({ h: 4, w: 6 }, 2).map(({ row, column }) => `${row}${column}`);
  assert.equal(places.slice(0, 12).join(" "), "00 01 10 11 02 03 12 13 04 05 14 15");
  assert.equal(places.slice(12).join(" "), "20 21 30 31 22 23 32 33 24 25 34 35");
});

Deno.test("writePatchTables() turns the first half of a head by rows, the second by columns, behind what is there", () => {
  const grid = { h: 6, w: 4 }, half = QWEN2.embedDim / QWEN2.heads / 2;
  const tables = { cos: new Float32Array(26 * half).fill(9), sin: new Float32Array(26 * half).fill(9) };
  writePatchTables(tables, 2 * half, grid, QWEN2);
  assert.deepEqual([...tables.cos.slice(0, 2 * half)], Array(2 * half).fill(9));
  for (let patch = 0; patch < 24; patch++) {
    const square = Math.floor(patch / 4), within = patch % 4;
    const row = 2 * Math.floor(square / 2) + (within >> 1), column = 2 * (square % 2) + (within & 1);
    for (let i = 0; i < half; i++) {
      const angle = (i < half / 2 ? row : column) * 10000 ** (-(i % (half / 2)) / (half / 2));
      const at = (2 + patch) * half + i;
      assert(Math.abs(tables.cos[at]! - Math.cos(angle)) < 1e-6, `cos ${i} of patch ${patch}`);
      assert(Math.abs(tables.sin[at]! - Math.sin(angle)) < 1e-6, `sin ${i} of patch ${patch}`);
    }
  }
});

Deno.test("patchWindows() puts patches together as transformers does", () => {
  const { json, images } = visionGolden("qwen2_5_vl");
  const cuts: number[] = json.cu_window_seqlens, index: number[] = json.window_index;
  // Their windows are of merged tokens of all images, in their order of windows; ends are counted in patches.
  const theirs = cuts.slice(1).map((end, i) =>
    index.slice(cuts[i]! / 4, end / 4).flatMap((token) => [0, 1, 2, 3].map((patch) => 4 * token + patch)).sort((a, b) =>
      a - b
    )
  );
  const ours = new Map<string, number[]>();
  let patch = 0;
  for (const [i, { grid }] of images.entries()) {
    for (const window of patchWindows(grid, QWEN25)) {
      const key = `${i} ${window}`;
      ours.set(key, [...ours.get(key) ?? [], patch++]);
    }
  }
  const sorted = (windows: number[][]) => windows.map(String).sort();
  assert.deepEqual(sorted([...ours.values()]), sorted(theirs));
  assert(ours.size > images.length && [...ours.keys()].every((key) => !key.endsWith(" 0")));
});

Deno.test("patchWindows() of a tower without windows is one", () => {
  assert.deepEqual(new Set(patchWindows({ h: 8, w: 6 }, QWEN2)), new Set([1]));
});

for (const name of Object.keys(VISION_CASES) as VisionCase[]) {
  Deno.test(`${name}: images have as many patches as transformers reads of each`, () => {
    const { json, images } = visionGolden(name), ends: number[] = json.cu_seqlens;
    let end = 0;
    const own = [0, ...images.map(({ grid }) => end += patchPlaces(grid, 2).length)];
    assert.deepEqual(own, ends);
  });
}
