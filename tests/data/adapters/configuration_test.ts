import assert from "node:assert/strict";
import { pythonScalar } from "../../../data/adapters/configuration.ts";
import { readFiles } from "./read_text.ts";

const values = (run: { settings: { name: string; value: unknown; written_type: string }[] }) =>
  run.settings.map(({ name, value, written_type }) => [name, value, written_type]);

Deno.test("CONFIGURATION reads YAML as PyYAML does: 1e-6 is a string, no is false", async () => {
  const run = await readFiles({
    "grpo.yaml":
      "learning_rate: 1e-6\nbeta: 1.0e-3\ngradient_checkpointing: no\nbf16: true\nrun_name: 'no'\nref_model:\n",
  });
  assert.deepEqual(values(run), [
    ["learning_rate", "1e-6", "string"],
    ["beta", 0.001, "number"],
    ["gradient_checkpointing", false, "boolean"],
    ["bf16", true, "boolean"],
    ["run_name", "no", "string"],
    ["ref_model", null, "null"],
  ]);
});

Deno.test("CONFIGURATION gives nested keys, lists, lines and columns", async () => {
  const run = await readFiles({
    "verl.yml":
      "actor_rollout_ref:\n  rollout:\n    n: 5\n    temperature: 1.0\ntrainer:\n  logger: [console, wandb]\n",
  });
  assert.deepEqual(run.settings.map(({ name, option, value, line, column }) => [name, option, value, line, column]), [
    ["actor_rollout_ref.rollout.n", "group_size", 5, 3, 5],
    ["actor_rollout_ref.rollout.temperature", "temperature", 1, 4, 5],
    ["trainer.logger", null, ["console", "wandb"], 6, 3],
  ]);
  assert.equal(run.system, "verl");
});

Deno.test("CONFIGURATION keeps both of two equal keys and says so", async () => {
  const run = await readFiles({ "config.yaml": "num_generations: 8\nbeta: 0.04\nnum_generations: 2\n" });
  assert.deepEqual(run.settings.filter(({ option }) => option === "group_size").map(({ value }) => value), [8, 2]);
  assert.deepEqual(run.messages.map(({ kind, text, line }) => [kind, text, line]), [[
    "duplicate_key",
    "num_generations",
    3,
  ]]);
});

Deno.test("CONFIGURATION tells a model folder's options from the trainer's", async () => {
  const run = await readFiles({ "generation_config.json": '{\n  "temperature": 0.01,\n  "top_p": 0.001\n}\n' });
  assert.deepEqual(
    run.settings.map(({ option, value, system, line, column }) => [option, value, system, line, column]),
    [
      ["temperature", 0.01, "model", 2, 3],
      ["top_p", 0.001, "model", 3, 3],
    ],
  );
});

Deno.test("CONFIGURATION reads what it can of a broken file and names what is wrong", async () => {
  const json = await readFiles({ "config.json": '{"num_generations": 8, "beta": 0.1' });
  assert.equal(json.settings.find(({ option }) => option === "group_size")!.value, 8);
  assert.match(json.sources[0]!.partial!, /no valid JSON/);
  const nothing = await readFiles({ "broken.yaml": "\t\tthis is: [no\n" });
  assert(nothing.sources[0]!.partial !== null);
});

Deno.test("CONFIGURATION says where a file is nested too deep, in its own words", async () => {
  const nested = (levels: number) => "[".repeat(levels) + "]".repeat(levels);
  const run = await readFiles({
    "deep.yaml": `learning_rate: 0.1\nx: ${nested(100_000)}`,
    "config.json": `{"x": ${nested(10_000)}}`,
    "some.yaml": `x: ${nested(60)}\nbeta: 0.04\n`,
  });
  const told = JSON.stringify([run.sources.map(({ partial }) => partial), run.skipped]);
  assert.doesNotMatch(told, /call stack/);
  const partial = (name: string) => run.sources.find(({ path }) => path.endsWith(name))!.partial;
  assert.match(partial("deep.yaml")!, /it is nested too deep at line 2, column \d+, want at most 30 levels/);
  assert.match(partial("config.json")!, /it is nested too deep at line 1, column \d+/);
  assert.match(told, /a value at column 1, nested deeper than 30/);
  assert(run.settings.some(({ name, value }) => name === "beta" && value === 0.04), "what stands beside it is read");
});

Deno.test("CONFIGURATION refuses aliases that never end, with their line", async () => {
  const run = await readFiles({
    "inside.yaml": "learning_rate: 1e-6\na: &a [*a,*a]\n",
    "broken.yaml": "a: &a [*a,*a]\nlr: [[[[[[[\n",
  });
  const [broken, inside] = run.sources.map(({ partial }) => partial);
  assert.match(inside!, /inside\.yaml .*alias "\*a" stands inside "&a" itself, at line 2; write the values out$/);
  assert.match(broken!, /broken\.yaml .*, at line 1; write the values out$/);
  assert.deepEqual(run.settings, []);
});

Deno.test("CONFIGURATION passes over lists within keys within keys, which written out would never end", async () => {
  const text = Array.from({ length: 40 }, (_, i) => `${"  ".repeat(i)}- step ${i}: reward 0.${i % 9}`).join("\n");
  const run = await readFiles({ "nested.yaml": `learning_rate: 0.1\nlist:\n${text.replaceAll(/^/gm, "  ")}\n` });
  assert.equal(run.settings[0]?.name, "learning_rate");
  assert(run.skipped.some(({ reason }) => reason === "a key that is a list or a map"));
});

Deno.test("pythonScalar() follows YAML 1.1 for floats and words, JSON for JSON", () => {
  assert.deepEqual(pythonScalar("5e-5", 5e-5, false), { value: "5e-5", type: "string" });
  assert.deepEqual(pythonScalar("5.0e-5", 5e-5, false), { value: 5e-5, type: "number" });
  assert.deepEqual(pythonScalar("1.0e6", 1e6, false), { value: "1.0e6", type: "string" });
  assert.deepEqual(pythonScalar("1e-6", 1e-6, true), { value: 1e-6, type: "number" });
  assert.deepEqual(pythonScalar("8", 8, false), { value: 8, type: "number" });
  assert.deepEqual(pythonScalar("off", "off", false), { value: false, type: "boolean" });
});
