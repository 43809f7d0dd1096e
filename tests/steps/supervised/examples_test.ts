import assert from "node:assert/strict";
import { tableOfRows } from "../../../data/tables/mod.ts";
import {
  type ExampleTable,
  type LossOn,
  supervisedExample,
  supervisedTexts,
} from "../../../steps/supervised/examples.ts";
import type { Policy } from "../../../steps/resources/policy.ts";
import { type TrainingRun, withRun } from "../contexts/training_run.ts";

const MODELS = new URL("../../models/", import.meta.url);
/** The small qwen2 with the tokenizer that has a chat template. */
const withQwen2 = (body: (run: TrainingRun) => void) =>
  withRun(async (run) => {
    for (const name of ["qwen2", "tokenizer"]) {
      for (const { name: file } of Deno.readDirSync(new URL(`${name}/`, MODELS))) {
        Deno.copyFileSync(new URL(`${name}/${file}`, MODELS), `${run.folder}/${file}`);
      }
    }
    await run.run("load_model", { model: run.folder });
    body(run);
  });

/** The texts of what counts and of what does not, of prompt and completion together. */
function texts(
  { policy }: TrainingRun,
  row: { prompt: string; answer: string },
  lossOn: LossOn,
  maxLength: number | null = null,
) {
  const { prompt, completion, mask } = supervisedExample(policy, "prompts", { ...row, row: 3 }, lossOn, maxLength);
  const decode = (ids: number[]) => policy.decode(ids);
  const of = (on: number) => decode(Array.from(completion).filter((_, i) => mask[i] === on));
  return {
    prompt: decode(Array.from(prompt)),
    counted: of(1),
    passed: of(0),
    length: prompt.length + completion.length,
  };
}

const CHAT = [
  { role: "user", content: "Sky?" },
  { role: "assistant", content: "Blue." },
  { role: "user", content: "Grass?" },
];
const CONVERSATION = {
  prompt: JSON.stringify(CHAT),
  answer: JSON.stringify([{ role: "assistant", content: "Green." }]),
};

Deno.test("supervisedExample() counts the completion, or every token but the first", () =>
  withQwen2((run) => {
    const row = { prompt: "1+1=", answer: "2" };
    assert.deepEqual(texts(run, row, "completion").prompt, "1+1=");
    assert.match(texts(run, row, "completion").counted, /^2/);
    assert.match(texts(run, row, "all").counted, /^\+1=2/);
    assert.equal(texts(run, row, "all").passed, "");
    assert.deepEqual(texts(run, row, "assistant"), texts(run, row, "completion"));
    assert.equal(texts(run, { prompt: "1+1=", answer: "2222222" }, "completion", 6).length, 6);
  }));

Deno.test("supervisedExample() counts every turn of the assistant with its end, and nothing else of a conversation", () =>
  withQwen2((run) => {
    const { prompt, counted, passed } = texts(run, CONVERSATION, "assistant");
    assert.match(prompt, /Sky\?/);
    assert(!/Blue/.test(prompt));
    assert.match(counted, /^Blue\.(.|\n)*Green\./);
    assert(!/Grass|Sky/.test(counted), counted);
    assert.match(passed, /Grass/);
    const { counted: last } = texts(run, CONVERSATION, "completion");
    assert(/Green/.test(last) && !/Blue/.test(last), last);
  }));

Deno.test("supervisedExample() names a row that is longer than the context, or empty, as training on preferences does", () =>
  withQwen2((run) => {
    const most = run.policy.model.config.maxPositions, long = { prompt: "1+1=", answer: "2".repeat(most) };
    const tooLong = /Cannot fine-tune: 1 rows are longer than the model's context, .* \(row 3 of table "prompts"\)/;
    assert.throws(() => texts(run, long, "completion"), tooLong);
    assert.throws(() => texts(run, long, "all", 2 * most), tooLong);
    assert.equal(texts(run, long, "completion", most).length, most);
    const empty = { prompt: "1+1=", answer: "" };
    assert.throws(() => texts(run, empty, "completion"), /Cannot fine-tune: 1 completions are empty, want a text/);
    assert.throws(() => texts(run, { ...CONVERSATION, answer: "" }, "assistant"), /1 completions are empty/);
    assert.match(texts(run, empty, "all").counted, /^\+1=/);
    assert.throws(() => texts(run, { prompt: "1+1=", answer: "2" }, "completion", 4), /prompts leave no room/);
    const ids = { encodePrompt: () => Int32Array.of(1), encodeCompletion: () => new Int32Array() };
    const mute = { ...ids, model: run.policy.model } as unknown as Policy;
    const nothing = () => supervisedExample(mute, "prompts", { prompt: "1", answer: "2", row: 0 }, "completion", null);
    assert.throws(nothing, /Cannot fine-tune: 1 rows have no token that counts in the loss; look at loss_on/);
  }));

Deno.test("supervisedTexts() are prompts with answers, chosen completions, or desirable ones", () =>
  withRun((run) => {
    const rows = (from: ExampleTable) => supervisedTexts(run.context("test"), from).map(({ answer }) => answer);
    const base = { prompt: "p", split: "train" };
    const write = (list: Record<string, unknown>[]) =>
      run.tables.write({
        preferences: tableOfRows("preferences", list.map((row, preference_id) => ({ preference_id, ...base, ...row }))),
      }, "test");
    write([{ chosen: "a", rejected: "b" }, { chosen: "c", rejected: "d", split: "held_out" }]);
    assert.deepEqual(rows("preferences"), ["a"]);
    write([{ completion: "a", label: false }, { completion: "b", label: true }]);
    assert.deepEqual(rows("preferences"), ["b"]);
    write([{ completion: "a", label: false }]);
    assert.throws(() => rows("preferences"), /table "preferences" has no desirable row of split "train"/);
    run.tables.write({
      prompts: tableOfRows("prompts", [{ prompt_id: 0, prompt: "1+1=", answer: "2", split: "train" }]),
    }, "test");
    assert.deepEqual(rows("prompts"), ["2"]);
  }));
