/**
 * Changes labelled cases in ways that must not change the doctor's answer, and cuts that must not lead it astray.
 *
 *     deno task bench invariance [DIR...] [--only NAME,...] [--json]
 *
 * DIR holds case folders, each with a label.json; tests/cases without one. Transformations (prefixes, encodings, other
 * layouts, means over ten steps) keep verdict and first cause, at least 98 %. Cuts (no configuration, a third of the
 * records, no column of entropy) may end in the same cause, one that the label accepts, one that was named before, a
 * benign verdict or "insufficient"; at most 2 % in another cause. Oddities (two records, steps that go back) must not
 * crash. No finding anywhere goes without evidence that has a value.
 * @module
 */
import { among, benchArguments, typed } from "./arguments.ts";
import { type Answer, answerOf, leadsAstray, sameAnswer, shownAnswer } from "./invariance/answer.ts";
import { type Case, type Change, readCase, writeCase } from "./invariance/case_files.ts";
import { CUTS } from "./invariance/cuts.ts";
import { ODDITIES } from "./invariance/oddities.ts";
import { type Outcome, report, tableOf } from "./invariance/report.ts";
import { TRANSFORMATIONS } from "./invariance/transformations.ts";
import { labelledCases } from "./labelled/cases.ts";

/** Each kind of change with what it must keep. */
export const KINDS = {
  transformations: { changes: TRANSFORMATIONS, keeps: sameAnswer },
  cuts: { changes: CUTS, keeps: (before: Answer, after: Answer, of: Case) => !leadsAstray(before, after, of.label) },
  oddities: { changes: ODDITIES, keeps: (_: Answer, after: Answer) => after.crash === null },
} satisfies Record<string, {
  readonly changes: Record<string, Change>;
  readonly keeps: (before: Answer, after: Answer, of: Case) => boolean;
}>;

const NAMES = Object.values(KINDS).flatMap(({ changes }) => Object.keys(changes));

/** What the doctor says of a case before and after each change that applies to it. */
export async function tryCase(of: Case, only: readonly string[] = NAMES): Promise<Outcome[]> {
  const before = await answerTo(of.files), outcomes: Outcome[] = [];
  for (const [kind, { changes, keeps }] of Object.entries(KINDS)) {
    for (const [change, apply] of Object.entries(changes as Record<string, Change>)) {
      if (!only.includes(change)) continue;
      const files = apply(of.files, of);
      if (files === null) continue;
      const after = await answerTo(files);
      outcomes.push({
        kind,
        change,
        of: of.name,
        kept: keeps(before, after, of),
        said: `${shownAnswer(before)} -> ${shownAnswer(after)}`,
        unproven: after.unproven,
      });
    }
  }
  return outcomes;
}

async function answerTo(files: Case["files"]): Promise<Answer> {
  const folder = await Deno.makeTempDir({ prefix: "nonzero-invariance-" });
  try {
    writeCase(folder, files);
    return await answerOf(folder);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

if (import.meta.main) {
  const given = typed(() => {
    const given = benchArguments(Deno.args, { only: "", json: false }, [0, Infinity]);
    return { ...given, only: given.only === "" ? NAMES : among("--only", given.only, NAMES) };
  });
  const here = new URL("../cases", import.meta.url).pathname, folders = given.words.length > 0 ? given.words : [here];
  const outcomes: Outcome[] = [];
  for (const folder of folders) {
    for (const entry of labelledCases(folder)) outcomes.push(...await tryCase(readCase(entry), given.only));
  }
  console.log(given.json ? JSON.stringify({ tables: tableOf(outcomes), outcomes }) : report(outcomes));
}
