/** What steps declare is what they do: they see no other columns, and write those. */
import assert from "node:assert/strict";
import type { ColumnTable } from "arquero";
import { z } from "zod";
import { type TableName, TABLES } from "../../data/columns.ts";
import { columnArray, tableOf } from "../../data/tables/mod.ts";
import { type StepName, STEPS } from "../../steps/mod.ts";
import { defineStep, type Earlier, type Step, type StepContext } from "../../steps/step.ts";
import { type TrainingRun, withRun } from "./contexts/training_run.ts";

type Columns = Record<string, ArrayLike<unknown>>;

const inDictionary = (table: TableName, column: string) => Object.hasOwn(TABLES[table], column);

const columnsOf = (table: ColumnTable): Columns =>
  Object.fromEntries(table.columnNames().map((name) => [name, columnArray(table, name)]));

/** Columns of a table that a step of these parameters reads, optional ones among them. */
function readsOf(step: Step, table: TableName, params: unknown): readonly string[] {
  return (step.reads[table] ?? []).flatMap((read) =>
    typeof read === "string" ? [read] : "optional" in read || read.when(params) ? [read.column] : []
  );
}

function writesOf(step: Step, table: TableName, params: unknown, earlier: Earlier): readonly string[] {
  return (step.writes[table] ?? []).flatMap((write) =>
    typeof write === "string" ? [write] : write.when(params, earlier) ? [write.column] : []
  );
}

const earlierOf = (given: ReadonlyMap<string, unknown>): Earlier => (uses) =>
  (given.get(uses) ?? null) as Record<string, unknown> | null;

/** Lets each step of a run see the columns it declares alone, and holds what it writes against what it declares. */
function holdToDeclarations(run: TrainingRun, written: Map<string, Set<string>>, given: Map<string, unknown>): void {
  const [plain, tables] = [run.context.bind(run), run.tables];
  const stepOf = (id: string): Step => STEPS[id as StepName];
  run.context = (id, options) => {
    const context = plain(id, options), params = given.get(id);
    return Object.create(context, {
      table: {
        value: (name: TableName) => {
          const whole = context.table(name), seen = readsOf(stepOf(id), name, params);
          // Tables that a step only writes it may merge into; a reader of the whole table names no column.
          if (seen.length === 0) return whole;
          const visible = whole.columnNames().filter((c) => !inDictionary(name, c) || seen.includes(c));
          return whole.select(visible);
        },
      },
    }) as StepContext;
  };
  const write = tables.write.bind(tables);
  tables.write = (all, id) => {
    for (const [name, table] of Object.entries(all) as [TableName, ColumnTable][]) {
      const step = stepOf(id), names = table.columnNames().filter((column) => inDictionary(name, column));
      const before = tables.table(name), kept = Object.hasOwn(step.reads, name) ? columnsOf(before) : {};
      const declared = writesOf(step, name, given.get(id), earlierOf(given));
      for (const column of names) {
        assert(
          declared.includes(column) || column in kept,
          `${id} writes ${name}.${column}, which it does not declare`,
        );
      }
      const key = `${id} ${name}`, seen = written.get(key) ?? new Set();
      written.set(key, new Set([...seen, ...names]));
      const whole = table.numRows() !== before.numRows() ? table : tableOf(name, { ...kept, ...columnsOf(table) });
      write({ [name]: whole }, id);
    }
  };
}

const TIMES = ["tokens_per_second", "step_ms", "sample_ms", "score_ms", "update_ms"];

/** The rows that a run of every step that trains leaves, times left out. */
async function rowsOf(
  reference: string,
  held: boolean,
  deterministic = false,
): Promise<[unknown, Map<string, Set<string>>, Map<string, unknown>]> {
  const kl_coef = reference === "none" ? 0 : 0.1;
  const all: [StepName, object][] = [
    ["load_prompts", { task: "addition", digits: 1 }],
    ["load_model", { model: "tiny_qwen2", reference }],
    ["fine_tune", { max_updates: 2, batch_size: 4 }],
    ["sample_groups", { prompts_per_step: 2, group_size: 2, max_new_tokens: 3 }],
    ["score_rewards", { rewards: [{ uses: "verifier" }, { uses: "format" }] }],
    ["compute_advantages", { kl_coef }],
    ["apply_update", { learning_rate: 1e-4, gradients_every: 1, kl_coef }],
    ["diagnose", {}],
    ["evaluate", { limit: 4 }],
  ];
  let rows: unknown;
  const written = new Map<string, Set<string>>();
  const given = new Map<string, unknown>(all.map(([uses, params]) => [uses, STEPS[uses].params.parse(params)]));
  await withRun(async (run) => {
    if (held) holdToDeclarations(run, written, given);
    for (const [uses, params] of all) {
      if (uses === "sample_groups") run.tables.advance();
      await run.run(uses, params);
    }
    const names = ["prompts", "completions", "metrics", "updates", "gradients", "evaluations"] as const;
    rows = names.map((name) => {
      const columns = Object.entries(columnsOf(run.tables.table(name))).filter(([column]) => !TIMES.includes(column));
      return [
        name,
        columns.map(([column, values]) => [column, Array.from(values, (v) => JSON.parse(JSON.stringify(v ?? null)))]),
      ];
    });
  }, { deterministic });
  return [rows, written, given];
}

/** Equal but for the last bits of numbers, in which two runs of a graph may differ by where their memory lies. */
function alike(got: unknown, want: unknown, where: string): void {
  if (typeof got === "number" && typeof want === "number") {
    assert(Math.abs(got - want) <= 1e-5 + 1e-3 * Math.abs(want), `${where}: ${got}, want ${want}`);
  } else if (typeof got === "object" && got !== null && typeof want === "object" && want !== null) {
    assert.deepEqual(Object.keys(got), Object.keys(want), where);
    for (const [key, inner] of Object.entries(got)) {
      alike(inner, (want as Record<string, unknown>)[key], `${where}.${key}`);
    }
  } else assert.deepEqual(got, want, where);
}

Deno.test("two deterministic runs of the same steps leave the same rows, wherever their memory lies", async () => {
  const [want] = await rowsOf("copy", false, true), between: Float32Array[] = [];
  for (const size of [3, 1021]) {
    between.push(...Array.from({ length: 50 }, (_, i) => new Float32Array(size + i)));
    const [got] = await rowsOf("copy", false, true);
    alike(got, want, "rows");
  }
});

for (const reference of ["none", "copy"]) {
  Deno.test(`steps read and write the columns that they declare, with reference: ${reference}`, async () => {
    const [free] = await rowsOf(reference, false);
    const [held, written, given] = await rowsOf(reference, true);
    alike(held, free, "rows");
    for (const [key, columns] of written) {
      const [id, name] = key.split(" ") as [StepName, TableName], step: Step = STEPS[id];
      const missing = writesOf(step, name, given.get(id), earlierOf(given)).filter((column) => !columns.has(column));
      assert.deepEqual(missing, [], `${id} declares that it writes columns of ${name} that it does not`);
    }
    assert(written.size >= 9);
  });
}

Deno.test("defineStep() has no type for an output that is not declared, also of one return among several", () => {
  const declared = {
    about: "a step",
    params: z.strictObject({}),
    reads: {},
    writes: {},
    outputs: z.object({ loss: z.number().nullable() }),
  };
  const right = defineStep({ ...declared, run: () => ({ outputs: { loss: null } }) });
  // @ts-expect-error "updates" is not declared
  const more = defineStep({ ...declared, run: () => ({ outputs: { loss: 1, updates: 2 } }) });
  const either = defineStep({
    ...declared,
    // @ts-expect-error "updates" is not declared
    run: (_, { position }) => position > 0 ? { outputs: { loss: 1 } } : { outputs: { loss: 1, updates: 2 } },
  });
  // @ts-expect-error "loss" is a number
  const other = defineStep({ ...declared, run: () => ({ outputs: { loss: "1" } }) });
  for (const step of [right, more, either, other]) assert.deepEqual(step.needs, []);
});
