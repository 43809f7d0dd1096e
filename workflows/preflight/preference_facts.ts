/** The files of preferences of a plan, read as load_preferences reads them. @module */
import { loadPreferences } from "../../steps/load_preferences.ts";
import type { Plan } from "../plan/plan.ts";
import type { Known } from "./facts.ts";
import { toldMessage } from "../terminal/told.ts";
import { isLeftToRun, loadingContext } from "./prompt_facts.ts";

export interface PreferenceFacts {
  readonly loaded: Known<"load_preferences">;
  /** Why they cannot be loaded, or null. */
  readonly problem: string | null;
  /** Splits that have rows. */
  readonly splits: ReadonlySet<string>;
  readonly prompts: readonly string[];
  readonly answers: readonly string[];
  readonly rows: readonly Row[];
}

/** Columns of a row that hold a text to answer with. */
const ANSWERS = ["chosen", "rejected", "completion"] as const;
type Row = Readonly<Record<"split" | "prompt", string> & Partial<Record<(typeof ANSWERS)[number], string>>> & {
  readonly line: number;
  readonly label?: boolean;
};

/** Runs each load_preferences of a file; a file that is too large for a check is left out, and so are tasks. */
export async function readPreferences(
  steps: readonly Known<"load_preferences">[],
  plan: Plan,
): Promise<PreferenceFacts[]> {
  const ofFiles = steps.filter(({ params: { file } }) => file !== undefined && !isLeftToRun(file, plan));
  return await Promise.all(ofFiles.map(async (loaded) => {
    try {
      const { tables } = await loadPreferences.run(loaded.params, loadingContext(loaded.step.id, plan));
      const rows = tables!.preferences!.objects() as Row[];
      return {
        loaded,
        problem: null,
        splits: new Set(rows.map(({ split }) => split)),
        prompts: rows.map(({ prompt }) => prompt),
        answers: rows.flatMap((row) => ANSWERS.flatMap((name) => row[name] ?? [])),
        rows,
      };
    } catch (error) {
      return { loaded, problem: toldMessage(error), splits: new Set(), prompts: [], answers: [], rows: [] };
    }
  }));
}
