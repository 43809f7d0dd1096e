/**
 * A run as Visual-RFT prints it: the console records of its trainer (TRL 0.14 on transformers 4), and the blocks that its
 * reward functions write under DEBUG_MODE. Its trainer knows no warm start: train steps without rollouts are left out.
 * @module
 */
import { pieceColumn, type TablePieces } from "../pieces.ts";
import type { TrackedStep } from "./tracked_steps.ts";

/** What a record holds, in its order: Visual-RFT's name and our column. */
const RECORD = [
  ["loss", "loss"],
  ["grad_norm", "grad_norm"],
  ["learning_rate", "learning_rate"],
  ["completion_length", "completion_length"],
  ["", "reward."], // one of each function
  ["reward", "reward"],
  ["reward_std", "group_reward_std"],
  ["kl", "kl"],
  ["epoch", "epoch"],
] as const;

interface Function {
  /** As its metric is called. */
  readonly name: string;
  /** As its blocks are headed; null where it writes none. */
  readonly block: string | null;
  /** Its blocks show the boxes that it read. */
  readonly boxes?: true;
}

/** Its reward functions by our rewards. */
const FUNCTIONS: Readonly<Record<string, Function>> = {
  "visual/iou": { name: "accuracy_reward_iou", block: "Accuracy reward of IoU", boxes: true },
  "visual/confidence": { name: "accuracy_reward_confidence", block: "Accuracy reward of Confidence", boxes: true },
  "visual/classification": { name: "accuracy_reward", block: "Accuracy reward" },
  "visual/grounding": { name: "accuracy_reward", block: "Accuracy reward" },
  "visual/giou": { name: "accuracy_reward", block: "Accuracy reward" },
  "visual/format": { name: "format_reward", block: null },
  format: { name: "format_reward", block: null },
};

/** A reward that Visual-RFT does not have, under our name. */
function functionOf(column: string): Function {
  const own = column.slice("reward.".length);
  if (Object.hasOwn(FUNCTIONS, own)) return FUNCTIONS[own]!;
  return { name: own.replaceAll("/", "_"), block: /format/.test(own) ? null : "Accuracy reward" };
}

/** Python's print of a float. */
function pythonFloat(value: number): string {
  if (Number.isNaN(value)) return "nan";
  if (!Number.isFinite(value)) return value > 0 ? "inf" : "-inf";
  const size = Math.abs(value);
  if (value !== 0 && (size < 1e-4 || size >= 1e16)) return value.toExponential().replace(/e([-+])(\d)$/, "e$10$2");
  return Number.isInteger(value) ? value.toFixed(1) : String(value);
}

/** Time since the start as tqdm writes it. */
function clock(seconds: number): string {
  const whole = Math.max(0, Math.round(seconds)), two = (value: number) => String(value).padStart(2, "0");
  const [hours, minutes] = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60];
  return `${hours > 0 ? `${hours}:` : ""}${two(minutes)}:${two(whole % 60)}`;
}

/**
 * The console: a record per train step with rollouts and the bar behind it; absent values are left out, NaN is nan.
 *
 * last      train step that the run ends with
 * started   seconds since 1970
 */
export function* visualRftConsole(steps: Iterable<TrackedStep>, last: number, started: number): Generator<string> {
  for (const { trainStep, phase, time, values } of steps) {
    if (phase !== "rollout") continue;
    const cells = RECORD.flatMap(([name, column]): (readonly [string, number])[] =>
      values.filter(([own]) => column === "reward." ? own.startsWith(column) : own === column).map(([own, value]) => [
        column === "reward." ? `rewards/${functionOf(own).name}` : name,
        value,
      ])
    );
    yield `{${cells.map(([name, value]) => `'${name}': ${pythonFloat(value)}`).join(", ")}}\n`;
    const share = trainStep / Math.max(1, last), spent = time - started;
    const bar = "█".repeat(Math.floor(10 * share)).padEnd(10);
    yield `${String(Math.floor(100 * share)).padStart(3)}%|${bar}| ${trainStep}/${last} [${clock(spent)}<` +
      `${clock(spent * (last / trainStep - 1))}, ${(spent / trainStep).toFixed(2)}s/it]\n`;
  }
}

interface Row {
  readonly text: string;
  readonly answer: string;
  readonly rewards: readonly (number | null)[];
}

/** What stands within a text's answer tags, on one line, as the program reads it. */
const boxesIn = (text: string) => /<answer>(.*?)<\/answer>/.exec(text)?.[1] ?? "None";

/**
 * The debug file: for each group the blocks of one reward function after the other's, each with one time in common. What
 * Visual-RFT computes on the way (iou_results) is left out.
 *
 * time      when a train step ended, seconds since 1970
 * answers   the answer of a prompt, where a completion does not say it
 */
export function* visualRftBlocks(
  { columns, pieces }: TablePieces,
  time: (trainStep: number) => number,
  answers: ReadonlyMap<unknown, string>,
): Generator<string> {
  const order = (column: string) => Object.keys(FUNCTIONS).indexOf(column.slice("reward.".length)) >>> 0; // others last
  const functions = columns.filter((column) => column.startsWith("reward.")).sort((a, b) => order(a) - order(b))
    .map((column) => ({ column, ...functionOf(column) }))
    .filter(({ block }, i, all) => block !== null && all.findIndex((other) => other.block === block) === i);
  let key = "", trainStep = 0, group = 0, rows: Row[] = [];
  const written = () => {
    const lines = functions.flatMap(({ block, boxes }, i) => {
      const stamp = stampOf(time(trainStep), group * functions.length + i);
      return rows.filter(({ rewards }) => rewards[i] !== null).map(({ text, answer, rewards }) =>
        `------------- ${stamp} ${block}: ${
          pythonFloat(rewards[i]!)
        } -------------\ncontent: ${text}\nsol: ${answer}\n` +
        (boxes ? `student_answer_bbox: ${boxesIn(text)}\nground_truth_bbox: ${boxesIn(answer)}\n` : "")
      );
    });
    rows = [];
    return lines.join("");
  };
  for (const piece of pieces) {
    const [steps, ids, texts, given] = ["train_step", "prompt_id", "text", "answer"].map((name) =>
      pieceColumn(piece, name)
    );
    const rewards = functions.map(({ column }) => pieceColumn(piece, column));
    for (let row = 0; row < piece.numRows(); row++) {
      const own = `${steps![row]} ${ids![row]}`;
      if (own !== key && rows.length > 0) yield written();
      if (own !== key) group = Number(steps![row]) === trainStep ? group + 1 : 0;
      [key, trainStep] = [own, Number(steps![row])];
      rows.push({
        text: String(texts![row] ?? ""),
        answer: String(given![row] ?? answers.get(ids![row]) ?? ""),
        rewards: rewards.map((cells) => typeof cells[row] === "number" ? cells[row] as number : null),
      });
    }
  }
  if (rows.length > 0) yield written();
}

/** `dd-HH-MM-SS-ffffff`; the microseconds count the calls of a train step. */
function stampOf(seconds: number, call: number): string {
  const [, day, hour, minute, second] = /-(\d\d)T(\d\d):(\d\d):(\d\d)/.exec(new Date(1000 * seconds).toISOString())!;
  return [day, hour, minute, second, String(call % 1_000_000).padStart(6, "0")].join("-");
}
