/**
 * Names of the parameters of a model that reads images: those in published files, `model.layers.0…` and `visual.blocks.0…`,
 * and those of the modules of transformers from 4.52 on, `model.language_model.layers.0…` and `model.visual.blocks.0…`,
 * under which PEFT saves adapters, and some tools whole models. Models of words alone have the first, and no other.
 *
 * Source: transformers 5.24 conversion_mapping.py `qwen2_vl`.
 * @module
 */

const LANGUAGE = "model.language_model.", VISUAL = "model.visual.";

/** A parameter or module as published files call it; any other name as it is. */
export function publishedName(name: string): string {
  if (name.startsWith(LANGUAGE)) return `model.${name.slice(LANGUAGE.length)}`;
  return name.startsWith(VISUAL) ? name.slice("model.".length) : name;
}

/** The same as transformers calls the module. */
export function moduleName(published: string): string {
  if (published.startsWith("visual.")) return `model.${published}`;
  return published.startsWith("model.") ? `${LANGUAGE}${published.slice("model.".length)}` : published;
}

/** What both names of a module end in: a pattern of PEFT that finds it, whichever transformers made the model. */
export function commonEnd(published: string): string {
  return published.replace(/^model\./, "");
}
