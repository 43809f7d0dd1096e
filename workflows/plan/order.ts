/** Checks that every column a step reads and every resource it needs was made by a step before it. @module */
import type { ResourceName, TableName } from "../../steps/step.ts";
import { parseCondition } from "../language/expression_syntax.ts";
import type { Problem } from "../language/problems.ts";
import type { StepKinds } from "../language/schema.ts";
import { advice, missingColumns, type Running } from "./column_needs.ts";
import { RowsInPlan } from "./plan_rows.ts";

/**
 * Tables and columns read before they are written, resources needed before they are given.
 *
 * The order in the file decides, also inside `repeat`: the first round has no round before it, and the rows of a train
 * step end with its round. A step whose `if` is known to be false does nothing; one whose `if` is decided during the
 * run counts as if it ran.
 */
export function orderProblems(steps: readonly Running[], kinds: StepKinds): Problem[] {
  const running = steps.filter(({ entry }) => !isOff(entry.if));
  const rows = new RowsInPlan(running.map(({ blocks }) => blocks));
  const given = new Set<ResourceName>();
  return running.flatMap((step, index): Problem[] => {
    const earlier = running.slice(0, index), later = running.slice(index + 1);
    rows.enter(step);
    const problems = [
      ...missingTables(step, rows, later, kinds),
      ...missingColumns(step, rows, { earlier, later, kinds }),
      ...missingResources(step, given, later, kinds),
    ];
    rows.write(step, (uses) => earlier.findLast(({ entry }) => entry.uses === uses)?.params ?? null);
    for (const resource of step.kind.gives) given.add(resource);
    return problems;
  });
}

function isOff(text: string | boolean | undefined): boolean {
  const condition = parseCondition(text ?? true);
  return condition.kind === "constant" && !condition.value;
}

/** Once for each step kind that is missing: what else it gives counts as given from here on. */
function missingResources(
  step: Running,
  given: Set<ResourceName>,
  later: readonly Running[],
  kinds: StepKinds,
): Problem[] {
  const more = step.params === null ? [] : step.kind.needsFor?.(step.params) ?? [];
  const missing = [...step.kind.needs, ...more].filter((name) => !given.has(name));
  const byMakers = Map.groupBy(
    missing,
    (name) => Object.keys(kinds).filter((kind) => kinds[kind]!.gives.includes(name)).join(" "),
  );
  return [...byMakers].map(([joined, names]) => {
    const makers = joined.split(" ").filter(Boolean);
    for (const maker of makers) for (const name of kinds[maker]!.gives) given.add(name);
    return {
      path: [...step.path, "uses"],
      message: `Cannot run step "${step.id}": it needs the ${names.join(" and the ")}, which no earlier step gives${
        advice(makers, later)
      }`,
    };
  });
}

function missingTables(step: Running, rows: RowsInPlan, later: readonly Running[], kinds: StepKinds): Problem[] {
  const needed = Object.entries(step.kind.reads).filter(([table, columns]) =>
    !rows.wasWritten(table as TableName) &&
    (columns.length === 0 || columns.some((column) => typeof column === "string"))
  );
  return needed.map(([table]) => {
    rows.suppose(table as TableName);
    const makers = Object.keys(kinds).filter((name) =>
      Object.hasOwn(kinds[name]!.writes, table) && !Object.hasOwn(kinds[name]!.reads, table)
    );
    return {
      path: [...step.path, "uses"],
      message: `Cannot run step "${step.id}": it reads table "${table}", which no earlier step writes${
        advice(makers, later)
      }`,
    };
  });
}
