import assert from "node:assert/strict";
import { commandLine } from "../../../workflows/terminal/command_line.ts";
import { confirmation, howLines, possibleCauses, probabilityText } from "../../../workflows/doctor/possible.ts";
import { oneDecisive, oneDifferential, oneExamined } from "./one_examined.ts";

const { diagnosis } = oneExamined();
const examined = oneExamined({ diagnosis: { ...diagnosis, differential: oneDifferential() } });

Deno.test("possibleCauses() are the runners-up with why and the look that decides, at most three at first", () => {
  const [other, ...rest] = possibleCauses(examined, false);
  assert.deepEqual(rest, []);
  assert.equal(other!.cause, "greedy_sampling");
  assert.equal(other!.why, "groups are copies");
  assert.match(other!.look!, /^sample 32: greedy_sampling if most are the same; entropy_collapse if they differ$/);
  const many = Array.from(
    { length: 5 },
    (_, i) => ({ ...oneDifferential()[1]!, cause: `cause${i}`, probability: 0.1 }),
  );
  const run = oneExamined({ diagnosis: { ...diagnosis, differential: many } });
  assert.equal(possibleCauses(run, false).length, 3);
  assert.equal(possibleCauses(run, true).length, 5);
});

Deno.test("confirmation() is the look of the first finding; none where the log shows it already", () => {
  assert.equal(confirmation(examined)!.cause, "entropy_collapse");
  assert.equal(confirmation(oneExamined()), null);
});

Deno.test("howLines() are options, then a command line with the run in it", () => {
  const decide = oneDecisive({ options: ["beta=0.01"], command: ["report", "RUN"] });
  assert.deepEqual(howLines(decide, { path: "runs/a b" }), ["beta=0.01", commandLine(["report", "runs/a b"])]);
});

Deno.test("probabilityText() rounds to one percent", () => {
  assert.deepEqual([0.004, 0.07, 0.955, 1].map(probabilityText), ["< 1 %", "7 %", "96 %", "100 %"]);
});
