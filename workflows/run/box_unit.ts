/** Which unit the boxes of a run's answers and completions are in. @module */
import { join } from "node:path";
import { textIfThere } from "../../data/file_system.ts";
import { BOX_UNITS, type BoxUnit } from "../../data/images/boxes.ts";
import { RUN_FILES } from "../../data/run_folder.ts";
import type { BoxUnits } from "../../notebooks/pictures/picture.ts";
import { fieldsOf, listOf, optionsIn } from "./step_options.ts";

/** The reward whose measure pictures show: where rewards name several units, its own count. */
const SHOWN = "visual/iou";

/** Units of the boxes in answers and completions of the run in this folder, by its resolved workflow. */
export const boxUnitOfRun = (folder: string): BoxUnits =>
  boxUnitOf(textIfThere(join(folder, RUN_FILES.workflow)) ?? "");

/**
 * What a resolved workflow says, the text of a YAML file, its parameters answered: answers are in what `box_unit` of
 * load_prompts converts to, in that of its `detection`, or in a reward's `answer_unit`; completions in a reward's
 * `box_unit`. Of rewards that name units `visual/iou` counts, which pictures show, else the first. Thousandths where
 * nothing is said, as everywhere.
 */
export function boxUnitOf(workflow: string): BoxUnits {
  if (!/_unit\b/.test(workflow)) return "thousandths";
  const all = optionsIn(workflow);
  const made = first(
    all.flatMap(({ box_unit, detection }) => [fieldsOf(box_unit)["to"], fieldsOf(detection)["box_unit"]]),
  );
  const rewards = all.flatMap(({ rewards }) => listOf(rewards)).map(fieldsOf).map(({ uses, with: options }) => ({
    uses,
    answer: first([fieldsOf(options)["answer_unit"]]),
    said: first([fieldsOf(options)["box_unit"]]),
  })).filter(({ answer, said }) => answer !== undefined || said !== undefined);
  const { answer: named, said: read } = rewards.find(({ uses }) => uses === SHOWN) ?? rewards[0] ?? {};
  // A reward that names the answers' unit reads completions in its default; where none does, both are compared as they stand.
  const said = read ?? (named === undefined ? made : undefined) ?? "thousandths";
  const answer = named ?? made ?? "thousandths";
  return answer === said ? said : { answer, said };
}

const first = (values: readonly unknown[]) =>
  values.find((value) => BOX_UNITS.includes(value as BoxUnit)) as BoxUnit | undefined;
