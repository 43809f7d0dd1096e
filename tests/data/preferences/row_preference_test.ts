import assert from "node:assert/strict";
import { PREFERENCE_COLUMNS } from "../../../data/datasets/conventions.ts";
import { PreferenceCollector, readingOfPreferences } from "../../../data/preferences/file_preferences.ts";

function read(rows: Record<string, unknown>[], lines?: number[]) {
  const columns = [...new Set(rows.flatMap((row) => Object.keys(row)))];
  const splits = { train: 1, validation: 0, held_out: 0 };
  const reading = readingOfPreferences(rows, columns, "p.jsonl", PREFERENCE_COLUMNS);
  const collector = new PreferenceCollector(reading, { file: "p.jsonl", order: "file", splits });
  const place = (i: number) => `row ${i + 1}`;
  collector.add({ rows, columns, split: null, place, ...(lines && { lines }) }, true);
  const found = collector.end();
  return { form: found.form, rows: found.rows.map(({ split: _split, line: _line, ...row }) => row) };
}
const user = { role: "user", content: "Sky?" }, blue = { role: "assistant", content: "Blue." };
const green = { role: "assistant", content: "Green." };

Deno.test("rowPreference() reads pairs with a prompt of their own, texts or messages", () => {
  assert.deepEqual(read([{ prompt: "Sky?", chosen: " Blue", rejected: " Green", more: 1 }]), {
    form: "pairs",
    rows: [{ prompt: "Sky?", chosen: " Blue", rejected: " Green" }],
  });
  assert.deepEqual(read([{ prompt: [user], chosen: [blue], rejected: [green] }]).rows[0], {
    prompt: JSON.stringify([user]),
    chosen: JSON.stringify([blue]),
    rejected: JSON.stringify([green]),
  });
});

Deno.test("rowPreference() takes the common beginning as the prompt where there is none, as TRL does", () => {
  assert.deepEqual(read([{ chosen: "The sky is blue.", rejected: "The sky is green." }]).rows[0], {
    prompt: "The sky is",
    chosen: " blue.",
    rejected: " green.",
  });
  // Characters, not their halves: both begin with \ud83d.
  assert.equal(read([{ chosen: "So 😀", rejected: "So 😁" }]).rows[0]!.prompt, "So");
  assert.deepEqual(read([{ chosen: [user, blue], rejected: [user, green] }]).rows[0], {
    prompt: JSON.stringify([user]),
    chosen: JSON.stringify([blue]),
    rejected: JSON.stringify([green]),
  });
});

Deno.test("rowPreference() reads labelled completions, labels in the forms files have them", () => {
  const labels = [true, 0, "True", "0"];
  const { form, rows } = read(labels.map((label) => ({ prompt: "p", completion: "c", label })));
  assert.equal(form, "unpaired");
  assert.deepEqual(rows.map((row) => "label" in row && row.label), [true, false, true, false]);
});

Deno.test("rowPreference() says which line is wrong, and how", () => {
  const pair = { prompt: "p", chosen: "a", rejected: "b" };
  const picture = { type: "image", image: `${"0".repeat(32)}-4x4.png` };
  const cases: [Record<string, unknown>, RegExp][] = [
    [{ ...pair, chosen: "" }, /Cannot load preferences from p.jsonl:7: chosen is empty, want a text/],
    [{ ...pair, rejected: 5 }, /p.jsonl:7: rejected is 5, want a text or a list of messages/],
    [{ ...pair, chosen: [blue] }, /a text and a list of messages, want two of a kind/],
    [{ ...pair, prompt: "" }, /prompt is empty/],
    [{ ...pair, prompt: JSON.stringify([{ role: "user", content: [picture] }]) }, /p.jsonl:7: prompt shows an image/],
    [{ prompt: [{ role: "user", content: [picture] }], chosen: [blue], rejected: [green] }, /prompt shows an image/],
    [
      { prompt: [user], chosen: [{ role: "assistant", content: [picture] }], rejected: [green] },
      /chosen shows an image/,
    ],
    [{ ...pair, prompt: [user, blue] }, /prompt: its list ends with the assistant's message/],
    [{ chosen: "a", rejected: "a" }, /are the same and there is no prompt/],
    [{ chosen: "xa", rejected: "b" }, /have no common beginning, want a prompt/],
    [{ chosen: 1, rejected: 2 }, /is no text and no list of messages/],
    [{ prompt: "p", completion: "c", label: "maybe" }, /p.jsonl:7: label is "maybe", want true or false/],
    [{ prompt: "p", completion: [{ role: "x" }], label: true }, /completion: message 1 of its list is/],
  ];
  for (const [row, message] of cases) assert.throws(() => read([row], [7]), message, JSON.stringify(row));
  assert.throws(() => read([{ ...pair, chosen: "" }]), /from p.jsonl, row 1: chosen is empty/);
  assert.throws(() => read([]), /it has no rows/);
  assert.throws(() => read([{ prompt: "p", choosen: "a", rejected: "b" }]), /did you mean "choosen"/);
});

Deno.test("rowPreference() refuses to drop a column that looks like the prompt, and takes one the texts begin with", () => {
  const sum = { question: "3+4?", chosen: "The answer is 7", rejected: "The answer is 10" };
  assert.equal(read([sum]).rows[0]!.prompt, "3+4?");
  const two = { ...sum, question: "3+4?", query: "add" };
  assert.throws(
    () => read([two], [3]),
    /p\.jsonl: its prompt can be in question or query; set prompt_column: question/,
  );
  assert.equal(read([{ Question: "3+4?", chosen: "7", rejected: "10" }]).rows[0]!.prompt, "3+4?");
  // Beyond the rows by which columns are recognised.
  const begin = { question: "", chosen: "It is 7", rejected: "It is 10" };
  assert.throws(
    () => read([...Array(100).fill(begin), { ...begin, question: "3+4?" }]),
    /row 101: it has no prompt, and nothing reads its column question, want the prompt; set prompt_column: question/,
  );
  const inside = { question: "3+4?", chosen: "3+4? It is 7", rejected: "3+4? It is 10" };
  assert.equal(read([inside]).rows[0]!.prompt, "3+4? It is");
  const listed = { question: "Sky?", chosen: [user, blue], rejected: [user, green] };
  assert.equal(read([listed]).rows[0]!.prompt, JSON.stringify([user]));
  for (const question of [null, "", 5]) assert.equal(read([{ ...sum, question }]).rows[0]!.prompt, "The answer is");
});

Deno.test("rowPreference() refuses half a character, in texts and in messages", () => {
  const pair = { prompt: "a", chosen: "b", rejected: "c" }, half = "x\ud800";
  for (const column of ["prompt", "chosen", "rejected"]) {
    assert.throws(() => read([pair, { ...pair, [column]: half }]), {
      message: new RegExp(`row 2: ${column} holds a lone surrogate`),
    });
  }
  const prompt = [{ role: "user", content: half }];
  assert.throws(() => read([{ prompt, chosen: [blue], rejected: [green] }]), {
    message: /prompt: message 1 of its list holds a lone surrogate/,
  });
});

Deno.test("rowPreference() reads whole conversations beside their prompt, and LLaMA-Factory's pairs", () => {
  const turn = (role: string, content: string) => ({ role, content });
  const chosen = [turn("user", "Sky?"), turn("assistant", "Blue.")];
  const rejected = [turn("user", "Sky?"), turn("assistant", "Green.")];
  const whole = read([{ prompt: "Sky?", prompt_id: "1", chosen, rejected, score_chosen: 9 }]).rows[0]!;
  const factory = read([{
    conversations: [{ from: "human", value: "Sky?" }],
    chosen: { from: "gpt", value: "Blue." },
    rejected: { from: "gpt", value: "Green." },
  }]).rows[0]!;
  for (const row of [whole, factory]) {
    assert.deepEqual(row, {
      prompt: JSON.stringify([turn("user", "Sky?")]),
      chosen: JSON.stringify([turn("assistant", "Blue.")]),
      rejected: JSON.stringify([turn("assistant", "Green.")]),
    });
  }
});
