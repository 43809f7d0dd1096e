/** What is known of a plan before it runs: its steps, its prompts, its model, as far as they can be read cheaply. @module */
import { totalmem } from "node:os";
import process from "node:process";
import type { z } from "zod";
import { type StepName, STEPS } from "../../steps/mod.ts";
import type { Plan, PlannedBlock, PlannedStep, PlanNode } from "../plan/plan.ts";
import { type ModelFacts, readModel } from "./model_facts.ts";
import { type PreferenceFacts, readPreferences } from "./preference_facts.ts";
import { type PromptFacts, readPrompts } from "./prompt_facts.ts";
import { readRewards, type RewardFacts } from "./reward_facts.ts";

/** A step and where it stands. */
interface Visit {
  readonly step: PlannedStep;
  /** Rounds of all blocks around it together. */
  readonly rounds: number;
  /** The innermost block around it. */
  readonly block: PlannedBlock | null;
}

/** A step of a kind with its validated parameters; steps whose look-ups are open until the run are left out. */
export interface Known<Name extends StepName> extends Visit {
  readonly params: z.output<(typeof STEPS)[Name]["params"]>;
}

export interface Facts {
  readonly plan: Plan;
  /** Every step in the order of the file, without those whose `if` is known to be false. */
  readonly steps: readonly Visit[];
  each<Name extends StepName>(name: Name): readonly Known<Name>[];
  /** The last step of a kind before another step in the file. */
  before<Name extends StepName>(name: Name, step: PlannedStep): Known<Name> | null;
  /** The one load_model step's model; null when there are several or it is not known. */
  readonly model: ModelFacts | null;
  readonly prompts: PromptFacts | null;
  /** The preferences that are files of the user's. */
  readonly preferences: readonly PreferenceFacts[];
  /** Where earlier runs lie; null where nobody said. */
  readonly runsFolder: string | null;
  /** Memory of this machine. */
  readonly memoryBytes: number;
  /** The rewards that are files of the user's. */
  readonly rewards: readonly RewardFacts[];
}

/**
 * Reads a plan's surroundings. `runsFolder` is where models of earlier runs are looked for; `memoryBytes` what the machine
 * has, or what this process may take of it.
 */
export async function factsOf(
  plan: Plan,
  runsFolder: string | null,
  memoryBytes: number = Math.min(totalmem(), process.constrainedMemory() || Infinity),
): Promise<Facts> {
  const steps = visits(plan.steps, 1, null);
  const each = <Name extends StepName>(name: Name) =>
    steps.filter(({ step }) => step.uses === name && step.kind === STEPS[name] && step.params !== null)
      .map((visit) => ({ ...visit, params: visit.step.params as Known<Name>["params"] }));
  const place = (step: PlannedStep) => steps.findIndex((visit) => visit.step === step);
  const only = <Name extends StepName>(name: Name) => {
    const found = each(name);
    return found.length === 1 && steps.filter(({ step }) => step.uses === name).length === 1 ? found[0]! : null;
  };
  const [model, loaded] = [only("load_model"), only("load_prompts")];
  const prompts = loaded === null ? null : await readPrompts(loaded, plan);
  return {
    plan,
    steps,
    runsFolder,
    memoryBytes,
    each,
    before: (name, step) => each(name).findLast((known) => place(known.step) < place(step)) ?? null,
    model: model === null ? null : readModel(model, plan.folder, runsFolder),
    prompts,
    preferences: await readPreferences(each("load_preferences"), plan),
    rewards: await readRewards(each("score_rewards"), prompts?.rows ?? [], plan.folder),
  };
}

function visits(nodes: readonly PlanNode[], rounds: number, block: PlannedBlock | null): Visit[] {
  return nodes.flatMap((node) => {
    if (node.type !== "step") return visits(node.steps, rounds * node.repeat, node);
    const { condition } = node, isOff = condition?.kind === "constant" && !condition.value;
    return isOff ? [] : [{ step: node, rounds, block }];
  });
}
