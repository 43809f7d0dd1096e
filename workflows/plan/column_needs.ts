/** Says which columns a step of a plan reads that are not there, and which step is missing. @module */
import type { TableName } from "../../data/columns.ts";
import type { ColumnRead, Step } from "../../steps/step.ts";
import type { Path, Problem } from "../language/problems.ts";
import type { Maker, RowsInPlan } from "./plan_rows.ts";
import type { StepEntry, StepKinds } from "../language/schema.ts";
import type { StepParams } from "../language/step_params.ts";

/** A step that runs, as the run's own document has it; no parameters while a look-up of them is open. */
export interface Running extends Maker, Pick<StepParams, "params"> {
  readonly entry: StepEntry;
  readonly kind: Step;
  readonly path: Path;
}

interface Around {
  readonly earlier: readonly Running[];
  readonly later: readonly Running[];
  readonly kinds: StepKinds;
}

/** Columns that a step reads and no step before it writes; those with the same reason together. */
export function missingColumns(step: Running, rows: RowsInPlan, around: Around): Problem[] {
  const found = Object.entries(step.kind.reads).flatMap(([name, columns]) => {
    const table = name as TableName;
    if (!rows.wasWritten(table)) return [];
    return columns.flatMap((read) => {
      const { column, param } = neededColumn(read, step);
      if (column === null) return [];
      const reason = reasonOf(table, column, step, rows.writer(table, column), around);
      return reason === null ? [] : [{ column: `${table}.${column}`, param, reason }];
    });
  });
  const groups = Map.groupBy(found, ({ param, reason }) => `${param} ${reason}`);
  return [...groups.values()].map((group): Problem => {
    const { param, reason } = group[0]!;
    const written = param !== null && Object.hasOwn(step.entry.with ?? {}, param);
    const value = param === null ? "" : `with ${param} ${JSON.stringify(step.params?.[param])} `;
    return {
      path: written ? [...step.path, "with", param] : [...step.path, "uses"],
      message: `Cannot run step "${step.id}": ${value}it reads ${list(group.map(({ column }) => column))}, ${reason}`,
    };
  });
}

function list(columns: readonly string[]): string {
  const rest = columns.length - 3;
  return rest > 0 ? `${columns.slice(0, 3).join(", ")} and ${rest} others` : columns.join(" and ");
}

/** The column if these parameters need it, and the parameter that asks for it. */
function neededColumn(
  read: ColumnRead<string, unknown>,
  { params }: Running,
): { readonly column: string | null; readonly param: string | null } {
  if (typeof read === "string") return { column: read, param: null };
  if ("optional" in read || params === null || !read.when(params)) return { column: null, param: null };
  return { column: read.column, param: read.param };
}

/** Why a column is not there, and what to do; null when it is. */
function reasonOf(
  table: TableName,
  column: string,
  step: Running,
  writer: Maker | "any" | null,
  { earlier, later, kinds }: Around,
): string | null {
  if (writer === "any") return null;
  if (writer !== null) {
    if (writer.blocks.at(-1) !== step.blocks.at(-1) || step.every % writer.every === 0) return null;
    return `which "${writer.id}" writes only in every ${writer.every} rounds; give both steps the same "every"`;
  }
  const makers = Object.keys(kinds).filter((name) => conditionOf(kinds[name]!, table, column) !== undefined);
  const idle = earlier.find(({ entry, blocks }) =>
    makers.includes(entry.uses) && blocks.at(-1) === step.blocks.at(-1) &&
    conditionOf(kinds[entry.uses]!, table, column) !== null
  );
  if (idle !== undefined) return `which "${idle.id}" writes only ${conditionOf(idle.kind, table, column)}`;
  const ended = earlier.some(({ entry }) => makers.includes(entry.uses)) ? " of this round" : "";
  if (ended || later.some(({ entry }) => makers.includes(entry.uses)) || makers.length !== 1) {
    return `which no earlier step${ended} writes${advice(makers, later)}`;
  }
  const added = [...missingBefore(makers[0]!, table, earlier, kinds), makers[0]!];
  return `which no earlier step writes; add ${added.join(" and ")} before it`;
}

/** What a step kind says of when it writes a column: null = always, undefined = never. */
function conditionOf(kind: Step, table: TableName, column: string): string | null | undefined {
  for (const write of kind.writes[table] ?? []) {
    if (write === column) return null;
    if (typeof write !== "string" && write.column === column) return write.only;
  }
  return undefined;
}

/** Step kinds that a missing one needs in turn: those that alone write a column of this table that it reads. */
function missingBefore(
  maker: string,
  table: TableName,
  earlier: readonly Running[],
  kinds: StepKinds,
): string[] {
  const needed = (kinds[maker]!.reads[table] ?? []).filter((read) => typeof read === "string");
  const makers = needed.flatMap((column) => {
    const names = Object.keys(kinds).filter((name) => conditionOf(kinds[name]!, table, column) !== undefined);
    const [only] = names;
    if (names.length !== 1 || earlier.some(({ entry }) => entry.uses === only)) return [];
    return [...missingBefore(only!, table, earlier, kinds), only!];
  });
  return [...new Set(makers)];
}

/** What to do about something that one of these step kinds makes. */
export function advice(makers: readonly string[], later: readonly Running[]): string {
  const moved = later.find(({ entry }) => makers.includes(entry.uses));
  if (moved !== undefined) return `; move step "${moved.id}" before it`;
  return makers.length === 0 ? "" : `; add ${makers.join(" or ")} before it`;
}
