import assert from "node:assert/strict";
import { markdownReport } from "../../../workflows/doctor/markdown_report.ts";
import { examinedPost } from "./examined_post.ts";
import { oneDifferential, oneExamined, oneFinding } from "./one_examined.ts";

Deno.test("markdownReport() shows cause, evidence with its line, change and what it is not, without the home folder", () => {
  const text = markdownReport(oneExamined(), false);
  assert.match(text, /^### faulty: entropy_collapse\n/);
  assert.match(text, /\| log\.txt:3 \| actor\/entropy \| 0\.01 \| was 1\.5 \|/);
  assert.match(text, /\| train step 4 \| loss \| NaN \|/);
  assert.match(text, /^- `temperature=1\.0`\n- look at the completions$/m, "only options are code");
  assert.match(text, /^- not `greedy_sampling`: temperature is 1$/m);
  assert.doesNotMatch(text, /ada/);
  assert.equal(text.split("ntropy falls from").length, 2, "the message is said once");
});

Deno.test("markdownReport() cannot be broken by what a log holds, and shortens long texts", () => {
  const message = "a | b\n# head <!-- `x` " + "y".repeat(1000);
  const { diagnosis } = oneExamined();
  const hostile = { ...diagnosis, reasons: [message], findings: [oneFinding({ message })] };
  const text = markdownReport(oneExamined({ diagnosis: hostile, path: "a|b`c.txt" }), false);
  assert.match(text, /A \\\| b # head &lt;!-- 'x' y+…/);
  assert.match(text, /`a\|b'c\.txt`/);
  assert.doesNotMatch(text, /^# head/m);
  for (const line of text.split("\n")) assert(line.length < 650, line);
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

/** Cells of a row as GitHub splits it: at bars that no backslash takes away. */
const cellsOf = (row: string) => row.match(/(?:\\.|[^|\\])+/g) ?? [];

Deno.test("markdownReport() keeps its tables whole, whatever a metric is called or a file", () => {
  const names = [
    "a|b",
    "a\\|b",
    "a\\",
    "`x`",
    "<img src=x>",
    "[x](javascript:1)",
    "\u001b[31mred\u0007",
    "a\nb\rc\u2028d",
  ];
  for (const name of names) {
    const { diagnosis } = oneExamined(), [finding] = diagnosis.findings;
    const evidence = finding!.evidence.map((row) => ({ ...row, name, note: name, value: name }));
    const hostile = oneFinding({
      evidence,
      message: name,
      hint: name,
      remedy: { patches: [], options: [name] },
      ruled_out: [{ cause: name, why: name }],
    });
    const text = markdownReport(
      oneExamined({
        path: `/home/ada/${name}`,
        part: name,
        diagnosis: { ...diagnosis, findings: [hostile], differential: oneDifferential(), reasons: [name] },
      }),
      true,
    );
    // deno-lint-ignore no-control-regex
    assert.doesNotMatch(text, /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u2028]/, JSON.stringify(name));
    // Code is shown as it is written: nothing in it is an element or a link.
    assert.doesNotMatch(text.replace(/`[^`\n]*`/g, ""), /<img|[^\\]\]\(/, JSON.stringify(name));
    const rows = text.split("\n").filter((line) => line.startsWith("|"));
    assert(rows.length >= 8, text);
    for (const row of rows) assert.equal(cellsOf(row).length, 4, row);
    const ticks = text.split("\n").filter((line) => !line.startsWith("```")).map((line) => line.split("`").length - 1);
    assert(ticks.every((count) => count % 2 === 0), text);
  }
});

Deno.test("markdownReport() of a healthy run has its file's name as text", () => {
  const { diagnosis } = oneExamined();
  const healthy = { ...diagnosis, verdict: "benign", findings: [], afterEffects: [], reasons: ["fine"] } as const;
  const text = markdownReport(oneExamined({ diagnosis: healthy, path: "runs/<b>`x`\n# y" }), false);
  assert.match(text, /^### healthy: &lt;b>'x' # y\n/);
});

Deno.test("markdownReport() takes out what it is told, which is what is private unless it is told else", () => {
  const { diagnosis } = oneExamined();
  const examined = oneExamined({
    diagnosis: { ...diagnosis, findings: [oneFinding({ hint: "write to ada@example.org" })] },
  });
  assert.match(markdownReport(examined, false), /write to &lt;e-mail>/);
  assert.match(markdownReport(examined, false, (text) => text), /write to ada@example\.org/);
});

Deno.test("markdownReport() writes code as it is read, without an entity and without the name of a system in it", () => {
  const remedy = { patches: [], options: ["trl: stop=<end>", "trl: sep=a`b"] };
  const text = markdownReport(
    oneExamined({
      path: "/data/ada@example.org.log",
      diagnosis: { ...oneExamined().diagnosis, findings: [oneFinding({ remedy })] },
    }),
    false,
  );
  assert(text.includes("`<e-mail>` ·"), text);
  assert(text.includes("- `stop=<end>`\n- `sep=a'b`"), text);
  assert(!/`[^`\n]*&lt;[^`\n]*`/.test(text), text);
});

Deno.test("markdownReport() calls nobody when it is pasted, whatever a log quotes; an option stays as it is written", () => {
  const { diagnosis } = oneExamined(), [finding] = diagnosis.findings;
  const live = "@torvalds owner/repo#1 https://evil.example/?q=1 www.evil.example &#64;ada";
  const hostile = oneFinding({
    evidence: finding!.evidence.map((row) => ({ ...row, name: live, note: live, value: live })),
    message: live,
    hint: live,
    remedy: { patches: [], options: ["model=hf:a/b@main"] },
    ruled_out: [{ cause: "greedy_sampling", why: live }],
  });
  const text = markdownReport(oneExamined({ diagnosis: { ...diagnosis, findings: [hostile] }, path: "a" }), true);
  assert.doesNotMatch(text, /@torvalds|#1|https:\/\/|www\.|&#64;/);
  assert.match(text, /torvalds/);
  assert.match(text, /`model=hf:a\/b@main`/);
});

Deno.test("markdownReport() takes a home folder of Windows out of what JSON has quoted", () => {
  const { diagnosis } = oneExamined(), [finding] = diagnosis.findings;
  const evidence = [{ ...finding!.evidence[0]!, value: "C:\\Users\\maria\\runs" }];
  const quoted = oneExamined({ diagnosis: { ...diagnosis, findings: [oneFinding({ evidence })] } });
  assert.doesNotMatch(markdownReport(quoted, true), /maria/);
});

Deno.test("markdownReport() prints no block of code without a line, and no row of evidence twice", async () => {
  const records = [1, 2, 3, 4, 5, 6].map((i) =>
    `{'loss': 0.0, 'grad_norm': 0.0, 'learning_rate': 1e-06, 'reward': 0.0, 'reward_std': 0.0, 'completion_length': 256.0, 'epoch': 0.0${i}}`
  );
  const text = `I run GRPO in TRL with max_completion_length=256 and the reward stays at 0.\n\n\`\`\`\n${
    records.join("\n")
  }\n\`\`\`\n`;
  const report = markdownReport(await examinedPost(text), true);
  assert.match(report, /^### faulty/);
  assert.doesNotMatch(report, /```\n+```/);
  const rows = report.split("\n").filter((line) => line.startsWith("| post.md:"));
  assert.equal(new Set(rows).size, rows.length, rows.join("\n"));
});
