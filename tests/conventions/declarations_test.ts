/** What is written is declared, and what decides has a name. That remedies address steps: patch_test.ts of remedies. */
import assert from "node:assert/strict";
import { METRIC_NAMES } from "../../data/adapters/intake/metric_names.ts";
import { type TableName, TABLES } from "../../data/columns.ts";
import { openRunFolder } from "../../data/open_run_folder.ts";
import { STEPS } from "../../steps/mod.ts";
import type { Step, Writes } from "../../steps/step.ts";
import { TINY, tinyRun } from "../workflows/end_to_end/tiny_runs.ts";
import { withFolder } from "../workflows/engine/fake_runs.ts";
import { none, type Source, SOURCES } from "./sources.ts";

/** Columns that are not the dictionary's: a task's own, and one per reward. */
const OWN: Partial<Record<TableName, RegExp>> = { prompts: /^\w+$/, completions: /^reward\./ };

const names = (columns: Writes[TableName]) => columns?.map((write) => typeof write === "string" ? write : write.column);

/** Columns of a table that some of the steps declare. */
const declared = (table: TableName, steps: readonly Pick<Step, "writes">[]) =>
  new Set(steps.flatMap(({ writes }): readonly string[] => names(writes[table]) ?? []));

/** Columns that are there and that no step declares. */
function undeclared(table: TableName, columns: readonly string[], steps: readonly Pick<Step, "writes">[]): string[] {
  const known = declared(table, steps);
  return columns.filter((column) => !known.has(column) && !OWN[table]?.test(column)).map((name) => `${table}.${name}`);
}

for (
  const [what, text] of [
    ["warm start, a reference and the k3 estimate in the loss", TINY],
    ["no reference", TINY.replace("reference: copy", "reference: none").replace(/ +kl_coef: .*\n/, "")],
  ] as const
) {
  Deno.test(`a run writes the columns that its steps declare and no others: ${what}`, () =>
    withFolder(async (runs) => {
      const { folder, status, reason, events } = await tinyRun({ runs, text });
      assert.equal(status, "ok", reason ?? "");
      const ran = new Set(events.flatMap(({ event, uses }) => event === "step_started" ? [String(uses)] : []));
      const steps = Object.entries(STEPS).filter(([name]) => ran.has(name)).map(([, step]) => step);
      const run = openRunFolder(folder), tables = Object.keys(TABLES) as TableName[];
      const written = tables.filter((name) => run.table(name).numRows() > 0);
      assert(written.length >= 7, written.join(", "));
      none(
        written.flatMap((name) => undeclared(name, run.table(name).columnNames(), steps)),
        "Written and not declared",
      );
    }));
}

Deno.test("a column that no step declares is found, a task's own and a reward's are not", () => {
  const steps = [{
    writes: { metrics: ["loss", { column: "kl", only: "with a reference", when: () => true }] },
  }] as const;
  assert.deepEqual(undeclared("metrics", ["loss", "kl", "accuracy"], steps), ["metrics.accuracy"]);
  assert.deepEqual(undeclared("prompts", ["digits"], steps), []);
  assert.deepEqual(undeclared("completions", ["reward.format", "reward"], steps), ["completions.reward"]);
});

/** What only adapters write, besides metrics. */
const ADAPTERS_WRITE = /^observations\.|^claims\.|^messages\.count$/;

Deno.test("every column of the dictionary is written by a step, or read from a foreign run", () => {
  const foreign = new Set(
    Object.values(METRIC_NAMES).flatMap((to) => `metrics.${typeof to === "string" ? to : to[0]}`),
  );
  const idle = (Object.keys(TABLES) as TableName[]).flatMap((table) =>
    undeclared(table, Object.keys(TABLES[table]), Object.values(STEPS)).concat(
      // A task's own columns have any name: the dictionary's are looked at by themselves.
      table === "prompts"
        ? Object.keys(TABLES.prompts).filter((c) => !declared(table, Object.values(STEPS)).has(c))
        : [],
    )
  ).filter((column) => !foreign.has(column) && !ADAPTERS_WRITE.test(column));
  assert.deepEqual(idle, []);
});

/** A comparison with a number; 0, 0.5, 1 and 2 are none, a half, one and a pair. */
const COMPARISON = /(?:(?<![=-])[<>]=?|[!=]==) (-?\d[\d_.]*(?:e-?\d+)?)|\b(\d[\d_.]*(?:e-?\d+)?) (?:[<>]=?|[!=]==) /g;
const COUNTS = [0, 0.5, 1, 2];

/** Lines of code without what stands in comments and texts. */
const codeOf = (text: string) =>
  text.replaceAll(/\/\*[^]*?\*\//g, (comment) => comment.replaceAll(/[^\n]/g, ""))
    .replaceAll(/"(?:[^"\\\n]|\\.)*"|\/\/.*$/gm, "").split("\n");

/** Comparisons with a number that has no name. */
function unnamed(sources: readonly Source[]): string[] {
  return sources.flatMap(({ path, text }) =>
    codeOf(text).flatMap((line, i) =>
      Array.from(line.matchAll(COMPARISON), ([, right, left]) => Math.abs(Number((right ?? left)!.replaceAll("_", ""))))
        .filter((value) => !COUNTS.includes(value)).map((value) => `${path}:${i + 1}: ${value} in ${line.trim()}`)
    )
  );
}

Deno.test("every threshold of a rule has a name", () => {
  const rules = SOURCES.filter(({ path }) => /^steps\/diagnoses\/|^workflows\/preflight\/\w+_rules\.ts$/.test(path));
  assert(rules.length > 60, `${rules.length} files`);
  none(unnamed(rules), "A threshold without a name");
});

Deno.test("a threshold without a name is found, a count, a name, a text and a comment are not", () => {
  const found = (text: string) => unnamed([{ path: "a.ts", text }]);
  assert.deepEqual(found("if (a.length > 1 && b >= 2 && c === 0 && share > MOST) return (n) => 5;"), []);
  assert.deepEqual(found('const about = "more than > 3"; // > 4\n/** a\n > 5 */'), []);
  assert.deepEqual(found("\nif (share >= 0.9 * all.length) x();"), [
    "a.ts:2: 0.9 in if (share >= 0.9 * all.length) x();",
  ]);
  for (const code of ["a < -3", "a === 17", "1e-6 < a", "rows > 1_000", "a !== 0.05"]) {
    assert.equal(found(code).length, 1);
  }
});
