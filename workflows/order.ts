/**
 * Checks that every table a step reads and every resource it needs was made by a step before it.
 * @module
 */
import { readCondition } from "./conditions.ts";
import type { Problem } from "./diagnostics.ts";
import type { Known } from "./references.ts";
import type { StepKinds, WorkflowDocument } from "./schema.ts";
import { siteAt, type StepSite } from "./sites.ts";

/**
 * Tables read before they are written, resources needed before they are given.
 *
 * The order in the file decides, also inside `repeat`: the first round has no round before it. A step whose `if` is
 * known to be false does nothing; one whose `if` is decided during the run counts as if it ran.
 */
export function orderProblems(sites: readonly StepSite[], document: WorkflowDocument, known: Known): Problem[] {
  const written = new Set<string>();
  const given = new Set<string>();
  return sites.flatMap((site): Problem[] => {
    const entry = siteAt(document.steps, site.path);
    const { params, kinds } = known;
    const condition = entry.if === undefined ? null : readCondition(entry.if, { params }).condition;
    if (condition?.kind === "constant" && !condition.value) return [];
    const kind = kinds[entry.uses]!;
    const path = [...site.path, "uses"];
    const tables = kind.reads.filter((table) => !written.has(table)).map((table) => ({
      path,
      message: `Cannot run step "${site.id}": it reads table "${table}", which no earlier step writes${
        makers(kinds, "writes", table)
      }`,
    }));
    const resources = kind.needs.filter((resource) => !given.has(resource)).map((resource) => ({
      path,
      message: `Cannot run step "${site.id}": it needs the ${resource}, which no earlier step gives${
        makers(kinds, "gives", resource)
      }`,
    }));
    for (const table of kind.writes) written.add(table);
    for (const resource of kind.gives) given.add(resource);
    return [...tables, ...resources];
  });
}

function makers(kinds: StepKinds, what: "writes" | "gives", name: string): string {
  const names = Object.keys(kinds).filter((kind) => (kinds[kind]![what] as readonly string[]).includes(name));
  const verb = what === "writes" ? "write" : "give";
  return names.length === 0 ? "" : `; step kinds that ${verb} it: ${names.join(", ")}`;
}
