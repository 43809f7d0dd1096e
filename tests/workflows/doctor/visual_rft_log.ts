/** Logs as Visual-RFT prints them: console records of TRL 0.14, and the blocks of its debug file; made here, by a seed. */
import { uniform } from "../../steps/diagnoses/long_run.ts";

export type Story = "greedy" | "garbled" | "right" | "other_units" | "healthy";

interface VisualLog {
  readonly console: string;
  readonly blocks: string;
}

const THINGS = ["dog", "chair", "car", "bottle", "zebra"], PLACES = ["by the window", "on the left", "in the street"];
const NOISE = [..."的ぬ∂ф§ß{]|~^ж%&Ω系#@вкшة한글مж"],
  LETTERS = [..."abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLM0123456789"];

type Box = readonly [number, number, number, number];

function iou(a: Box, b: Box): number {
  const [width, height] = [Math.min(a[2], b[2]) - Math.max(a[0], b[0]), Math.min(a[3], b[3]) - Math.max(a[1], b[1])];
  const both = width > 0 && height > 0 ? width * height : 0;
  return both / ((a[2] - a[0]) * (a[3] - a[1]) + (b[2] - b[0]) * (b[3] - b[1]) - both);
}

/** `steps` records of `prompts` groups of `size`, detection of one object each; its rewards are those of grpo.py. */
export function visualRftLog(story: Story, seed: number, steps = 12, prompts = 4, size = 8): VisualLog {
  const next = uniform(seed), within = (low: number, high: number) => low + (high - low) * next();
  const whole = (low: number, high: number) => Math.floor(within(low, high + 1));
  const one = <Kind>(list: readonly Kind[]) => list[whole(0, list.length - 1)]!;
  const records: string[] = [], blocks: string[] = [];

  function sampled(gold: Box) {
    if (story === "garbled") {
      const text = Array.from(
        { length: whole(150, 300) },
        () => next() < 0.15 ? " " : one(next() < 0.5 ? NOISE : LETTERS),
      );
      return { text: text.join(""), iou: 0, confidence: 0, format: 0, tokens: 256 };
    }
    const off = story === "right" ? 0 : within(5, 90), scale = story === "other_units" ? 0.5 : 1;
    const box = gold.map((at) => Math.max(0, Math.round(scale * (at + within(-off, off))))) as unknown as Box;
    const sure = story === "right" ? 1 : Math.round(within(50, 100)) / 100, found = iou(box, gold);
    const isFormat = story === "right" || next() > 0.04;
    const answer = `<answer>[{'Position': [${box.join(", ")}], 'Confidence': ${sure}}]</answer>`;
    return {
      text: `<think>There is a ${one(THINGS)} ${one(PLACES)}, ${whole(2, 90)} steps away.</think>\n${answer}${
        isFormat ? "" : "."
      }`,
      iou: found > 0.5 ? found : 0,
      confidence: found > 0.5 ? sure : 1 - sure,
      format: isFormat ? 1 : 0,
      tokens: whole(40, 90),
    };
  }

  for (let step = 1; step <= steps; step++) {
    const groups = Array.from({ length: prompts }, (_, prompt) => {
      const [left, top] = [whole(0, 400), whole(0, 400)];
      const gold: Box = [left, top, left + whole(100, 500), top + whole(100, 500)], first = sampled(gold);
      const rows = Array.from({ length: size }, () => story === "greedy" ? first : sampled(gold));
      const solution = `<answer>[{'Position': [${gold.join(", ")}], 'Confidence': 1}]</answer>`;
      for (const [what, key] of [["IoU", "iou"], ["Confidence", "confidence"]] as const) {
        const stamp = `05-10-${10 + step}-${10 + prompt}-${key === "iou" ? 100000 : 200000}`;
        for (const row of rows) {
          blocks.push(
            `------------- ${stamp} Accuracy reward of ${what}: ${row[key]} -------------\n` +
              `content: ${row.text}\nsol: ${solution}\nstudent_answer_bbox: None\nground_truth_bbox: None\niou_results: None\n`,
          );
        }
      }
      return rows.map((row) => ({ ...row, total: row.iou + row.confidence + row.format }));
    });
    const rows = groups.flat(), mean = (values: readonly number[]) => values.reduce((a, b) => a + b, 0) / values.length;
    const deviation = mean(groups.map((group) => {
      const middle = mean(group.map(({ total }) => total));
      return Math.sqrt(group.reduce((sum, { total }) => sum + (total - middle) ** 2, 0) / (size - 1));
    }));
    const isFlat = deviation < 1e-9, kl = isFlat || step === 1 ? 0 : 1e-4 * step * within(0.5, 1.5);
    const record = {
      loss: Math.round(0.04 * kl * 1e4) / 1e4,
      grad_norm: isFlat ? 0 : within(2, 9),
      learning_rate: 1e-6 * (1 - step / 400),
      completion_length: mean(rows.map(({ tokens }) => tokens)),
      "rewards/accuracy_reward_iou": mean(rows.map(({ iou }) => iou)),
      "rewards/accuracy_reward_confidence": mean(rows.map(({ confidence }) => confidence)),
      "rewards/format_reward": mean(rows.map(({ format }) => format)),
      reward: mean(rows.map(({ total }) => total)),
      reward_std: isFlat ? 0 : deviation,
      kl,
      epoch: Math.round(step / 2) / 100,
    };
    const shown = (value: number) => Number.isInteger(value) ? value.toFixed(1) : String(value);
    records.push(`{${Object.entries(record).map(([name, value]) => `'${name}': ${shown(value)}`).join(", ")}}\n`);
    records.push(`  ${Math.floor(step / 4)}%|▏         | ${step}/400 [00:${10 + step}<1:22:08, 12.38s/it]\n`);
  }
  return { console: records.join(""), blocks: blocks.join("") };
}
