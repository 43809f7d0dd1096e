import assert from "node:assert/strict";
import { join } from "node:path";
import { fromFileUrl } from "@deno/std/path/from_file_url.js";
import { encodeGreyPng } from "../../../data/images/png.ts";
import { openRunFolder } from "../../../data/open_run_folder.ts";
import { imagesIn, textOfPrompt } from "../../../data/datasets/prompt_images.ts";
import { goldenImage } from "../../data/images/image_goldens.ts";
import { inProcess, jsonLines } from "./in_process.ts";
import { withTinyRun } from "./tiny_run.ts";

const WARM = fromFileUrl(new URL("../../models/warm_visual", import.meta.url));
const visual = (load: Record<string, unknown> = {}, merge = true) =>
  `name: tiny_visual
params: { train_steps: 1 }
seed: 3
threads: 1
steps:
  - { uses: load_prompts, with: { task: visual_detection, train_scenes: 8, validation_scenes: 2, held_out_scenes: 4 } }
  - { uses: load_model, with: ${JSON.stringify({ model: WARM, ...load })} }
  - { uses: fine_tune, with: { max_updates: "\${{ params.train_steps }}", batch_size: 2 } }
  - { uses: export_model, with: { merge: ${merge} } }
`;

const ASK = ["-n", "1", "--temperature", "0", "--max-new-tokens", "4", "--json"];
type Sample = (...args: readonly string[]) => Promise<Record<string, unknown>[]>;

/** A run of a model that reads images, what `sample` draws of it, and a folder with two images. */
function withVisualRun(
  body: (sample: Sample, run: string, folder: string) => Promise<void>,
  workflow = visual(),
): Promise<void> {
  return withTinyRun(async (result, runs) => {
    assert.equal(result.status, "ok", result.reason ?? "");
    for (const [name, light] of [["dark", 0], ["light", 255]] as const) {
      const values = Uint8Array.from({ length: 56 * 56 }, (_, i) => i % 56 < 28 ? light : 128);
      Deno.writeFileSync(join(runs, `${name}.png`), encodeGreyPng({ width: 56, height: 56, values }));
    }
    Deno.writeFileSync(join(runs, "cut.jpg"), goldenImage("rgb.jpg").subarray(0, 690));
    const sample: Sample = async (...args) => {
      const { code, out, err } = await inProcess(["sample", result.folder, "--runs", runs, ...ASK, ...args]);
      assert.equal(code, 0, err);
      return jsonLines(out);
    };
    await body(sample, result.folder, runs);
  }, () => workflow);
}

Deno.test("sample shows the images of the run's own prompts, from its export, a checkpoint, and files in their place", () =>
  withVisualRun(async (sample, run, folder) => {
    const held = (openRunFolder(run).table("prompts").objects() as Record<string, unknown>[])
      .find(({ split }) => split === "held_out")!;
    const [own] = await sample();
    assert.equal(own!["prompt"], held["prompt"]);
    const [stored] = imagesIn(String(held["prompt"])), asked = textOfPrompt(String(held["prompt"]));
    // The same file by its path is the same prompt; the prompt is what the run's asks without its image.
    for (const more of [[], ["--prompt", asked]]) {
      const [again] = await sample("--image", join(run, "images", stored!), ...more);
      assert.deepEqual([again!["prompt"], again!["logprobs"]], [held["prompt"], own!["logprobs"]]);
    }
    const shown = async (...args: string[]) =>
      JSON.stringify((await sample("--prompt", asked, ...args))[0]!["logprobs"]);
    const image = (name: string) => ["--image", join(folder, `${name}.png`)];
    const seen = [own, (await sample("--prompt", asked))[0]].map((row) => JSON.stringify(row!["logprobs"]));
    seen.push(
      await shown(...image("dark")),
      await shown(...image("light")),
      await shown(...image("dark"), ...image("light")),
    );
    assert.equal(new Set(seen).size, seen.length, "each picture gives numbers of its own");
    const places = ["--prompt", "<image>and<image>?", ...image("light"), ...image("dark")];
    assert.equal(imagesIn(String((await sample(...places))[0]!["prompt"])).length, 2);
    Deno.removeSync(join(run, "model"), { recursive: true });
    assert.deepEqual((await sample())[0]!["logprobs"], own!["logprobs"]);
    assert.equal(await shown(...image("dark")), seen[2]);
  }));

Deno.test("sample reads images with an adapter that is the run's only export, cut as the run cut them", () =>
  withVisualRun(async (sample, run) => {
    const [own] = await sample();
    Deno.removeSync(join(run, "model"), { recursive: true });
    assert.deepEqual((await sample())[0]!["logprobs"], own!["logprobs"]);
  }, visual({ lora: { rank: 2 }, min_pixels: 3136 * 2 }, false)));

Deno.test("sample refuses images that it cannot show, and says why", () =>
  withVisualRun(async (_, run, folder) => {
    const refused = async (args: readonly string[], message: RegExp, code: number) => {
      const printed = await inProcess(["sample", run, "--runs", folder, ...ASK, ...args]);
      assert.match(printed.err, message);
      assert.equal(printed.code, code, printed.err);
    };
    const dark = join(folder, "dark.png");
    await refused(
      ["--image", join(folder, "none.png")],
      /Cannot read --image .*none\.png: there is no file .*none\.png, want a PNG/,
      2,
    );
    await refused(
      ["--image", "https://a.org/cat.png"],
      /--image https:\/\/a\.org\/cat\.png: it is an address, and nothing is fetched; download the image/,
      2,
    );
    await refused(["--image", folder], /it is a folder, want a PNG, JPEG or WebP file/, 2);
    await refused(["--image", join(folder, "cut.jpg")], /Cannot read image cut\.jpg: its content is broken/, 2);
    await refused(["--image", join(run, "run.json")], /Cannot read image run\.json: it is a text/, 2);
    await refused(["--image", dark, "--raw"], /the chat template has the place of --image and --raw leaves it out/, 2);
    await refused(
      ["--image", dark, "--prompt", "<image><image>"],
      /the prompt has 2 <image> and there are 1 --image, want as many/,
      2,
    );
    await refused(
      ["--image", dark, "--prompt", "<|image_pad|>?"],
      /Cannot read --prompt: its text holds <\|image_pad\|>/,
      2,
    );
  }));

Deno.test("sample refuses images for a model that reads words alone", () =>
  withTinyRun(async ({ folder }, runs) => {
    const path = join(runs, "grey.png");
    Deno.writeFileSync(path, encodeGreyPng({ width: 2, height: 2, values: new Uint8Array(4) }));
    const { code, err } = await inProcess(["sample", folder, "--runs", runs, "--image", path]);
    assert.match(
      err,
      /Cannot show images to the model of this run: it reads words alone, want a run of a model with a vision tower/,
    );
    assert.equal(code, 2);
  }));
