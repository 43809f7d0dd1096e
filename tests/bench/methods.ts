/**
 * Runs the workflow of each method and prints what it earned: a held-out fraction before and after, over several seeds.
 *
 *     deno task bench methods [METHOD...] [--seeds 1,2,3] [--json]
 *
 * A band is the mean with the least and the most of the seeds. Alarms are the doctor's findings, warning or worse: a
 * method that works has none. Runs go to a temporary folder.
 * @module
 */
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { STEPS } from "../../steps/mod.ts";
import { runPlan } from "../../workflows/engine/run_plan.ts";
import { type LoadedWorkflow, loadWorkflow } from "../../workflows/language/parse.ts";
import { planRuns } from "../../workflows/plan/plan_workflow.ts";
import { among, benchArguments, numbers, typed } from "./arguments.ts";

const PROJECT = fileURLToPath(new URL("../../", import.meta.url));

type Read = readonly [step: string, output: string];

/** What most workflows measure: samples that are right, before and after. */
const SAMPLES = [["before", "sampled"], ["after", "sampled"]] as const;

/** The methods, by the names of their workflows in workflows/library, and where their fractions stand. */
export const METHODS = {
  sft: SAMPLES,
  grpo: SAMPLES,
  dr_grpo: SAMPLES,
  dapo: SAMPLES,
  gspo: SAMPLES,
  cispo: SAMPLES,
  rloo: SAMPLES,
  reinforce_plus_plus: SAMPLES,
  ppo: SAMPLES,
  kto: SAMPLES,
  dpo: SAMPLES,
  lora_grpo: SAMPLES,
  /** Held-out pairs in the right order. */
  reward_model: [["scorer", "before"], ["scorer", "accuracy"]],
  /** One sample beside the best of 8. */
  best_of_n: [["chosen_from_8", "sampled"], ["chosen_from_8", "best"]],
} as const satisfies Record<string, readonly [before: Read, after: Read]>;

export type Method = keyof typeof METHODS;

type Steps = LoadedWorkflow["document"]["steps"];

/** What one run of a method earned. */
export interface Earned {
  readonly method: string;
  readonly seed: number;
  readonly status: string;
  /** Held-out fractions; null where a run ended before. */
  readonly before: number | null;
  readonly after: number | null;
  readonly seconds: number;
  readonly alarms: readonly string[];
}

/** Runs a method's workflow with those of `params` that it has, `without` steps of some kinds; what it leaves is removed. */
export async function runMethod(
  method: Method,
  params: Readonly<Record<string, number>>,
  { without = [], evaluated }: { readonly without?: readonly string[]; readonly evaluated?: number } = {},
): Promise<Earned> {
  const loaded = await loadWorkflow(join(PROJECT, "workflows/library", `${method}.yaml`), { kinds: STEPS });
  const document = structuredClone(loaded.document);
  document.steps = stepsWithout(document.steps, without);
  if (evaluated !== undefined) limitEvaluations(document.steps, evaluated);
  const own = Object.fromEntries(Object.entries(params).filter(([name]) => Object.hasOwn(document.params, name)));
  const plan = planRuns({ ...loaded, document }, STEPS, { params: own })[0]!;
  const runsFolder = await Deno.makeTempDir({ prefix: "nonzero_methods_" }), started = performance.now();
  try {
    const outputs = new Map<unknown, Readonly<Record<string, unknown>>>();
    const result = await runPlan(plan, {
      runsFolder,
      projectFolder: PROJECT,
      onEvent: (event) => void (event.event === "step_finished" && outputs.set(event["step"], event)),
    });
    const read = ([step, output]: Read) => fraction((outputs.get(step)?.["outputs"] as Outputs)?.[output]);
    const [before, after] = METHODS[method];
    return {
      method,
      seed: params["seed"] ?? 1,
      status: result.status === "failed" ? `failed: ${result.reason}` : result.status,
      before: read(before),
      after: read(after),
      seconds: (performance.now() - started) / 1000,
      alarms: result.findings.filter(({ severity }) => severity !== "info").map(({ cause }) => cause),
    };
  } finally {
    await Deno.remove(runsFolder, { recursive: true });
  }
}

function stepsWithout(steps: Steps, kinds: readonly string[]): Steps {
  const kept = steps.filter((entry) => "steps" in entry || !kinds.includes(entry.uses));
  for (const entry of kept) if ("steps" in entry) entry.steps = stepsWithout(entry.steps, kinds);
  return kept;
}

/** Evaluations, also those within a warm start, ask so many prompts. */
function limitEvaluations(steps: Steps, limit: number): void {
  for (const entry of steps) {
    if ("steps" in entry) limitEvaluations(entry.steps, limit);
    else if (entry.with !== undefined) {
      for (const name of ["limit", "evaluate_limit"]) if (Object.hasOwn(entry.with, name)) entry.with[name] = limit;
    }
  }
}

type Outputs = Readonly<Record<string, unknown>> | undefined;

const fraction = (value: unknown) => typeof value === "number" ? value : null;

/** Mean, least and most in percent, such as `65.2 [63.0, 67.1]`. */
export function band(values: readonly (number | null)[]): string {
  const known = values.filter((value) => value !== null).map((value) => 100 * value);
  if (known.length === 0) return "–";
  const mean = known.reduce((sum, value) => sum + value, 0) / known.length;
  const [first, ...others] = [mean, Math.min(...known), Math.max(...known)].map((value) => value.toFixed(1));
  return `${first} [${others.join(", ")}]`;
}

/** One line per method, under its head. */
export function methodsTable(earned: readonly Earned[]): string {
  const methods = [...new Set(earned.map(({ method }) => method))];
  const lines = methods.map((method) => {
    const runs = earned.filter((one) => one.method === method);
    const gains = runs.map(({ before, after }) => before === null || after === null ? null : after - before);
    const told = runs.flatMap(({ seed, status, alarms }) =>
      [...(status === "ok" ? [] : [status]), ...alarms].map((text) => `${text} (seed ${seed})`)
    );
    const seconds = runs.map(({ seconds }) => seconds);
    return [
      method,
      band(runs.map(({ before }) => before)),
      band(runs.map(({ after }) => after)),
      band(gains),
      `${Math.min(...seconds).toFixed(0)} – ${Math.max(...seconds).toFixed(0)}`,
      told.join(", ") || "none",
    ];
  });
  const rows = [["method", "before %", "after %", "gain", "seconds", "alarms"], ...lines];
  const widths = rows[0]!.map((_, column) => Math.max(...rows.map((row) => row[column]!.length)));
  return rows.map((row) => row.map((cell, column) => cell.padEnd(widths[column]!)).join("  ").trimEnd()).join("\n");
}

const NAMES = Object.keys(METHODS) as Method[];

async function main(): Promise<void> {
  const given = typed(() => benchArguments(Deno.args, { seeds: "1,2,3", json: false }, [0, Infinity]));
  const methods = given.words.length > 0 ? typed(() => among("METHOD", given.words.join(","), NAMES)) : NAMES;
  const seeds = typed(() => numbers("--seeds", given.seeds)), earned: Earned[] = [];
  for (const method of methods as Method[]) {
    for (const seed of seeds) {
      const one = await runMethod(method, { seed });
      earned.push(one);
      if (given.json) console.log(JSON.stringify(one));
      else {console.error(
          `${method} seed ${seed}: ${band([one.before])} -> ${band([one.after])}, ${one.seconds.toFixed(0)} s`,
        );}
    }
  }
  if (!given.json) console.log(methodsTable(earned));
}

if (import.meta.main) await main();
