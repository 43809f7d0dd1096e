import assert from "node:assert/strict";
import { liveFindingLines } from "../../../workflows/doctor/live_finding.ts";
import { oneExamined, oneFinding } from "./one_examined.ts";

const screen = { columns: 80, style: (text: string) => text };
const told = {
  examined: oneExamined(),
  records: 6,
  trainStep: 6,
  explain: (cause: string) => `nonzero diagnose ${cause}`,
};

Deno.test("liveFindingLines() says the train step, the message, the first proof, what to do, and how to read more", () => {
  assert.deepEqual(liveFindingLines(oneFinding(), told, screen), [
    "nonzero  error entropy_collapse  train step 3 to 4, told at train step 6",
    "            Entropy falls from 1.5 to 0.01; it shows since train step 3.",
    "  Evidence  log.txt:3  actor/entropy 0.01",
    "  Do        Raise the temperature",
    "  Change    temperature=1.0",
    "  More      nonzero diagnose entropy_collapse",
  ]);
});

Deno.test("liveFindingLines() counts records where no train step is known, and stays on the screen", () => {
  const finding = oneFinding({ train_steps: [], evidence: [], message: "a word ".repeat(30) });
  const lines = liveFindingLines(finding, { ...told, trainStep: null }, screen);
  assert.match(lines[0]!, /entropy_collapse {2}told at 6 records$/);
  for (const line of lines) assert(line.length <= 80, line);
});
