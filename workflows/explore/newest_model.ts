/** The newest run of a workflow that ended well and left a model: what `run:last` means. @module */
import { join } from "node:path";
import { isFile } from "../../data/file_system.ts";
import { RUN_FILES } from "../../data/run_folder.ts";
import { readManifest } from "../store/manifest.ts";
import { runIds } from "./find_run.ts";

/** Id of that run; null where there is none. Runs whose manifest cannot be read have not ended well. */
export function newestModel(runs: string, workflow: string): string | null {
  return runIds(runs).findLast((id) => isWanted(join(runs, id), workflow)) ?? null;
}

function isWanted(folder: string, workflow: string): boolean {
  const model = join(folder, RUN_FILES.model);
  if (!["config.json", "adapter_config.json"].some((name) => isFile(join(model, name)))) return false;
  try {
    const { name, status } = readManifest(folder);
    return name === workflow && status === "ok";
  } catch (error) {
    if (error instanceof Error) return false;
    throw error;
  }
}
