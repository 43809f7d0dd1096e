import assert from "node:assert/strict";
import { fromFileUrl } from "@deno/std/path/from_file_url.js";
import { TASKS } from "../../data/tasks/mod.ts";
import { verify } from "../../data/tasks/verifiers/verify.ts";
import { loadPrompts } from "../../steps/load_prompts.ts";
import { stepContext } from "./contexts/reward_steps.ts";

const HERE = fromFileUrl(new URL(".", import.meta.url));

async function load(given: Record<string, unknown>, workflow = HERE) {
  const { tables, outputs } = await loadPrompts.run(loadPrompts.params.parse(given), stepContext({}, { workflow }));
  return { rows: tables!.prompts!.objects() as Record<string, unknown>[], outputs: outputs! };
}

const issues = (given: unknown) =>
  (loadPrompts.params.safeParse(given).error?.issues ?? []).map(({ path, message }) => `${path.join(".")}: ${message}`);

for (const task of Object.keys(TASKS)) {
  Deno.test(`load_prompts gives the prompts of ${task} with verifiers that accept their answers`, async () => {
    const { rows, outputs } = await load({ task });
    assert.deepEqual(rows.map(({ prompt_id }) => prompt_id), rows.map((_, i) => i));
    assert.equal(rows.length, outputs.prompts);
    for (const row of rows) assert.equal(verify(String(row.answer), row), true);
    for (const split of ["train", "validation", "held_out"]) {
      assert.equal(rows.filter((row) => row.split === split).length, outputs[split], split);
    }
  });
}

Deno.test("load_prompts of two-digit addition holds out at least 500 prompts in mixed order", async () => {
  const { rows, outputs } = await load({ task: "addition", digits: 2 });
  assert(Number(outputs.held_out) >= 500);
  assert.equal(outputs.max_new_tokens, 4);
  const first = rows.filter(({ split }) => split === "validation").slice(0, 100);
  assert(new Set(first.map(({ prompt }) => String(prompt).split("+")[0])).size > 40);
});

Deno.test("load_prompts puts a+b and b+a into one split, and takes a limit from everywhere", async () => {
  const { rows } = await load({ task: "addition", digits: 1 });
  const splits = new Map(rows.map(({ prompt, split }) => [prompt, split]));
  for (const [prompt, split] of splits) {
    assert.equal(splits.get(String(prompt).replace(/(\d)\+(\d)/, "$2+$1")), split, String(prompt));
  }
  const few = (await load({ task: "addition", digits: 1, limit: 30 })).rows;
  assert(new Set(few.map(({ prompt }) => String(prompt)[0])).size > 5);
});

Deno.test("load_prompts limits prompts, changes the splits' sizes and passes the task's parameters on", async () => {
  const { rows, outputs } = await load({
    task: "addition",
    digits: 1,
    limit: 50,
    splits: { train: 1, validation: 0, held_out: 0 },
  });
  assert.deepEqual([rows.length, outputs.train, outputs.held_out], [50, 50, 0]);
  for (const { prompt } of rows) assert.match(String(prompt), /^\d\+\d=$/);
});

Deno.test("load_prompts hands the answer tag to the verifier", async () => {
  const { rows } = await load({ task: "addition", digits: 1, answer_tag: "a" });
  assert.equal(verify(`so <a>${rows[0]!.answer}</a>`, rows[0]!), true);
  assert.equal(verify(String(rows[0]!.answer), rows[0]!), false);
});

Deno.test("load_prompts reads a file beside the workflow, with named columns", async () => {
  const folder = await Deno.makeTempDir();
  try {
    const lines = Array.from({ length: 40 }, (_, i) => JSON.stringify({ question: `${i}+1=`, gold: i + 1 }));
    await Deno.writeTextFile(`${folder}/mine.jsonl`, lines.join("\n"));
    await Deno.writeTextFile(`${folder}/mine.csv`, 'question,gold\n"1, 2 or 3?",2\nb,1\nc,1\nd,4\n');
    const columns = { prompt_column: "question", answer_column: "gold" };
    const { rows, outputs } = await load({ file: "mine.jsonl", ...columns, verifier: "numeric" }, folder);
    assert.equal(outputs.prompts, 40);
    assert.equal(outputs.max_new_tokens, null);
    const row = rows.find(({ prompt }) => prompt === "7+1=")!;
    assert.equal(row.answer, "8");
    assert.equal(verify("it is 8", row), true);
    const csv = await load(
      { file: "./mine.csv", ...columns, splits: { train: 1, validation: 0, held_out: 0 } },
      folder,
    );
    assert.deepEqual(csv.rows.map(({ prompt }) => prompt).sort(), ["1, 2 or 3?", "b", "c", "d"]);
    await assert.rejects(
      load({ file: "mine.csv" }, folder),
      /Cannot load prompts from mine.csv: it has no column "prompt"/,
    );
    await assert.rejects(load({ file: "none.csv" }, folder), /none\.csv/);
    await assert.rejects(
      load({ file: "mine.csv", ...columns, splits: { train: 0, validation: 0, held_out: 1 } }, folder),
      /Cannot load prompts of mine.csv: none of 4 falls into train/,
    );
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});

Deno.test("load_prompts.params refuses what cannot work, at its place", () => {
  assert.deepEqual(issues({ task: "addition", digits: 2 }), []);
  assert.deepEqual(issues({}), [": neither a task nor a file is given; want one, e.g. task: addition"]);
  assert.deepEqual(issues({ task: "addition", file: "x.csv" }), [": both a task and a file are given; want one"]);
  assert.match(
    issues({ task: "addition", digit: 2 })[0]!,
    /^digit: unknown key "digit" of task "addition"; did you mean "digits"/,
  );
  assert.match(issues({ task: "addition", digits: 0 })[0]!, /^digits: Too small/);
  assert.match(issues({ file: "x.csv", digits: 2 })[0]!, /^digits: unknown key "digits"/);
  assert.match(issues({ task: "adition" })[0]!, /^task: /);
  assert.match(
    issues({ task: "addition", splits: { train: 0.5 } })[0]!,
    /^splits: the fractions add up to 0.7, want 1/,
  );
});

Deno.test("load_prompts reads prompts alone, which no verifier judges", async () => {
  const folder = await Deno.makeTempDir();
  try {
    await Deno.writeTextFile(
      `${folder}/only.jsonl`,
      Array.from({ length: 20 }, (_, i) => `{"prompt":"${i}"}`).join("\n"),
    );
    const given = { file: "only.jsonl", answer_column: null, verifier: "none" };
    const { rows } = await load(given, folder);
    assert.deepEqual([rows.length, verify("7", rows[0]!)], [20, null]);
    const problems = (more: object) => loadPrompts.check!(loadPrompts.params.parse({ ...given, ...more }));
    assert.deepEqual(problems({}), []);
    assert.match(problems({ verifier: "exact" })[0]!, /Cannot judge by verifier "exact": answer_column is null/);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});

Deno.test("load_prompts reads conversations, which no verifier judges", async () => {
  const folder = await Deno.makeTempDir();
  try {
    const line = (i: number) =>
      JSON.stringify({ messages: [{ role: "user", content: `${i}?` }, { role: "assistant", content: `${i}!` }] });
    await Deno.writeTextFile(`${folder}/chat.jsonl`, Array.from({ length: 20 }, (_, i) => line(i)).join("\n"));
    const given = { file: "chat.jsonl", messages_column: "messages", verifier: "none" };
    const { rows } = await load(given, folder);
    assert(
      rows.some(({ prompt, answer }) =>
        /"7\?"/.test(String(prompt)) && /"assistant","content":"7!"/.test(String(answer))
      ),
    );
    const problems = (more: Record<string, unknown>) =>
      loadPrompts.check!(loadPrompts.params.parse({ ...given, ...more }));
    assert.deepEqual(problems({}), []);
    assert.match(problems({ verifier: "exact" })[0]!, /Cannot judge answers to conversations by verifier "exact"/);
    assert.match(problems({ answer_column: "gold" })[0]!, /Cannot use "answer_column": messages_column is given/);
    assert.match(
      loadPrompts.check!(loadPrompts.params.parse({ task: "addition", messages_column: "messages" }))[0]!,
      /Cannot use "messages_column"/,
    );
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});

Deno.test("load_prompts names a misspelt verifier once, not the one that is missing as well", () => {
  const given = { file: "x.jsonl", verifier_options: { tolerance: 1 } };
  const told = issues({ ...given, verifer: "numeric" });
  assert.equal(told.length, 1);
  assert.match(told[0]!, /unknown key "verifer"; did you mean "verifier"\?/);
  assert.deepEqual(issues(given), ["verifier_options: no verifier is named that they are for"]);
});
