/** The model of a plan without its weights: configuration, parameter names, tokenizer, sampling defaults. @module */
import { join } from "node:path";
import { firstLineOf } from "../../data/error_text.ts";
import { suggest } from "../../data/did_you_mean.ts";
import { isFile, orElse } from "../../data/file_system.ts";
import { readGenerationConfig, readModelConfig } from "../../data/hub/config.ts";
import { NotCachedError } from "../../data/hub/remote/hub_folder.ts";
import { addressOf, isAddress } from "../../data/hub/remote/repository.ts";
import { indexName, weightsName } from "../../data/hub/model_files.ts";
import { folderFile } from "../../data/hub/model_folder.ts";
import { openModelTensors } from "../../data/hub/model_tensors.ts";
import { type HubTokenizer, loadTokenizer } from "../../data/hub/tokenizer.ts";
import { type ModelConfig, modelConfig } from "../../gpu/models/config.ts";
import { parameterLayout } from "../../gpu/models/parameters.ts";
import { type Layout, requireTensors } from "../../gpu/weights/layout.ts";
import { MODEL_PRESETS, type ModelPresetName } from "../../steps/resources/model_presets.ts";
import { type SavedAdapter, savedAdapterOf } from "../../steps/resources/adapter_values.ts";
import { adapterFolder, freshSource, placesOf, relativeTo, weightFolders } from "../../steps/resources/model_source.ts";
import { readProcessor } from "../../steps/resources/prompt_images.ts";
import { commandLine } from "../terminal/command_line.ts";
import type { Known } from "./facts.ts";

export interface ModelFacts {
  readonly loaded: Known<"load_model">;
  /** Absolute; null for a preset or a configuration in the file. */
  readonly folder: string | null;
  /** Why it cannot be loaded, or null. */
  readonly problem: string | null;
  readonly config: ModelConfig | null;
  readonly layout: Layout | null;
  readonly tokenizer: HubTokenizer | null;
  readonly generation: Readonly<Record<string, unknown>> | null;
  /** The text of the file that says how images are cut; null where there is none. */
  readonly processor: string | null;
  readonly hasWeights: boolean;
  /** What the saved adapter is that trains upon it; null where there is none, or none that can be read. */
  readonly saved: SavedAdapter | null;
}

/** ORG/NAME as on the Hub; it may be a folder as well. */
const HUB_NAME = /^[A-Za-z0-9][\w.-]*\/[A-Za-z0-9][\w.-]*$/;

/** Reads what a load_model step names. Whatever is wrong with the folder becomes `problem`. */
export function readModel(loaded: Known<"load_model">, workflow: string, runs: string | null): ModelFacts {
  return { ...readWeights(loaded, workflow, runs), saved: savedAdapter(loaded.params, workflow, runs) };
}

/** The adapter that is trained on. What is wrong with its folder a rule tells. */
function savedAdapter(
  { adapter, merge }: ModelFacts["loaded"]["params"],
  workflow: string,
  runs: string | null,
): SavedAdapter | null {
  if (adapter === undefined || merge) return null;
  return orElse(() => savedAdapterOf(adapterFolder(adapter, { workflow, run: join(runs ?? workflow, "this") })), null);
}

function readWeights(loaded: Known<"load_model">, workflow: string, runs: string | null): ModelFacts {
  const { model } = loaded.params;
  const nothing = {
    loaded,
    folder: null,
    problem: null,
    config: null,
    layout: null,
    tokenizer: null,
    generation: null,
    processor: null,
    saved: null,
  };
  if (typeof model !== "string") return fresh(nothing, model);
  if (Object.hasOwn(MODEL_PRESETS, model)) return fresh(nothing, MODEL_PRESETS[model as ModelPresetName]);
  if (isAddress(model)) return cached(nothing, model);
  const candidates = placesOf(model, { workflow, runs }, ["model"]), given = candidates[0]!;
  const folder = candidates.find((candidate) => isFile(join(candidate, "config.json")));
  if (folder === undefined && isFile(join(given, "adapter_config.json"))) return cached(nothing, given);
  if (folder === undefined) {
    const meant = suggest(model, Object.keys(MODEL_PRESETS));
    const problem = meant !== null
      ? `there is no model "${model}"; did you mean "${meant}"?`
      : runs === null && !/[/\\.]/.test(model)
      ? null // may be the id of a run
      : HUB_NAME.test(model)
      ? `there is no folder "${model}" here; a model of the Hub is written "hf:${model}" and fetched by: ${
        commandLine(["pull", model])
      }`
      : `there is no model "${model}": no preset (${Object.keys(MODEL_PRESETS).join(", ")}) and no config.json in ${
        candidates.join(" or ")
      }${relativeTo(model)}; give a Hugging Face folder or a run that has export_model`;
    return { ...nothing, problem, hasWeights: false };
  }
  return factsOfFolder(nothing, folder);
}

/** A model of the Hub as it lies in the cache, or the base of an adapter there or in a folder. */
function cached(nothing: Omit<ModelFacts, "hasWeights">, address: string): ModelFacts {
  try {
    const { folder } = weightFolders(address, { workflow: ".", run: "." });
    return factsOfFolder(nothing, folder);
  } catch (error) {
    const problem = error instanceof NotCachedError
      ? `there is no model "${addressOf(error.repository)}" here: ${error.reason}; fetch it by: ${
        commandLine(error.words)
      }`
      : firstLineOf(error);
    return { ...nothing, problem, hasWeights: false };
  }
}

function factsOfFolder(nothing: Omit<ModelFacts, "hasWeights">, folder: string): ModelFacts {
  try {
    const hasWeights = [weightsName("model"), indexName("model")].some((name) => folderFile(folder, name) !== null);
    const config = modelConfig(readModelConfig(folder)), layout = parameterLayout(config);
    return {
      ...nothing,
      folder,
      config,
      layout,
      tokenizer: loadTokenizer(folder),
      generation: readGenerationConfig(folder),
      processor: readProcessor(folder),
      hasWeights,
      problem: hasWeights ? weightsProblem(folder, layout) : null,
    };
  } catch (error) {
    return { ...nothing, folder, problem: firstLineOf(error), hasWeights: true };
  }
}

/** What the headers of a folder's weights lack: files that are cut, tensors that are not there or of another shape. */
function weightsProblem(folder: string, layout: Layout): string | null {
  try {
    using file = openModelTensors(folder);
    requireTensors(layout, file.tensors);
    return null;
  } catch (error) {
    return firstLineOf(error);
  }
}

/** A model from nothing. */
function fresh(
  nothing: Omit<ModelFacts, "hasWeights">,
  given: Readonly<Record<string, unknown>>,
): ModelFacts {
  try {
    const source = freshSource(given), { tokenizer } = source, config = modelConfig(source.config);
    const { processor = null } = source;
    return { ...nothing, config, layout: parameterLayout(config), tokenizer, processor, hasWeights: true };
  } catch (error) {
    return { ...nothing, problem: firstLineOf(error), hasWeights: true };
  }
}
