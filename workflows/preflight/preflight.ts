/**
 * What cannot work in a plan, said before the first expensive call: by `check`, and by `run` before it starts.
 *
 * Precision before recall: a rule that cannot know stays silent (an open look-up, a model that is not there yet).
 * @module
 */
import { type Issue, toIssues, WorkflowError } from "../language/problems.ts";
import type { Plan } from "../plan/plan.ts";
import { answersRead } from "./answer_rules.ts";
import { boxUnits } from "./box_rules.ts";
import {
  columnsUsed,
  judged,
  permissions,
  preferenceRows,
  preferencesThere,
  promptsThere,
  rewardsThere,
  splits,
} from "./data_rules.ts";
import { type Facts, factsOf } from "./facts.ts";
import { placed, type PreflightFinding, type Report } from "./finding.ts";
import { chosenFrom, groupSize, minibatches, trainStep } from "./group_rules.ts";
import { imagesCut, imagesRead } from "./image_rules.ts";
import { adapterExport, adapterReference, lora } from "./lora_rules.ts";
import { memory } from "./memory_rules.ts";
import { modelThere, tokens, trainable, vocabulary } from "./model_rules.ts";
import { answerLength, contextLength, nearGreedy } from "./sampling_rules.ts";
import { chatTemplate } from "./template_rules.ts";
import { regularization, untrainedExport, validation } from "./training_rules.ts";
import {
  adamEpsilon,
  clipRange,
  gradientBound,
  learningRate,
  missingReference,
  reference,
  repair,
  schedule,
  untrainedCritic,
} from "./update_rules.ts";

/** Every rule by the name it reports under. */
const RULES = {
  unread: ({ plan }) => plan.unread.map((problem): Report => ({ severity: "warning", ...problem })),
  prompts: promptsThere,
  columns: columnsUsed,
  preferences: preferencesThere,
  preference_rows: preferenceRows,
  reward_file: rewardsThere,
  permissions,
  splits,
  verifier: judged,
  answers: answersRead,
  model: modelThere,
  vocabulary,
  tokens,
  images: imagesRead,
  box_units: boxUnits,
  image_processor: imagesCut,
  chat_template: chatTemplate,
  lora,
  trainable,
  adapter_export: adapterExport,
  adapter_reference: adapterReference,
  group_size: groupSize,
  choices: chosenFrom,
  minibatches,
  train_step: trainStep,
  near_greedy: nearGreedy,
  answer_length: answerLength,
  context_length: contextLength,
  learning_rate: learningRate,
  gradient_bound: gradientBound,
  adam_epsilon: adamEpsilon,
  clip_range: clipRange,
  reference,
  missing_reference: missingReference,
  untrained_critic: untrainedCritic,
  schedule,
  regularization,
  validation,
  untrained_export: untrainedExport,
  repair,
  memory,
} as const satisfies Record<string, (facts: Facts) => Report[]>;

export type PreflightRule = keyof typeof RULES;

const ORDER = ["error", "warning", "info"] as const;

/** Findings on a plan, errors first, then in the order of the file. Reads the model's and the prompts' files. */
export async function preflight(
  plan: Plan,
  { runsFolder = null, memoryBytes }: { readonly runsFolder?: string | null; readonly memoryBytes?: number } = {},
): Promise<PreflightFinding[]> {
  const facts = await factsOf(plan, runsFolder, memoryBytes);
  const found = Object.entries(RULES).flatMap(([rule, check]) =>
    (check(facts) as Report[]).map((report) => placed(rule, report, plan))
  );
  const rank = ({ severity }: PreflightFinding) => ORDER.indexOf(severity);
  const line = ({ position }: PreflightFinding) => position?.line ?? 0;
  return found.sort((a, b) => rank(a) - rank(b) || line(a) - line(b));
}

/** The findings, or a WorkflowError with those that no run survives. */
export async function preflightOrRefuse(
  plan: Plan,
  options: { readonly runsFolder?: string | null } = {},
): Promise<PreflightFinding[]> {
  const found = await preflight(plan, options);
  const refused = found.filter(({ refuses }) => refuses);
  if (refused.length === 0) return found;
  const issues = refused.map(({ message, position, file }): Issue => {
    const [issue] = toIssues([{ path: [], message }], { ...plan.source, locate: () => position });
    return { ...issue!, file };
  });
  throw new WorkflowError(issues);
}
