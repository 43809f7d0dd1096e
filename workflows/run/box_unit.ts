/** Which unit the boxes of a run's answers and completions are in. @module */
import { parse } from "yaml";
import { orElse } from "../../data/file_system.ts";
import { BOX_UNITS, type BoxUnit } from "../../data/images/boxes.ts";
import type { BoxUnits } from "../../notebooks/pictures/picture.ts";

/**
 * What a run's workflow says, the text of a YAML file: answers are in what `box_unit` of load_prompts converts to, in that
 * of its `detection`, or in a reward's `answer_unit`; completions in a reward's `box_unit`. Thousandths where it says
 * nothing, as everywhere.
 */
export function boxUnitOf(workflow: string): BoxUnits {
  const options = /_unit\b/.test(workflow) ? optionsIn(orElse(() => parse(workflow) as unknown, null)) : [];
  const first = (key: string) =>
    options.find(([name, value]) => name === key && BOX_UNITS.includes(value as BoxUnit))?.[1] as BoxUnit | undefined;
  const named = first("answer_unit"), made = first("to");
  // A reward that names the answers' unit reads completions in its default; where none does, both are compared as they stand.
  const said = first("box_unit") ?? (named === undefined ? made : undefined) ?? "thousandths";
  const both = { answer: named ?? made ?? "thousandths", said };
  return both.answer === both.said ? both.said : both;
}

/** Every `answer_unit`, `box_unit` and `to` of a `box_unit`, in the order of the file. */
function optionsIn(value: unknown): (readonly [string, unknown])[] {
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) => {
    if (key === "box_unit" && typeof inner === "object" && inner !== null) {
      return [["to", Reflect.get(inner, "to")] as const];
    }
    if (key === "detection" && typeof inner === "object" && inner !== null) {
      return [["to", Reflect.get(inner, "box_unit")] as const];
    }
    return key === "box_unit" || key === "answer_unit" ? [[key, inner] as const] : optionsIn(inner);
  });
}
