/** Rules on the model: that it is there, that it fits its tokenizer, that something of it trains. @module */
import { nearest } from "../../data/did_you_mean.ts";
import { toldMessage } from "../terminal/told.ts";
import { readModelConfig } from "../../data/hub/config.ts";
import { vocabularyProblem } from "../../data/hub/vocabulary_fit.ts";
import { modelConfig } from "../../gpu/models/config.ts";
import { matchParameters } from "../../gpu/weights/layout.ts";
import { idleProblem, movement } from "../../steps/options/idle_adapter.ts";
import { trainsAdapter } from "../../steps/options/lora.ts";
import { namedFolder } from "../../steps/resources/model_source.ts";
import { referenceKind, REFERENCES } from "../../steps/resources/reference.ts";
import type { Facts } from "./facts.ts";
import { beginsZero, trainedAdapter, trainedLayout } from "./lora_rules.ts";
import type { ModelFacts } from "./model_facts.ts";
import { at, type Report } from "./finding.ts";
import { isFile, orElse } from "../../data/file_system.ts";

const SHOWN = 8; // Names of parameters that a message lists.

const FEW = 0.001; // Below this share of the parameters hardly anything can be learned.

/** The folder is there, can be read and has weights. */
export function modelThere({ model }: Facts): Report[] {
  if (model === null) return [];
  const path = at(model.loaded.step, "model");
  if (model.problem !== null) return [{ severity: "error", refuses: true, message: model.problem, path }];
  if (model.hasWeights || model.folder === null) return [];
  const message = `${model.folder} has neither model.safetensors nor model.safetensors.index.json; want a whole ` +
    "Hugging Face folder";
  return [{ severity: "error", refuses: true, message, path }];
}

/** Patterns of `trainable` match something, and enough. */
export function trainable({ model }: Facts): Report[] {
  const layout = model === null ? null : trainedLayout(model);
  if (model === null || layout === null) return [];
  const { step, params } = model.loaded, what = trainsAdapter(params) ? "adapter" : "model";
  const path = at(step, "trainable");
  const reports = params.trainable.flatMap((pattern, index): Report[] => {
    try {
      matchParameters(layout, [pattern.replace(/^!/, "")]);
      return [];
    } catch (error) {
      if (!(error instanceof RangeError)) throw error;
      const names = layout.parameters.map(({ name }) => name);
      const shown = names.length > SHOWN
        ? `${names.slice(0, SHOWN).join(", ")}, … (${names.length})`
        : names.join(", ");
      const message = `trainable "${pattern}" matches no parameter of the ${what}; it has ${shown}`;
      return [{ severity: "error", refuses: true, message, path: at(step, "trainable", index) }];
    }
  });
  if (reports.length > 0) return reports;
  const names = orElse(() => matchParameters(layout, params.trainable), new Set<string>());
  if (names.size === 0) {
    const message =
      `trainable leaves nothing of the ${what} to train: its patterns with ! leave out all the others match`;
    return [{ severity: "error", refuses: true, message, path }];
  }
  const idle = idleFactors(model, names);
  if (idle.length > 0) return idle;
  const chosen = layout.parameters.filter(({ name }) => names.has(name)).reduce((sum, { size }) => sum + size, 0);
  if (chosen >= FEW * layout.count) return [];
  const share = (100 * chosen / layout.count).toPrecision(2);
  const message =
    `trainable leaves ${chosen} of ${layout.count} parameters to train (${share} %): hardly anything can be ` +
    "learned";
  return [{ severity: "warning", message, path }];
}

/** What of an adapter stays 0 and holds the rest of it still. */
function idleFactors(model: ModelFacts, names: ReadonlySet<string>): Report[] {
  const adapter = trainedAdapter(model);
  if (adapter === null) return [];
  const found = movement(adapter, { trains: (name) => names.has(name), isZero: beginsZero(model) });
  const path = at(model.loaded.step, "trainable"), problem = idleProblem(found), [first] = found.idle;
  if (problem !== null) return [{ severity: "error", refuses: true, message: problem, path }];
  if (first === undefined) return [];
  const { length } = found.idle, several = length === 1 ? "a matrix" : `${length} matrices`;
  const message =
    `trainable leaves out lora_A or lora_B of ${several}, e.g. "${first.name}", where it is 0: these never ` +
    "change, only the others do";
  return [{ severity: "warning", message, path }];
}

/** The embedding has a row for every token, also that of the reference. */
export function vocabulary({ model, plan }: Facts): Report[] {
  if (model?.config == null || model.tokenizer === null) return [];
  const { step, params } = model.loaded, { config, tokenizer } = model;
  const problem = vocabularyProblem(tokenizer.vocabSize, config.vocabSize);
  if (problem !== null) {
    const message = `the model cannot be loaded: ${problem}`;
    return [{ severity: "error", refuses: true, message, path: at(step, "model") }];
  }
  if (referenceKind(params.reference) !== "folder") return [];
  const path = at(step, "reference"), named = namedOrProblem(params.reference, plan.folder);
  if (named.problem !== null) return [{ severity: "error", refuses: true, message: named.problem, path }];
  const { folder } = named;
  if (!isFile(`${folder}/config.json`)) {
    const meant = /[/\\.:]/.test(params.reference) ? "" : nearest(params.reference, REFERENCES);
    const message = meant === ""
      ? `reference "${params.reference}" is neither none, copy nor adapter_off, and ${folder} has no config.json`
      : `there is no reference "${params.reference}"${meant} Known: ${REFERENCES.join(", ")}, or a folder`;
    return [{ severity: "error", refuses: true, message, path }];
  }
  const theirs = modelConfig(readModelConfig(folder)).vocabSize;
  if (theirs === config.vocabSize) return [];
  const message = `the reference has ${theirs} tokens and the policy ${config.vocabSize}; want the same vocabulary`;
  return [{ severity: "error", refuses: true, message, path }];
}

function namedOrProblem(text: string, workflow: string) {
  try {
    return { folder: namedFolder(text, workflow), problem: null };
  } catch (error) {
    return { folder: "", problem: toldMessage(error) };
  }
}

/** Padding that is also an end is told. */
export function tokens({ model }: Facts): Report[] {
  if (model?.tokenizer == null || !model.tokenizer.eosIds.includes(model.tokenizer.padId)) return [];
  const message =
    `the padding token ${model.tokenizer.padId} also ends a sequence: harmless here, where masks come from ` +
    "lengths; a trainer that masks by token id never learns to stop";
  return [{ severity: "info", message, path: at(model.loaded.step, "model") }];
}
