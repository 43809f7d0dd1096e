import assert from "node:assert/strict";
import { differentialLines } from "../../../workflows/doctor/differential_lines.ts";
import { oneDifferential, oneExamined } from "./one_examined.ts";

const out = { columns: 80, style: (text: string) => text };
const { diagnosis } = oneExamined();
const examined = oneExamined({ diagnosis: { ...diagnosis, differential: oneDifferential() } });

Deno.test("differentialLines() has a line per runner-up, and says a look that decides for both once", () => {
  const text = differentialLines(examined, out, false).join("\n");
  assert.match(
    text,
    /^ {2}Look {6}sample 32: entropy_collapse if they differ; greedy_sampling if most\n {12}are the same$/m,
  );
  assert.match(text, /^ {2}Or {8}20 % greedy_sampling: groups are copies$/m);
  assert.equal(text.split("sample 32").length, 2, text);
  assert.doesNotMatch(text, /Weighed/);
  for (const line of text.split("\n")) assert(line.length <= 80, line);
});

Deno.test("differentialLines() does not say twice what is done in one look", () => {
  const [first, second] = oneDifferential(), third = { ...second!, cause: "nan_loss", probability: 0.05 };
  const text = differentialLines(
    oneExamined({ diagnosis: { ...diagnosis, differential: [first!, second!, third] } }),
    out,
    false,
  ).join("\n");
  assert.equal(text.split("sample 32").length, 2, text);
  assert.match(text, /^ {2}Look {6}the same: nan_loss if most are the same; entropy_collapse if they\n {12}differ$/m);
});

Deno.test("differentialLines() with all has what speaks for and against each, with its weight", () => {
  const text = differentialLines(examined, out, true).join("\n");
  assert.match(text, /^ {2}Weighed {3}70 % entropy_collapse\n {12}\+4 entropy falls$/m);
  assert.match(text, /^ {12}-1 it begins later$/m);
});

Deno.test("differentialLines() of a run without a finding says what it may be, and nothing of a healthy one", () => {
  const open = oneExamined({
    diagnosis: { ...examined.diagnosis, verdict: "insufficient", findings: [], afterEffects: [] },
  });
  assert.match(
    differentialLines(open, out, false).join("\n"),
    /^ {2}Perhaps {3}70 % entropy_collapse: entropy falls$/m,
  );
  assert.deepEqual(differentialLines(oneExamined(), out, false), []);
});
