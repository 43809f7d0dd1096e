/** Judges the cases of golden files by the topics that take them. @module */
import { firstLineOf } from "../../data/error_text.ts";
import { compare, type Comparison, reachesBeyond, shown } from "./compare.ts";
import { type GoldenFile, withNumbers } from "./read.ts";
import type { GraphRunner } from "./run_graph.ts";
import type { Data, Float, FormulaCase, FormulaTopic, Tolerance } from "./topic.ts";

/** What one case came to. */
export interface Verdict {
  /** File and first part of the case's name. */
  readonly topic: string;
  readonly name: string;
  /** Largest relative error in each type that was compared; none of what has no numbers. */
  readonly errors: Readonly<Partial<Record<Float, number>>>;
  /** Why it failed; null where it passed. */
  readonly failure: string | null;
}

export const NOT_IMPLEMENTED = "not implemented";

const TOLERANCES: Record<Float, Tolerance> = {
  float64: { relative: 1e-6, absolute: 1e-9 },
  float32: { relative: 1e-4, absolute: 1e-6 },
};

/** Beyond this float32 is not asked: sums and squares of such numbers leave its range. */
const FLOAT32_LIMIT = 1e20;

/** Under which name a case is counted: its file with the first part of its name, for edge.json the first two. */
export function topicOf(file: string, name: string): string {
  const parts = name.split("/");
  return [file, ...parts.slice(0, Math.min(file === "edge" ? 2 : 1, parts.length - 1))].join("/");
}

/** The verdict on every case of a file of formulas. */
export async function* judgeFormulas(
  { name: file, cases }: GoldenFile,
  topics: readonly FormulaTopic[],
  graphs: GraphRunner,
  wanted: (topic: string, name: string) => boolean,
): AsyncGenerator<Verdict> {
  for (const raw of cases ?? []) {
    const topic = topicOf(file, raw.name);
    if (!wanted(topic, raw.name)) continue;
    const golden: FormulaCase = {
      ...raw,
      params: withNumbers(raw.params),
      inputs: withNumbers(raw.inputs),
      outputs: withNumbers(raw.outputs),
    };
    const entry = topics.find(({ takes }) => Object.hasOwn(takes, file) && isTaken(takes[file]!, golden));
    if (!entry) yield { topic, name: raw.name, errors: {}, failure: NOT_IMPLEMENTED };
    else {
      const inputs = entry.texts ? raw.inputs : golden.inputs;
      yield { topic, name: raw.name, ...await judged({ ...golden, inputs }, entry, graphs) };
    }
  }
}

/** Whether a topic takes a case; one whose values have not the form that it asks about is nobody's. */
function isTaken(takes: (golden: FormulaCase) => boolean, golden: FormulaCase): boolean {
  try {
    return takes(golden);
  } catch (error) {
    if (error instanceof TypeError) return false;
    throw error;
  }
}

async function judged(golden: FormulaCase, topic: FormulaTopic, graphs: GraphRunner) {
  const errors: Partial<Record<Float, number>> = {};
  let failure: string | null = null;
  for (const dtype of typesOf(golden, topic)) {
    const { error, difference } = await compared(golden, topic, { dtype, graphs });
    errors[dtype] = error;
    if (difference && failure === null) {
      const { place, got, want } = difference;
      failure = `${place} is ${got}, want ${want}${topic.graph ? ` (${dtype})` : ""}`;
    }
  }
  return { errors, failure };
}

function typesOf({ inputs, outputs }: FormulaCase, { graph }: FormulaTopic): readonly Float[] {
  const isBeyond = reachesBeyond(inputs, FLOAT32_LIMIT) || reachesBeyond(outputs, FLOAT32_LIMIT);
  return graph && !isBeyond ? ["float64", "float32"] : ["float64"];
}

/** What ours throws where a value is refused: "Cannot …: …"; the runtime's own "Cannot read properties …" is a fault. */
const REFUSALS = [TypeError, RangeError, SyntaxError] as const, REFUSAL = /^Cannot (?!read propert).+: ./;

/** The exception that the original raised, or null. */
function raised(outputs: Data): string | null {
  const error = typeof outputs === "object" && outputs !== null && !Array.isArray(outputs) && "error" in outputs
    ? outputs.error
    : null;
  return typeof error === "string" ? error : null;
}

/** Which of its inputs a formula fell over, asked once more with its reads watched; null where none is of another form. */
async function misfitOf(
  golden: FormulaCase,
  topic: FormulaTopic,
  tools: { readonly dtype: Float; readonly graphs: GraphRunner },
): Promise<string | null> {
  const misfits: { readonly name: string; readonly value: unknown }[] = [];
  const watched = new Proxy(Object(golden.inputs) as Record<string, unknown>, {
    get(inputs, name) {
      const value = inputs[name as string];
      const fits = typeof value === "number" || typeof value === "boolean" || Array.isArray(value);
      if (typeof name === "string" && !fits) misfits.push({ name, value });
      return value;
    },
  });
  await Promise.resolve().then(() => topic.evaluate({ ...golden, inputs: watched as Data }, tools)).catch(() => {});
  // What may be left out is read as undefined too: one that is there comes first, then the last before the fall.
  const { name, value } = misfits.find(({ value }) => value !== undefined) ?? misfits.at(-1) ?? {};
  return name === undefined ? null : `inputs.${name} is ${shown(value)}, want rows of numbers`;
}

async function compared(
  golden: FormulaCase,
  topic: FormulaTopic,
  tools: { readonly dtype: Float; readonly graphs: GraphRunner },
): Promise<Comparison> {
  const wantsError = raised(golden.outputs);
  const off = (got: string, want: string) => ({ error: Infinity, difference: { place: "outcome", got, want } });
  let got: unknown;
  try {
    got = await topic.evaluate(golden, tools);
  } catch (error) {
    const isNamed = REFUSALS.some((kind) => error instanceof kind) && REFUSAL.test(firstLineOf(error));
    if (wantsError !== null && isNamed) return { error: 0, difference: null };
    const misfit = isNamed ? null : await misfitOf(golden, topic, tools);
    return off(
      `an error (${misfit ?? firstLineOf(error)})`,
      wantsError === null ? "a value" : "a named error, Cannot …: …",
    );
  }
  if (wantsError !== null) return off("a value", `an error (the original raises ${wantsError})`);
  return compare(golden.outputs, got, TOLERANCES[tools.dtype], topic.counted?.(golden) as Data | undefined);
}
