/** Look-ups of recognised lines. */
import assert from "node:assert/strict";
import { message, messageCount, messageEvidence } from "../../../../steps/diagnoses/view/messages.ts";
import { viewOf } from "../synthetic.ts";

Deno.test("message() finds the first, messageCount() counts, messageEvidence() shortens", () => {
  const view = viewOf({ messages: ["OVERFLOW 1", "fine", "OVERFLOW 2".padEnd(400, ".")] });
  assert.equal(message(view, /overflow/i)?.line, 1);
  assert.equal(messageCount(view, /overflow/i), 2);
  assert.equal(String(messageEvidence(view.messages[2]!).value).length, 200);
  assert.equal(message(view, /nothing/), null);
  const [long] = viewOf({ messages: ["OVERFLOW " + "of words ".repeat(40)] }).messages;
  assert.match(String(messageEvidence(long!).value), /(?:of|words)…$/);
});
