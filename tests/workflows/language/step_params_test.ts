import assert from "node:assert/strict";
import { checkProblems, kindProblem, paramProblems, withProblems } from "../../../workflows/language/step_params.ts";
import { SMALL_KINDS } from "../small_kinds.ts";

const PATH = ["steps", 0];

Deno.test("kindProblem() suggests a step kind", () => {
  assert.equal(kindProblem("evaluate", SMALL_KINDS, PATH), null);
  assert.match(kindProblem("evalaute", SMALL_KINDS, PATH)!.message, /did you mean "evaluate"/);
  assert.match(kindProblem("toString", SMALL_KINDS, PATH)!.message, /unknown step kind/);
});

Deno.test("withProblems() leaves open values alone and nothing else", () => {
  const messages = (params: unknown, isAnswered = false) =>
    withProblems("sample_groups", params, SMALL_KINDS, PATH, isAnswered).map(({ path, message }) =>
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
  assert.match(messages({ group_size: "x" }, true)[0]!, /"group_size" is "x"/);
});

Deno.test("withProblems() says that an answered look-up has no value", () => {
  const [problem] = withProblems("load_model", { model: "a ${{ steps.b.outputs.c }}" }, SMALL_KINDS, PATH, true);
  assert.match(problem!.message, /"steps.b.outputs.c" has no value: the step has not run/);
});

Deno.test("checkProblems() points at the parameter the message names", () => {
  assert.deepEqual(checkProblems("sample_groups", { group_size: 1 }, SMALL_KINDS, PATH), [
    { path: ["steps", 0, "with", "group_size"], message: '"group_size" is 1, want at least 2' },
  ]);
  assert.deepEqual(checkProblems("sample_groups", { group_size: 2 }, SMALL_KINDS, PATH), []);
});

Deno.test("checkProblems() points at the step kind when no parameter is named", () => {
  const saying = (message: string) => ({
    ...SMALL_KINDS,
    load_model: { ...SMALL_KINDS.load_model, check: () => [message] },
  });
  const path = (message: string) =>
    checkProblems("load_model", { model: "x" }, saying(message), PATH)[0]!.path.join(".");
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
