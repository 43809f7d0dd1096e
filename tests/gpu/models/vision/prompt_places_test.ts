/** Positions of prompts with images against transformers' `get_rope_index`, and what is no such prompt. */
import assert from "node:assert/strict";
import type { ImageInput } from "../../../../gpu/models/vision/image_input.ts";
import { promptIds } from "../../../../gpu/models/vision/image_input.ts";
import { promptPlaces, writePromptTables } from "../../../../gpu/models/vision/prompt_places.ts";
import { ropeTables } from "../../../../gpu/models/rope.ts";
import { madeImage, madePrompt } from "./made_images.ts";
import { goldenConfig, VISION_CASES, type VisionCase, visionGolden } from "./vision_golden.ts";

const CONFIG = goldenConfig("qwen2_vl"), IMAGE = CONFIG.imageToken!;

for (const name of Object.keys(VISION_CASES) as VisionCase[]) {
  Deno.test(`${name}: promptPlaces() has the positions of transformers, and what follows begins where theirs does`, () => {
    const { json, prompts } = visionGolden(name), config = goldenConfig(name);
    prompts.forEach((prompt, row) => {
      const { positions, next, slots } = promptPlaces(prompt, config);
      const seen = (json.attention_mask[row] as number[]).flatMap((mask, t) => mask ? [t] : []);
      const axes = (json.position_ids as number[][][]).map((rows) => seen.map((t) => rows[row]![t]!));
      const ours = axes.map((_, axis) => Array.from(prompt, (_, t) => positions[3 * t + axis]));
      assert.deepEqual(ours, axes.map((all) => all.slice(0, prompt.length)), `row ${row}`);
      assert.deepEqual(axes.map((all) => all[prompt.length]), [next, next, next], `row ${row}`);
      assert.equal(next, prompt.length + json.rope_deltas[row][0]);
      let slot = 0;
      assert.deepEqual([...slots], Array.from(prompt, (id) => id === config.imageToken ? slot++ : -1));
    });
  });
}

Deno.test("promptPlaces() of words alone has a position per token, on all axes", () => {
  const { positions, next, slots } = promptPlaces([5, 6, 7], CONFIG);
  assert.deepEqual([...positions], [0, 0, 0, 1, 1, 1, 2, 2, 2]);
  assert.deepEqual([next, [...slots]], [3, [-1, -1, -1]]);
});

Deno.test("promptPlaces() tells neighbours apart, and goes on behind the longer side", () => {
  const two = [madeImage("tall", 6, 2, CONFIG), madeImage("wide", 2, 4, CONFIG)];
  const { positions, next, slots } = promptPlaces(promptIds(Int32Array.from(Array(5).fill(IMAGE)), two), CONFIG);
  const rows = Array.from({ length: 5 }, (_, t) => [...positions.slice(3 * t, 3 * t + 3)].join(""));
  assert.deepEqual(rows, ["000", "010", "020", "333", "334"]);
  assert.deepEqual([next, [...slots]], [5, [0, 1, 2, 3, 4]]);
});

const images = [madeImage("a", 4, 2, CONFIG), madeImage("b", 2, 2, CONFIG)];
const REFUSED: readonly [what: string, ids: number[], images: ImageInput[], placeholders: number][] = [
  ["too few placeholders", [1, IMAGE, 2, IMAGE, 3], images, 2],
  ["too many placeholders", [1, IMAGE, IMAGE, 2, IMAGE, IMAGE, 3], images, 4],
  ["placeholders of an image apart", [1, IMAGE, 2, IMAGE, IMAGE, 3], images, 3],
  ["placeholders and no image", [1, IMAGE, 2], [], 1],
  ["images and no placeholder", [1, 2], images, 0],
  ["an image that is missing", [1, IMAGE, IMAGE, 2, IMAGE], images.slice(0, 1), 3],
];
for (const [what, ids, images, count] of REFUSED) {
  Deno.test(`promptPlaces() refuses ${what}, and says how many of each there are`, () => {
    const tokens = images.length === 2 ? "2 images of [2,1] tokens" : images.length ? "1 images of [2]" : "0 images of";
    assert.throws(() => promptPlaces(promptIds(Int32Array.from(ids), images), CONFIG), (error: Error) => {
      assert(error instanceof RangeError);
      assert(error.message.startsWith(`Cannot read a prompt with ${tokens}`), error.message);
      assert(error.message.includes(`it has ${count} placeholders, want one per token of each image`), error.message);
      return true;
    });
  });
}

Deno.test("writePromptTables() of words alone are the tables of their places", () => {
  const half = CONFIG.headDim / 2, want = ropeTables(CONFIG, 4);
  const tables = { cos: new Float32Array(5 * half), sin: new Float32Array(5 * half) };
  writePromptTables(tables, half, promptPlaces([5, 6, 7, 8], CONFIG).positions, CONFIG);
  assert.deepEqual(tables.cos.slice(half), Float32Array.from(want.cos));
  assert.deepEqual(tables.sin.slice(half), Float32Array.from(want.sin));
});

Deno.test("writePromptTables() turns sections of frequencies with time, row and column", () => {
  const config = { ...CONFIG, mropeSection: [2, 3, 3] }, half = 8;
  const tables = { cos: new Float32Array(half), sin: new Float32Array(half) };
  writePromptTables(tables, 0, [3, 5, 11], config);
  [3, 3, 5, 5, 5, 11, 11, 11].forEach((position, i) => {
    const angle = position * config.rope.theta ** (-2 * i / config.headDim);
    assert(Math.abs(tables.cos[i]! - Math.cos(angle)) < 2e-6 && Math.abs(tables.sin[i]! - Math.sin(angle)) < 2e-6);
  });
});

Deno.test("a prompt that is made up reads its images in their order", () => {
  assert.equal(madePrompt(images, [7], CONFIG).join(" "), `11 12 ${IMAGE} ${IMAGE} 37 ${IMAGE} 37 7`);
});
