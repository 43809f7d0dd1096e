import assert from "node:assert/strict";
import { mendedFragment } from "../../../../../data/adapters/post/blocks/fragment.ts";

for (
  const [text, want] of [
    ["'loss': 0.0, 'reward': 0.5, ...", "{'loss': 0.0, 'reward': 0.5}"],
    [`"kl": nan, "std": null,`, `{"kl": nan, "std": null}`],
    ["'loss': 0.25,", "{'loss': 0.25}"],
    ["{'loss': 0.0, 'reward': 0.5, ...}", "{'loss': 0.0, 'reward': 0.5}"],
    ["{'loss': 0.0, 'reward': 0.5", "{'loss': 0.0, 'reward': 0.5}"],
    ["'clip': [1, 2], 'loss': 1e-5", "{'clip': [1, 2], 'loss': 1e-5}"],
    ["{'loss': 0.0}", null],
    ["it says 'loss': 0.5 in the middle of a sentence that goes on and on", null],
    ["loss: 0.5", null],
    ["", null],
  ] as const
) {
  Deno.test(`mendedFragment() makes ${want ?? "nothing"} of ${text || "an empty line"}`, () => {
    assert.equal(mendedFragment(text), want);
  });
}

Deno.test("mendedFragment() gives up on what is longer than a record", () => {
  assert.equal(mendedFragment("'loss': 1, ".repeat(3000)), null);
});
