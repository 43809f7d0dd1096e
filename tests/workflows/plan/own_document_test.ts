import assert from "node:assert/strict";
import { answer, ownDocument } from "../../../workflows/plan/own_document.ts";
import { WorkflowDocument } from "../../../workflows/language/schema.ts";

const DOCUMENT = WorkflowDocument.parse({
  name: "a",
  params: { size: 4 },
  seed: "${{ matrix.seed }}",
  strategy: { matrix: { seed: [1, 2] } },
  steps: [
    { uses: "x", with: { a: ["${{ params.size }}", "${{ matrix.seed }}"] }, if: "${{ matrix.seed == 2 }}" },
    { repeat: "${{ params.size }}", until: "params.size > 3", steps: [{ uses: "x", if: "steps.x.outputs.y > 1" }] },
  ],
});

Deno.test("ownDocument() answers the matrix, keeps look-ups of params, drops the strategy", () => {
  const own = ownDocument(DOCUMENT, { size: 5 }, { seed: 2 });
  assert.equal(own.seed, 2);
  assert.deepEqual(own.params, { size: 5 });
  assert.equal("strategy" in own, false);
  assert.partialDeepStrictEqual(own.steps, [
    { with: { a: ["${{ params.size }}", 2] }, if: true },
    { repeat: "${{ params.size }}", until: "params.size > 3", steps: [{ if: "steps.x.outputs.y > 1" }] },
  ]);
});

Deno.test("ownDocument() lets given settings win, absent ones not", () => {
  const own = ownDocument(DOCUMENT, { size: 4 }, { seed: 1 }, { device: "cpu", threads: null });
  assert.deepEqual([own.device, own.threads, own.seed], ["cpu", undefined, 1]);
});

Deno.test("answer() decides the conditions it knows and leaves the others as text", () => {
  const answered = answer(ownDocument(DOCUMENT, { size: 4 }, { seed: 1 }), { params: { size: 4 } });
  assert.partialDeepStrictEqual(answered.steps, [{ with: { a: [4, 1] }, if: false }, {
    repeat: 4,
    until: true,
    steps: [{ if: "steps.x.outputs.y > 1" }],
  }]);
});
