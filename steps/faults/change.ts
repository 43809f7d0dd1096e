/** Changes of tables and weights that faults share. @module */
import type { ColumnTable } from "arquero";
import { normals } from "../../data/random.ts";
import { columnArray, tableOf } from "../../data/tables/mod.ts";
import type { Weights } from "../../gpu/weights/weights.ts";
import type { StepContext, StepResult, TableName } from "../step.ts";

/** Columns by name, one value per row. */
export type Columns = Readonly<Record<string, ArrayLike<unknown>>>;

/** The table with some columns replaced or added. */
export function withColumns(name: TableName, table: ColumnTable, columns: Columns): ColumnTable {
  const before = table.columnNames().map((column) => [column, columnArray(table, column)] as const);
  return tableOf(name, { ...Object.fromEntries(before) as Record<string, ArrayLike<unknown>>, ...columns });
}

/** The result of a step with some columns of a table it wrote replaced. */
export function changed(
  result: StepResult,
  name: TableName,
  change: (column: <T>(name: string) => T[], table: ColumnTable) => Columns,
): StepResult {
  const table = result.tables?.[name];
  if (table === undefined) return result;
  const column = <T>(of: string) => Array.from(columnArray(table, of) as ArrayLike<T>);
  return { ...result, tables: { ...result.tables, [name]: withColumns(name, table, change(column, table)) } };
}

/** The weights that the run trains. */
export function policyWeights(context: StepContext): Weights {
  return context.resource("policy").model.weights;
}

/** Changes the weights in place: `change` gets each parameter by its checkpoint name. */
export function changeWeights(
  weights: Weights,
  change: (name: string, values: Float32Array, shape: readonly number[]) => void,
): void {
  const { layout, values } = weights;
  const all = values.download(new Float32Array(layout.size));
  for (const { name, shape, offset, size } of layout.parameters) {
    change(name, all.subarray(offset, offset + size), shape);
  }
  weights.upload(all);
}

/** Puts one value into a parameter: a single number that is not finite is enough to spoil all that follow. */
export function spoil(weights: Weights, parameter: string, value: number): void {
  changeWeights(weights, (name, values) => {
    if (name === parameter) values[SPOILT_AT] = value;
  });
}

const SPOILT_AT = 5; // Any place in a parameter will do.

/** Multiplies each weight by 1 plus normal noise of this size. */
export function shake(weights: Weights, noise: number, seed: number, trainStep: number): void {
  let row = 0;
  changeWeights(weights, (_name, values) => {
    normals(seed, "fault", values.length, trainStep, row++)
      .forEach((value, i) => values[i] = values[i]! * (1 + noise * value));
  });
}

/** Weights as another seed initialises them. */
export function scramble(weights: Weights, seed: number): void {
  let row = 0;
  weights.initialize((count) => normals(seed, "fault", count, 0, row++));
}
