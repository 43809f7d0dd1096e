/** Which findings are told, and that every report tells the same. */
import assert from "node:assert/strict";
import type { Likely } from "../../../steps/diagnoses/differential/differential.ts";
import { faults, SHOWN_FINDINGS, told } from "../../../workflows/doctor/told.ts";
import type { Finding, RunDiagnosis } from "../../../steps/diagnoses/diagnosis.ts";
import { examine } from "../../../workflows/doctor/examine.ts";
import type { Examined } from "../../../workflows/doctor/examined.ts";
import { markdownReport } from "../../../workflows/doctor/markdown_report.ts";
import { doctorPage } from "../../../workflows/doctor/page.ts";
import { terminalReport } from "../../../workflows/doctor/terminal_report.ts";
import { oneExamined, oneFinding } from "./one_examined.ts";

const likely = (cause: string, probability: number): Likely => ({ cause, probability, for: [], against: [] });
const names = (entries: readonly { readonly cause: string }[]) => entries.map(({ cause }) => cause);

/** A fault with a look-alike, a fault beside it, an after-effect, and a note. */
const NOTED: RunDiagnosis = {
  ...oneExamined().diagnosis,
  findings: [
    oneFinding(),
    oneFinding({ cause: "greedy_sampling" }),
    oneFinding({ cause: "resource_stall" }),
    oneFinding({ cause: "benign_zero_loss", severity: "info" }),
  ],
  differential: [
    likely("entropy_collapse", 0.68),
    likely("resource_stall", 0.22),
    likely("greedy_sampling", 0.05),
    likely("mode_collapse", 0.03), // an after-effect
    likely("nan_loss", 0.01),
  ],
};

Deno.test("told() keeps the first and faults beside it; what may be in its place is possible, notes wait", () => {
  const first = told(NOTED);
  assert.deepEqual(names(first.findings), ["entropy_collapse", "resource_stall"]);
  assert.deepEqual(names(first.possible), ["greedy_sampling"]);
  assert.deepEqual(names(first.follows), ["mode_collapse"]);
  assert.equal(first.more, 1, "the note; the look-alike is told as possible");
  assert.equal(first.first!.cause, "entropy_collapse");
  const all = told(NOTED, true);
  assert.equal(all.findings.length, 4);
  assert.deepEqual(names(all.possible), ["greedy_sampling", "nan_loss"]);
  assert.equal(all.more, 0);
});

Deno.test("told() takes a likely after-effect for what it may be, and says it once", () => {
  const strong = { ...NOTED, differential: [...NOTED.differential.slice(0, 3), likely("mode_collapse", 0.1)] };
  assert.deepEqual(names(told(strong).possible), ["greedy_sampling", "mode_collapse"]);
  assert.deepEqual(told(strong).follows, []);
});

Deno.test("told() of an undecided run is what it may be at all; of a run with many faults the first three", () => {
  const open: RunDiagnosis = { ...NOTED, verdict: "insufficient", findings: [], afterEffects: [] };
  assert.deepEqual(names(told(open).possible), ["entropy_collapse", "resource_stall", "greedy_sampling"]);
  assert.equal(told(open).first, null);
  const many = { ...NOTED, findings: ["a", "b", "c", "d"].map((cause) => oneFinding({ cause })), differential: [] };
  assert.equal(told(many).findings.length, SHOWN_FINDINGS);
  assert.equal(told(many).more, 1);
  assert.equal(told(many).first, null, "alone, with nothing to look at");
});

Deno.test("faults() are likely, or graver than the first: what is neither is told as what it may be", () => {
  const unlikely = (severity: Finding["severity"]): RunDiagnosis => ({
    ...NOTED,
    findings: [oneFinding({ severity: "warning" }), oneFinding({ cause: "resource_stall", severity })],
    differential: [likely("entropy_collapse", 0.88), likely("resource_stall", 0.09)],
  });
  assert.deepEqual(names(told(unlikely("warning")).findings), ["entropy_collapse"]);
  assert.deepEqual(names(told(unlikely("warning")).possible), ["resource_stall"]);
  assert.equal(told(unlikely("warning")).more, 0);
  assert.deepEqual(names(told(unlikely("fatal")).findings), ["entropy_collapse", "resource_stall"]);
  assert.deepEqual(names(told(unlikely("warning"), true).findings), ["entropy_collapse", "resource_stall"]);
});

Deno.test("faults() has notes only where nothing is wrong", () => {
  const note = oneFinding({ cause: "benign_zero_loss", severity: "info" });
  assert.deepEqual(faults({ verdict: "benign", findings: [note], differential: [] }), [note]);
  assert.deepEqual(names(faults(NOTED)), ["entropy_collapse", "resource_stall"]);
  assert.deepEqual(faults({ verdict: "benign", findings: [], differential: [] }), []);
});

/** The causes that a text of a report has for findings, those it calls possible, and those that follow. */
interface Read {
  readonly findings: readonly string[];
  readonly possible: readonly string[];
  readonly follows: readonly string[];
  readonly more: string;
}

const all = (text: string, pattern: RegExp) => [...text.matchAll(pattern)].map(([, name]) => name!);
/** The first word of each line. */
const heads = (text = "") => all(text, /^(?:- +| +)?(\w+)/gm);
const SEVERITY = "(?:fatal|error|warning|info)";

function onTerminal(examined: Examined, whole: boolean): Read {
  const text = terminalReport(examined, { style: (text) => text, columns: 400 }, whole).join("\n");
  return {
    findings: all(text, new RegExp(`^${SEVERITY} (\\w+)  `, "gm")),
    possible: all(text, /^ {2}.{10}█+ +(?:\d+|< 1) % {2}(\w+)/gm),
    follows: heads(/^ {2}Follows {3}(.*(?:\n {13}.*)*)/m.exec(text)?.[1]),
    more: /(\d+) more finding/.exec(text)?.[1] ?? "0",
  };
}

function inMarkdown(examined: Examined, whole: boolean): Read {
  const text = markdownReport(examined, whole);
  return {
    findings: all(text, new RegExp(`^\\*\\*${SEVERITY}: \`(\\w+)\``, "gm")),
    possible: all(text, /^\| (?:\*\*)?(?:\d+|(?:<|&lt;) 1) %(?:\*\*)? \| (?:\*\*)?`(\w+)`/gm),
    follows: heads(/^Follows from it:((?:\n- .*)*)/m.exec(text)?.[1]),
    more: /(\d+) more finding/.exec(text)?.[1] ?? "0",
  };
}

async function onPage(examined: Examined, whole: boolean): Promise<Read> {
  const text = await doctorPage([examined], whole);
  // What is found beside the first cause the page has a look for too: others name it with the findings alone.
  const beside = /<tr><td data-name="probability">(?:(?!<\/tr>).)*found above.*?<\/tr>/g;
  const possible = all(text.replaceAll(beside, ""), /<td data-name="cause"><div>(?:<b>)?(\w+)/g);
  return {
    findings: all(text, /<span class="severity">\w+<\/span> (\w+)/g),
    // Where nothing else is left to decide the first cause stands with the findings.
    possible: possible.length === 1 && examined.diagnosis.findings.length > 0 ? [] : possible,
    follows: heads(/Follows from it:<\/p><ul>(.*?)<\/ul>/s.exec(text)?.[1]?.replaceAll("<li>", "\n")),
    more: /(\d+) more finding/.exec(text)?.[1] ?? "0",
  };
}

Deno.test("terminal, Markdown and page tell the same causes of the same run", async () => {
  const { diagnosis } = oneExamined();
  const lone = (finding: Partial<Finding>, verdict: RunDiagnosis["verdict"]) =>
    oneExamined({ diagnosis: { ...diagnosis, verdict, findings: [oneFinding(finding)], afterEffects: [] } });
  const runs = [
    oneExamined({ diagnosis: NOTED }),
    oneExamined({ diagnosis: { ...NOTED, verdict: "insufficient", findings: [], afterEffects: [] } }),
    oneExamined({
      diagnosis: { ...diagnosis, findings: ["a", "b", "c", "d", "e"].map((cause) => oneFinding({ cause })) },
    }),
    lone({ severity: "info", cause: "benign_zero_loss" }, "benign"),
    ...await examine(["s016", "s041", "s055"].map((name) => `tests/slow/${name}`)),
  ];
  for (const run of runs) {
    for (const whole of [false, true]) {
      const shown = onTerminal(run, whole), about = `${run.path} ${whole}`;
      assert(shown.findings.length + shown.possible.length > 0, about);
      assert.deepEqual(inMarkdown(run, whole), shown, about);
      assert.deepEqual(await onPage(run, whole), shown, about);
    }
  }
});
