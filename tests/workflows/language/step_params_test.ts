import assert from "node:assert/strict";
import {
  checkProblems,
  kindProblem,
  paramProblems,
  readParams,
  unansweredProblems,
} from "../../../workflows/language/step_params.ts";
import { STEPS } from "../../../steps/mod.ts";
import type { Step } from "../../../steps/step.ts";
import { SMALL_KINDS } from "../small_kinds.ts";

const PATH = ["steps", 0];

Deno.test("kindProblem() suggests a step kind", () => {
  assert.equal(kindProblem("evaluate", SMALL_KINDS, PATH), null);
  assert.match(kindProblem("evalaute", SMALL_KINDS, PATH)!.message, /did you mean "evaluate"/);
  assert.match(kindProblem("toString", SMALL_KINDS, PATH)!.message, /unknown step kind/);
});

Deno.test("readParams() fills in defaults, unless an expression leaves them open", () => {
  const read = (written: unknown) => readParams("sample_groups", SMALL_KINDS, written, PATH);
  const params = { group_size: 2, temperature: 1, stop: [] };
  assert.deepEqual(read({ group_size: 2 }), { params, problems: [] });
  assert.deepEqual(read({ group_size: "${{ params.x }}" }), { params: null, problems: [] });
  assert.equal(read({ group_size: "x" }).params, null);
});

Deno.test("readParams() leaves open values alone and nothing else", () => {
  const messages = (written: unknown) =>
    readParams("sample_groups", SMALL_KINDS, written, PATH).problems.map(({ path, message }) =>
      `${path.join(".")} ${message}`
    );
  assert.deepEqual(messages({ group_size: "${{ params.x }}" }), []);
  assert.deepEqual(messages({ group_size: "${{ params.x }}", temperature: -1 }), [
    'steps.0.with.temperature "temperature" is -1, want at least 0',
  ]);
  assert.deepEqual(messages({ group_size: 2, stop: ["${{ params.x }}", 3] }), [
    'steps.0.with.stop.1 item 2 of "stop" is 3, want a text',
  ]);
  assert.match(
    messages({ group_sise: "${{ params.x }}" }).join("\n"),
    /unknown key "group_sise"; did you mean "group_size"/,
  );
  assert.match(messages({ group_size: "x" })[0]!, /"group_size" is "x"/);
});

Deno.test("unansweredProblems() names the look-ups that are left", () => {
  const [problem] = unansweredProblems({ model: "a ${{ steps.b.outputs.c }}" }, PATH);
  assert.match(problem!.message, /"steps.b.outputs.c" has no value: the step has not run/);
});

function checked(kind: Step, written: unknown) {
  return checkProblems(kind, readParams("own", { own: kind }, written, PATH), written, PATH);
}

Deno.test("checkProblems() points at the parameter the message names", () => {
  assert.deepEqual(checked(SMALL_KINDS.sample_groups, { group_size: 1 }), [
    { path: ["steps", 0, "with", "group_size"], message: '"group_size" is 1, want at least 2' },
  ]);
  assert.deepEqual(checked(SMALL_KINDS.sample_groups, { group_size: 2 }), []);
});

Deno.test("checkProblems() points at a key inside of a parameter, by the first name in the message that is one", () => {
  const lora = { rank: 4, target_modules: "model.(q_proj" }, written = { model: "tiny_qwen2", lora };
  const [problem] = checkProblems(STEPS.load_model, readParams("load_model", STEPS, written, PATH), written, PATH);
  assert.match(problem!.message, /^Cannot match target_modules "model\.\(q_proj": it is no regular expression/);
  assert.deepEqual(problem!.path, ["steps", 0, "with", "lora", "target_modules"]);
});

Deno.test("readParams() says how a size of memory is written", () => {
  const [problem] = readParams("load_model", STEPS, { model: "tiny_qwen2", memory: 10 }, PATH).problems;
  assert.equal(problem!.message, '"memory" is 10, want a size with its unit, as 10GiB');
});

Deno.test("checkProblems() points at the step kind when no parameter is named", () => {
  const saying = (message: string) => ({ ...SMALL_KINDS.load_model, check: () => [message] });
  const path = (message: string) => checked(saying(message), { model: "x" })[0]!.path.join(".");
  assert.equal(path("Cannot fit"), "steps.0.uses");
  assert.equal(path("Cannot load: want model to be a folder"), "steps.0.with.model");
});

Deno.test("paramProblems() walks a document that failed its schema", () => {
  const document = {
    steps: [null, 3, { uses: "nope" }, { repeat: "?", steps: [{ uses: "load_model", with: { m: 1 } }] }, { uses: 1 }],
  };
  assert.deepEqual(paramProblems(document, SMALL_KINDS).map(({ path }) => path.join(".")), [
    "steps.2.uses",
    "steps.3.steps.0.with.m",
  ]);
  assert.deepEqual(paramProblems({}, SMALL_KINDS), []);
});
