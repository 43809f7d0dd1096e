/** Rules on low-rank adapters: that they match something, that there is one where it is asked for. @module */
import { resolve } from "node:path";
import { firstLineOf } from "../../data/error_text.ts";
import { isFile } from "../../data/file_system.ts";
import { adapterMisfit } from "../../data/hub/adapter_fit.ts";
import { type Adapter, adapterOf } from "../../gpu/weights/adapter.ts";
import type { Layout } from "../../gpu/weights/layout.ts";
import { parameterLayout } from "../../gpu/models/parameters.ts";
import { adapterPlan, type LoraOptions, scalarOptions, unmatchedTargets } from "../../steps/options/lora.ts";
import type { PlannedStep } from "../plan/plan.ts";
import type { Facts } from "./facts.ts";
import { at, type Report } from "./finding.ts";
import type { ModelFacts } from "./model_facts.ts";

/** The layout of what trains: the model's own, or that of its adapter; null where it cannot be told. */
export function trainedLayout(model: ModelFacts): Layout | null {
  return model.loaded.params.lora === undefined ? model.layout : trainedAdapter(model)?.layout ?? null;
}

/** The adapter that trains; null where there is none, or none that can be told. */
export function trainedAdapter({ layout, loaded: { params: { lora } } }: ModelFacts): Adapter | null {
  if (layout === null || lora === undefined || lora.from !== undefined) return null;
  try {
    return adapterOf(layout, adapterPlan(layout, lora));
  } catch (error) {
    if (error instanceof RangeError) return null;
    throw error;
  }
}

/** Adapters' modules are there, or the folders that they come from: of the policy, of a critic, of a reward model. */
export function lora(facts: Facts): Report[] {
  const { model, each } = facts;
  if (model === null) return [];
  const { step, params } = model.loaded;
  const own = params.lora === undefined ? [] : problems(facts, step, params.lora, model.layout);
  const scalar = [...each("load_critic"), ...each("train_reward_model"), ...each("load_reward_model")];
  return [
    ...own,
    ...scalar.flatMap(({ step, params: given }) => {
      if (given.lora === undefined) return [];
      // What lies in another folder is told when it is loaded.
      const same = given.model === undefined || given.model === params.model;
      const layout = same && model.config ? parameterLayout({ ...model.config, head: "scalar" }) : null;
      return problems(facts, step, scalarOptions(given.lora), layout);
    }),
  ];
}

function problems({ plan, each }: Facts, step: PlannedStep, given: LoraOptions, layout: Layout | null): Report[] {
  const refuse = (key: string, message: string): Report[] => [
    { severity: "error", refuses: true, message, path: at(step, "lora", key) },
  ];
  if (given.from !== undefined) {
    const folder = resolve(plan.folder, given.from);
    const written = each("export_model").some(({ params }) =>
      params.folder !== undefined && resolve(plan.folder, params.folder) === folder
    );
    if (written) return [];
    if (isFile(`${folder}/adapter_config.json`)) {
      const misfit = layout === null ? null : fitOf(folder, layout);
      return misfit === null ? [] : refuse("from", misfit);
    }
    return refuse("from", `there is no adapter to train on: ${folder} has no adapter_config.json`);
  }
  if (layout === null) return [];
  try {
    adapterOf(layout, adapterPlan(layout, given));
    const unmatched = unmatchedTargets(layout, given);
    if (unmatched.length === 0) return [];
    const message = `target_modules has ${
      unmatched.map((name) => `"${name}"`).join(", ")
    }, which matches no module of ` +
      "the model; the others get an adapter";
    return [{ severity: "warning", message, path: at(step, "lora", "target_modules") }];
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    return refuse(/modules_to_save/.test(error.message) ? "modules_to_save" : "target_modules", error.message);
  }
}

/** What is wrong with an adapter's folder, or with it upon this model. */
function fitOf(folder: string, { parameters }: Layout): string | null {
  try {
    const misfit = adapterMisfit(folder, parameters);
    return misfit === null ? null : `the adapter in ${folder} is another model's: ${misfit}`;
  } catch (error) {
    return firstLineOf(error);
  }
}

/** The step that makes what `what` of export_model names. */
const MAKERS: Readonly<Record<string, readonly string[]>> = {
  policy: ["load_model"],
  critic: ["load_critic"],
  reward_model: ["train_reward_model", "load_reward_model"],
};

/** A folder of PEFT's is written of a model that has an adapter. */
export function adapterExport({ each, steps }: Facts): Report[] {
  const place = (of: unknown) => steps.findIndex(({ step }) => step === of);
  return each("export_model").flatMap(({ step, params }): Report[] => {
    // As written: its look-ups may be open until the run.
    const maker = steps.findLast(({ step: other }) =>
      MAKERS[params.what]!.includes(other.uses) && place(other) < place(step)
    );
    if (params.merge || maker === undefined || Object.hasOwn(maker.step.with, "lora")) return [];
    const message = `merge is false and the ${params.what} has no adapter: all its weights train; set lora of ` +
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
