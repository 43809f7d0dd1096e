/** The prompts of a plan, read as load_prompts reads them. @module */
import { resolve } from "node:path";
import { messageOf } from "../../data/error_text.ts";
import { orElse } from "../../data/file_system.ts";
import type { PromptRow as Row } from "../../data/tasks/mod.ts";
import { LIMITS } from "../../data/tasks/rows/read_rows.ts";
import { loadPrompts } from "../../steps/load_prompts.ts";
import { loneContext } from "../engine/lone_context.ts";
import type { Plan } from "../plan/plan.ts";
import type { Known } from "./facts.ts";

/** A row with the columns that every task and file has. */
export type PromptRow = Row & Readonly<Record<"prompt" | "answer" | "split" | "verifier", string>>;

export interface PromptFacts {
  readonly loaded: Known<"load_prompts">;
  /** Why they cannot be loaded, or null. */
  readonly problem: string | null;
  readonly rows: readonly PromptRow[];
}

const MAX_BYTES = 100e6; // Larger files are left to the run: a check must be quick.

/** Runs load_prompts, which reads nothing of a run but the workflow's folder; null for a file that is too large. */
export async function readPrompts(loaded: Known<"load_prompts">, plan: Plan): Promise<PromptFacts | null> {
  const { file } = loaded.params;
  // Of what has no size, reading it will say what is wrong.
  const size = file === undefined ? 0 : orElse(() => Deno.statSync(resolve(plan.folder, file)).size, 0);
  // What is too large for any run is refused before it is read.
  if (size > MAX_BYTES && size <= LIMITS.bytes) return null;
  try {
    const context = loneContext({
      runId: "check",
      seed: plan.settings.seed,
      device: "cpu",
      backend: "ffi",
      threads: 1,
      deterministic: false,
      stepId: loaded.step.id,
      folders: { project: plan.folder, workflow: plan.folder, run: plan.folder },
    });
    const { tables } = await loadPrompts.run(loaded.params, context);
    return { loaded, problem: null, rows: tables!.prompts!.objects() as PromptRow[] };
  } catch (error) {
    return { loaded, problem: messageOf(error), rows: [] };
  }
}
