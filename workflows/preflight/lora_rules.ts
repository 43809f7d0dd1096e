/** Rules on low-rank adapters: that they match something, that there is one where it is asked for. @module */
import { resolve } from "node:path";
import { isFile } from "../../data/file_system.ts";
import { adapterOf } from "../../gpu/weights/adapter.ts";
import type { Layout } from "../../gpu/weights/layout.ts";
import { adapterPlan } from "../../steps/options/lora.ts";
import type { Facts } from "./facts.ts";
import { at, type Report } from "./finding.ts";
import type { ModelFacts } from "./model_facts.ts";

/** The layout of what trains: the model's own, or that of its adapter; null where it cannot be told. */
export function trainedLayout({ layout, loaded: { params: { lora } } }: ModelFacts): Layout | null {
  if (layout === null || lora === undefined) return layout;
  if (lora.from !== undefined) return null;
  try {
    return adapterOf(layout, adapterPlan(layout, lora)).layout;
  } catch (error) {
    if (error instanceof RangeError) return null;
    throw error;
  }
}

/** An adapter's modules are there, or the folder that it comes from. */
export function lora({ model, plan }: Facts): Report[] {
  const given = model?.loaded.params.lora;
  if (model == null || given === undefined) return [];
  const refuse = (key: string, message: string): Report[] => [
    { severity: "error", refuses: true, message, path: at(model.loaded.step, "lora", key) },
  ];
  if (given.from !== undefined) {
    const folder = resolve(plan.folder, given.from);
    if (isFile(`${folder}/adapter_config.json`)) return [];
    return refuse("from", `there is no adapter to train on: ${folder} has no adapter_config.json`);
  }
  if (model.layout === null) return [];
  try {
    adapterOf(model.layout, adapterPlan(model.layout, given));
    return [];
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    return refuse(/modules_to_save/.test(error.message) ? "modules_to_save" : "target_modules", error.message);
  }
}

/** A folder of PEFT's is written of a policy that has an adapter. */
export function adapterExport({ each, steps }: Facts): Report[] {
  const place = (of: unknown) => steps.findIndex(({ step }) => step === of);
  return each("export_model").flatMap(({ step, params }): Report[] => {
    // As written: its look-ups may be open until the run.
    const loaded = steps.findLast(({ step: other }) => other.uses === "load_model" && place(other) < place(step));
    if (params.merge || loaded === undefined || Object.hasOwn(loaded.step.with, "lora")) return [];
    const message = "merge is false and the policy has no adapter: all its weights train; set lora of load_model, or " +
      "leave merge out";
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
