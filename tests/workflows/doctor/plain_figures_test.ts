import assert from "node:assert/strict";
import { asClause, plainFigures } from "../../../workflows/doctor/plain_figures.ts";

Deno.test("plainFigures() says three digits, seconds for thousands of milliseconds, and powers of ten for small numbers", () => {
  const said: Record<string, string> = {
    "reward went from 0.3849 to 0.963": "reward went from 0.385 to 0.963",
    "from 0.06944 % to 92.81 %": "from 0.0694 % to 92.8 %",
    "changed by -0.01744": "changed by -0.0174",
    "takes 177600 ms, 3.652 times": "takes 178 s, 3.65 times",
    "takes 950 ms": "takes 950 ms",
    "learning rate 0.00001, usual is 0.000001": "learning rate 1e-5, usual is 1e-6",
    "goes from 0.000001803 to 23.14:": "goes from 1.8e-6 to 23.1:",
    "fell from 58.01 %": "fell from 58 %",
    "up to 1301.6 times": "up to 1302 times",
    "exact_match went from 0 to 0": "exact_match stayed at 0",
    "share went from 0 % to 0 %, and": "share stayed at 0 %, and",
    "went from 0 to 0.5": "went from 0 to 0.5",
  };
  for (const [message, plain] of Object.entries(said)) assert.equal(plainFigures(message), plain);
});

Deno.test("plainFigures() leaves what it would make untrue, and what is no number of a message", () => {
  const kept = [
    "went from 0.98711 to 0.98699",
    "fell from 0.99964",
    "fell from 99.96 %",
    "printed as 0.000",
    "TRL 1.16.0 at log.txt:1.23456",
    "train step 12345 of 200000",
    "Qwen2.51234-VL",
  ];
  for (const text of kept) assert.equal(plainFigures(text), text);
});

Deno.test("asClause() begins small, unless a name stands first", () => {
  assert.deepEqual(["Entropy falls", "A reward", "KL is 3", "Qwen2.5 writes"].map(asClause), [
    "entropy falls",
    "a reward",
    "KL is 3",
    "Qwen2.5 writes",
  ]);
});

Deno.test("plainFigures() of levels that are the same says that they stayed, still about there", () => {
  assert.equal(plainFigures("the reward went from about 0.5 to 0.5"), "the reward stayed at about 0.5");
  assert.equal(plainFigures("the reward went from about 0.5 to 0.56"), "the reward went from about 0.5 to 0.56");
});
