/** The doctor on the long runs of tests/slow: floors of what it finds, and what holds for every answer. */
import assert from "node:assert/strict";
import { fileURLToPath } from "node:url";
import { labelledCases } from "./bench/labelled/cases.ts";
import { longestRun } from "./bench/labelled/longest_run.ts";
import { judge, tally } from "./bench/slow.ts";
import { diagnoseRun } from "../steps/diagnoses/diagnose_run.ts";
import { examine } from "../workflows/doctor/examine.ts";
import { headline } from "../workflows/doctor/headline.ts";
import { isReinforcement } from "../steps/diagnoses/view/groups.ts";
import { tableView } from "../steps/diagnoses/view/table_view.ts";

const FOLDER = fileURLToPath(new URL("slow", import.meta.url));
/** What is reached, two cases fewer. */
const DETECTED = 37, ACCEPTED = 36, FIRST = 31, DATED = 35;

/** Each run, read and diagnosed once. */
const RUNS = await Promise.all(
  labelledCases(FOLDER).map(async ({ name, path, label }) => {
    const rows = (await longestRun(path))!, view = tableView(rows);
    return { name, path, label, rows, view, said: diagnoseRun(view) };
  }),
);

Deno.test("of forty slow deaths nearly all are found, and of healthy long runs hardly one is called faulty", () => {
  const found = tally(RUNS.map(({ name, label, rows }) => judge(name, label, rows, 0)));
  assert.deepEqual([found.faulty, found.healthy], [40, 24]);
  assert.ok(found.detected >= DETECTED, `detected ${found.detected}`);
  assert.ok(found.firstAccepted >= ACCEPTED, `accepted first ${found.firstAccepted}`);
  assert.ok(found.first >= FIRST, `primary first ${found.first}`);
  assert.ok(found.dated >= DATED, `first finding begins near the onset ${found.dated}`);
  assert.ok(found.alarms <= 1, `alarms ${found.alarms}`);
});

Deno.test("every finding has a value that shows it, every differential is in order and adds up to at most 1", () => {
  for (const { name, rows, said: { findings, differential } } of RUNS) {
    for (const { cause, evidence, severity } of findings) {
      if (severity !== "info") assert.ok(evidence.some(({ value }) => value !== null), `${name} ${cause}`);
    }
    const shares = differential.map(({ probability }) => probability);
    assert.deepEqual(shares, shares.toSorted((a, b) => b - a), name);
    assert.ok(shares.reduce((sum, share) => sum + share, 0) <= 1, name);
    assert.deepEqual(diagnoseRun(tableView(rows)).differential, differential, name);
  }
});

Deno.test("no look is advised that the log shows to be done, or with an option that the run has", () => {
  for (const { name, view, said } of RUNS) {
    const evaluations = (column: string) => view.evaluation(column).filter((value) => value !== null).length;
    const isEvaluated = ["accuracy", "reward", ...isReinforcement(view) ? [] : ["loss"]]
      .some((column) => evaluations(column) > 2);
    const given = view.settings.map(({ name, value }) => `${name}=${value}`.toLowerCase());
    for (const { cause, decide } of said.differential) {
      const about = `${name} ${cause}: ${decide?.look}`;
      if (isEvaluated) assert.notEqual(decide?.look, "evaluate_held_out", about);
      if (view.completions.length >= 20) assert.doesNotMatch(decide?.options.join() ?? "", /log_completions/, about);
      if (said.findings[0]?.train_steps[0] === 1) assert.doesNotMatch(decide?.about ?? "", /before the onset/, about);
      if (view.has("zero_spread_fraction")) assert.notEqual(decide?.look, "print_ties", about);
      for (const option of decide?.options ?? []) {
        assert(!given.includes(option.replace(/^--/, "").replace(" ", "=").toLowerCase()), `${about} ${option}`);
        assert.doesNotMatch(option, /^(?:--)?(?:num_generations|rollout\.n|max_completion_length)[= ]/, about);
      }
    }
  }
});

Deno.test("what is said of a run fits it: nothing to go back for where it is healthy, no pairs where examples are single", () => {
  let [notes, single] = [0, 0];
  for (const { name, view, said: { verdict, findings, differential } } of RUNS) {
    for (const { cause, hint, message, remedy, confirm, evidence } of findings) {
      const said = [hint, ...remedy.options, remedy.by_hand].join(" ");
      if (verdict === "benign") {
        notes++;
        assert.doesNotMatch(said, /go back|checkpoint|start again|learning_rate/i, `${name} ${cause}`);
      }
      if (view.algorithm !== "kto") continue;
      single++;
      const told = [
        message,
        said,
        confirm,
        JSON.stringify(evidence),
        JSON.stringify(differential.map(({ decide }) => decide)),
      ];
      assert.doesNotMatch(told.join(" ").replaceAll("read_pairs", ""), /\bpairs?\b/, `${name} ${cause}`);
    }
  }
  assert(notes > 5 && single > 0, `${notes} ${single}`);
});

Deno.test("a finding that tells a held-out value has a row of an evaluation among its evidence", () => {
  let told = 0;
  for (const { name, view, said: { findings, afterEffects } } of RUNS) {
    const names = view.evaluated.map((column) => view.evaluationEvidence(column, 0).name);
    for (const { cause, message, evidence } of [...findings, ...afterEffects]) {
      if (!/held[- ]out\b[^;:,]*\d|\d held out|\d on held-out/i.test(message)) continue;
      told++;
      const shown = evidence.some((row) => row.table === "evaluations" || names.includes(row.name));
      assert(shown, `${name} ${cause}: ${message}`);
    }
  }
  assert(told > 10, `${told}`);
});

Deno.test("a row of evidence has the value that stands in its line under that name", async () => {
  let told = 0;
  for (const { name, path, said: { findings } } of RUNS) {
    const lines = await linesOf(path);
    for (const { cause, evidence } of findings) {
      for (const row of evidence) {
        const printed = row.line === null ? null : valueIn(lines.get(row.source!)?.[row.line - 1] ?? "", row.name);
        if (printed === null || typeof row.value !== "number") continue;
        told++;
        const isThere = Math.abs(printed - row.value) <= 1e-9 * Math.abs(printed);
        assert(isThere, `${name} ${cause}: ${row.source}:${row.line} ${row.name} ${row.value}, printed ${printed}`);
      }
    }
  }
  assert(told > 100, `${told}`);
});

Deno.test("no headline tells the fall of one signal twice", async () => {
  for (
    const [{ name }, [examined]] of await Promise.all(
      RUNS.map(async (run) => [run, await examine([run.path])] as const),
    )
  ) {
    const said = headline(examined!);
    const falls = [...said.matchAll(/((?:the |eval_)[\w-]+(?: [\w-]+)?) fell from/gi)].map(([, what]) =>
      what!.toLowerCase()
    );
    assert.equal(new Set(falls).size, falls.length, `${name}: ${said}`);
    // Of a log the score that is judged has one name, whichever rule tells it.
    assert.doesNotMatch(said, /(?:eval_|held-out )\w+ fell from.* [Tt]he score fell from/, `${name}: ${said}`);
  }
});

/** The lines of the logs of a case, by the path that evidence has. */
async function linesOf(folder: string): Promise<Map<string, string[]>> {
  const lines = new Map<string, string[]>();
  for await (const { name } of Deno.readDir(folder)) {
    if (!name.endsWith(".gz")) continue;
    using file = await Deno.open(`${folder}/${name}`);
    const text = await new Response(file.readable.pipeThrough(new DecompressionStream("gzip"))).text();
    for (const path of [name, `${folder}/${name}`]) lines.set(path, text.split("\n"));
  }
  return lines;
}

/** The number behind a name of a line, as dicts and consoles write it; null where none stands there, or several do. */
function valueIn(line: string, name: string): number | null {
  const escaped = name.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
  const number = `['"]?\\s*[:=]\\s*['"]?(-?[\\d.]+(?:e[+-]?\\d+)?)`;
  const found = [...line.matchAll(new RegExp(`(?<![\\w/])${escaped}${number}`, "gi"))];
  return found.length === 1 ? Number(found[0]![1]) : null;
}
