import assert from "node:assert/strict";
import { join } from "node:path";
import { renderChat } from "../../../data/hub/templates/chat_template.ts";
import { loadTokenizer } from "../../../data/hub/tokenizer.ts";
import { data } from "../../../workflows/cli/data.ts";
import { stdout } from "../../../workflows/terminal/terminal.ts";
import { inProcess } from "./in_process.ts";

const GOLDENS = new URL("../../goldens/datasets/", import.meta.url).pathname;

/** What the command prints. */
async function printed(words: string[], values: Record<string, unknown>): Promise<string> {
  const write = stdout.write;
  let text = "";
  stdout.write = (more: string) => void (text += more);
  try {
    assert.equal(await data.run(words, values as never), 0);
  } finally {
    stdout.write = write;
  }
  return text;
}

Deno.test("data prints what is in a folder, as JSON too", async () => {
  const found = JSON.parse(await printed([`${GOLDENS}saved_dict`], { json: true }));
  assert.deepEqual([found.rows, found.splits, found.use.convention], [6, { train: 4, held_out: 2 }, "GSM8K"]);
  const tokenizer = new URL("../../models/tokenizer", import.meta.url).pathname;
  assert.equal(JSON.parse(await printed([`${GOLDENS}saved`], { json: true, tokenizer })).unit, "tokens");
  assert.match(await printed([`${GOLDENS}types.parquet`], {}), /decimal/);
});

Deno.test("data says what cannot be read", async () => {
  await assert.rejects(printed([`${GOLDENS}hub`], {}), /it has 2 configurations: main, socratic; set config: main/);
  await assert.rejects(
    printed([`${GOLDENS}types.json.txt`], {}),
    /Cannot load rows from types\.json\.txt: want a file/,
  );
});

Deno.test("data counts conversations with the chat template, and shows them as role: text", async () => {
  const folder = await Deno.makeTempDir(), file = join(folder, "chat.jsonl"), bare = join(folder, "bare");
  const tokenizer = new URL("../../models/tokenizer", import.meta.url).pathname, own = loadTokenizer(tokenizer);
  const messages = [{ role: "user", content: "What is 1+1?" }, { role: "assistant", content: "2" }];
  await Deno.writeTextFile(file, JSON.stringify({ messages }));
  // The same tokenizer without its template.
  await Deno.mkdir(bare);
  for (const name of ["tokenizer.json", "tokenizer_config.json"]) {
    const text = await Deno.readTextFile(join(tokenizer, name));
    const { chat_template: _, ...kept } = JSON.parse(text);
    await Deno.writeTextFile(join(bare, name), JSON.stringify(kept));
  }
  const tokens = (text: string) => own.encode(text, { addSpecialTokens: false }).length;
  const lengths = async (tokenizer: string) => {
    const { lengths, chat_template } = JSON.parse(await printed([file], { json: true, tokenizer }));
    return [lengths.prompt.most, lengths["last message"].most, chat_template];
  };
  const options = { variables: own.specialTokens };
  const whole = renderChat(own.chatTemplate!, messages, options);
  const before = renderChat(own.chatTemplate!, messages.slice(0, 1), { ...options, addGenerationPrompt: true });
  assert(whole.startsWith(before));
  assert.deepEqual(await lengths(tokenizer), [tokens(before), tokens(whole.slice(before.length)), true]);
  assert.deepEqual(await lengths(bare), [tokens("What is 1+1?"), tokens("2"), false]);
  const text = await printed([file], { tokenizer });
  assert.match(text, /user: What is 1\+1\?.*assistant: 2/);
  assert.match(text, /Lengths in tokens, by the chat template/);
  assert.match(
    await printed([file], { tokenizer: bare }),
    /Lengths in tokens of the texts alone: there is no chat template/,
  );
  await Deno.remove(folder, { recursive: true });
});

Deno.test("the task data may read, see the environment, write a page and load decoders, and nothing else", async () => {
  const { tasks } = JSON.parse(await Deno.readTextFile(new URL("../../../deno.json", import.meta.url)));
  // The decoders of images, for --contact-sheet alone, are native.
  const want = ["--allow-read", "--allow-write", "--allow-env", "--allow-ffi", "--allow-sys"];
  assert.deepEqual(tasks.data.command.match(/--allow-\S+/g), want);
});

Deno.test("data says of a file without rows that there is nothing to read, exit 1", async () => {
  const path = await Deno.makeTempFile({ suffix: ".jsonl" });
  try {
    const { code, out } = await inProcess(["data", path]);
    assert.equal(code, 1);
    assert.match(out, /To read it\n {2}nothing: it has no rows\n/);
  } finally {
    await Deno.remove(path);
  }
});

Deno.test("data says how large images are, and writes a page that shows some of them with their boxes", async () => {
  const folder = await Deno.makeTempDir();
  try {
    const images = new URL("../../goldens/images/", import.meta.url).pathname, file = join(folder, "cats.jsonl");
    const rows = [
      { image: `${images}turned_6.jpg`, prompt: "Where <b>?", answer: "(1,2),(10,20)" },
      { image: `${images}rgb.png`, prompt: "And here?", answer: "(1,2),(10,20)" },
      { image: `${images}moving.gif`, prompt: "Now?", answer: "x" },
    ];
    await Deno.writeTextFile(file, rows.map((row) => JSON.stringify(row)).join("\n"));
    const found = JSON.parse(await printed([file], { json: true }));
    assert.deepEqual([found.images.columns, found.images.images, found.images.unreadable], [["image"], 2, 1]);
    assert.deepEqual([found.images.width.least, found.images.width.most], [7, 18]);
    assert.match(found.problems.first[0], /^row 3: Cannot read image .*moving\.gif: it is a GIF/);
    const out = join(folder, "sheet.html"),
      text = await printed([file], { "contact-sheet": out, "box-unit": "pixels" });
    assert.match(text, /Images of image in pixels: 2 in 2 rows\n +1 row whose images cannot be read/);
    assert.match(text, /image_column: image/);
    const page = await Deno.readTextFile(out);
    assert.match(page, /<rect class="box" x="1" y="2" width="9" height="18"\/>/);
    assert.match(page, /Where &lt;b&gt;\?/);
    assert.match(page, /box \[1, 2, 10, 20\] is not within its image \(7 × 5 pixels\)/);
    assert.equal(page.match(/class="box"/g)!.length, 1);
    assert.doesNotMatch(page, /https?:\/\//);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});

Deno.test("data sees images in a column of any name, and says that they and the splits must be named", async () => {
  const folder = await Deno.makeTempDir(), file = join(folder, "cats.jsonl");
  try {
    const image = new URL("../../goldens/images/rgb.png", import.meta.url).pathname;
    const row = { picture: image, split: "held_out", prompt: "Which?", answer: "a" };
    await Deno.writeTextFile(file, JSON.stringify(row));
    const text = await printed([file], {});
    assert.match(text, /Images of picture in pixels: 1 in 1 row/);
    assert.match(text, /^ +image_column: picture$[^]*^ +split_column: split$/m);
    assert.match(text, /# without image_column nothing reads column picture\n +# without split_column nothing reads/);
    const usual = { image, prompt: "Which?", answer: "a" };
    await Deno.writeTextFile(file, JSON.stringify(usual));
    assert.doesNotMatch(await printed([file], {}), /# without/);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});

Deno.test("data puts the unit that was said into the lines to paste, with the verifier of boxes", async () => {
  const folder = await Deno.makeTempDir(), file = join(folder, "cats.jsonl"), sheet = join(folder, "sheet.html");
  try {
    const image = new URL("../../goldens/images/rgb.png", import.meta.url).pathname;
    await Deno.writeTextFile(file, JSON.stringify({ photo: image, prompt: "Where?", answer: "[1, 1, 3, 4]" }));
    const text = await printed([file], { "contact-sheet": sheet, "box-unit": "pixels" });
    assert.match(text, /^ +verifier: boxes$/m);
    assert.match(text, /^ +box_unit: {"from":"pixels","to":"thousandths"}$/m);
    assert.doesNotMatch(await printed([file], {}), /box_unit/);
    await Deno.writeTextFile(file, JSON.stringify({ photo: image, prompt: "Which?", answer: "cat" }));
    assert.match(await printed([file], { "contact-sheet": sheet, "box-unit": "pixels" }), /^ +verifier: exact$/m);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});

Deno.test("data shows an image in Parquet as what it is, in JSON too", async () => {
  const file = `${GOLDENS}images.parquet`;
  assert.match(await printed([file], {}), /^ +image +image, [\d.]+ k?B/m);
  const { samples } = JSON.parse(await printed([file], { json: true }));
  assert.match(samples[0].image.bytes, /^image, [\d.]+ k?B$/);
});
