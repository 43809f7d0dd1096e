import assert from "node:assert/strict";
import { join } from "node:path";
import { openDataset } from "../../../data/datasets/open_dataset.ts";
import { survey } from "../../../data/preview/survey.ts";

type SurveyOptions = Parameters<typeof survey>[1];

/** What is found in files of these contents. */
async function found(files: Record<string, string>, options?: SurveyOptions) {
  const folder = await Deno.makeTempDir();
  try {
    for (const [name, text] of Object.entries(files)) await Deno.writeTextFile(join(folder, name), text);
    const [only, ...more] = Object.keys(files);
    return await survey(await openDataset(more.length > 0 ? folder : join(folder, only!)), options);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

const lines = (...rows: unknown[]) => rows.map((row) => JSON.stringify(row)).join("\n");

Deno.test("survey() counts columns, nulls, lengths, duplicates and leakage, and which verifier reads the answers", async () => {
  const bad = await found({
    "a.jsonl": lines(
      ...[1, 2].map((n) => ({
        data_source: "gsm8k",
        prompt: `${n}?`,
        reward_model: { ground_truth: n === 1 ? "1" : "one" },
      })),
    ),
  });
  assert.deepEqual(bad.problems.first, ['row 2: gsm8k cannot read "one"']);
  const row = (n: number) => ({ question: `${n}+1?`, answer: `It is ${n + 1}.\n#### ${n + 1}` });
  const read = await found({
    "train.jsonl": lines(row(1), row(2), row(2), { question: "3?", answer: null, extra: 1 }),
    "test.jsonl": lines(row(1), row(9)),
  }, { count: (text) => text.length * 10 });
  assert.deepEqual([read.rows, read.splits], [6, { held_out: 2, train: 4 }]);
  assert.deepEqual(read.columns.find(({ name }) => name === "answer"), {
    name: "answer",
    type: "text",
    nulls: 1,
    empty: 0,
  });
  assert.equal(read.columns.find(({ name }) => name === "extra")!.nulls, 5);
  assert.deepEqual(read.duplicates, { prompts: 1, across: 1 });
  assert.deepEqual([read.use?.convention, (read.use?.options as { verifier: string }).verifier], ["GSM8K", "gsm8k"]);
  assert.equal(read.unit, "tokens");
  assert.equal(read.lengths["prompt"]!.least, 20);
  assert.deepEqual([read.readable!.answers, read.readable!.by["gsm8k"], read.readable!.by["unit_tests"]], [6, 5, 0]);
  assert.deepEqual(read.problems, { count: 1, first: ["row 4 of train.jsonl: answer is missing"] });
});

Deno.test("survey() sees pairs that are the same, and the balance of labels", async () => {
  const pairs = await found({
    "a.jsonl": lines({ prompt: "p", chosen: "a", rejected: "b" }, { prompt: "q", chosen: "a", rejected: "a" }),
  });
  assert.deepEqual([pairs.use?.step, pairs.identicalPairs, pairs.problems.first], [
    "load_preferences",
    1,
    ["row 2: chosen and rejected are the same"],
  ]);
  const labelled = await found({ "a.csv": "prompt,completion,label\na,b,true\nc,d,0\ne,f,maybe\ng,,1\n" });
  assert.deepEqual(labelled.labels, { desirable: 2, undesirable: 1 });
  assert.equal(labelled.problems.count, 2);
});

Deno.test("survey() says why nothing is recognised", async () => {
  assert.match((await found({ "a.csv": "text\nx\n" })).unclear!, /no usual columns/);
  assert.match((await found({ "a.csv": "problem,answer,solution\nx,1,2\n" })).unclear!, /can be read in 2 ways/);
  assert.match((await found({ "a.csv": "text\n" })).unclear!, /no rows/);
});

Deno.test("survey() counts messages by the chat template where there is one, and says of which row it refuses them", async () => {
  const turn = (role: string, content: string) => ({ role, content });
  const text = lines(
    { messages: [turn("user", "1+1?"), turn("assistant", "2")] },
    { messages: [turn("user", "1+22?"), turn("assistant", "23")] },
    { messages: [turn("tool", "x"), turn("assistant", "2")] },
  );
  const count = (text: string) => text.length;
  const plain = await found({ "a.jsonl": text }, { count });
  assert.deepEqual([plain.chat_template, plain.lengths["prompt"]!.most, plain.lengths["last message"]!.most], [
    false,
    5,
    2,
  ]);
  const chat = await found({ "a.jsonl": text }, {
    count,
    countChat(messages, before) {
      const roles = [...before ?? [], ...messages].map((message) => (message as { role: string }).role);
      if (roles.includes("tool")) throw new SyntaxError("no tools here");
      return before === null ? 100 + messages.length : 1000 * before.length + messages.length;
    },
  });
  assert.deepEqual([chat.chat_template, chat.lengths["prompt"]!.least, chat.lengths["prompt"]!.most], [true, 101, 101]);
  assert.deepEqual(chat.lengths["last message"]!.most, 1001);
  assert.deepEqual(chat.problems, { count: 2, first: ["row 3: no tools here", "row 3: no tools here"] });
  assert.equal((await found({ "a.jsonl": text })).chat_template, null);
  const texts = lines({ question: "1+1?", answer: "2" });
  assert.equal((await found({ "a.jsonl": texts }, { count, countChat: () => 9 })).chat_template, null);
});

Deno.test("survey() says of annotations of images which of them are bad, and goes on", async () => {
  const file = (bbox: readonly number[]) => ({
    "a.json": JSON.stringify({
      images: [{ id: 1, file_name: "a.png", width: 10, height: 20 }],
      annotations: [{ id: 4, image_id: 1, category_id: 2, bbox }, {
        id: 5,
        image_id: 1,
        category_id: 3,
        bbox: [0, 0, 5, 5],
      }],
      categories: [{ id: 2, name: "dog" }, { id: 3, name: "cat" }],
    }),
  });
  const good = await found(file([0, 0, 1, 1]));
  assert.deepEqual([good.rows, good.format, good.use?.convention], [2, "annotations", "annotations of images"]);
  assert.deepEqual([good.problems.count, good.readable], [0, null]);
  const golden = new URL("../../goldens/datasets/annotations/coco.json", import.meta.url).pathname;
  assert.deepEqual((await survey(await openDataset(golden))).duplicates, { prompts: 0, across: 0 });
  const bad = await found(file([0, 0, 1]));
  assert.deepEqual([bad.rows, bad.problems.count], [2, 1]);
  assert.equal(
    bad.problems.first[0],
    '"dog" in image 1: annotation 4 has bbox [0,0,1], want [x, y, width, height] in pixels',
  );
});

Deno.test("survey() takes a prompt with its image for the same only where the image is", async () => {
  const [a, b] = ["rgb.png", "turned_6.jpg"].map((name) =>
    new URL(`../../goldens/images/${name}`, import.meta.url).pathname
  );
  const rows = [a, b, a].map((image) => ({ image, prompt: "Where?", answer: "[1, 2, 3, 4]" }));
  assert.deepEqual((await found({ "a.jsonl": lines(...rows) })).duplicates, { prompts: 1, across: 0 });
  const gone = rows.map((row, i) => ({ ...row, image: `/gone/${i}.png` }));
  assert.deepEqual((await found({ "a.jsonl": lines(...gone) })).duplicates, { prompts: 0, across: 0 });
});
