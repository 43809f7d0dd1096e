import assert from "node:assert/strict";
import { redact } from "../../../workflows/doctor/redact.ts";

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
