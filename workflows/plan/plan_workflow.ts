/**
 * Turns a workflow document into a plan, or says everything that is wrong with it.
 *
 * A step's `with` is read by its schema as written, and again only where the answer of a look-up has changed it: of
 * `params` and the matrix here, of `steps` and `run` when the step runs (`answerParams`).
 * @module
 */
import { isDeepStrictEqual } from "node:util";
import { faultProblems } from "../../steps/faults/inject.ts";
import { type Scope, substitute } from "../language/expressions.ts";
import { parseCondition } from "../language/expression_syntax.ts";
import type { LoadedWorkflow } from "../language/parse.ts";
import { type Path, type Problem, refuse, type WorkflowSource } from "../language/problems.ts";
import { type Entry, isRepeat, type StepEntry, type StepKinds, type Value } from "../language/schema.ts";
import { checkProblems, readParams, type StepParams, unansweredProblems } from "../language/step_params.ts";
import type { Running } from "./column_needs.ts";
import { conditionProblems } from "./conditions.ts";
import { earlierRun, type NewestRun, withEarlierRuns } from "./earlier_runs.ts";
import { halvingProblems } from "./halving.ts";
import { type Combination, expandMatrix } from "./matrix.ts";
import { orderProblems } from "./order.ts";
import { overrideParams } from "./overrides.ts";
import { answer, ownDocument } from "./own_document.ts";
import type { Plan, PlannedStep, PlanNode } from "./plan.ts";
import { referenceProblems } from "./references.ts";
import { readSettings, settingProblems } from "./settings.ts";
import { siteAt, siteProblems, type StepSite, stepSites } from "./sites.ts";
import { unreadNames } from "./unread_names.ts";

/** What the command line adds. */
export interface PlanOptions {
  /** `-p key=value`: texts, typed by the default's type, or values of that type. */
  readonly params?: Readonly<Record<string, string | Value>>;
  /** `--device`, `--backend` and the like: they win over the file. */
  readonly settings?: Plan["given"]["settings"];
  /** Answers `run:last`; without it there is no earlier run. */
  readonly newestRun?: NewestRun;
}

/** One plan per combination of the matrix, in its order; one plan without a matrix. Throws WorkflowError. */
export function planRuns(written: LoadedWorkflow, kinds: StepKinds, given: PlanOptions = {}): readonly Plan[] {
  const { newestRun = () => null, ...words } = given, loaded = withEarlierRuns(written, newestRun);
  const params = Object.entries(words.params ?? {}).map(([name, value]) =>
    [name, earlierRun(value, written.document.name, newestRun)] as const
  );
  const options = { ...words, params: Object.fromEntries(params) };
  const { combinations, problems } = expandMatrix(loaded.document.strategy?.matrix);
  refuse(problems, loaded.source);
  const several = combinations.length > 1;
  const plans = combinations.map((matrix, i) =>
    planWorkflow(loaded, kinds, { ...options, matrix, cell: several ? i + 1 : null })
  );
  refuse(halvingProblems(loaded.document, plans), loaded.source);
  return plans;
}

/** The plan of one run; `matrix` answers `matrix.NAME`. Throws WorkflowError with everything that is wrong. */
export function planWorkflow(
  { document, source, folder }: LoadedWorkflow,
  kinds: StepKinds,
  options: PlanOptions & { readonly matrix?: Combination; readonly cell?: Plan["given"]["cell"] } = {},
): Plan {
  const matrix = options.matrix ?? {};
  const params = overrideParams(document.params, options.params ?? {});
  const sites = stepSites(document.steps);
  const known = { params, matrix, hasMatrix: document.strategy !== undefined, sites, kinds };
  const written = sites.map(({ entry, path }): StepParams =>
    Object.hasOwn(kinds, entry.uses) ? readParams(entry.uses, kinds, entry.with, path) : { params: null, problems: [] }
  );
  refuse([
    ...siteProblems(sites, kinds),
    ...referenceProblems(document, known),
    ...written.flatMap(({ problems }) => problems),
  ], source);

  const own = ownDocument(document, params, matrix, options.settings);
  const answered = answer(own, { params });
  const stop = (problems: readonly Problem[]) => refuse(nameRun(problems, matrix), source);
  stop([...settingProblems(answered), ...conditionProblems(document, known)]);

  const steps = sites.map((site, i) => answeredStep(site, siteAt(answered.steps, site.path), kinds, written[i]!));
  stop([
    ...steps.flatMap(paramsProblems),
    ...orderProblems(steps, kinds),
    ...faultProblems(answered.faults).map(({ index, key, message }) => ({
      path: key === undefined ? ["faults", index] : ["faults", index, key],
      message,
    })),
  ]);

  const changed = Object.fromEntries(
    Object.entries(params).filter(([name, value]) => !isDeepStrictEqual(value, document.params[name])),
  );
  return {
    name: document.name,
    about: document.about,
    file: source.file,
    folder,
    settings: readSettings(answered),
    params,
    matrix,
    given: { params: changed, settings: options.settings ?? {}, cell: options.cell ?? null },
    steps: planEntries(answered.steps, ["steps"], steps.values(), source),
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

/** A step with look-ups of `params` and the matrix answered. */
interface AnsweredStep extends Running {
  readonly given: StepParams;
}

function answeredStep(site: StepSite, entry: StepEntry, kinds: StepKinds, written: StepParams): AnsweredStep {
  const { id, path, blocks } = site, kind = kinds[entry.uses]!, every = (entry.every ?? 1) as number;
  const given = isDeepStrictEqual(entry.with, site.entry.with)
    ? written
    : readParams(entry.uses, kinds, entry.with, path);
  return { id, path, blocks, entry, kind, every, given, params: given.params };
}

function paramsProblems({ kind, given, entry, path }: AnsweredStep): readonly Problem[] {
  return given.problems.length > 0 ? given.problems : checkProblems(kind, given, entry.with, path);
}

/** `steps` hands out the steps in the order of the file. */
function planEntries(
  entries: readonly Entry[],
  path: Path,
  steps: Iterator<AnsweredStep>,
  source: WorkflowSource,
): PlanNode[] {
  return entries.map((entry, index): PlanNode => {
    const here = [...path, index], position = source.locate({ path: here });
    if (!isRepeat(entry)) return { ...planStep(steps.next().value!), path: here, position };
    return {
      type: "repeat",
      name: entry.name ?? "repeat",
      repeat: entry.repeat as number,
      until: condition(entry.until),
      steps: planEntries(entry.steps, [...here, "steps"], steps, source),
      path: here,
      position,
    };
  });
}

function planStep({ id, entry, kind, params, every }: AnsweredStep): Omit<PlannedStep, "path" | "position"> {
  return {
    type: "step",
    id,
    name: entry.name ?? id,
    uses: entry.uses,
    kind,
    with: entry.with,
    params,
    condition: condition(entry.if),
    every,
    retry: entry.retry ?? { max: 0, delay: 0, backoff: 1 },
    timeoutMinutes: (entry["timeout-minutes"] ?? null) as number | null,
    continueOnError: entry["continue-on-error"],
    cache: entry.cache,
  };
}

function condition(text: string | boolean | undefined): PlannedStep["condition"] {
  return text === undefined ? null : parseCondition(text);
}

/** The parameters of a step whose look-ups of `steps` and `run` were open in the plan. Throws WorkflowError. */
export function answerParams({ source }: Pick<Plan, "source">, step: PlannedStep, scope: Scope): unknown {
  if (step.params !== null) return step.params;
  const written = substitute(step.with, scope);
  refuse(unansweredProblems(written, step.path), source);
  const given = readParams(step.uses, { [step.uses]: step.kind }, written, step.path);
  refuse(given.problems, source);
  refuse(checkProblems(step.kind, given, written, step.path), source);
  return given.params;
}
