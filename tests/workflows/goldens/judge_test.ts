import assert from "node:assert/strict";
import { judgeFormulas, topicOf, type Verdict } from "../../../workflows/goldens/judge.ts";
import { openGraphRunner } from "../../../workflows/goldens/run_graph.ts";
import { type Data, defineTopic } from "../../../workflows/goldens/topic.ts";

/** Doubles x in a graph; refuses a negative one. */
const doubled = defineTopic<Data, { readonly x: number }>({
  about: "twice x",
  // A case without an x has not the form that is asked about.
  takes: { twice: ({ name, inputs }) => (inputs as { x: Data }).x!.toString() !== "" && name.startsWith("double/") },
  graph: true,
  async evaluate({ inputs: { x } }, { dtype, graphs }) {
    if (x < 0) throw new RangeError(`Cannot double ${x}: want no negative number`);
    if (x === 12) return (undefined as unknown as Record<string, unknown>)["y"];
    if (x === 13) throw new Error("a fault of ours");
    return await graphs.run({ dtype, inputs: { x }, build: (input) => ({ y: input("x").mul(2) }) });
  },
});

async function judge(cases: Record<string, [x: number, outputs: Data]>): Promise<Verdict[]> {
  const graphs = await openGraphRunner(), verdicts: Verdict[] = [];
  const listed = Object.entries(cases).map(([name, [x, outputs]]) => ({ name, params: {}, inputs: { x }, outputs }));
  const file = { name: "twice", path: "twice.json", cases: listed, document: {} };
  for await (const verdict of judgeFormulas(file, [doubled], graphs, () => true)) verdicts.push(verdict);
  graphs.release();
  return verdicts;
}

Deno.test("judgeFormulas() passes equal values in both types and fails a changed one", async () => {
  const [right, wrong, unknown] = await judge({
    "double/right": [0.1, { y: 0.2 }],
    "double/wrong": [0.1, { y: 0.2001 }],
    "triple/any": [1, { y: 3 }],
  });
  assert.deepEqual({ ...right, errors: {} }, {
    topic: "twice/double",
    name: "double/right",
    errors: {},
    failure: null,
  });
  assert(right!.errors.float64! < 1e-12 && right!.errors.float32! > 1e-9 && right!.errors.float32! < 1e-6);
  assert.equal(wrong!.failure, "y is 0.2, want 0.2001 (float64)");
  assert.deepEqual(unknown, { topic: "twice/triple", name: "triple/any", errors: {}, failure: "not implemented" });
});

Deno.test("judgeFormulas() gives a case of another form to no topic", async () => {
  const [strange] = await judge({ "double/strange": [null as unknown as number, { y: 3 }] });
  assert.equal(strange!.failure, "not implemented");
});

Deno.test("judgeFormulas() asks float32 for nothing beyond 1e20", async () => {
  const [large] = await judge({ "double/large": [1e21, { y: 2e21 }] });
  assert.deepEqual([large!.failure, Object.keys(large!.errors)], [null, ["float64"]]);
});

Deno.test("judgeFormulas() wants a named error where the original raises, and only there", async () => {
  const verdicts = await judge({
    "double/refused": [-1, { error: "ValueError" }],
    "double/accepted": [1, { error: "ValueError" }],
    "double/raised": [-1, { y: -2 }],
    "double/fault": [13, { error: "ValueError" }],
    "double/undefined": [12, { error: "ValueError" }],
  });
  assert.deepEqual(verdicts.map(({ failure }) => failure), [
    null,
    "outcome is a value, want an error (the original raises ValueError) (float64)",
    "outcome is an error (Cannot double -1: want no negative number), want a value (float64)",
    "outcome is an error (a fault of ours), want a named error, Cannot …: … (float64)",
    "outcome is an error (Cannot read properties of undefined (reading 'y')), want a named error, Cannot …: … (float64)",
  ]);
});

Deno.test("topicOf() names the file and the first part, of the edges the first two", () => {
  assert.equal(topicOf("trl_dpo", "robust/a/0"), "trl_dpo/robust");
  assert.equal(topicOf("edge", "trl/grpo/reward_nan/0"), "edge/trl/grpo");
  assert.equal(topicOf("edge", "verl/kl_full"), "edge/verl");
  assert.equal(topicOf("other", "alone"), "other");
});

/** Rows whose first numbers count; fails as JavaScript does where they are none. */
const firsts = defineTopic<Data, { readonly rows: readonly (readonly number[])[]; readonly more?: readonly number[] }>({
  about: "the first of each row",
  takes: { firsts: () => true },
  evaluate: ({ inputs: { more, rows } }) => rows.map((row) => row[0]! + (more?.[0] ?? 0)),
});

Deno.test("judgeFormulas() names the input that a formula falls over, not what JavaScript says of it", async () => {
  const graphs = await openGraphRunner(), failures: (string | null)[] = [];
  const cases = [{}, { rows: null }, { rows: "x" }, { rows: { a: 1 } }, { rows: [[1]] }]
    .map((inputs, i) => ({ name: `a/${i}`, params: {}, inputs: inputs as Data, outputs: [1] }));
  const file = { name: "firsts", path: "firsts.json", cases, document: {} };
  for await (const { failure } of judgeFormulas(file, [firsts], graphs, () => true)) failures.push(failure);
  graphs.release();
  const said = (what: string) => `outcome is an error (inputs.rows is ${what}, want rows of numbers), want a value`;
  assert.deepEqual(failures, [said("missing"), said("null"), said('"x"'), said("an object"), null]);
});
