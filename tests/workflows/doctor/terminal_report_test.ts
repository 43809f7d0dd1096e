import assert from "node:assert/strict";
import { terminalReport } from "../../../workflows/doctor/terminal_report.ts";
import { oneCost, oneDifferential, oneExamined, oneFinding } from "./one_examined.ts";

const PLAIN = { style: (text: string) => text, columns: 80 };

Deno.test("terminalReport() shows verdict, sparkline with the step marked, evidence, change and look-alikes", () => {
  const lines = terminalReport(oneExamined(), PLAIN, false);
  assert.equal(lines[0], "/home/ada/log.txt  verl grpo · 4 records");
  assert.equal(lines[1], "FAULTY  Entropy falls from 1.5 to 0.01; it shows since train step 3. Change:");
  const text = lines.join("\n");
  assert.match(text, /^error entropy_collapse {2}E01 · train step 3 to 4$/m);
  const chart = lines.findIndex((line) => line.startsWith("  entropy"));
  assert.equal(lines[chart], `  ${"entropy".padEnd(22)} █▇▁▁  1.5 → 0.01`);
  assert.equal(lines[chart + 1], `${" ".repeat(27)}▲ train step 3`);
  assert.match(
    text,
    /^ {2}Evidence {2}log\.txt:3 {2}actor\/entropy 0\.01 {2}\(was 1\.5\)\n +train step 4 {2}loss NaN$/m,
  );
  assert.match(text, /^ {2}Change {4}temperature=1\.0$/m);
  assert.match(text, /^ {2}Not {7}greedy_sampling: temperature is 1$/m);
  assert.match(text, /^ {2}Follows {3}mode_collapse: completions are alike$/m);
  assert.equal(text.split("ntropy falls from 1.5 to 0.01").length, 2, "the message is said once");
});

Deno.test("terminalReport() stays within the terminal, and keeps further findings for --all", () => {
  const long = "some words that go on and on ".repeat(12);
  const findings = ["a", "b", "c", "d"].map((cause) => oneFinding({ cause, message: long, hint: long }));
  const many = oneExamined({ diagnosis: { ...oneExamined().diagnosis, findings, reasons: [`a: ${long}`] } });
  const lines = terminalReport(many, PLAIN, false);
  for (const line of lines) assert(line.length <= 80, line);
  assert(lines.includes("1 more finding: --all"));
  assert(!lines.some((line) => line.startsWith("error d")));
  assert(terminalReport(many, PLAIN, true).some((line) => line.startsWith("error d")));
});

Deno.test("terminalReport() puts below the name of a finding what has no room beside it", () => {
  const cause = "repeated_token_degeneration", { diagnosis } = oneExamined();
  const long = oneFinding({ cause, codes: ["T01", "H01", "E01"], train_steps: [210, 350] });
  const differential = [{ cause, probability: 0.88, for: [], against: [] }];
  const of = (columns: number) =>
    terminalReport(
      oneExamined({ diagnosis: { ...diagnosis, findings: [long], differential } }),
      { ...PLAIN, columns },
      false,
    );
  const lines = of(80), at = lines.findIndex((line) => line.startsWith("error "));
  assert.deepEqual(lines.slice(at, at + 2), [
    "error repeated_token_degeneration  T01 H01 E01 · train step 210, 350",
    "            probability 88 %",
  ]);
  assert(of(100).includes("error repeated_token_degeneration  T01 H01 E01 · train step 210, 350 · probability 88 %"));
});

Deno.test("terminalReport() of an insufficient run names what is missing", () => {
  const diagnosis = {
    verdict: "insufficient",
    findings: [],
    afterEffects: [],
    differential: [],
    missing: ["reward_std"],
    reasons: ["no reward spread in the log"],
  } as const;
  const text = terminalReport(oneExamined({ diagnosis, part: "1 of 2", records: 1 }), PLAIN, false).join("\n");
  assert.match(text, /^\/home\/ada\/log\.txt \(run 1 of 2\) {2}verl grpo · 1 record\nCANNOT TELL {2}no reward spread/);
  assert.match(text, /^ {2}Missing {3}reward_std$/m);
});

Deno.test("terminalReport() of a healthy run shows its metrics, and how it was read", () => {
  const diagnosis = {
    verdict: "benign",
    findings: [],
    afterEffects: [],
    differential: [],
    missing: [],
    reasons: ["fine"],
  } as const;
  const reading = ["/home/ada/runs/log.txt:7: no number", "more"];
  const text = terminalReport(oneExamined({ diagnosis, path: "/home/ada/runs", reading }), PLAIN, false).join("\n");
  assert.match(text, /^HEALTHY {2}fine\n\n {2}reward +▁▃▅█ {2}0 → 1\n {2}entropy +█▇▁▁ {2}1\.5 → 0\.01$/m);
  assert.match(text, /^ {2}Read {6}log\.txt:7: no number\n {12}more$/m);
});

Deno.test("terminalReport() has the bars of the causes under the picture, and says why there is no price", () => {
  const { diagnosis } = oneExamined(), out = PLAIN;
  const examined = oneExamined({
    diagnosis: { ...diagnosis, differential: oneDifferential(), cost: oneCost() },
    machine: { gpus: null, hourCost: 2, currency: null },
  });
  const lines = terminalReport(examined, out, false),
    at = (start: string) => lines.findIndex((line) => line.startsWith(start));
  assert(at("  entropy") < at("  Likely") && at("  Likely") < at("  Evidence"), lines.join("\n"));
  assert(at("  Cost      no price without the number of GPUs (--gpus N)") > 0);
  assert(!lines.some((line) => line.startsWith("  Not")), "what may be is not ruled out");
});

Deno.test("terminalReport() of a healthy run says a note once, and how many rows it leaves out", () => {
  const note = oneFinding({ cause: "benign_zero_loss", severity: "info", message: "loss is 0", train_steps: [1] });
  const [row] = note.evidence, evidence = Array.from({ length: 5 }, () => row!);
  const diagnosis = {
    ...oneExamined().diagnosis,
    verdict: "benign",
    findings: [{ ...note, evidence }],
    afterEffects: [],
    reasons: ["no rule fires", "loss is finite", "benign_zero_loss: loss is 0"],
  } as const;
  const text = terminalReport(oneExamined({ diagnosis }), PLAIN, false).join("\n");
  assert.equal(text.split("loss is 0").length, 2, text);
  assert.match(text, /^HEALTHY {2}no rule fires\n +loss is finite$/m);
  assert.match(text, /and 1 more row: --all/);
});
