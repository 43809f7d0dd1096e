import assert from "node:assert/strict";
import { dirname } from "node:path";
import { loadPreferences } from "../../steps/load_preferences.ts";
import { loadPrompts } from "../../steps/load_prompts.ts";
import { stepContext } from "./contexts/reward_steps.ts";

type Row = Record<string, unknown>;

async function load(
  given: Record<string, unknown>,
  files: Record<string, string> = {},
  step: typeof loadPreferences | typeof loadPrompts = loadPreferences,
) {
  const workflow = await Deno.makeTempDir();
  try {
    for (const [name, text] of Object.entries(files)) {
      await Deno.mkdir(dirname(`${workflow}/${name}`), { recursive: true });
      await Deno.writeTextFile(`${workflow}/${name}`, text);
    }
    const context = stepContext({}, { workflow });
    const { tables, outputs } = await step.run(step.params.parse(given) as never, context);
    return { rows: Object.values(tables!)[0]!.objects() as Row[], outputs: outputs as Row };
  } finally {
    await Deno.remove(workflow, { recursive: true });
  }
}

const lines = (...rows: Row[]) => rows.map((row) => JSON.stringify(row)).join("\n");

Deno.test("load_preferences makes pairs of a task, each prompt in the split of load_prompts", async () => {
  const { rows, outputs } = await load({ task: "addition", digits: 1 });
  const params = loadPrompts.params.parse({ task: "addition", digits: 1 });
  const prompts = (await loadPrompts.run(params, stepContext({}))).tables!.prompts!.objects() as Row[];
  const split = new Map(prompts.map((row) => [row.prompt, row.split])),
    answer = new Map(prompts.map((row) => [row.prompt, row.answer]));
  assert.equal(rows.length, 100);
  for (const row of rows) {
    assert.equal(row.split, split.get(row.prompt));
    assert.equal(row.chosen, answer.get(row.prompt));
    assert.notEqual(row.rejected, row.chosen);
  }
  assert.deepEqual(rows.map((row) => row.preference_id), rows.map((_, i) => i));
  assert.equal(outputs.rows, 100);
  assert.equal(outputs.desirable, null);
  assert.equal(Number(outputs.train) + Number(outputs.validation) + Number(outputs.held_out), 100);
});

Deno.test("load_preferences unpairs, neighbours of different prompts", async () => {
  const { rows, outputs } = await load({ task: "addition", digits: 1, form: "unpaired" });
  assert.equal(rows.length, 200);
  assert.equal(outputs.desirable, 100);
  const twins = rows.filter((row, i) => i > 0 && row.prompt === rows[i - 1]!.prompt).length;
  assert(twins < 10, `${twins} neighbours of one prompt`);
  assert(!("chosen" in rows[0]!));
  assert.equal((await load({ task: "addition", digits: 1, limit: 7 })).rows.length, 7);
});

Deno.test("load_preferences reads files of both forms and unpairs a paired one", async () => {
  const pairs = lines(...["a", "b", "c"].map((p) => ({ prompt: p, chosen: `${p}1`, rejected: `${p}0` })));
  const splits = { train: 1, validation: 0, held_out: 0 };
  const file = { "p.jsonl": pairs, "u.json": '[{"prompt":"a","completion":"x","label":false}]' };
  assert.equal((await load({ file: "p.jsonl", splits }, file)).rows[0]!.label, undefined);
  const { rows } = await load({ file: "p.jsonl", form: "unpaired", splits }, file);
  assert.deepEqual(new Set(rows.map((row) => `${row.completion} ${row.label}`)).size, 6);
  assert.deepEqual(rows.map(({ completion, line }) => [String(completion)[0], line]).sort(), [
    ...["a", "b", "c"].flatMap((name, i) => [[name, i + 1], [name, i + 1]]),
  ]);
  assert.equal((await load({ file: "u.json", splits }, file)).rows[0]!.label, false);
  await assert.rejects(
    load({ file: "u.json", form: "pairs", splits }, file),
    /its rows are labelled completions, want pairs/,
  );
  await assert.rejects(
    load({ file: "p.jsonl", splits }, {
      "p.jsonl": `${pairs}\n\n${lines({ prompt: "d", chosen: "", rejected: "x" })}`,
    }),
    /Cannot load preferences from p.jsonl:5: chosen is empty/,
  );
  await assert.rejects(load({ file: "gone.jsonl" }), /Cannot load preferences from gone.jsonl: there is no file/);
  const never = { train: 0, validation: 0, held_out: 1 };
  await assert.rejects(load({ file: "p.jsonl", splits: never }, file), /none of 3 falls into train; raise/);
  const same = { "s.jsonl": lines(...["b", "c"].map((chosen) => ({ prompt: "a", chosen, rejected: "x" }))) };
  await assert.rejects(
    load({ file: "s.jsonl", splits: never }, same),
    /none of 2 falls into train; all have the same prompt, .*set splits: \{ train: 1/,
  );
});

Deno.test("load_preferences wants one source, and says which options do nothing", () => {
  const issues = (given: unknown) =>
    (loadPreferences.params.safeParse(given).error?.issues ?? []).map(({ message }) => message);
  assert.match(issues({})[0]!, /neither a task nor a file/);
  assert.match(issues({ task: "addition", splits: { train: 1 } })[0]!, /add up to 1.2/);
  assert.match(issues({ task: "visual_detection" })[0]!, /"visual_detection" have images, and preferences hold texts/);
  const given = loadPreferences.params.parse({ task: "addition", chosen_column: "good" });
  assert.match(loadPreferences.check!(given)[0]!, /Cannot use "chosen_column": the preferences are a task's/);
  assert.deepEqual(
    loadPreferences.check!(loadPreferences.params.parse({ file: "a.jsonl", chosen_column: "good" })),
    [],
  );
});

Deno.test("load_preferences names the columns it wants where one is missing, whatever options stand beside them", async () => {
  const cases: [Row, RegExp][] = [
    [{ prompt: "a", chosen: "b" }, /its columns are prompt, chosen, want chosen and rejected/],
    [{ prompt: "a", completion: "b" }, /its columns are prompt, completion, want .* completion and label;/],
    [{ text: "a" }, /its columns are text, want chosen and rejected/],
    [{ prompt: "a", chosen: "b", rejcted: "c" }, /did you mean "rejcted"\?/],
  ];
  for (const [row, message] of cases) {
    await assert.rejects(load({ file: "p.jsonl", limit: 3 }, { "p.jsonl": lines(row) }), message);
  }
});

Deno.test("load_preferences never mixes the splits of a folder, and takes those that are named as load_prompts does", async () => {
  const pairs = (name: string) =>
    lines(...Array.from({ length: 40 }, (_, i) => ({ prompt: `${name} ${i}`, chosen: "a", rejected: "b" })));
  const both = lines(...["train 29", "shared"].map((prompt) => ({ prompt, chosen: "c", rejected: "d" })));
  const files = {
    "d/train.jsonl": `${pairs("train")}\n${lines({ prompt: "shared", chosen: "a", rejected: "b" })}`,
    "d/test.jsonl": `${pairs("test")}\n${both}`,
  };
  const splitsOf = (rows: readonly Row[], name: string) =>
    new Set(rows.filter(({ prompt }) => String(prompt).startsWith(name)).map(({ split }) => split));
  for (const form of ["pairs", "unpaired"]) {
    const { rows, outputs } = await load({ file: "d", form }, files);
    assert.equal(outputs.rows, form === "pairs" ? 83 : 166);
    assert.deepEqual(splitsOf(rows, "test"), new Set(["held_out"]));
    assert.deepEqual(splitsOf(rows, "shared"), new Set(["held_out"]));
    // Held out are the test rows alone, with the two prompts of train that they repeat.
    const held = new Set(rows.filter(({ split }) => split === "held_out").map(({ prompt }) => prompt));
    assert.equal([...held].filter((prompt) => String(prompt).startsWith("train")).join(), "train 29");
    assert.deepEqual(splitsOf(rows, "train"), new Set(["train", "validation", "held_out"]));
  }
  const takes: [Row, string[]][] = [
    [{ train: "train", held_out: "test" }, ["train", "test", "shared"]],
    [{ train: "test" }, ["test", "train 29", "shared"]],
  ];
  for (const [take, beginnings] of takes) {
    const { rows } = await load({ file: "d", take }, files);
    assert(rows.every(({ prompt }) => beginnings.some((beginning) => String(prompt).startsWith(beginning))));
    const asked = (rows: readonly Row[]) => new Map(rows.map(({ prompt, split }) => [prompt, split]));
    const prompts = await load({ file: "d", take, answer_column: null, verifier: "none" }, files, loadPrompts);
    assert.deepEqual(new Map([...asked(rows)].sort()), new Map([...asked(prompts.rows)].sort()));
    if ("held_out" in take) assert.deepEqual(splitsOf(rows, "test"), new Set(["held_out"]));
    else assert.deepEqual(splitsOf(rows, "test"), new Set(["train", "validation", "held_out"]));
  }
  await assert.rejects(
    load({ file: "d", take: { held_out: "test" } }, files),
    /Cannot load preferences of d: none of 42 falls into train/,
  );
});

Deno.test("load_preferences refuses a file with images, which it would leave out; a column that merely is called so is none", async () => {
  const row = (image: unknown) => ({ prompt: "Which?", chosen: "a", rejected: "b", image });
  const splits = { train: 1, validation: 0, held_out: 0 };
  for (const image of ["cats/one.png", ["a.jpg"], { bytes: null, path: "b.webp" }, "data:image/png;base64,AA=="]) {
    await assert.rejects(
      load({ file: "pairs.jsonl", splits }, { "pairs.jsonl": lines(row(image)) }),
      /^RangeError: Cannot load preferences from pairs\.jsonl: its column "image" holds images, and .* by pair_completions/,
    );
  }
  assert.equal((await load({ file: "pairs.jsonl", splits }, { "pairs.jsonl": lines(row("a cat")) })).rows.length, 1);
});
