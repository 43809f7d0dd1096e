import assert from "node:assert/strict";
import { join } from "node:path";
import { openDataset } from "../../../data/datasets/open_dataset.ts";
import { survey } from "../../../data/preview/survey.ts";
import { surveyLines } from "../../../workflows/cli/data_text.ts";
import { textWidth } from "../../../workflows/terminal/text_width.ts";
import { parse } from "yaml";
import { loadPreferences } from "../../../steps/load_preferences.ts";
import { loadPrompts } from "../../../steps/load_prompts.ts";
import { stdout } from "../../../workflows/terminal/terminal.ts";
import { stepContext } from "../../steps/contexts/reward_steps.ts";

const GOLDENS = new URL("../../goldens/datasets/", import.meta.url).pathname;

Deno.test("surveyLines() fit the terminal, and end with lines to paste", async () => {
  for (const name of ["hub", "types.parquet", "saved_dict"]) {
    const config = name === "hub" ? "main" : undefined;
    const found = await survey(await openDataset(join(GOLDENS, name), { config }));
    for (const columns of [60, 80, 120]) {
      const lines = surveyLines(name, config, found, { columns, style: (text) => text });
      for (const line of lines) assert(textWidth(line) <= columns, `${columns}: ${line}`);
      assert(lines.includes("  - uses: load_prompts"));
      if (config) assert(lines.includes("      config: main") && lines.includes("      verifier: gsm8k"));
    }
  }
});

const PROMPTS = ["prompt", "question", "Question", "problem", "instruction", "query", "input", "text", "context"];
const ANSWERS = ["answer", "completion", "response", "solution", "output", "target", "ground_truth"];
const user = { role: "user", content: "q" }, reply = { role: "assistant", content: "a" };
const STEPS = { load_prompts: loadPrompts, load_preferences: loadPreferences };

/** Rows of what a column may hold, by its name and by a row's number. */
const TEXTS: Readonly<Record<string, (i: number) => unknown>> = {
  label: (i) => i % 2 === 0,
  chosen: (i) => `It is ${i} good`,
  rejected: (i) => `It is ${i} bad`,
  messages: () => [user, reply],
  conversations: () => [{ from: "human", value: "q" }, { from: "gpt", value: "a" }],
  "chosen of messages": () => [user, reply],
  "rejected of messages": () => [user, { ...reply, content: "b" }],
  "chosen alone": () => reply,
  "rejected alone": () => ({ ...reply, content: "b" }),
};

/** Sets of columns: every prompt and pair of prompts with everything that may answer. */
function* columnSets(): Generator<string[]> {
  const prompts = [[], ...PROMPTS.map((one) => [one]), ["messages"], ["conversations"], ["problem", "question"]];
  prompts.push(["instruction", "input"], ["question", "context"], ["prompt", "messages"]);
  const answers = [...ANSWERS.map((one) => [one]), ["completion", "label"], ["chosen", "rejected"], ["label"]];
  answers.push(["chosen of messages", "rejected of messages"], ["chosen alone", "rejected alone"], [
    "answer",
    "solution",
  ]);
  for (const prompt of prompts) for (const answer of answers) yield [...prompt, ...answer];
}

Deno.test("what data prints to paste is read by its step, of column sets of every convention", async () => {
  const folder = await Deno.makeTempDir(), screen = { columns: 500, style: (text: string) => text } as typeof stdout;
  let read = 0, unclear = 0;
  try {
    for (const columns of columnSets()) {
      const row = (i: number) =>
        Object.fromEntries(
          columns.map((name) => [name.split(" ")[0], TEXTS[name]?.(i) ?? `${name} ${i}`]),
        );
      await Deno.writeTextFile(`${folder}/rows.jsonl`, [0, 1, 2].map((i) => JSON.stringify(row(i))).join("\n"));
      const found = await survey(await openDataset(`${folder}/rows.jsonl`));
      if (found.use === null) {
        unclear++;
        continue;
      }
      const printed = surveyLines("rows.jsonl", undefined, found, screen);
      const [{ uses, with: given }] = parse(printed.slice(printed.indexOf("To read it") + 1).join("\n"));
      const step = STEPS[uses as keyof typeof STEPS], where = `${columns}: ${JSON.stringify(given)}`;
      assert.deepEqual([found.problems.first, uses], [[], found.step], where);
      const params = step.params.parse({ ...given, splits: { train: 1, validation: 0, held_out: 0 } }) as never;
      assert.deepEqual(step.check?.(params) ?? [], [], where);
      const run = async () => await step.run(params, stepContext({}, { workflow: folder }));
      await run().catch((error) => assert.fail(`${where}: ${error.message}`));
      read++;
    }
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
  assert(read > 60 && unclear > 20, `${read} read, ${unclear} unclear`);
});

Deno.test("surveyLines() counts one thing as one", async () => {
  const path = await Deno.makeTempFile({ suffix: ".jsonl" });
  try {
    await Deno.writeTextFile(
      path,
      '{"prompt":"a","chosen":"b","rejected":"b"}\n{"prompt":"a","chosen":"b","rejected":"c"}',
    );
    const text = surveyLines(path, undefined, await survey(await openDataset(path)), stdout).join("\n");
    for (const one of [/\b1 problem$/m, /\b1 repeated prompt$/m, /\b1 pair chosen = rejected$/m]) {
      assert.match(text, one);
    }
  } finally {
    await Deno.remove(path);
  }
});

Deno.test("surveyLines() of annotations of images end with a step that load_prompts takes", async () => {
  const found = await survey(await openDataset(join(GOLDENS, "annotations/coco.json")));
  for (const columns of [60, 120]) {
    const lines = surveyLines("coco.json", undefined, found, { columns, style: (text) => text });
    for (const line of lines) assert(textWidth(line) <= columns, `${columns}: ${line}`);
    const [{ uses, with: given }] = parse(lines.slice(lines.indexOf("To read it") + 1).join("\n"));
    assert.equal(uses, "load_prompts");
    assert.deepEqual(loadPrompts.params.parse(given).detection, { negatives: 1, box_unit: "thousandths" });
  }
});
