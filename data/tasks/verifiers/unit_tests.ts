/** The verifier `unit_tests`: a function in JavaScript or TypeScript that gives what hidden tests want. @module */
import { z } from "zod";
import { isObject } from "../../datasets/cells.ts";
import { parseJson } from "../../strict_json.ts";
import { defineVerifier } from "./verifier.ts";

const params = z.strictObject({
  timeout_seconds: z.number().positive().max(600).default(2).describe("time for all tests of one completion"),
  tolerance: z.number().min(0).max(1).default(1e-9).describe(
    "largest |difference| over the larger of two numbers that are not both whole",
  ),
  absolute_tolerance: z.number().min(0).default(0).describe(
    "a |difference| of such numbers that is small enough whatever they are; 0: only 0 is 0",
  ),
});

/** Identifiers, no reserved words' worth of trouble: the name is put into the program. */
const NAME = /^[A-Za-z_$][\w$]{0,99}$/;
const MOST_TESTS = 1000;
const MOST_ANSWER = 2_000_000;
const MOST_CODE = 100_000;

const FORMAT = '{"fn_name": NAME, "inputs": [[ARGUMENT, …], …], "outputs": [RESULT, …]}';

const tests = z.object({
  fn_name: z.string().regex(NAME, "want the name of a function"),
  inputs: z.array(z.array(z.json())).min(1).max(MOST_TESTS),
  outputs: z.array(z.json()),
}).refine(({ inputs, outputs }) => inputs.length === outputs.length, {
  message: "inputs and outputs have different lengths",
});

/**
 * The answer is JSON: { fn_name, inputs: a list of lists of arguments, outputs: what each call returns }, as PRIME's and
 * verl's code sets have it for functions. The completion's code is its fenced block that has the function, by its name or in `exports` (the last of
 * several), or all of it where there is no fence.
 *
 * Each completion runs in a thread and heap of its own, in a process that may do nothing; arguments are handed over one
 * call at a time, and what comes back is compared outside of that heap: there is no test in it to read, print or patch.
 * Python is not run: nothing in CPython keeps code from files and the network, and not every system has what does.
 */
export const unitTests = defineVerifier({
  about: "its JavaScript or TypeScript function returns what each hidden test wants, in the sandbox",
  params,
  answersAreJson: true,
  problem(answer) {
    const read = testsIn(answer);
    return "problem" in read ? `holds no tests: ${read.problem}; want ${FORMAT}` : null;
  },
  program(completion, row, { timeout_seconds, tolerance, absolute_tolerance }) {
    const read = testsIn(String(row.answer));
    if ("problem" in read) return null;
    const code = codeIn(completion, read.fn_name);
    const milliseconds = timeout_seconds * 1000;
    return code === null ? null : { code, ...read, milliseconds, tolerance, absolute_tolerance };
  },
});

function testsIn(answer: string): z.output<typeof tests> | { readonly problem: string } {
  if (answer.length > MOST_ANSWER) return { problem: `it has more than ${MOST_ANSWER} characters` };
  let value: unknown;
  try {
    value = parseJson(answer, "it");
  } catch (error) {
    if (error instanceof SyntaxError) return { problem: error.message.replace(/^Cannot read it: /, "") };
    throw error;
  }
  const read = tests.safeParse(value);
  if (read.success) return read.data;
  if (!isObject(value)) return { problem: `it is ${Array.isArray(value) ? "a list" : JSON.stringify(value)}` };
  const { path, message } = read.error.issues[0]!;
  return { problem: `${path.length > 0 ? `${path.join(".")}: ` : ""}${message}` };
}

const FENCE = /^[ \t]*(```|~~~)([A-Za-z]*)[^\n]*\n([\s\S]*?)^[ \t]*\1/gm;
const LANGUAGES = ["", "js", "javascript", "ts", "typescript", "mjs", "jsx", "tsx", "node"];

/** The code of a completion; null where there is none in a language that is run. */
function codeIn(completion: string, name: string): string | null {
  if (completion.length > MOST_CODE) return null;
  const blocks = [...completion.matchAll(FENCE)];
  if (blocks.length === 0) return /```|~~~/.test(completion) || completion.trim() === "" ? null : completion;
  const own = `${name.replaceAll("$", "\\$")}(?![\\w$])`;
  const declared = `(?:function\\*?|const|let|var|class)\\s+${own}`;
  const given =
    `(?<![\\w$])exports(?:\\s*\\.\\s*${own}|\\s*\\[\\s*["']${own}|\\s*=\\s*\\{[^]{0,2000}?(?<![\\w$.])["']?${own})`;
  const defines = new RegExp(`${declared}|${given}`);
  const usable = blocks.filter(([, , language, code]) =>
    LANGUAGES.includes(language!.toLowerCase()) && defines.test(code!)
  );
  return usable.at(-1)?.[3] ?? null;
}
