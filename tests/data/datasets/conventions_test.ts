import assert from "node:assert/strict";
import { DETECTION_COLUMNS } from "../../../data/datasets/detection/detection_options.ts";
import { ANNOTATED, promptColumns, verifierOf } from "../../../data/datasets/conventions.ts";
import type { Row } from "../../../data/datasets/row_batch.ts";

const read = (row: Row, given = {}) => promptColumns([row], Object.keys(row), given);
const turn = (role: string, content: string) => ({ role, content });

Deno.test("promptColumns() recognises the conventions of others", () => {
  const chat = [turn("user", "hi"), turn("assistant", "ho")];
  const cases: [Row, Record<string, unknown>][] = [
    [{ messages: chat, id: 1 }, { convention: "chat", messages_column: "messages", verifier: "none" }],
    [{ conversations: [{ from: "human", value: "hi" }, { from: "gpt", value: "ho" }] }, {
      messages_column: "conversations",
    }],
    [{ conversation: JSON.stringify(chat) }, { messages_column: "conversation" }],
    [{ prompt: "p", messages: chat }, { messages_column: "messages" }],
    [{ messages: [turn("user", "1+1?")], answer: "so\n#### 2" }, {
      convention: "GSM8K",
      prompt_column: "messages",
      answer_column: "answer",
      verifier: "gsm8k",
    }],
    [{ prompt: [turn("user", "1+1?")], answer: "-1,200.5" }, { convention: "prompt, answer", verifier: "gsm8k" }],
    [{ prompt: [turn("user", "who?")], answer: "Ann" }, { verifier: "exact" }],
    [{ messages: chat, solution: "\\boxed{2}" }, { convention: "chat", messages_column: "messages" }],
    [{ prompt: "p", completion: "c" }, { prompt_column: "prompt", answer_column: "completion", verifier: "exact" }],
    [{ question: "1+1?", answer: "1+1=2\n#### 2" }, {
      convention: "GSM8K",
      prompt_column: "question",
      verifier: "gsm8k",
    }],
    [{ problem: "x", solution: "so \\boxed{2}" }, { convention: "MATH", answer_column: "solution", verifier: "boxed" }],
    [{ instruction: "i", input: "", output: "o" }, {
      prompt_column: "instruction",
      input_column: "input",
      answer_column: "output",
    }],
    [
      {
        data_source: "openai/gsm8k",
        prompt: [turn("user", "1+1?")],
        reward_model: { ground_truth: "2" },
        extra_info: { answer: "2" },
      },
      { convention: "verl", prompt_column: "prompt", answer_column: "reward_model.ground_truth", verifier: "gsm8k" },
    ],
    [
      { question: "q", choices: ["a", "b"], answer: 1 },
      { verifier: "multiple_choice", verifier_options: { choices_column: "choices" }, columns: ["choices"] },
    ],
    [{ prompt: "p", answer: '{"fn_name":"f","inputs":[[]],"outputs":[1]}' }, { verifier: "unit_tests" }],
  ];
  for (const [row, want] of cases) {
    const found = read(row) as unknown as Record<string, unknown>;
    for (const [name, value] of Object.entries(want)) assert.deepEqual(found[name], value, JSON.stringify(row));
  }
  assert.equal(read({ text: "x" }), null);
  assert.equal(read({ prompt: "p" }), null);
});

Deno.test("promptColumns() refuses what can be read in two ways, and explicit options decide", () => {
  const row = { problem: "p", solution: "s", answer: "a" };
  assert.throws(
    () => read(row),
    /read in 2 ways: prompt_column: problem with answer_column: answer; or .*solution; set those/,
  );
  assert.equal(read(row, { answer_column: "answer" })?.answer_column, "answer");
  const both = { messages: [turn("user", "hi")], prompt: "p", answer: "a" };
  assert.throws(
    () => read(both),
    /prompt_column: prompt with answer_column: answer; or prompt_column: messages with answer_column: answer/,
  );
  assert.equal(read(both, { prompt_column: "prompt" })?.answer_column, "answer");
});

Deno.test("promptColumns() knows the rows that annotations of images became, by all their columns", () => {
  const found = promptColumns([], DETECTION_COLUMNS, {});
  assert.deepEqual(found, {
    convention: ANNOTATED,
    prompt_column: "prompt",
    answer_column: "answer",
    split_column: "split",
    verifier: "none",
    columns: ["image_id", "category", "category_split"],
  });
  const row = { prompt: "p", answer: "a", image: "a.png", split: "train" };
  assert.equal(promptColumns([row], Object.keys(row), {})?.convention, "prompt, answer");
});

Deno.test("verifierOf() follows most of the answers, so that a bad one is named and not compared letter by letter", () => {
  const of = (...answers: unknown[]) =>
    verifierOf(answers.map((answer) => ({ answer })), ["answer"], "answer").verifier;
  assert.equal(of("#### 2", "#### -3"), "gsm8k");
  assert.equal(of("#### 2", "three"), "exact");
  assert.equal(of("\\boxed{1}", "x"), "exact");
  assert.equal(of("#### 2", "dunno", "#### -3"), "gsm8k");
  assert.equal(of("\\boxed{1}", "x", "\\boxed{2}"), "boxed");
  assert.equal(
    of('{"type":"object"}', '{"$schema":"https://json-schema.org/draft/2020-12/schema"}', "x"),
    "json_schema",
  );
  assert.equal(of({ type: "array" }), "json_schema");
  const box = [{ bbox_2d: [1, 2, 3, 4], label: "cat" }];
  assert.deepEqual([of(box), of(box[0]), of(JSON.stringify(box), "x", JSON.stringify(box))], Array(3).fill("boxes"));
  assert.equal(of("<answer>[{'Position': [1, 2, 3, 4], 'Confidence': 1.0}]</answer>"), "boxes");
  assert.equal(of("<|box_start|>(1,2),(3,4)<|box_end|>"), "boxes");
  // Four numbers are a box beside an image, and else anything.
  for (const answer of ["[1, 2, 3, 4]", "<answer>[[1, 2, 3, 4], [5, 6, 7, 8]]</answer>", "(1,2),(3,4)"]) {
    const rows = [{ image: "a.png", prompt: "Where?", answer }], known = ["image", "prompt", "answer"];
    assert.equal(promptColumns(rows, known, {})!.verifier, "boxes", answer);
    assert.equal(promptColumns(rows, known.slice(1), {})!.verifier, "exact", answer);
  }
  assert.deepEqual([of("[1, 2, 3, 4]"), of([1, 2, 3, 4]), of("the position")], Array(3).fill("exact"));
  assert.deepEqual([of('{"type":"dog"}'), of('{"a":1}'), of("{"), of("object")], Array(4).fill("exact"));
  const rows = ["1", "2", "two"].map((answer) => ({ prompt: [turn("user", `${answer}?`)], answer }));
  assert.equal(promptColumns(rows, ["prompt", "answer"], {})?.verifier, "gsm8k");
});
