/** Rules on boxes in answers: that the steps of a plan take them to be in one unit, in which they can be. @module */
import { readBoxes } from "../../data/boxes/read_boxes.ts";
import { boxProblem, type BoxUnit } from "../../data/images/boxes.ts";
import { sizeOfId } from "../../data/images/image_id.ts";
import { imagesIn } from "../../data/datasets/prompt_images.ts";
import type { UnitOptions } from "../../steps/rewards/boxes/box_units.ts";
import { isUserFile, rewardOf } from "../../steps/rewards/entry.ts";
import type { PlannedStep } from "../plan/plan.ts";
import type { Facts, Known } from "./facts.ts";
import { at, type Report } from "./finding.ts";
import type { PromptRow } from "./prompt_facts.ts";

/** A reward that reads boxes in units. */
interface Reader {
  readonly step: PlannedStep;
  readonly index: number;
  readonly name: string;
  readonly unit: BoxUnit;
  /** Somebody wrote it, or completions are converted to it: more than a default without effect. */
  readonly isSure: boolean;
  readonly key: readonly (string | number)[];
}

/** What the steps say of the answers' boxes is one unit, and that of the boxes. */
export function boxUnits(facts: Facts): Report[] {
  const readers = readersOf(facts), reports: Report[] = [];
  const [first] = readers.filter(({ isSure }) => isSure);
  for (const reader of readers) {
    const loaded = facts.before("load_prompts", reader.step), made = loaded === null ? null : unitMade(loaded);
    if (loaded !== null && made !== null) {
      if (!reader.isSure || made.unit === reader.unit) continue;
      const message = `${loaded.step.id} writes boxes of answers in ${made.unit} (${made.option}), and reward ` +
        `"${reader.name}" of ${reader.step.id} takes them to be in ${reader.unit}; set answer_unit: ${made.unit} of the ` +
        `reward, or ${made.option}: ${reader.unit} of ${loaded.step.id}`;
      reports.push(report("error", message, reader));
    } else if (reader.isSure && first!.unit !== reader.unit) {
      const message =
        `reward "${reader.name}" of ${reader.step.id} takes boxes of answers to be in ${reader.unit}, and ` +
        `reward "${first!.name}" of ${first!.step.id} the same boxes in ${first!.unit}; give both the same answer_unit`;
      reports.push(report("error", message, reader));
    } else if (loaded !== null && facts.prompts?.loaded.step === loaded.step) {
      const message = outside(facts.prompts.rows, reader);
      // Rewards of one unit have the same to say: once is enough.
      if (message !== null && !reports.some(({ severity }) => severity === "warning")) {
        reports.push(report("warning", message, reader));
      }
    }
  }
  return reports;
}

const report = (severity: Report["severity"], message: string, { step, key }: Reader): Report => ({
  severity,
  message,
  path: at(step, ...key),
});

function readersOf({ each }: Facts): Reader[] {
  return [...each("score_rewards"), ...each("evaluate")].flatMap(({ step, params }) =>
    params.rewards.flatMap(({ uses: name, with: options }, index): Reader[] => {
      const given = isUserFile(name) ? null : rewardOf(name).params.safeParse(options).data;
      // Visual-RFT's own form knows no units.
      if (!hasUnits(given) || given.compat === true) return [];
      const { answer_unit: unit, box_unit: said } = given, isWritten = options["answer_unit"] !== undefined;
      const key = ["rewards", index, ...isWritten ? ["with", "answer_unit"] : ["uses"]];
      return [{ step, index, name, unit, isSure: isWritten || unit !== said, key }];
    })
  );
}

const hasUnits = (given: unknown): given is UnitOptions & { readonly compat?: boolean } =>
  typeof given === "object" && given !== null && "answer_unit" in given;

/** The unit that a step writes answers in, by which of its options; null where it leaves them as they are. */
function unitMade({ params }: Known<"load_prompts">): { readonly unit: BoxUnit; readonly option: string } | null {
  if (params.box_unit !== undefined) return { unit: params.box_unit.to, option: "box_unit.to" };
  return params.detection === undefined ? null : { unit: params.detection.box_unit, option: "detection.box_unit" };
}

/** What is said of answers with a box that is beyond its image in this unit; null where there is none. */
function outside(rows: readonly PromptRow[], { name, unit, isSure }: Reader): string | null {
  let count = 0, first: string | null = null;
  for (const { prompt, answer } of rows) {
    const problem = problemOf(prompt, answer, unit);
    if (problem === null) continue;
    count++;
    first ??= problem;
  }
  if (first === null) return null;
  const by = isSure ? "takes" : "by default takes";
  return `reward "${name}" ${by} boxes of answers to be in ${unit}, and ${count} of ${rows.length} answers cannot be: ` +
    `${first}; set answer_unit of the rewards, and box_unit of what completions say`;
}

function problemOf(prompt: string, answer: string, unit: BoxUnit): string | null {
  const images = imagesIn(prompt);
  // Which of several images a box is in, nothing says.
  if (images.length !== 1) return null;
  const size = sizeOfId(images[0]!);
  for (const { box } of readBoxes(answer).boxes) {
    const [x1, y1, x2, y2] = box;
    // Corners in the wrong order are another mistake.
    if (!(x1 < x2 && y1 < y2)) continue;
    const problem = boxProblem(box, size, unit);
    if (problem !== null) return problem.replace(/, want .*/, "");
  }
  return null;
}
