import assert from "node:assert/strict";
import { differentialLines, likelyLines } from "../../../workflows/doctor/differential_lines.ts";
import { oneDifferential, oneExamined } from "./one_examined.ts";

const out = { columns: 80, style: (text: string) => text };
const { diagnosis } = oneExamined();
const examined = oneExamined({ diagnosis: { ...diagnosis, differential: oneDifferential() } });

Deno.test("likelyLines() are a bar and a probability for each cause, the first finding first; none where it stands alone", () => {
  assert.deepEqual(likelyLines(examined, out, false), [
    "  Likely    ███████     70 %  entropy_collapse",
    "            ██          20 %  greedy_sampling: groups are copies",
  ]);
  const alone = oneExamined({ diagnosis: { ...diagnosis, differential: oneDifferential().slice(0, 1) } });
  assert.deepEqual(likelyLines(alone, out, false), []);
  const [first, second] = oneDifferential(), says = "some words that go on and on ".repeat(4);
  const long = [first!, { ...second!, probability: 0.021, for: [{ says, weight: 1 }] }];
  const lines = likelyLines(oneExamined({ diagnosis: { ...diagnosis, differential: long } }), out, false);
  assert.match(lines[1]!, /^ {12}█ {12}2 % {2}greedy_sampling: some words/);
  assert.match(lines[2]!, /^ {30}\S/);
  for (const line of lines) assert(line.length <= 80, line);
});

Deno.test("differentialLines() are the one look that decides", () => {
  const text = differentialLines(examined, out, false).join("\n");
  assert.match(
    text,
    /^ {2}Look {6}sample 32: entropy_collapse if they differ; greedy_sampling if most\n {12}are the same$/,
  );
});

Deno.test("differentialLines() with all has a look for each, and does not say twice what is done in one", () => {
  const [first, second] = oneDifferential(), third = { ...second!, cause: "nan_loss", probability: 0.05 };
  const text = differentialLines(
    oneExamined({ diagnosis: { ...diagnosis, differential: [first!, second!, third] } }),
    out,
    true,
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
  const [perhaps] = likelyLines(open, out, false);
  assert.equal(perhaps, "  Perhaps   ███████     70 %  entropy_collapse: entropy falls");
  assert.match(differentialLines(open, out, false)[0]!, /^ {2}Look {6}sample 32: entropy_collapse if they differ/);
  assert.deepEqual(differentialLines(oneExamined(), out, false), []);
});
