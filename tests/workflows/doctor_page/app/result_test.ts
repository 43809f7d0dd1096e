/// <reference lib="dom" />
/** The head of a report: it says what was found whatever the verdict is, and leads to the line that it speaks of. */
import assert from "node:assert/strict";
import { verdictCard } from "../../../../workflows/doctor_page/app/result.ts";
import { EN } from "../../../../workflows/doctor_page/language/mod.ts";
import { proofsOf } from "../../../../workflows/doctor_page/app/proofs.ts";
import { GivenRun } from "../../../../workflows/doctor_page/reading/diagnose_given.ts";
import { smallDocument, type SmallElement } from "./small_document.ts";

async function headOf(text: string) {
  smallDocument();
  const { runs: [shown] } = await new GivenRun().diagnose({ kind: "text", text });
  const gone: [string, number][] = [];
  const card = verdictCard(shown!, {
    language: "en",
    say: EN,
    goTo: (source, line) => void gone.push([source, line]),
    hasText: (source) => source === "-",
  }) as unknown as SmallElement;
  for (const place of card.of("button")) await place.say("click");
  return { run: shown!.run, said: card.of("h1")[0]!.textContent, text: card.textContent, gone };
}

Deno.test("verdictCard() says of what cannot be told why, and leads to the line that it speaks of", async () => {
  const { run, said, gone } = await headOf(
    "GRPO with TRL, 8 generations.\n\nBut the KL is 0 on every step of my training.\n",
  );
  assert.equal(run.verdict, "cannot tell");
  assert.match(said, /^cannot tell line 3 says "But the KL is 0/);
  assert.deepEqual(gone, [["-", 3]]);
  assert.deepEqual([...proofsOf(run).get("-")!.keys()], [3]);
});

const LEARNS = [0.2, 0.3, 0.4, 0.5].map((reward, i) =>
  `{'loss': 0.0, 'grad_norm': 0.3${i}, 'reward': ${reward}, 'reward_std': 0.2, 'kl': 0.00${
    i + 1
  }, 'learning_rate': 1e-06}`
).join("\n");

Deno.test("verdictCard() says of a healthy run what proves it, once", async () => {
  const { run, said, text } = await headOf(
    `My GRPO run with TRL prints this. Is it fine?\n\n\`\`\`\n${LEARNS}\n\`\`\`\n`,
  );
  assert.equal(run.verdict, "healthy");
  assert.match(said, /^healthy nothing wrong is seen: reward goes from 0\.2 to 0\.5$/);
  assert.equal(text.split("reward goes from").length, 2);
});

const UNTOLD =
  "reward_std = 0 all the time in my Visual-RFT run. Mine is reward_std 0.0, grad_norm 0.0, for the ~90 steps that I let it run.\n";

Deno.test("verdictCard() says what it may be once, and lists what is missing under one heading", async () => {
  const { run, text } = await headOf(UNTOLD);
  assert.equal(run.verdict, "cannot tell");
  const told = [text, ...run.possible.map(({ why }) => why)].join(" ");
  assert.equal(told.split(/may be zero_reward_variance/i).length, 2, told);
  assert(run.missing.length > 1);
  assert.equal(text.split(/missing/i).length, 2, text);
});
