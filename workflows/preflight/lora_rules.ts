/** Rules on low-rank adapters: that they match something, that there is one where it is asked for. @module */
import { join, resolve } from "node:path";
import { firstLineOf } from "../../data/error_text.ts";
import { orElse } from "../../data/file_system.ts";
import { otherBase } from "../../data/hub/adapter_base.ts";
import { adapterMisfit } from "../../data/hub/adapter_fit.ts";
import { readAdapter } from "../../data/hub/peft_adapter.ts";
import { type Adapter, adapterOf } from "../../gpu/weights/adapter.ts";
import { type Layout, matchParameters } from "../../gpu/weights/layout.ts";
import { parameterLayout } from "../../gpu/models/parameters.ts";
import { adapterPlan, unmatchedTargets } from "../../steps/options/adapter_plan.ts";
import { beyondReach, type Ranked } from "../../steps/options/adapter_rank.ts";
import { idleProblem, movement } from "../../steps/options/idle_adapter.ts";
import { type LoraOptions, scalarOptions, trainsAdapter } from "../../steps/options/lora.ts";
import { adapterFolder } from "../../steps/resources/model_source.ts";
import type { PlannedStep } from "../plan/plan.ts";
import type { Facts } from "./facts.ts";
import { at, type Report } from "./finding.ts";
import type { ModelFacts } from "./model_facts.ts";

/** The layout of what trains: the model's own, or that of its adapter; null where it cannot be told. */
export function trainedLayout(model: ModelFacts): Layout | null {
  return trainsAdapter(model.loaded.params) ? trainedAdapter(model)?.layout ?? null : model.layout;
}

/** The adapter that trains, a saved or a fresh one; null where there is none, or none that can be told. */
export function trainedAdapter({ layout, saved, loaded: { params: { lora } } }: ModelFacts): Adapter | null {
  if (layout === null || saved === null && lora === undefined) return null;
  try {
    return adapterOf(layout, saved?.plan ?? adapterPlan(layout, lora!));
  } catch (error) {
    if (error instanceof RangeError) return null;
    throw error;
  }
}

/** Whether a parameter of the adapter that trains is 0 when it begins. */
export function beginsZero({ saved, loaded: { params: { lora } } }: ModelFacts): (name: string) => boolean {
  return saved !== null ? (name) => saved.zeros.has(name) : freshZero(lora);
}

/** B of a fresh adapter is 0, unless init is false. */
const freshZero = (given: LoraOptions | undefined) => (name: string) =>
  given?.init !== false && name.endsWith(".lora_B.weight");

/** Adapters' modules are there, or the folders that they come from: of the policy, of a critic, of a reward model. */
export function lora(facts: Facts): Report[] {
  const { model, each } = facts;
  if (model === null) return [];
  const { step, params } = model.loaded;
  const scalar = [...each("load_critic"), ...each("train_reward_model"), ...each("load_reward_model")];
  return [
    ...savedProblems(facts, step, params.adapter, model),
    ...freshProblems(step, params.lora, model.layout),
    ...scalar.flatMap(({ step, params: given }) => {
      // What lies in another folder is told when it is loaded.
      const same = given.model === undefined || given.model === params.model;
      const layout = same && model.config ? parameterLayout({ ...model.config, head: "scalar" }) : null;
      const beneath = { layout, folder: same ? model.folder : null };
      const fresh = "lora" in given && given.lora !== undefined ? scalarOptions(given.lora) : undefined;
      return [
        ...savedProblems(facts, step, given.adapter, beneath),
        ...freshProblems(step, fresh, layout),
        ...("trainable" in given ? scalarIdle(step, fresh, layout, given.trainable) : []),
      ];
    }),
  ];
}

/** The model beneath an adapter, as far as it is known. */
type Beneath = Pick<ModelFacts, "layout" | "folder">;

/** What a run that trained such an adapter called it. */
const EXPORTED: Readonly<Record<string, "critic" | "reward_model">> = {
  load_critic: "critic",
  train_reward_model: "reward_model",
  load_reward_model: "reward_model",
};

/** The folder of an adapter is there and fits the model, unless a step of the plan writes it. */
function savedProblems(
  { plan, each, runsFolder }: Facts,
  step: PlannedStep,
  adapter: string | undefined,
  beneath: Beneath,
): Report[] {
  if (adapter === undefined) return [];
  const written = each("export_model").some(({ params }) =>
    params.folder !== undefined && resolve(plan.folder, params.folder) === resolve(plan.folder, adapter)
  );
  if (written) return [];
  const folders = { workflow: plan.folder, run: join(runsFolder ?? plan.folder, "this") };
  const misfit = misfitOf(() => adapterFolder(adapter, folders, EXPORTED[step.uses]), beneath);
  return misfit === null ? [] : [{ ...misfit, refuses: misfit.severity === "error", path: at(step, "adapter") }];
}

function freshProblems(step: PlannedStep, given: LoraOptions | undefined, layout: Layout | null): Report[] {
  if (layout === null || given === undefined) return [];
  try {
    const plan = adapterPlan(layout, given);
    adapterOf(layout, plan);
    return [...unmatchedNames(step, unmatchedTargets(layout, given)), ...unreached(step, beyondReach(layout, plan))];
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    const key = keyOf(error.message, given);
    return [{ severity: "error", refuses: true, message: error.message, path: at(step, "lora", key) }];
  }
}

/** Patterns of `trainable` match something of a fresh adapter with a scalar head, and something that can change. */
function scalarIdle(
  step: PlannedStep,
  given: LoraOptions | undefined,
  layout: Layout | null,
  patterns: readonly string[],
): Report[] {
  const adapter = given === undefined || layout === null
    ? null
    : orElse(() => adapterOf(layout, adapterPlan(layout, given)), null);
  if (adapter === null) return []; // What is wrong with the adapter is told.
  const path = at(step, "trainable");
  try {
    const names = matchParameters(adapter.layout, patterns);
    const message = idleProblem(movement(adapter, { trains: (name) => names.has(name), isZero: freshZero(given) }));
    return message === null ? [] : [{ severity: "error", refuses: true, message, path }];
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    return [{ severity: "error", refuses: true, message: error.message, path }];
  }
}

/** The option that an error of a plan is about. */
function keyOf(message: string, { rank }: LoraOptions): keyof LoraOptions {
  const [, high] = /^Cannot add an adapter of rank (\d+)/.exec(message) ?? [];
  if (high !== undefined) return Number(high) === rank ? "rank" : "rank_pattern";
  return /modules_to_save/.test(message)
    ? "modules_to_save"
    : /^Cannot add an adapter to layer/.test(message)
    ? "layers"
    : "target_modules";
}

function unmatchedNames(step: PlannedStep, names: readonly string[]): Report[] {
  if (names.length === 0) return [];
  const message = `target_modules has ${names.map((name) => `"${name}"`).join(", ")}, which matches no module of ` +
    "the model; the others get an adapter";
  return [{ severity: "warning", message, path: at(step, "lora", "target_modules") }];
}

/** PEFT takes a rank beyond what a matrix has; what is beyond it is memory and nothing else. */
function unreached(step: PlannedStep, narrow: readonly Ranked[]): Report[] {
  const [first] = narrow;
  if (first === undefined) return [];
  const own = narrow.map(({ kind, most }) => `${kind}: ${most}`).join(", ");
  const message =
    `rank ${first.rank} is more than ${first.kind} [${first.shape}] has on its smaller side: its A and B can reach no ` +
    `higher rank than ${first.most}; rank_pattern: { ${own} } does with less (alpha / rank changes with it)`;
  return [{ severity: "warning", message, path: at(step, "lora", "rank") }];
}

const MOST_READ = 500e6; // Bytes: a check must be quick.

const sizeOf = (folder: string) => orElse(() => Deno.statSync(join(folder, "adapter_model.safetensors")).size, 0);

/** What speaks against an adapter's folder, or against it upon this model. */
function misfitOf(find: () => string, { layout, folder: model }: Beneath): Pick<Report, "severity" | "message"> | null {
  try {
    const folder = find(), misfit = layout && adapterMisfit(folder, layout);
    if (misfit !== null) {
      return { severity: "error", message: `the adapter in ${folder} does not fit the model: ${misfit}` };
    }
    // What only its tensors tell: halves that are missing, another rank than its configuration says.
    if (sizeOf(folder) <= MOST_READ) readAdapter(folder);
    const other = model === null ? null : otherBase(folder, model);
    if (other === null) return null;
    return {
      severity: other.certain ? "error" : "warning",
      message: `the adapter in ${folder} ${other.certain ? "is" : "may be"} another model's: ${other.text}`,
    };
  } catch (error) {
    return { severity: "error", message: firstLineOf(error) };
  }
}

/** The step that makes what `what` of export_model names. */
const MAKERS: Readonly<Record<string, readonly string[]>> = {
  policy: ["load_model"],
  critic: ["load_critic"],
  reward_model: ["train_reward_model", "load_reward_model"],
};

/** Whether an adapter stays apart, as the file has it. */
const asksForAdapter = (given: Readonly<Record<string, unknown>>) =>
  Object.hasOwn(given, "lora") || Object.hasOwn(given, "adapter") && given["merge"] !== true;

/** A folder of PEFT's is written of a model that has an adapter. */
export function adapterExport({ each, steps }: Facts): Report[] {
  const place = (of: unknown) => steps.findIndex(({ step }) => step === of);
  return each("export_model").flatMap(({ step, params }): Report[] => {
    // As written: its look-ups may be open until the run.
    const maker = steps.findLast(({ step: other }) =>
      MAKERS[params.what]!.includes(other.uses) && place(other) < place(step)
    );
    if (params.merge || maker === undefined || asksForAdapter(maker.step.with)) return [];
    const message =
      `merge is false and the ${params.what} has no adapter: all its weights train; set lora or adapter of ` +
      `${maker.step.uses}, or leave merge out`;
    return [{ severity: "error", refuses: true, message, path: at(step, "merge") }];
  });
}

/** The base of an adapter is no copy of the policy once the adapter has trained: KL and rewards do not start at 0. */
export function adapterReference({ each, before, steps }: Facts): Report[] {
  const place = (of: unknown) => steps.findIndex(({ step }) => step === of);
  const readers = [
    ...each("train_preferences").filter(({ params }) => !params.reference_free),
    ...each("apply_update"),
  ];
  return each("load_model").flatMap(({ step, params: { reference } }): Report[] => {
    const asks = readers.some((reader) => {
      const tuned = before("fine_tune", reader.step);
      return before("load_model", reader.step)?.step === step && tuned !== null && place(tuned.step) > place(step);
    });
    if (reference !== "adapter_off" || !asks) return [];
    const message =
      "reference is adapter_off and the adapter has trained before the reference is asked: it is not the " +
      "policy that training starts from; use reference: copy";
    return [{ severity: "warning", message, path: at(step, "reference") }];
  });
}
