import assert from "node:assert/strict";
import { type FoundBox, MOST_BOXES, readBoxes } from "../../../data/boxes/read_boxes.ts";

const box = (confidence: number | null = null, label: string | null = null): FoundBox => ({
  box: [1, 2, 3, 4],
  confidence,
  label,
});

Deno.test("readBoxes() reads every form that models write", () => {
  const forms: [text: string, want: unknown[]][] = [
    ["<think>a [9, 9, 9, 9]</think><answer>[{'Position': [1, 2, 3, 4], 'Confidence': 0.5}]</answer>", [box(.5)]],
    ['<answer>\n[{"Position": [1,2,3,4],\n"Confidence": 1}]\n</answer>', [box(1)]],
    ['```json\n[\n\t{"bbox_2d": [1, 2, 3, 4], "label": "cat"}\n]\n```', [box(null, "cat")]],
    ["Here: ```\n[1, 2, 3, 4]``` as asked [5]", [box()]],
    ["<|object_ref_start|>a cat<|object_ref_end|><|box_start|>(1,2),(3,4)<|box_end|>", [box(null, "a cat")]],
    ["<|object_ref_start|> a cat\n<|object_ref_end|>(1,2),(3,4)", [box(null, "a cat")]],
    // A name may hold corners, a fence is any language's, or not closed.
    ["{'bbox': [1, 2, 3, 4], 'label': '(5,6),(7,8)'}", [box(null, "(5,6),(7,8)")]],
    ["```python\n[1, 2, 3, 4]\n```", [box()]],
    ["```json\n[1, 2, 3, 4]", [box()]],
    ["```json\n(1,2),(3,4)", [box()]],
    ["It is at ( 1 , 2 ) ( 3.0, 4 ).", [box()]],
    ["(1,2),(3,4) and (1,2),(3,4)", [box(), box()]],
    ["[(1, 2), (3, 4)]", [box()]],
    ["[1, 2, 3, 4]", [box()]],
    ["[[1, 2, 3, 4], (1, 2, 3, 4)]", [box(), box()]],
    ["{'bbox': [1, 2, 3, 4], 'score': .25, 'category': 'dog'}", [box(.25, "dog")]],
    ["The boxes are [{'box': [1, 2, 3, 4],},] I think", [box()]],
    ["[{'Position': [1, 2, 3, 4], 'Confidence': 5}]", [box(5)]],
    ...["NaN", "Infinity", "None", "'0.9'", "[1]"].map((c): [string, unknown[]] => [
      `[{'Position': [1, 2, 3, 4], 'Confidence': ${c}}]`,
      [box()],
    ]),
    ...[
      "No Objects",
      "'no objects.'",
      "['No Objects']",
      "<answer> No Object </answer>",
      "[]",
      "```json\n[]\n```",
      "```text\nNo Objects\n```",
    ]
      .map((text): [string, unknown[]] => [text, []]),
  ];
  for (const [text, boxes] of forms) assert.deepEqual(readBoxes(text), { boxes, problem: null }, text);
});

Deno.test("readBoxes() keeps coordinates as they are, outside the image and with swapped corners too", () => {
  assert.deepEqual(readBoxes("[9, 8, -7, 6.5]").boxes[0]!.box, [9, 8, -7, 6.5]);
  assert.deepEqual(readBoxes("(-9,8),(7,6.5)").boxes[0]!.box, [-9, 8, 7, 6.5]);
});

Deno.test("readBoxes() says why a text is no answer, with the boxes it could read", () => {
  const wrong: [text: string, problem: RegExp, boxes: number][] = [
    ["", /^it has no boxes$/, 0],
    ["a cat", /^it has no boxes$/, 0],
    ["<answer>[{'Position': [1, 2, 3, 4]}", /^its answer is not closed$/, 0],
    ["[{'Position': [1, 2, 3", /^it is no list of boxes: the end at character 23, want "," or "\]"$/, 0],
    ["[{'Position': [1, 2, NaN, 4]}, [1, 2, 3, 4]]", /^its box 1 has no four finite numbers$/, 1],
    ["[[1, 2, 3, 4], [1, 2, 3, 1e999]]", /^its box 2 has no/, 1],
    ["[1, 2, 3]", /^its box 1 has no/, 0],
    ["[{'Position': [true, 2, 3, 4]}]", /^its box 1 has no/, 0],
    ["[{'Position': ['1', 2, 3, 4]}, 'x', null, 3]", /^its box 1 has no/, 0],
    ["[١,٢,٣,٤]", /^it is no list of boxes/, 0],
    ["(١,٢),(٣,٤)", /^it has no boxes$/, 0],
    [`[${"[1, 2, 3, 4],".repeat(MOST_BOXES + 1)}]`, /^it has 301 boxes, want at most 300$/, MOST_BOXES],
  ];
  for (const [text, problem, boxes] of wrong) {
    const read = readBoxes(text);
    assert.match(read.problem!, problem, text);
    assert.equal(read.boxes.length, boxes, text);
  }
  assert.equal(readBoxes(`[${"[1, 2, 3, 4],".repeat(MOST_BOXES)}]`).problem, null);
});

Deno.test("readBoxes() takes time in proportion to the text, whatever it is", () => {
  const many = 1e6;
  const texts = [
    `<answer>[${"{'Position': [1, 2, 3, 4], 'Confidence': 0.5},".repeat(1e5)}]</answer>`,
    ...["<answer>", "<answer></answer>", "[", "{'a':", "(", "(1,1)", "(1,", "`", "x", "a[", '\\"', " ", "[1 ", "1"]
      .map((piece) => piece.repeat(many / piece.length)),
    `(1,1)${" ".repeat(many)}x`,
    `[${" ".repeat(many)}no`,
    `["${'\\"'.repeat(many / 2)}`,
    `(${"1".repeat(many)}`,
    "<|object_ref_start|>".repeat(many / 20),
  ];
  for (const text of texts) {
    const start = performance.now();
    readBoxes(text);
    assert(performance.now() - start < 3000, `${text.slice(0, 40)}: ${performance.now() - start} ms`);
  }
});
