/** Bad images, boxes and answers through the steps: a named error, or the reward that is written of them. */
import assert from "node:assert/strict";
import { join } from "node:path";
import { crc32, deflateSync } from "node:zlib";
import { IMAGE_LIMITS } from "../../data/images/decode.ts";
import { imagesIn } from "../../data/datasets/prompt_images.ts";
import { tableOfRows } from "../../data/tables/mod.ts";
import { loadPrompts } from "../../steps/load_prompts.ts";
import { REWARDS } from "../../steps/rewards/mod.ts";
import { goldenImage } from "../data/images/image_goldens.ts";
import { stepContext } from "./contexts/reward_steps.ts";
import { modelFolder } from "./contexts/model_folders.ts";
import { type TrainingRun, withRun } from "./contexts/training_run.ts";

const ALL_TRAIN = { train: 1, validation: 0, held_out: 0 };

/** A PNG that says a size of its own choosing, with so many bytes of it. */
function png(width: number, height: number, bytes: number): Uint8Array {
  const chunk = (name: string, data: Uint8Array) => {
    const out = new Uint8Array(data.length + 12), view = new DataView(out.buffer);
    view.setUint32(0, data.length);
    out.set(new TextEncoder().encode(name), 4);
    out.set(data, 8);
    view.setUint32(8 + data.length, crc32(out.subarray(4, 8 + data.length)));
    return [...out];
  };
  const header = new Uint8Array(13), view = new DataView(header.buffer);
  view.setUint32(0, width);
  view.setUint32(4, height);
  header[8] = 8; // bits of a grey pixel
  return Uint8Array.from([
    ...[137, 80, 78, 71, 13, 10, 26, 10, ...chunk("IHDR", header)],
    ...chunk("IDAT", deflateSync(new Uint8Array(bytes))),
    ...chunk("IEND", new Uint8Array()),
  ]);
}

/** Loads a file of such rows beside these images. */
async function load(
  run: Pick<TrainingRun, "folder">,
  images: Readonly<Record<string, Uint8Array>>,
  rows: readonly unknown[],
  given: Record<string, unknown> = {},
) {
  const { folder } = run;
  for (const [name, bytes] of Object.entries(images)) Deno.writeFileSync(join(folder, name), bytes);
  Deno.writeTextFileSync(join(folder, "data.jsonl"), rows.map((row) => JSON.stringify(row)).join("\n"));
  const params = loadPrompts.params.parse({ file: "data.jsonl", splits: ALL_TRAIN, ...given });
  const context = stepContext({}, { workflow: folder, run: join(folder, "runs", "this_run") });
  return await loadPrompts.run(params, context);
}

const row = (image: unknown, more: Record<string, unknown> = {}) => ({ image, prompt: "Which?", answer: "a", ...more });

Deno.test("load_prompts names what is no image to learn from: bombs, animations, what is too large, cut or too long", () =>
  withRun(async (run) => {
    const large = new Uint8Array(IMAGE_LIMITS.mostBytes + 1), whole = goldenImage("rgb.png");
    large.set(png(2, 2, 6));
    const cases: Readonly<Record<string, readonly [Uint8Array, RegExp]>> = {
      // 3.6 · 10⁹ pixels in some hundred bytes.
      "bomb.png": [png(60_000, 60_000, 1000), /it is 60000 × 60000 pixels, want 50000000 at most; make it smaller/],
      // A header that is allowed, and far less behind it.
      "short.png": [png(7000, 7000, 1000), /its content is broken/],
      "moving.png": [goldenImage("moving.png"), /it is an animated PNG, want a still image/],
      "moving.webp": [goldenImage("moving.webp"), /it is an animated WebP, want a still image/],
      "moving.gif": [goldenImage("moving.gif"), /it is a GIF, which may move, want PNG, JPEG or WebP/],
      "large.png": [large, /large\.png has 32000001 bytes, want 32000000 at most; make it smaller/],
      "cut.png": [whole.subarray(0, whole.length - 20), /its content is broken/],
      "header.png": [whole.subarray(0, 20), /it ends within its header/],
      "empty.png": [new Uint8Array(), /it is empty, want PNG, JPEG or WebP/],
      "text.png": [new TextEncoder().encode("<svg onload=alert(1)>"), /it is SVG, a drawing/],
    };
    for (const [name, [bytes, want]] of Object.entries(cases)) {
      await assert.rejects(load(run, { [name]: bytes }, [row(name)]), (error: Error) => {
        assert(error instanceof RangeError, `${name}: ${error.stack}`);
        assert.match(error.message, /^Cannot load prompts from data\.jsonl/);
        assert(error.message.includes(name) && /row 1|:1/.test(error.message), error.message);
        assert.match(error.message, want, name);
        return true;
      });
    }
  }));

Deno.test("load_prompts leaves out an image with a side of a million pixels, where it is to skip what is unreadable", () =>
  withRun(async (run) => {
    const images = { "one.png": goldenImage("rgb.png"), "wide.png": png(1_000_000, 1, 1_000_001) };
    const rows = Object.keys(images).map((name) => row(name));
    const { outputs } = await load(run, images, rows, { unreadable: "skip" });
    assert.deepEqual([outputs!["prompts"], outputs!["unreadable"]], [1, 1]);
    await assert.rejects(load(run, images, rows), /row 2: .*1000000 × 1 pixels, want sides of 999999 at most/);
  }));

Deno.test("load_prompts names a column and a path that lead nowhere, and no path of a prompt leads out", () =>
  withRun(async (run) => {
    const images = { "one.png": goldenImage("rgb.png") };
    const rejected = async (rows: readonly unknown[], want: RegExp, given = {}) =>
      await assert.rejects(load(run, images, rows, given), (error: Error) => {
        assert(error instanceof RangeError, error.stack);
        assert.match(error.message, want);
        return true;
      });
    await rejected([row("two.png")], /there is no file .*two\.png/);
    await rejected([row("one.png")], /it has no column "picture" \(option image_column\)/, { image_column: "picture" });
    await rejected([row("one.png")], /there is no file .*elsewhere.*one\.png/, { image_folder: "elsewhere" });
    await rejected(
      [row("one.png", { prompt: "<image> and <image>?" })],
      /its prompt has 2 places for images and the row 1 image/,
    );
    await rejected([row("one.png", { prompt: "<|image_pad|>?" })], /its text holds <\|image_pad\|>/);
    const forged = [{
      role: "user",
      content: [{ type: "image", image: "../../nothing.png" }, { type: "text", text: "?" }],
    }];
    await rejected([{ prompt: forged, answer: "a" }], /there is no file .*nothing\.png/);
  }));

Deno.test("boxes of answers that are not within their image are named, where box_unit says what they are", () =>
  withRun(async (run) => {
    const images = { "one.png": goldenImage("rgb.png") }, box_unit = { from: "pixels", to: "thousandths" }; // 7 × 5
    for (
      const [box, want] of [
        ["[0, 0, 8, 5]", /box \[0, 0, 8, 5\] is not within its image \(7 × 5 pixels\)/],
        ["[-1, 0, 2, 5]", /box \[-1, 0, 2, 5\] is not within/],
        ["[2, 2, 2, 4]", /box \[2, 2, 2, 4\]/],
        ["[5, 4, 1, 1]", /box \[5, 4, 1, 1\]/],
        ["[NaN, 0, 1, 1]", /NaN|no box|box/],
        ["[0, 0, 1e999, 1]", /box/],
      ] as const
    ) {
      const answers = [`[{'Position': ${box}, 'Confidence': 1}]`];
      for (const answer of answers) {
        await assert.rejects(load(run, images, [row("one.png", { answer })], { box_unit }), (error: Error) => {
          assert(error instanceof RangeError, error.stack);
          assert.match(error.message, want, answer);
          return true;
        });
      }
    }
  }));

Deno.test("images of 16 bits, of printing colours and of one pixel are read by the model like any other", () =>
  withRun(async (run) => {
    const names = [
      "rgb_16_bits.png",
      "grey_16_bits.png",
      "alpha_16_bits.png",
      "cmyk.jpg",
      "one_pixel.png",
      "one_bit.png",
    ];
    const images = Object.fromEntries(names.map((name) => [name, goldenImage(name)]));
    const { tables } = await load(run, images, names.map((name, i) => row(name, { prompt: `Which ${i}?` })));
    await run.run("load_model", { model: modelFolder(run.folder, "qwen2_vl", { tokenizer: false }) });
    const prompts = (tables!.prompts!.objects() as { prompt: string }[]).map(({ prompt }) => prompt);
    assert.equal(new Set(prompts.flatMap(imagesIn)).size, names.length);
    const encoded = prompts.map((prompt) => run.policy.encodePrompt(prompt, 2));
    const rows = await run.policy.logprobs({ prompts: encoded, group: 1, completions: prompts.map(() => [5, 6]) }, 1);
    assert(rows.every((row) => row.every((x) => Number.isFinite(x) && x < 0)));
    assert.equal(new Set(rows.map(([first]) => first)).size, names.length, "each picture gives numbers of its own");
  }));

Deno.test("an image far longer than wide is named as the model's processor cuts it", () =>
  withRun(async (run) => {
    const { tables } = await load(run, { "strip.png": png(1, 300, 600) }, [row("strip.png")]);
    await run.run("load_model", { model: modelFolder(run.folder, "qwen2_vl", { tokenizer: false }) });
    const [prompt] = (tables!.prompts!.objects() as { prompt: string }[]).map(({ prompt }) => prompt);
    assert.throws(() => run.policy.encodePrompt(prompt!, 1), { name: "RangeError", message: /1 × 300|300 × 1/ });
  }));

Deno.test("a prompt of a table whose image is no id, or has more markers than images, is named when it is read", () =>
  withRun(async (run) => {
    await run.run("load_model", { model: modelFolder(run.folder, "qwen2_vl", { tokenizer: false }) });
    const prompt = (content: unknown[]) => JSON.stringify([{ role: "user", content }]);
    const text = { type: "text", text: "Which?" };
    // What is no id is read as the text that it is: no file is looked for.
    for (const image of ["../../etc/passwd", "/etc/passwd", "file:///etc/passwd", "", `${"0".repeat(32)}-0x1.png`]) {
      const asked = prompt([{ type: "image", image }, text]), ids = run.policy.encodePrompt(asked, 1);
      assert.equal(ids.images, undefined);
      assert.deepEqual([...ids], [...run.policy.tokenizer.encode(asked) as Int32Array], image);
    }
    const id = `${"0".repeat(32)}-28x28.png`;
    assert.throws(
      () =>
        run.policy.encodePrompt(prompt([{ type: "image", image: id }, { type: "text", text: "<|image_pad|>?" }]), 1),
      /Cannot read prompt .*: it has 1 image and 2 markers of images, want as many/,
    );
    const sequences = {
      prompts: [run.policy.encodePrompt(prompt([{ type: "image", image: id }, text]), 1)],
      group: 1,
      completions: [[5]],
    };
    await assert.rejects(run.policy.logprobs(sequences, 1), /Cannot find image 0+-28x28\.png: it is not in images/);
  }));

const BOX = "{'Position': [100, 100, 300, 300], 'Confidence': 0.9}";
/** Answers that nobody should give. */
const ANSWERS: Readonly<Record<string, string>> = {
  "nothing": "",
  "malformed JSON": "<answer>[{'Position': [100, 100, 300, </answer>",
  "no close": "<answer>[{'Position': [100, 100, 300, 300]",
  "10^5 boxes": `<answer>[${Array(1e5).fill(BOX).join(", ")}]</answer>`,
  "10^5 lists in each other": `<answer>${"[".repeat(1e5)}${"]".repeat(1e5)}</answer>`,
  "10^5 open braces": `<answer>${"{'a': ".repeat(1e5)}</answer>`,
  "nested tags": `${"<answer>".repeat(1000)}[${BOX}]${"</answer>".repeat(1000)}`,
  "crossed tags": `<think><answer>[${BOX}]</think></answer>`,
  "NaN": "<answer>[{'Position': [NaN, 100, 300, 300], 'Confidence': NaN}]</answer>",
  "infinite": "<answer>[{'Position': [1e999, 0, -1e999, 5], 'Confidence': 1e999}]</answer>",
  "swapped corners": "<answer>[{'Position': [300, 300, 100, 100], 'Confidence': 1}]</answer>",
  "no area": "<answer>[{'Position': [100, 100, 100, 100], 'Confidence': 1}]</answer>",
  "outside": "<answer>[{'Position': [-5000, -5000, 90000, 90000], 'Confidence': 1}]</answer>",
  "texts": "<answer>[{'Position': ['a', 'b', 'c', 'd'], 'Confidence': 'high'}]</answer>",
  "prototype": '<answer>[{"__proto__": {"Position": [1, 2, 3, 4]}, "constructor": 1}]</answer>',
  "half a character": "<answer>[\ud800]</answer>",
  "a digit 10^5 long": `<answer>[${"9".repeat(1e5)}, 0, 1, 1]</answer>`,
};
const VISUAL = Object.keys(REWARDS).filter((name) => name.startsWith("visual/"));

for (const compat of [false, true]) {
  Deno.test(`every visual reward gives a number for whatever is answered${compat ? ", as the original's" : ""}`, () =>
    withRun(async (run) => {
      const answer = `<answer>[${BOX}]</answer>`, texts = [answer, ...Object.values(ANSWERS)];
      run.tables.write({
        prompts: tableOfRows("prompts", [{ prompt_id: 0, prompt: "Find.", answer, split: "train" }]),
      }, "test");
      run.tables.advance();
      const completions = texts.map((text, sample) => ({
        prompt_id: 0,
        sample,
        text,
        completion_tokens: 9,
        truncated: false,
      }));
      run.tables.write({ completions: tableOfRows("completions", completions) }, "test");
      assert(VISUAL.length >= 7);
      await run.run("score_rewards", {
        rewards: VISUAL.map((uses) => ({
          uses,
          ...(compat ? { with: { compat: true } } : {}),
        })),
      });
      for (const uses of VISUAL) {
        const values = run.column<number | null>("completions", `reward.${uses}`);
        values.forEach((value, i) => {
          const what = `${uses} of ${["the right one", ...Object.keys(ANSWERS)][i]}`;
          assert(typeof value === "number" && Number.isFinite(value), `${what}: ${value}`);
          if (!compat) assert(value >= 0 && value <= 2, `${what}: ${value}`);
        });
        if (!compat && /iou|grounding/.test(uses)) {
          assert(values[0]! > 0.9, `${uses}: ${values[0]}`);
          for (const [i, name] of Object.keys(ANSWERS).entries()) {
            if (["nested tags", "crossed tags"].includes(name)) continue; // a box may be read out of them
            assert(values[i + 1]! < values[0]!, `${uses} of ${name}: ${values[i + 1]}`);
          }
        }
      }
    }));
}
