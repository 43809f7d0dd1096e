/** Whether completions hold the gold answer, printed beside them or computed from the prompt's own sum. @module */
import { isNumber } from "./numbers.ts";
import { MOST_TEXTS } from "./texts.ts";
import type { Completion, RunView } from "./run_view.ts";

const LONGEST = 200; // Characters of a gold answer that can be looked for, and of the end of a completion where it is.
const SHORTEST = 3; // Shorter words are found in any text.

const SUM = /(-?\d+)\s*([+\-*x×])\s*(-?\d+)\s*=?\s*\??\s*$/;

/** The gold answer of a row: printed beside it, or the value of the sum that its prompt asks for. */
export function goldOf(row: Completion): string | null {
  if (row.answer !== null && row.answer.trim() !== "") {
    const boxed = /<answer>([\s\S]*?)<\/answer>/i.exec(row.answer);
    return (boxed?.[1] ?? row.answer.split("####").at(-1)!).trim();
  }
  const sum = row.prompt === null ? null : SUM.exec(row.prompt.trim());
  if (sum === null || sum === undefined) return null;
  const [, left, sign, right] = sum, a = Number(left), b = Number(right);
  return String(sign === "+" ? a + b : sign === "-" ? a - b : a * b);
}

/** True if the completion is the gold answer or ends in it: inside its answer tag or box, or as its last number or word. */
export function holdsGold(row: Completion): boolean | null {
  const gold = goldOf(row);
  if (gold === null || gold.length > LONGEST) return null;
  const clean = (text: string) => text.trim().toLowerCase().replace(/[\s,$.]+$/g, "").replaceAll(",", "");
  const tagged = [...row.text.matchAll(/<answer>([\s\S]*?)<\/answer>/gi)].at(-1)?.[1] ??
    [...row.text.matchAll(/\\boxed\{([^}]*)\}/g)].at(-1)?.[1];
  if (clean(tagged ?? row.text) === clean(gold)) return true;
  if (/^-?[\d.,]+$/.test(gold)) {
    const numbers = (tagged ?? row.text).match(/-?\d[\d,]*(?:\.\d+)?/g);
    return numbers !== null && Number(numbers.at(-1)!.replaceAll(",", "")) === Number(gold.replaceAll(",", ""));
  }
  return gold.length >= SHORTEST && clean(tagged ?? row.text.slice(-LONGEST)).includes(clean(gold));
}

/** Completions by their goal reward: those at 0 (or below) whose gold answer is known, how many hold it, and how many score. */
export function goldAmongZero(
  view: RunView,
): { share: number; known: number; scored: number; example: Completion | null } {
  return view.memo("gold among zero", () => {
    let [known, held, scored] = [0, 0, 0];
    let example: Completion | null = null;
    const rows = view.completions.slice(0, MOST_TEXTS);
    const isFormat = (name: string) => /format|tag/i.test(name);
    const formatFires = rows.some((row) =>
      Object.entries(row.rewards).some(([name, value]) => isFormat(name) && isNumber(value) && value > 0)
    );
    for (const row of rows) {
      const entries = Object.entries(row.rewards);
      const goals = entries.filter(([name]) => !isFormat(name) && !/length|penalt|repet/i.test(name));
      const scores = goals.length > 0 ? goals.map(([, value]) => value) : [row.reward];
      if (!scores.some(isNumber)) continue;
      if (scores.some((value) => isNumber(value) && value > 0)) {
        scored++;
        continue;
      }
      // A right number outside the wanted tags is wrong by the rules of the task.
      if (formatFires && entries.some(([name, value]) => isFormat(name) && !(isNumber(value) && value > 0))) continue;
      const holds = holdsGold(row);
      if (holds === null) continue;
      known++;
      if (holds) {
        held++;
        example ??= row;
      }
    }
    return { share: known === 0 ? 0 : held / known, known, scored, example };
  });
}
