/** The task `countdown`: reach a number with given operands. @module */
import { z } from "zod";
import { DRAWN_PROMPTS } from "./rows/drawn_params.ts";
import { uniqueRows } from "./rows/unique_rows.ts";
import { defineTask } from "./task.ts";
import { evaluateExpression } from "./verifiers/expression.ts";

const params = z.strictObject({
  operands: z.int().min(2).max(6).default(3).describe("how many operands are given; each is used exactly once"),
  max_operand: z.int().min(2).max(999).default(20).describe("largest operand, from 1"),
  max_target: z.int().min(1).max(99_999).default(99).describe("largest number to reach, from 1"),
  count: DRAWN_PROMPTS,
});

/** An expression under construction: its value, text and the lowest precedence outside parentheses (1 sum, 2 product). */
interface Part {
  readonly value: number;
  readonly text: string;
  readonly precedence: 1 | 2 | 3;
}

const wrap = (part: Part, least: number) => part.precedence < least ? `(${part.text})` : part.text;

const COMBINE: readonly ((a: Part, b: Part) => Part | null)[] = [
  (a, b) => ({ value: a.value + b.value, text: `${a.text}+${b.text}`, precedence: 1 }),
  (a, b) => a.value > b.value ? { value: a.value - b.value, text: `${a.text}-${wrap(b, 2)}`, precedence: 1 } : null,
  (a, b) => ({ value: a.value * b.value, text: `${wrap(a, 2)}*${wrap(b, 2)}`, precedence: 2 }),
  (a, b) =>
    a.value % b.value === 0 ? { value: a.value / b.value, text: `${wrap(a, 2)}/${wrap(b, 3)}`, precedence: 2 } : null,
];

/** "3,5,8>23:" wants an expression such as "3*5+8" (or "3*5+8=23") that uses each operand exactly once. */
export const countdown = defineTask({
  about: "Reach a number with given operands: 3,5,8>23: wants 3*5+8",
  params,
  columns: {
    operands: { type: "utf8", unit: "", about: "the given operands, separated by commas" },
    target: { type: "int32", unit: "", about: "the number to reach" },
  },
  rows({ operands: size, max_operand, max_target, count }) {
    const draw = (below: (bound: number) => number) => {
      const operands = Array.from({ length: size }, () => 1 + below(max_operand));
      const parts: Part[] = operands.map((value) => ({ value, text: String(value), precedence: 3 }));
      while (parts.length > 1) {
        const [a] = parts.splice(below(parts.length), 1);
        const [b] = parts.splice(below(parts.length), 1);
        const combined = COMBINE[below(COMBINE.length)]!(a!, b!);
        if (!combined) return null;
        parts.push(combined);
      }
      const { value: target, text } = parts[0]!;
      return target <= max_target ? { operands, target, text } : null;
    };
    const problem = ({ operands, target }: { operands: number[]; target: number }) =>
      `${[...operands].sort((a, b) => a - b)}>${target}`;
    return uniqueRows(count, "countdown", draw, problem).map((row) => ({
      prompt: `${row.operands}>${row.target}:`,
      answer: row.text,
      difficulty: /[*/]/.test(row.text) ? (/\(/.test(row.text) ? 1 : 0.5) : 0,
      splitKey: problem(row),
      columns: { operands: String(row.operands), target: row.target },
    }));
  },
  verify(completion, row) {
    const [expression = "", result, ...rest] = completion.split("=");
    const value = evaluateExpression(expression);
    if (!value || rest.length > 0 || (result !== undefined && result.trim() !== String(row.target))) return false;
    const sorted = (values: readonly number[]) => [...values].sort((a, b) => a - b).join();
    return value.denominator === 1n && value.numerator === BigInt(Number(row.target)) &&
      sorted(value.operands) === sorted(String(row.operands).split(",").map(Number));
  },
  maxNewTokens: ({ operands, max_operand }) => operands * String(max_operand).length + 3 * (operands - 1) + 1,
});
