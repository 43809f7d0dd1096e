/** config.json and generation_config.json of a model folder, as plain objects. @module */
import { readFolderObject, readFolderText } from "./model_folder.ts";
import { floatKeys } from "./python_floats.ts";

/** config.json; throws RangeError when the folder has none. Sizes are checked by who builds the model. */
export function readModelConfig(folder: string): Record<string, unknown> {
  const config = readFolderObject(folder, "config.json");
  if (config) return config;
  throw new RangeError(`Cannot load a model from ${folder}: it has no config.json; want a Hugging Face folder`);
}

/** generation_config.json, or null: the sampling settings a model folder would impose. */
export function readGenerationConfig(folder: string): Record<string, unknown> | null {
  return readFolderObject(folder, "generation_config.json");
}

/** Keys of both under which the folder writes numbers as Python's float, such as 30.0. */
export function readFloatKeys(folder: string): Set<string> {
  return floatKeys(
    ["config.json", "generation_config.json"].map((name) => readFolderText(folder, name) ?? "").join("\n"),
  );
}
