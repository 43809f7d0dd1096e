/** Which unit the boxes of a run's answers and completions are in. @module */
import { parse } from "yaml";
import { orElse } from "../../data/file_system.ts";
import type { BoxUnit } from "../../data/images/boxes.ts";

const UNITS: readonly unknown[] = ["pixels", "thousandths"] satisfies BoxUnit[];

/**
 * What the option `box_unit` of a run's workflow says, the text of a YAML file: of one that converts, what it converts to.
 * Thousandths where it says nothing, as everywhere.
 */
export function boxUnitOf(workflow: string): BoxUnit {
  return /\bbox_unit\b/.test(workflow)
    ? unitIn(orElse(() => parse(workflow) as unknown, null)) ?? "thousandths"
    : "thousandths";
}

function unitIn(value: unknown): BoxUnit | null {
  if (typeof value !== "object" || value === null) return null;
  for (const [key, inner] of Object.entries(value)) {
    const unit = key === "box_unit" ? (inner as { readonly to?: unknown } | null)?.to ?? inner : null;
    const found = UNITS.includes(unit) ? unit as BoxUnit : unitIn(inner);
    if (found !== null) return found;
  }
  return null;
}
