/** The files of preferences of a plan, read as load_preferences reads them. @module */
import { messageOf } from "../../data/error_text.ts";
import { loadPreferences } from "../../steps/load_preferences.ts";
import type { Plan } from "../plan/plan.ts";
import type { Known } from "./facts.ts";
import { isLeftToRun, loadingContext } from "./prompt_facts.ts";

export interface PreferenceFacts {
  readonly loaded: Known<"load_preferences">;
  /** Why they cannot be loaded, or null. */
  readonly problem: string | null;
}

/** Runs each load_preferences of a file; a file that is too large for a check is left out, and so are tasks. */
export async function readPreferences(
  steps: readonly Known<"load_preferences">[],
  plan: Plan,
): Promise<PreferenceFacts[]> {
  const ofFiles = steps.filter(({ params: { file } }) => file !== undefined && !isLeftToRun(file, plan));
  return await Promise.all(ofFiles.map(async (loaded) => {
    try {
      await loadPreferences.run(loaded.params, loadingContext(loaded.step.id, plan));
      return { loaded, problem: null };
    } catch (error) {
      return { loaded, problem: messageOf(error) };
    }
  }));
}
