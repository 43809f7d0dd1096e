import assert from "node:assert/strict";
import { masked, strangersText } from "../../../../data/hub/remote/strangers_text.ts";

Deno.test("masked() hides the token, as it is and as it stands in an address or in JSON", () => {
  assert.equal(masked("you sent Bearer hf_x, hf_x", "hf_x"), "you sent Bearer ‹your token›, ‹your token›");
  assert.equal(masked('at /a%2Fb%22 and "a/b\\""', 'a/b"'), 'at /‹your token› and "‹your token›"');
  for (const token of [null, ""]) assert.equal(masked("abc", token), "abc");
});

Deno.test("strangersText() moves no terminal", () => {
  assert.equal(strangersText("hf_x\x1b]0;x\u202e\n", "hf_x"), "‹your token›\ufffd]0;x\ufffd⏎");
});
