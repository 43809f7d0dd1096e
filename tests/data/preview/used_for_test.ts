import assert from "node:assert/strict";
import { problemOf, usedFor } from "../../../data/preview/used_for.ts";

const used = (...rows: Record<string, unknown>[]) => usedFor(rows, Object.keys(rows[0]!));

Deno.test("usedFor() recognises what the steps do, and nothing that they would refuse", () => {
  const labelled = { completion: "a", label: true };
  assert.deepEqual(used({ question: "q", ...labelled }).use?.options, { prompt_column: "question" });
  assert.deepEqual(used({ prompt: "q", ...labelled }).use?.options, {});
  const two = used({ problem: "p", question: "q", ...labelled });
  assert.equal(two.use, null);
  assert.match(two.unclear!, /its prompt can be in problem or question; set prompt_column: problem/);
  const apart = used({ chosen: "ax", rejected: "b" });
  assert.equal(apart.use, null);
  assert.match(apart.unclear!, /every row: chosen and rejected have no common beginning/);
});

Deno.test("problemOf() says of a chat row that no assistant's turn answers, and of preferences what the step says", () => {
  const user = { role: "user", content: "q" }, messages = [user, { role: "assistant", content: "a" }];
  const { use } = used({ messages });
  assert.equal(problemOf({ messages }, use!), null);
  assert.match(problemOf({ messages: [user] }, use!)!, /last message is the user's, which no assistant's answers/);
  const pairs = used({ prompt: "p", chosen: "a", rejected: "b" }).use!;
  assert.equal(
    problemOf({ prompt: "p", chosen: "a", rejected: 5 }, pairs),
    "rejected is 5, want a text or a list of messages",
  );
});
