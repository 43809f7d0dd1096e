/** What people tell counts where their text is about a training run, and where they do not contradict themselves. @module */
import type { Intake } from "../intake/intake.ts";

type Told = Intake["told"][number];
interface Statements {
  readonly told: Intake["told"];
  readonly claims: Intake["claims"];
  readonly completions: readonly Intake["completions"][number][];
  /** What does not count, one line each. */
  readonly left: readonly { readonly source: string; readonly line: number; readonly reason: string }[];
}

const APART = 0.1; // Of the larger of two numbers, from which they are not the same.

/** The statements of a text that count; `completions` are those of the run. */
export function statementsOf(intake: Intake, completions: readonly Intake["completions"][number][]): Statements {
  const { told, claims } = intake, isPost = intake.sources.some(({ format }) => format === "post");
  if (!isPost) return { told, claims, completions, left: [] };
  const all = [...told, ...claims, ...completions];
  if (isAboutTraining(intake)) return consistent(told, claims, completions);
  const first = all.toSorted((a, b) => a.line - b.line)[0];
  const left = first === undefined ? [] : [{
    source: first.source,
    line: first.line,
    reason: `${all.length} statement${all.length > 1 ? "s" : ""} in a text that names no training run`,
  }];
  return { told: [], claims: [], completions: [], left };
}

function isAboutTraining({ namesTraining, marks, spoken, records, settings }: Intake): boolean {
  return namesTraining || marks.size > 0 || spoken.size > 0 || records.segments.some(({ weak }) => !weak) ||
    settings.some(({ option }) => option !== null);
}

/** Without numbers that say that a metric stays, beside others that say that it goes elsewhere: neither counts. */
function consistent(
  told: Intake["told"],
  claims: Intake["claims"],
  completions: readonly Intake["completions"][number][],
): Statements {
  const left: Statements["left"][number][] = [], out = new Set<Told>();
  for (const one of told) {
    if (!one.throughout || one.relation !== "is" || one.from !== null || one.to !== null) continue;
    const other = told.find((two) =>
      two.name === one.name && two.line !== one.line && isWhole(two) && isApart(one, two)
    );
    if (other === undefined || out.has(one)) continue;
    out.add(one).add(other);
    left.push({
      source: one.source,
      line: one.line,
      reason: `${one.name} is told to stay at ${one.values[0]} and, on line ${other.line}, to be ${
        other.values.join(", ")
      }: neither counts`,
    });
  }
  return {
    told: told.filter((one) => !out.has(one)),
    claims: claims.filter((claim) => ![...out].some(({ line, text }) => line === claim.line && text === claim.text)),
    completions,
    left,
  };
}

/** Said of the whole run, not of a part of it. */
const isWhole = ({ from, to, atEnd, relation, throughout }: Told) =>
  from === null && to === null && atEnd === undefined && (throughout || relation !== "is");

function isApart({ values: [level] }: Told, { values }: Told): boolean {
  const size = Math.max(Math.abs(level!), ...values.map(Math.abs));
  return values.every((value) => Math.abs(value - level!) > APART * size);
}
