import assert from "node:assert/strict";
import {
  type FilePromptOptions,
  filePrompts as promptsOf,
  PromptCollector,
} from "../../../../data/tasks/rows/file_prompts.ts";
import { hashOrder, splitOf } from "../../../../data/datasets/split.ts";

const OPTIONS = {
  file: "mine.csv",
  prompt_column: "prompt",
  answer_column: "answer",
  columns: [],
  verifier: "exact",
  splits: { train: 0.5, validation: 0.25, held_out: 0.25 },
};

/** Of rows whose columns are their keys. */
const filePrompts = (rows: readonly Record<string, unknown>[], options: FilePromptOptions) =>
  promptsOf({ rows, columns: [...new Set(rows.flatMap(Object.keys))] }, options);

Deno.test("filePrompts() takes the named columns, splits by the prompt and keeps further columns", () => {
  const rows = [{ q: "2+2", a: 4, level: 1, other: "x" }, { q: "3+3", a: 6, level: 2, other: "y" }];
  const options = { ...OPTIONS, prompt_column: "q", answer_column: "a", columns: ["level"], verifier: "numeric" };
  assert.deepEqual(filePrompts(rows, options), {
    rows: [["2+2", "4", 1], ["3+3", "6", 2]].map(([prompt, answer, level]) => ({
      prompt,
      answer,
      split: splitOf(String(prompt), OPTIONS.splits),
      verifier: "numeric",
      difficulty: null,
      columns: { level },
    })),
    duplicates: 0,
    unreadable: 0,
  });
});

Deno.test("filePrompts() leaves a repeated row out, so that no prompt lies in two splits", () => {
  const { rows, duplicates } = filePrompts([{ prompt: "a", answer: "1" }, { prompt: "a", answer: "1" }], OPTIONS);
  assert.equal(rows.length, 1);
  assert.equal(duplicates, 1);
});

Deno.test("filePrompts() reads the split from a column, by the names of other projects too", () => {
  const rows = ["train", "TEST", "dev", "held_out"].map((split, i) => ({ prompt: `p${i}`, answer: "1", split }));
  const loaded = filePrompts(rows, { ...OPTIONS, split_column: "split" }).rows;
  assert.deepEqual(loaded.map(({ split }) => split), ["train", "held_out", "validation", "held_out"]);
});

Deno.test("filePrompts() names what is wrong with a file", () => {
  const row = { prompt: "a", answer: "1", split: "train" };
  const cases: [Record<string, unknown>[], Record<string, unknown>, RegExp][] = [
    [[], {}, /^RangeError: Cannot load prompts from mine.csv: it has no rows$/],
    [[row, { ...row, prompt: "b\ud800" }], {}, /the prompt of row 2 holds a lone surrogate/],
    [[{ ...row, answer: "\udc00" }], {}, /the answer of row 1 holds a lone surrogate/],
    [
      [row],
      { answer_column: "anser" },
      /no column "anser" \(option answer_column\); did you mean "answer"\? Known: prompt, answer/,
    ],
    [[row], { columns: ["level"] }, /no column "level" \(option columns\)/],
    [[row, { prompt: "", answer: "1" }], {}, /row 2 has no prompt/],
    [
      [row, { prompt: "b", answer: null }],
      {},
      /row 2 has no answer; remove it, set verifier: none .*, or set unreadable: skip/,
    ],
    [[row, { ...row, answer: "2" }], {}, /rows 1 and 2 have the same prompt and different answers; remove one/],
    [
      [row, { ...row, split: "test" }],
      { split_column: "split" },
      /rows 1 and 2 have the same prompt and different splits/,
    ],
    [[{ ...row, split: "trian" }], { split_column: "split" }, /row 1 has split "trian", want train, /],
    [[{ ...row, split: "x".repeat(5e6) }], { split_column: "split" }, /^.{1,60}row 1 has split "x{79}…x{20}", want/],
  ];
  for (const [rows, options, message] of cases) {
    assert.throws(() => filePrompts(rows, { ...OPTIONS, ...options }), message);
  }
  assert.equal(filePrompts([{ prompt: "b", answer: null }], { ...OPTIONS, verifier: "none" }).rows[0]!.answer, "");
});

Deno.test("filePrompts() keeps a list of messages for the chat template, and refuses what is no conversation to answer", () => {
  const messages = [{ role: "system", content: "Be brief." }, {
    content: [{ type: "text", text: "1+1?" }],
    role: "user",
  }];
  const [row] = filePrompts([{ prompt: messages, answer: "2" }], OPTIONS).rows;
  assert.equal(row!.prompt, '[{"role":"system","content":"Be brief."},{"role":"user","content":"1+1?"}]');
  for (
    const [prompt, says] of [
      [[], /the prompt of row 1: its list of messages is empty/],
      [["1+1?"], /message 1 of its list is "1\+1\?", want \{ role, content \}/],
      [[{ role: "user", content: [{ type: "image" }] }], /message 1 of its list is .*image/],
      [[...messages, { role: "assistant", content: "2" }], /ends with the assistant's message/],
    ] as const
  ) assert.throws(() => filePrompts([{ prompt, answer: "2" }], OPTIONS), says);
});

Deno.test("filePrompts() reads conversations: the last message answers those before", () => {
  const options = { ...OPTIONS, messages_column: "messages", verifier: "none" };
  const user = { role: "user", content: "1+1?" }, two = { role: "assistant", content: "2" };
  const more = [user, two, { role: "user", content: "Sure?" }, { role: "assistant", content: "Yes." }];
  const { rows } = filePrompts([{ messages: [user, two] }, { messages: JSON.stringify(more) }], options);
  assert.deepEqual(rows.map(({ prompt, answer }) => [prompt, answer]), [
    [JSON.stringify([user]), JSON.stringify([two])],
    [JSON.stringify(more.slice(0, 3)), JSON.stringify(more.slice(3))],
  ]);
  for (
    const [messages, says] of [
      [
        [user],
        /the conversation of row 1: its last message is the user's, which no assistant's answers, want a list of two/,
      ],
      [[two], /want a list of two messages or more/],
      ["1+1?", /the conversation of row 1: .*JSON/],
      [null, /the conversation of row 1: it is null, want a list of messages/],
      [[{ role: "user" }, two], /message 1 of its list is/],
    ] as const
  ) assert.throws(() => filePrompts([{ messages }], options), says);
  assert.throws(() => filePrompts([{ prompt: "a" }], options), /no column "messages" \(option messages_column\)/);
});

/** A row as verl's examples prepare GSM8K. */
const verlRow = (i: number) => ({
  data_source: "openai/gsm8k",
  prompt: [{ role: "user", content: `${i}+1?` }],
  reward_model: { style: "rule", ground_truth: `${i + 1}` },
  extra_info: { index: i },
});

Deno.test("filePrompts() reads fields of objects by dotted paths, for the answer and further columns", () => {
  const options = { ...OPTIONS, answer_column: "reward_model.ground_truth", columns: ["extra_info.index"] };
  const { rows } = filePrompts([verlRow(1), verlRow(2)], options);
  assert.deepEqual(rows.map(({ answer, columns }) => [answer, columns]), [
    ["2", { "extra_info.index": 1 }],
    ["3", { "extra_info.index": 2 }],
  ]);
});

Deno.test("filePrompts() takes no whole object for an answer, and names its fields", () => {
  const own = (answer_column: string) => () => filePrompts([verlRow(1)], { ...OPTIONS, answer_column });
  assert.throws(
    own("reward_model"),
    /the answer of row 1: column "reward_model" holds an object, .*: reward_model\.style, reward_model\.ground_truth$/,
  );
  assert.throws(
    own("reward_model.ground_thruth"),
    /no column "reward_model\.ground_thruth" \(option answer_column\); did you mean "reward_model\.ground_truth"/,
  );
  assert.throws(
    () => filePrompts([verlRow(1)], { ...OPTIONS, prompt_column: "extra_info", answer_column: "data_source" }),
    /the prompt of row 1: column "extra_info" holds an object, .*its field: extra_info\.index$/,
  );
});

Deno.test("filePrompts() takes an object for an answer where the verifier reads JSON", () => {
  const tests = { fn_name: "f", inputs: [[1]], outputs: [2] };
  const read = (answer: unknown, verifier: string) =>
    filePrompts([{ prompt: "p", answer }], { ...OPTIONS, verifier }).rows;
  assert.equal(read({ type: "object" }, "json_schema")[0]!.answer, '{"type":"object"}');
  assert.deepEqual(JSON.parse(read(tests, "unit_tests")[0]!.answer), tests);
  assert.throws(
    () => read(["assert f(1) == 2"], "unit_tests"),
    /row 1: .* holds no tests: it is a list; want \{"fn_name"/,
  );
  assert.throws(() => read(tests, "exact"), /holds an object, want a text/);
});

Deno.test("filePrompts() reads rows without answers where none is wanted, and says so where one is missing", () => {
  const only = [{ prompt: "a" }, { prompt: "b" }];
  const { rows } = filePrompts(only, { ...OPTIONS, answer_column: null, verifier: "none" });
  assert.deepEqual(rows.map(({ prompt, answer }) => [prompt, answer]), [["a", ""], ["b", ""]]);
  assert.throws(() => filePrompts(only, OPTIONS), /no column "answer".*set answer_column: null and verifier: none/);
});

Deno.test("filePrompts() names the row whose answer the verifier cannot read, or leaves it out and counts it", () => {
  const rows = [{ prompt: "1+1?", answer: "1+1=2\n#### 2" }, { prompt: "2+2?", answer: "four" }];
  const options = { ...OPTIONS, verifier: "gsm8k" };
  assert.throws(
    () => filePrompts(rows, options),
    /mine\.csv: row 2: verifier "gsm8k" cannot read its answer: "four" has no single number .*set unreadable: skip/,
  );
  const read = filePrompts(rows, { ...options, unreadable: "skip" });
  assert.deepEqual([read.rows.length, read.unreadable], [1, 1]);
  const empty = [rows[0]!, { prompt: null, answer: "2" }, { prompt: "3+3?", answer: null }];
  assert.throws(() => filePrompts(empty, options), /row 2 has no prompt; remove it, or set unreadable: skip to leave/);
  const { rows: kept, unreadable } = filePrompts(empty, { ...options, unreadable: "skip" });
  assert.deepEqual([kept.length, unreadable], [1, 2]);
  assert.throws(
    () => filePrompts(rows.slice(1), { ...options, unreadable: "skip" }),
    /none of its 1 rows has a prompt, and an/,
  );
});

Deno.test("filePrompts() keeps little more than the limit, and those that the order by hash puts first", () => {
  const rows = Array.from({ length: 30_000 }, (_, i) => ({ prompt: `p${i}`, answer: String(i) }));
  const all = filePrompts(rows, OPTIONS).rows, few = filePrompts(rows, { ...OPTIONS, limit: 100 }).rows;
  assert(few.length < 11_000);
  const first = (list: typeof all) => hashOrder(list, ({ prompt }) => prompt).slice(0, 100).map(({ prompt }) => prompt);
  assert.deepEqual(first(few), first(all));
});

Deno.test("PromptCollector stops at a row that its reader found damaged, or leaves it out and counts it", () => {
  const batch = {
    rows: [{ prompt: "a", answer: "1" }, { prompt: "b", answer: "2" }, {}],
    columns: ["prompt", "answer"],
    split: null,
    place: (i: number) => `image ${i}`,
    problems: [null, "annotation 4 has no bbox", "annotation 5 is null"],
  };
  const collected = (unreadable: "stop" | "skip") => {
    const collector = new PromptCollector({ ...OPTIONS, unreadable });
    collector.add(batch);
    return collector.end();
  };
  assert.throws(
    () => collected("stop"),
    /^RangeError: Cannot load prompts from mine.csv: image 1: annotation 4 has no bbox; mend it, or set unreadable: skip/,
  );
  const { rows, unreadable } = collected("skip");
  assert.deepEqual([rows.map(({ prompt }) => prompt), unreadable], [["a"], 2]);
});
