/**
 * Turns a workflow document into a plan, or says everything that is wrong with it.
 * @module
 */
import { faultProblems } from "../../steps/faults/inject.ts";
import { conditionProblems, readCondition } from "./conditions.ts";
import { type Path, type Problem, refuse, type WorkflowSource } from "../language/problems.ts";
import { type Scope, substitute } from "../language/expressions.ts";
import { type Combination, expandMatrix } from "./matrix.ts";
import type { Plan, PlannedStep, PlanNode, RunSettings } from "./plan.ts";
import { overrideParams } from "./overrides.ts";
import { orderProblems } from "./order.ts";
import { answer, ownDocument } from "./own_document.ts";
import type { LoadedWorkflow } from "../language/parse.ts";
import { referenceProblems } from "./references.ts";
import { type Entry, isRepeat, type StepKinds, type Value, type WorkflowDocument } from "../language/schema.ts";
import { settingProblems } from "./settings.ts";
import { siteAt, type StepSite, stepSites } from "./sites.ts";
import { checkProblems, kindProblem, withProblems } from "../language/step_params.ts";
import { unreadNames } from "./unread_names.ts";

/** What the command line adds. */
export interface PlanOptions {
  /** `-p key=value`: texts, typed by the default's type, or values of that type. */
  readonly params?: Readonly<Record<string, string | Value>>;
  /** `--device`, `--backend` and the like: they win over the file. */
  readonly settings?: Partial<Pick<RunSettings, "seed" | "device" | "backend" | "threads" | "deterministic">>;
  /** What is wrong with `faults`, if not what steps/faults says: index into the list, key in the entry, message. */
  readonly checkFaults?: (faults: RunSettings["faults"]) => readonly { index: number; key?: string; message: string }[];
}

/** One plan per combination of the matrix, in its order; one plan without a matrix. Throws WorkflowError. */
export function planRuns(loaded: LoadedWorkflow, kinds: StepKinds, options: PlanOptions = {}): readonly Plan[] {
  const { combinations, problems } = expandMatrix(loaded.document.strategy?.matrix);
  refuse(problems, loaded.source);
  return combinations.map((matrix) => planWorkflow(loaded, kinds, { ...options, matrix }));
}

/** The plan of one run; `matrix` answers `matrix.NAME`. Throws WorkflowError with everything that is wrong. */
export function planWorkflow(
  { document, source, folder }: LoadedWorkflow,
  kinds: StepKinds,
  options: PlanOptions & { readonly matrix?: Combination } = {},
): Plan {
  const matrix = options.matrix ?? {};
  const params = overrideParams(document.params, options.params ?? {});
  const sites = stepSites(document.steps);
  const known = { params, matrix, hasMatrix: document.strategy !== undefined, sites, kinds };
  const written = sites.filter(({ entry }) => Object.hasOwn(kinds, entry.uses))
    .flatMap(({ entry, path }) => withProblems(entry.uses, entry.with, kinds, path));
  refuse([...siteProblems(sites, kinds), ...referenceProblems(document, known), ...written], source);

  const own = ownDocument(document, params, matrix, options.settings);
  const answered = answer(own, { params });
  const stop = (problems: readonly Problem[]) => refuse(nameRun(problems, matrix), source);
  stop([...settingProblems(answered), ...conditionProblems(document, known)]);

  const problems: Problem[] = sites.flatMap((site) => paramsProblems(site, answered, kinds));
  problems.push(...orderProblems(sites, answered, known));
  problems.push(
    ...(options.checkFaults ?? faultProblems)(answered.faults).map(({ index, key, message }) => ({
      path: key === undefined ? ["faults", index] : ["faults", index, key],
      message,
    })),
  );
  stop(problems);

  const context = { kinds, sites, source, known };
  return {
    name: document.name,
    about: document.about,
    file: source.file,
    folder,
    settings: readSettings(answered),
    params,
    matrix,
    steps: planEntries(answered.steps, ["steps"], context),
    document: own,
    source,
    unread: unreadNames(document, sites),
  };
}

/** Says in which run of a matrix a problem arises. */
function nameRun(problems: readonly Problem[], matrix: Combination): readonly Problem[] {
  const run = Object.entries(matrix).map(([name, value]) => `${name} ${value}`).join(", ");
  return run === ""
    ? problems
    : problems.map((problem) => ({ ...problem, message: `${problem.message} (in the run with ${run})` }));
}

function siteProblems(sites: readonly StepSite[], kinds: StepKinds): Problem[] {
  return sites.flatMap((site): Problem[] => {
    const problem = kindProblem(site.entry.uses, kinds, site.path);
    const taken = sites.find((other) => other !== site && other.entry.id === site.entry.id);
    const problems = problem === null ? [] : [problem];
    if (site.entry.id !== undefined && taken !== undefined && sites.indexOf(taken) < sites.indexOf(site)) {
      problems.push({ path: [...site.path, "id"], message: `id "${site.id}" is already taken by an earlier step` });
    }
    if (site.entry.every !== undefined && site.blocks.length === 0) {
      problems.push({
        path: [...site.path, "every"],
        key: true,
        message: '"every" counts rounds; it has a meaning inside "repeat" only',
      });
    }
    if (problem === null && site.entry.cache && !kinds[site.entry.uses]!.pure) {
      const pure = Object.keys(kinds).filter((name) => kinds[name]!.pure);
      const message =
        `Cannot cache "${site.entry.uses}": its rows depend on more than parameters and tables; step kinds that can: ${
          pure.join(", ") || "none"
        }`;
      problems.push({ path: [...site.path, "cache"], message });
    }
    return problems;
  });
}

function paramsProblems(site: StepSite, answered: WorkflowDocument, kinds: StepKinds): Problem[] {
  const entry = siteAt(answered.steps, site.path);
  const problems = withProblems(entry.uses, entry.with, kinds, site.path);
  return problems.length > 0 ? problems : checkProblems(entry.uses, entry.with, kinds, site.path);
}

function readSettings(answered: WorkflowDocument): RunSettings {
  const { every, keep, best } = answered.checkpoint;
  return {
    seed: answered.seed as number,
    device: answered.device as RunSettings["device"],
    backend: (answered.backend ?? null) as RunSettings["backend"],
    threads: (answered.threads ?? null) as RunSettings["threads"],
    deterministic: answered.deterministic as boolean,
    checkpoint: { every: every as number, keep: keep as number, best: best ?? null },
    keepCompletions: answered.keep_completions as number | "all",
    concurrencyGroup: answered.concurrency?.group ?? null,
    repair: answered.repair,
    faults: answered.faults,
  };
}

interface PlanContext {
  readonly kinds: StepKinds;
  readonly sites: readonly StepSite[];
  readonly source: WorkflowSource;
  readonly known: { readonly params: WorkflowDocument["params"] };
}

function planEntries(entries: readonly Entry[], path: Path, context: PlanContext): PlanNode[] {
  return entries.map((entry, index): PlanNode => {
    const here = [...path, index];
    const position = context.source.locate({ path: here });
    const condition = (text: string | boolean | undefined) =>
      text === undefined ? null : readCondition(text, { params: context.known.params }).condition;
    if (isRepeat(entry)) {
      return {
        type: "repeat",
        name: entry.name ?? "repeat",
        repeat: entry.repeat as number,
        until: condition(entry.until),
        steps: planEntries(entry.steps, [...here, "steps"], context),
        path: here,
        position,
      };
    }
    const site = context.sites.find((candidate) => candidate.path.join(".") === here.join("."))!;
    const kind = context.kinds[entry.uses]!;
    const parsed = kind.params.safeParse(entry.with);
    return {
      type: "step",
      id: site.id,
      name: entry.name ?? site.id,
      uses: entry.uses,
      kind,
      with: entry.with,
      params: site.open ? null : parsed.data,
      condition: condition(entry.if),
      every: (entry.every ?? 1) as number,
      retry: entry.retry ?? { max: 0, delay: 0, backoff: 1 },
      timeoutMinutes: (entry["timeout-minutes"] ?? null) as number | null,
      continueOnError: entry["continue-on-error"],
      cache: entry.cache,
      path: here,
      position,
    };
  });
}

/** The parameters of a step whose look-ups of `steps` and `run` were open in the plan. Throws WorkflowError. */
export function answerParams(plan: Pick<Plan, "source">, step: PlannedStep, scope: Scope): unknown {
  if (step.params !== null) return step.params;
  const kinds = { [step.uses]: step.kind };
  const value = substitute(step.with, scope);
  const problems = withProblems(step.uses, value, kinds, step.path, true);
  refuse(problems, plan.source);
  refuse(checkProblems(step.uses, value, kinds, step.path), plan.source);
  return step.kind.params.parse(value);
}
