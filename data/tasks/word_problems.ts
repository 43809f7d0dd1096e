/** The task `word_problems`: problems of grade school in two calculations, with worked solutions as GSM8K writes them. @module */
import { z } from "zod";
import { DRAWN_PROMPTS } from "./rows/drawn_params.ts";
import { uniqueRows } from "./rows/unique_rows.ts";
import { defineTask } from "./task.ts";
import { gsm8k } from "./verifiers/gsm8k.ts";

const params = z.strictObject({
  max_factor: z.int().min(3).max(99).default(9).describe("largest factor of a product, from 2"),
  max_number: z.int().min(2).max(999).default(99).describe(
    "largest number besides the factors: what comes, goes or is left",
  ),
  count: DRAWN_PROMPTS,
});

const NAMES = ["Ada", "Ben", "Ines", "Lena", "Mia", "Omar", "Tom", "Yuki"];
const THINGS = ["pens", "nuts", "pears", "cards", "stamps", "books"];

interface Story {
  /** Its text with the numbers in it. */
  readonly ask: (who: string, things: string, a: number, b: number, c: number) => string;
  /** What is done with the product and the third number. */
  readonly then: "+" | "-" | "from";
}

const STORIES: readonly Story[] = [
  {
    then: "+",
    ask: (who, things, a, b, c) => `${who} has ${a} bags of ${b} ${things} and ${c} more. How many in all?`,
  },
  {
    then: "-",
    ask: (who, things, a, b, c) => `${who} has ${a} bags of ${b} ${things} and loses ${c}. How many are left?`,
  },
  {
    then: "from",
    ask: (who, things, a, b, c) => `${who} has $${c} and buys ${a} ${things} at $${b}. How many $ are left?`,
  },
];

/** The two numbers of the second calculation, the product among them; their sign. */
function second(then: Story["then"], product: number, c: number): readonly [number, "+" | "-", number] {
  return then === "from" ? [c, "-", product] : [product, then, c];
}

/** Whether a digit is carried or borrowed. */
function carries(a: number, sign: "+" | "-", b: number): boolean {
  for (let [x, y] = [a, b]; x > 0 || y > 0; x = Math.floor(x / 10), y = Math.floor(y / 10)) {
    if (sign === "+" ? x % 10 + y % 10 > 9 : x % 10 < y % 10) return true;
  }
  return false;
}

/**
 * "Mia has 6 bags of 8 pens and loses 5. How many are left?" wants a text whose number is 43; the worked solution is
 * "6*8=48", "48-5=43", "#### 43". The same numbers in the same story are one problem, whoever and whatever it is about.
 */
export const wordProblems = defineTask({
  about: "Problems of grade school: 6 bags of 8 pens, 5 are lost, wants #### 43",
  params,
  rows({ max_factor, max_number, count }) {
    const draw = (below: (bound: number) => number) => {
      const story = below(STORIES.length), a = 2 + below(max_factor - 1), b = 2 + below(max_factor - 1);
      const who = NAMES[below(NAMES.length)]!, things = THINGS[below(THINGS.length)]!, product = a * b;
      const { then, ask } = STORIES[story]!;
      const c = then === "-"
        ? 1 + below(Math.min(max_number, product - 1))
        : (then === "from" ? product : 0) + 1 + below(max_number);
      const [left, sign, right] = second(then, product, c), result = sign === "+" ? left + right : left - right;
      return {
        prompt: ask(who, things, a, b, c) + "\n",
        answer: `${a}*${b}=${product}\n${left}${sign}${right}=${result}\n#### ${result}`,
        difficulty: carries(left, sign, right) ? 1 : 0,
        splitKey: [story, a, b, c].join(" "),
      };
    };
    return uniqueRows(count, "word_problems", draw, ({ prompt }) => prompt);
  },
  verify: (completion, row) => gsm8k.verify!(completion, row, gsm8k.params.parse({})),
  maxNewTokens({ max_factor, max_number }) {
    const digits = (number: number) => String(number).length, product = max_factor ** 2, most = product + max_number;
    return 2 * digits(max_factor) + 2 * digits(product) + 3 * digits(most) + "*=\n-=\n#### ".length + 1;
  },
});
