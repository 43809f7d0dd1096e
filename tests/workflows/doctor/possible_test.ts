import assert from "node:assert/strict";
import { commandLine } from "../../../workflows/terminal/command_line.ts";
import {
  firstCause,
  howLines,
  listedCauses,
  possibleCauses,
  probabilityOf,
  probabilityText,
  ruledOut,
} from "../../../workflows/doctor/possible.ts";
import type { Likely } from "../../../steps/diagnoses/differential/differential.ts";
import { oneDecisive, oneDifferential, oneExamined, oneFinding } from "./one_examined.ts";

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

Deno.test("firstCause() heads the list with its look, also where the log shows it already; none that stands alone without one", () => {
  assert.equal(firstCause(examined, false)!.cause, "entropy_collapse");
  assert.equal(firstCause(oneExamined(), false), null);
  const [{ decide: _, ...first }, second] = oneDifferential() as [Likely, Likely];
  const of = (...differential: Likely[]) =>
    firstCause(oneExamined({ diagnosis: { ...diagnosis, differential } }), false);
  assert.equal(of(first, second)!.look, null);
  assert.equal(of(first), null);
});

Deno.test("listedCauses() has what is found beside the first finding among what stays possible, most likely first", () => {
  const [first, second] = oneDifferential() as [Likely, Likely];
  const beside = oneFinding({ cause: "nan_loss", severity: "fatal" });
  const differential = [first, second, { ...second, cause: "nan_loss", probability: 0.5 }];
  const run = oneExamined({ diagnosis: { ...diagnosis, findings: [oneFinding(), beside], differential } });
  const shown = listedCauses(run, false).map(({ cause, isFirst, isFound }) => [cause, isFirst, isFound]);
  assert.deepEqual(shown, [
    ["entropy_collapse", true, true],
    ["nan_loss", false, true],
    ["greedy_sampling", false, false],
  ]);
  const twin = oneFinding({ cause: "greedy_sampling" });
  const twice = oneExamined({ diagnosis: { ...diagnosis, findings: [oneFinding(), twin], differential } });
  const causes = listedCauses(twice, true).map(({ cause }) => cause);
  assert.equal(new Set(causes).size, causes.length);
  assert.deepEqual(listedCauses(oneExamined(), false), []);
});

Deno.test("probabilityOf() is the one of the list; null of a note", () => {
  assert.equal(probabilityOf(examined, oneFinding()), 0.7);
  assert.equal(probabilityOf(examined, oneFinding({ cause: "benign_zero_loss" })), null);
});

Deno.test("ruledOut() does not rule out what the same report calls possible", () => {
  const finding = oneFinding({
    ruled_out: [{ cause: "greedy_sampling", why: "temperature is 1" }, { cause: "nan_loss", why: "loss is 0.123456" }],
  });
  assert.deepEqual(ruledOut(examined, finding, false), [{ cause: "nan_loss", why: "loss is 0.123" }]);
  assert.equal(ruledOut(oneExamined(), finding, false).length, 2);
});

Deno.test("howLines() are options, then a command line with the run in it", () => {
  const decide = oneDecisive({ options: ["beta=0.01"], command: ["report", "RUN"] });
  assert.deepEqual(howLines(decide, { path: "runs/a b" }), ["beta=0.01", commandLine(["report", "runs/a b"])]);
});

Deno.test("probabilityText() rounds to one percent", () => {
  assert.deepEqual([0.004, 0.07, 0.955, 1].map(probabilityText), ["< 1 %", "7 %", "96 %", "100 %"]);
});
