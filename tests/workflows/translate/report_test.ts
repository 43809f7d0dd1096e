import assert from "node:assert/strict";
import { classCounts, reportLines } from "../../../workflows/translate/report.ts";
import type { Outcome } from "../../../workflows/translate/table.ts";
import { textWidth } from "../../../workflows/terminal/text_width.ts";
import { translated } from "../../../workflows/translate/translate.ts";

const OUTCOMES: Outcome[] = [
  {
    option: "beta",
    value: 0.1,
    line: 3,
    class: "translated",
    set: { "apply_update.kl_coef": 0.1 },
    text: "in the loss",
  },
  { option: "optim", value: "adamw", line: 0, class: "translated", set: { "apply_update.beta2": 0.9 }, text: "" },
  { option: "seed", value: 1, line: 4, class: "equal", set: {}, text: "as here" },
  {
    option: "x".repeat(90),
    value: "y".repeat(90),
    line: 5,
    class: "not_supported",
    set: {},
    text: "a reason of many words ".repeat(9).trim(),
  },
  { option: "betta", value: "\u001b[31m", line: 6, class: "unknown", set: {}, text: "did you mean beta?" },
];

Deno.test("reportLines() fits its width, with a section for each class", () => {
  for (const width of [60, 80, 120]) {
    const lines = reportLines(OUTCOMES, "TRL", width);
    assert(lines.every((line) => textWidth(line) <= width), lines.join("\n"));
    assert.deepEqual(lines.filter((line) => /^\S/.test(line)), [
      "Translated (1)",
      "Set because TRL does so where nothing is said (1)",
      "Equal by default: nothing to set (1)",
      "Not supported (1)",
      "Unknown to the translation (1)",
    ]);
    // deno-lint-ignore no-control-regex
    assert.doesNotMatch(lines.join(""), /\u001b/);
  }
  assert.match(reportLines(OUTCOMES, "TRL", 120)[1]!, /^ {2}beta = 0\.1 +apply_update\.kl_coef: 0\.1 – in the loss$/);
});

Deno.test("reportLines() writes bounds with nothing on one side", () => {
  const set = { "apply_update.sampler_bounds": [null, 3] };
  const [, line] = reportLines([{ option: "o", value: 1, line: 1, class: "translated", set, text: "" }], "TRL", 100);
  assert.match(line!, /sampler_bounds: \[null, 3\]/);
});

Deno.test("classCounts() counts what the file holds", () => {
  assert.deepEqual(classCounts(OUTCOMES), { translated: 1, equal: 1, not_supported: 1, unknown: 1 });
});

Deno.test("reportLines() lists the first of very many unknown options, and counts the rest", () => {
  const options = Array.from({ length: 50_000 }, (_, i) => ({ name: `unknwon_option_${i}`, value: 1, line: 1 }));
  const foreign = { system: "trl", trainer: "grpo", form: "x", options: [...options], notes: [] } as const;
  const { outcomes, text } = translated(foreign, "a.sh", "a");
  const lines = reportLines(outcomes, "TRL", 120);
  assert(lines.includes("Unknown to the translation (50000)"));
  assert.equal(lines.at(-1), "  … and 49900 more");
  assert(text.length < 20_000, `${text.length} letters`);
  assert.equal(classCounts(outcomes).unknown, 50_000);
});

Deno.test("applyTable() looks for the name that was meant among the first unknown options only", () => {
  const options = Array.from({ length: 300 }, (_, i) => ({ name: `learning_rat${i % 10}`, value: i, line: 1 }));
  const { outcomes } = translated({ system: "trl", trainer: "grpo", form: "x", options, notes: [] }, "a.sh", "a");
  const texts = outcomes.filter((outcome) => outcome.class === "unknown").map(({ text }) => text);
  assert.equal(texts.filter((text) => text === "did you mean learning_rate?").length, 100);
  assert.equal(texts.length, 300);
});
