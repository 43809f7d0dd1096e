import assert from "node:assert/strict";
import { Graph } from "../../../gpu/onnx/graph.ts";
import { pickToken, samplerInputs, type SamplerKind } from "../../../gpu/sampling/pick.ts";
import { type Fed, floats, runGraph } from "../run_graph.ts";

const PLAIN: SamplerKind = {
  greedy: false,
  temperature: false,
  topK: 0,
  topP: false,
  minP: false,
  repetitionPenalty: false,
};
const P = [0, 0.125, 0.5, 0, 0.25, 0.125, 0];

/** One row per uniform, all with probabilities P. */
async function pick(uniforms: number[], kind: SamplerKind, more: Record<string, Fed> = {}) {
  const graph = new Graph(), n = uniforms.length, v = P.length;
  const logits = graph.input("logits", { dtype: "float32", shape: ["B", v] });
  const { token, drawn, plain } = pickToken(logits, samplerInputs(graph, kind, v), kind);
  graph.output("token", token);
  graph.output("drawn", drawn);
  graph.output("plain", plain);
  const rows = uniforms.flatMap(() => P.map((p) => Math.log(p)));
  const fed: Record<string, Fed> = { logits: floats([n, v], rows), ...more };
  if (!kind.greedy) fed.uniforms = floats([n, 1], uniforms);
  return await runGraph(graph, fed, { token: [n, 1], drawn: [n], plain: [n] });
}
function near(values: number[], want: number[]): void {
  values.forEach((x, i) => assert(Math.abs(x - want[i]!) < 1e-6, `${values}, want ${want}`));
}

Deno.test("pickToken() inverts the CDF and never draws a token of probability 0, also at both ends", async () => {
  const uniforms = [0, 0.1249, 0.1251, 0.6249, 0.6251, 0.8749, 0.8751, 1 - 2 ** -24];
  const { token, drawn, plain } = await pick(uniforms, PLAIN);
  assert.deepEqual(token, [1, 1, 2, 2, 4, 4, 5, 5]);
  near(plain!, token!.map((id) => P[id]!));
  assert.deepEqual(drawn, plain);
});

Deno.test("pickToken() reports probabilities under the filtered and under the plain distribution", async () => {
  const kind = { ...PLAIN, topP: true };
  const { token, drawn, plain } = await pick([0.1, 0.9], kind, { top_p: floats([1], [0.7]) });
  assert.deepEqual(token, [2, 4]);
  near(drawn!, [2 / 3, 1 / 3]);
  near(plain!, [0.5, 0.25]);
});

Deno.test("pickToken() with a temperature draws from the tempered distribution", async () => {
  const { token, drawn } = await pick([0.5], { ...PLAIN, temperature: true }, { temperature: floats([1], [0.5]) });
  const squares = P.map((p) => p * p), total = squares.reduce((a, b) => a + b);
  assert.deepEqual(token, [2]);
  near(drawn!, [squares[2]! / total]);
});

Deno.test("pickToken() when greedy takes the likeliest and reports probability 1 for its draw", async () => {
  const { token, drawn, plain } = await pick([0.99], { ...PLAIN, greedy: true });
  assert.deepEqual(token, [2]);
  near(drawn!, [1]);
  near(plain!, [0.5]);
});

Deno.test("pickToken() leaves suppressed tokens out, drawn or greedy, and shares their probability among the others", async () => {
  const suppressed = { ...PLAIN, suppress: [2] };
  const { token, drawn, plain } = await pick([0, 0.26, 0.5, 0.99], suppressed);
  assert.deepEqual(token, [1, 4, 4, 5]);
  near(drawn!, [0.25, 0.5, 0.5, 0.25]);
  near(plain!, [0.125, 0.25, 0.25, 0.125]);
  assert.deepEqual((await pick([0.5], { ...suppressed, greedy: true })).token, [4]);
});
