import assert from "node:assert/strict";
import { copiedShare, copying, PRINTED_STEPS, thirdsOf } from "../../../../steps/diagnoses/view/copying.ts";
import { group, viewOf } from "../synthetic.ts";

const PROMPT = "A train leaves Berlin at nine in the morning and drives 60 km an hour. Where is it at noon?";

Deno.test("copiedShare() is the share of a text's pieces that stand in the prompt", () => {
  assert.equal(copiedShare(PROMPT, PROMPT.toUpperCase().replaceAll(" ", "\n ")), 1, "whatever its case and spaces");
  assert.equal(copiedShare(PROMPT, "After three hours of sixty kilometres each it has come 180 of them."), 0);
  const half = copiedShare(
    PROMPT,
    `${PROMPT.slice(0, 45)}${"so three hours pass until then, ok. 180 km".slice(0, 45)}`,
  )!;
  assert(half > 0.3 && half < 0.6, String(half));
});

Deno.test("copiedShare() says nothing of what is too short for a share", () => {
  assert.equal(copiedShare(PROMPT, "180 km"), null);
  assert.equal(copiedShare("sort 537=", PROMPT), null);
});

Deno.test("copying() compares the first and the last third of the printed train steps", () => {
  const rows = [0, 0, 0, 0, 0, 0, 0, 1, 1].flatMap((copies, i) =>
    group(PROMPT, [copies ? PROMPT : "After three hours of sixty kilometres each it is there."], [0], {
      trainStep: 10 * i,
    })
  );
  assert.deepEqual(copying(viewOf({ completions: rows })), { first: [0, 0, 0], last: [0, 1, 1], since: 60 });
});

Deno.test("thirdsOf() is null for fewer train steps, and where none of them is known", () => {
  const rows = Array.from(
    { length: PRINTED_STEPS - 1 },
    (_, trainStep) => group(PROMPT, ["a", "b"], [0, 0], { trainStep }),
  );
  assert.equal(thirdsOf(rows.flat(), () => 1), null);
  assert.notEqual(thirdsOf([...rows, group(PROMPT, ["a"], [0], { trainStep: 99 })].flat(), () => 1), null);
  assert.equal(thirdsOf(rows.flat().map((row) => ({ ...row, trainStep: null })), () => 1), null);
});
