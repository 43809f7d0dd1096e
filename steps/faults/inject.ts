/** Puts the faults of a workflow around its steps, and says what is wrong with them before the run. @module */
import { z } from "zod";
import { didYouMean } from "../../data/did_you_mean.ts";
import { ENTRY, type Fault, type StepParams } from "./fault.ts";
import { STEPS } from "../mod.ts";
import type { Step, StepContext, StepResult } from "../step.ts";
import { FAULTS } from "./mod.ts";

/** One entry of `faults`, as written. */
type Entry = Readonly<Record<string, unknown>>;

interface Injected {
  readonly kind: string;
  readonly fault: Fault;
  readonly from: number;
  readonly to: number;
  readonly given: Readonly<Record<string, unknown>>;
}

function faultOf(kind: unknown): Fault | null {
  return typeof kind === "string" && Object.hasOwn(FAULTS, kind) ? FAULTS[kind as keyof typeof FAULTS] as Fault : null;
}

function schemaOf(fault: Fault): z.ZodObject {
  return z.strictObject({ ...ENTRY, ...fault.params.shape });
}

/** What cannot be injected: unknown kinds and keys, wrong values. */
export function faultProblems(entries: readonly Entry[]): { index: number; key?: string; message: string }[] {
  return entries.flatMap((entry, index) => {
    const fault = faultOf(entry["kind"]);
    if (fault === null) {
      return [{
        index,
        key: "kind",
        message: `unknown fault "${entry["kind"]}"${didYouMean(String(entry["kind"]), Object.keys(FAULTS))}`,
      }];
    }
    const schema = schemaOf(fault);
    const issues = schema.safeParse(entry).error?.issues ?? [];
    const problems = issues.flatMap((issue): { index: number; key?: string; message: string }[] =>
      issue.code === "unrecognized_keys"
        ? issue.keys.map((key) => ({
          index,
          key,
          message: `unknown key "${key}" of fault "${entry["kind"]}"${didYouMean(key, Object.keys(schema.shape))}`,
        }))
        : [{ index, ...(issue.path.length > 0 ? { key: String(issue.path[0]) } : {}), message: issue.message }]
    );
    const [from, to] = [entry["from"], entry["to"]];
    if (typeof from === "number" && typeof to === "number" && to < from) {
      problems.push({ index, key: "to", message: `"to" is ${to}, want at least "from", ${from}` });
    }
    if ((STEPS[fault.step] as Step).setup && (from !== undefined || to !== undefined)) {
      problems.push({
        index,
        key: from !== undefined ? "from" : "to",
        message: `fault "${entry["kind"]}" acts on "${fault.step}", which runs once: leave "${
          from !== undefined ? "from" : "to"
        }" out`,
      });
    }
    return problems;
  });
}

export class Faults {
  readonly #injected: readonly Injected[];

  /** Throws RangeError where `faultProblems` finds something. */
  constructor(entries: readonly Entry[]) {
    const problem = faultProblems(entries)[0];
    if (problem) throw new RangeError(`Cannot inject fault ${problem.index + 1}: ${problem.message}`);
    this.#injected = entries.map((entry) => {
      const fault = faultOf(entry["kind"])!;
      const { kind, from, to, ...given } = schemaOf(fault).parse(entry) as Record<string, unknown>;
      return { kind: String(kind), fault, from: from as number, to: (to as number | undefined) ?? Infinity, given };
    });
  }

  /** One line per fault, for a person. */
  get lines(): string[] {
    return this.#injected.map(({ kind, fault, from, to }) => {
      const when = from === 0 && to === Infinity
        ? ""
        : to === Infinity
        ? ` from train step ${from}`
        : ` in train steps ${from} to ${to}`;
      return `fault injected: ${kind}${when} (${fault.about[0]!.toLowerCase()}${fault.about.slice(1)})`;
    });
  }

  /** Whether some fault acts on this kind of step, in whatever train step. */
  actsOn(uses: string): boolean {
    return this.#injected.some(({ fault }) => fault.step === uses);
  }

  /** Runs a step with the faults of this train step around it. */
  async run(
    uses: string,
    params: unknown,
    context: StepContext,
    step: (params: unknown, context: StepContext) => StepResult | Promise<StepResult>,
  ): Promise<StepResult> {
    const active = this.#injected.filter((injected) => acts(injected, uses, context.trainStep));
    let [changedParams, seen] = [params as StepParams, context];
    for (const { fault, given } of active) {
      if (fault.before) changedParams = fault.before(given, changedParams, seen);
      if (fault.around) seen = fault.around(given, seen);
    }
    let result = await step(changedParams, seen);
    for (const { fault, given } of active) if (fault.after) result = await fault.after(given, result, context);
    return result;
  }
}

function acts({ fault, from, to }: Injected, uses: string, trainStep: number): boolean {
  if (fault.step !== uses) return false;
  return fault.once ? trainStep === Math.max(1, from) : trainStep >= from && trainStep <= to;
}
