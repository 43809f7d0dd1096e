import assert from "node:assert/strict";
import { makeTokenizer } from "../../../data/hub/tokenizer.ts";
import { renderChat } from "../../../data/hub/templates/chat_template.ts";
import { TASKS } from "../../../data/tasks/mod.ts";
import { visionTokenIds, visualFiles } from "../../../steps/resources/visual_tokenizer.ts";

const VISION = { patch_size: 14, spatial_merge_size: 2, temporal_patch_size: 2 };
const files = visualFiles(VISION), tokenizer = makeTokenizer(files, "test");
const END = "<|im_end|>", PAD = "<|image_pad|>";

/** A prompt of one picture of 56 x 56 pixels as the model reads it, its four places filled in. */
function prompt(text: string): string {
  const messages = [{ role: "user", content: [{ type: "image", image: "x" }, { type: "text", text }] }];
  return renderChat(tokenizer.chatTemplate!, messages, { addGenerationPrompt: true }).replace(PAD, PAD.repeat(4));
}

const pieces = (text: string) => tokenizer.encode(text).map((id) => tokenizer.idToToken(id));

Deno.test("the chat template is Qwen2-VL's without a system message, for parts and for plain texts", () => {
  assert.equal(
    prompt("Find all 7s."),
    `<|im_start|>user\n<|vision_start|>${PAD.repeat(4)}<|vision_end|>Find all 7s.<|im_end|>\n<|im_start|>assistant\n`,
  );
  const messages = [{ role: "user", content: "a" }, { role: "assistant", content: "b" }];
  assert.equal(
    renderChat(tokenizer.chatTemplate!, messages),
    "<|im_start|>user\na<|im_end|>\n<|im_start|>assistant\nb<|im_end|>\n",
  );
});

Deno.test("prompts and answers are as short as in the recipe", () => {
  const box = (...edges: number[]) => `{'Position': [${edges.join(", ")}], 'Confidence': 0.7}`;
  const answer = (...boxes: string[]) => `<answer>[${boxes.join(", ")}]</answer>${END}`;
  const cases: [string, number][] = [
    [prompt("What digit is this?"), 13],
    [`<think>look</think><answer>7</answer>${END}`, 7],
    [prompt("Find all 7s."), 15],
    [answer(box(0, 100, 1000, 580)), 14],
    [answer(box(0, 100, 1000, 580), box(20, 40, 280, 300)), 24],
    [answer(box(0, 100, 1000, 580), box(20, 40, 280, 300), box(700, 0, 980, 200)), 34],
    [prompt("Where is the 7?"), 15],
    [`(120,200),(340,460)${END}`, 10],
    [`<answer>No Objects</answer>${END}`, 4],
  ];
  for (const [text, tokens] of cases) {
    const ids = tokenizer.encode(text);
    assert.equal(ids.length, tokens, pieces(text).join("|"));
    assert.equal(tokenizer.decode(ids, { skipSpecialTokens: false }), text);
  }
});

Deno.test("every prompt and answer of the visual tasks is that short, and comes back", () => {
  const small = { train_scenes: 300, validation_scenes: 1, held_out_scenes: 1, digits: 3 };
  for (
    const [name, given, asked] of [
      ["visual_classification", { shots: 1, augmentations: 0 }, 13],
      ["visual_detection", small, 15],
      ["visual_grounding", small, 15],
    ] as const
  ) {
    const task = TASKS[name];
    for (const { prompt: text, answer } of task.rows(task.params.parse(given) as never)) {
      assert.equal(tokenizer.encode(prompt(text)).length, asked, text);
      const ids = tokenizer.encode(answer), boxes = answer.split("Position").length - 1;
      const want = { visual_classification: 6, visual_detection: 3 + 10 * boxes, visual_grounding: 9 }[name];
      assert.equal(ids.length, want, answer);
      assert.equal(tokenizer.decode(ids), answer);
    }
  }
});

Deno.test("coordinates and confidences are one token each; 0 is the digit's, in whatever place", () => {
  for (let value = 0; value <= 1000; value += 20) assert.equal(tokenizer.encode(String(value)).length, 1, `${value}`);
  for (let tenth = 0; tenth <= 10; tenth++) assert.equal(tokenizer.encode((tenth / 10).toFixed(1)).length, 1);
  const [zero] = tokenizer.encode("0");
  assert.equal(tokenizer.encode("[{'Position': [0, 0, 20, 20]")[1], zero);
  assert.equal(tokenizer.encode("Find all 0s.")[1], zero);
  assert.deepEqual(["1000", "100", "200.5", "0.55"].map((text) => tokenizer.encode(text).length), [1, 1, 3, 2]);
});

Deno.test("any other text comes back, byte for byte", () => {
  const texts = [
    "",
    "1010 and 0.05, s.s.",
    "looks (3),(4)",
    "é 😀 漢字",
    "What digit is that?",
    "{'Position': [1",
    "user\n\nuser",
  ];
  for (const text of texts) assert.equal(tokenizer.decode(tokenizer.encode(text)), text);
});

Deno.test("tokens for pictures, padding and the end are special; tags and numbers are text", () => {
  assert.equal(tokenizer.vocabSize, 342);
  const special = ["<|endoftext|>", END, "<|im_start|>", "<|vision_start|>", "<|vision_end|>", PAD, "<|video_pad|>"];
  assert.deepEqual([...tokenizer.specialIds], special.map((text) => tokenizer.tokenToId(text)));
  assert.deepEqual(tokenizer.eosIds, [tokenizer.tokenToId(END)]);
  assert.equal(tokenizer.padId, tokenizer.tokenToId("<|endoftext|>"));
  assert.equal(tokenizer.decode(tokenizer.encode("<think>look</think>")), "<think>look</think>");
  const named = ["image_pad", "video_pad", "vision_start", "vision_end"].map((name) =>
    tokenizer.tokenToId(`<|${name}|>`)
  );
  const { image_token_id, video_token_id, vision_start_token_id, vision_end_token_id } = visionTokenIds(tokenizer);
  assert.deepEqual([image_token_id, video_token_id, vision_start_token_id, vision_end_token_id], named);
});

Deno.test("preprocessor_config.json stands beside the tokenizer's files, with the sizes of the vision tower", () => {
  const read = (from: ReadonlyMap<string, string>) => JSON.parse(from.get("preprocessor_config.json")!);
  const { min_pixels, max_pixels, patch_size, merge_size, temporal_patch_size, resample } = read(tokenizer.files);
  assert.deepEqual([min_pixels, max_pixels, resample], [3136, 12544, 3]);
  assert.deepEqual([patch_size, merge_size, temporal_patch_size], [14, 2, 2]);
  assert.deepEqual([read(visualFiles({ patch_size: 7 })).patch_size, read(visualFiles({})).patch_size], [7, 14]);
});
