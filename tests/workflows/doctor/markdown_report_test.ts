import assert from "node:assert/strict";
import { markdownReport } from "../../../workflows/doctor/markdown_report.ts";
import { oneDifferential, oneExamined, oneFinding } from "./one_examined.ts";

Deno.test("markdownReport() shows cause, evidence with its line, change and what it is not, without the home folder", () => {
  const text = markdownReport(oneExamined(), false);
  assert.match(text, /^### faulty: entropy_collapse\n/);
  assert.match(text, /\| log\.txt:3 \| actor\/entropy \| 0\.01 \| was 1\.5 \|/);
  assert.match(text, /\| train step 4 \| loss \| NaN \|/);
  assert.match(text, /^- `temperature=1\.0`$/m);
  assert.match(text, /^- not `greedy_sampling`: temperature is 1$/m);
  assert.doesNotMatch(text, /ada/);
  assert.equal(text.split("entropy falls from").length, 2, "the message is said once");
});

Deno.test("markdownReport() cannot be broken by what a log holds, and shortens long texts", () => {
  const message = "a | b\n# head <!-- `x` " + "y".repeat(1000);
  const { diagnosis } = oneExamined();
  const hostile = { ...diagnosis, reasons: [message], findings: [oneFinding({ message })] };
  const text = markdownReport(oneExamined({ diagnosis: hostile, path: "a|b`c.txt" }), false);
  assert.match(text, /a \\\| b # head &lt;!-- 'x' y+…/);
  assert.match(text, /`a\\\|b'c\.txt`/);
  assert.doesNotMatch(text, /^# head/m);
  for (const line of text.split("\n")) assert(line.length < 500, line);
});

Deno.test("markdownReport() shows three findings, all of them on request", () => {
  const findings = ["a", "b", "c", "d"].map((cause) => oneFinding({ cause }));
  const many = oneExamined({ diagnosis: { ...oneExamined().diagnosis, findings } });
  assert.doesNotMatch(markdownReport(many, false), /`d`/);
  assert.match(markdownReport(many, true), /\*\*error: `d`\*\*/);
});

Deno.test("markdownReport() heads the list of what it may be with the first finding, as likely as beside its name", () => {
  const { diagnosis } = oneExamined(),
    examined = oneExamined({
      diagnosis: {
        ...diagnosis,
        findings: [oneFinding({ ruled_out: [{ cause: "greedy_sampling", why: "temperature is 1" }] })],
        differential: oneDifferential(),
      },
    });
  const text = markdownReport(examined, false);
  assert.match(text, /^\*\*error: `entropy_collapse`\*\* \(E01; train step 3 to 4; probability 70 %\)$/m);
  assert.match(text, /^\| \*\*70 %\*\* \| \*\*`entropy_collapse`\*\* \| found above \| sample 32: .*\n\| 20 % \|/m);
  assert.doesNotMatch(text, /not `greedy_sampling`/);
});
