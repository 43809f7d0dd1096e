import assert from "node:assert/strict";
import { redact, takenOut } from "../../../workflows/doctor/redact.ts";

const CASES: readonly (readonly [text: string, want: string])[] = [
  ["/home/ada/run/log.txt:3", "/home/…/run/log.txt:3"],
  ["/Users/ada/x C:\\Users\\ada\\x", "/Users/…/x C:\\Users\\…\\x"],
  ["token hf_abcdefghijklmnop end", "token <token> end"],
  ["WANDB api_key=0123456789", "WANDB api_key=<token>"],
  ["write to ada.l@example.org now", "write to <e-mail> now"],
  ["loss 0.0 at step 12, reward_std 0", "loss 0.0 at step 12, reward_std 0"],
];
for (const [text, want] of CASES) {
  Deno.test(`redact() of ${JSON.stringify(text)}`, () => assert.equal(redact(text), want));
}

Deno.test("takenOut() lists each passage that redact() takes out, once, with what stands in its place", () => {
  const text = "/home/ada/x /home/ada/y hf_abcdefghijklmnop ada.l@example.org loss 0";
  assert.deepEqual(takenOut(text), [
    { text: "/home/ada", by: "/home/…" },
    { text: "hf_abcdefghijklmnop", by: "<token>" },
    { text: "ada.l@example.org", by: "<e-mail>" },
  ]);
  assert.deepEqual(takenOut(redact(text)), []);
});
