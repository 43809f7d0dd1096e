/** A run's policy as a Hugging Face folder, or its adapter as PEFT's. @module */
import { join } from "node:path";
import { isFile, textIfThere } from "../../data/file_system.ts";
import { CARD_MARK } from "../../data/hub/model_card.ts";
import type { RunFolder } from "../../data/open_run_folder.ts";
import { RUN_FILES } from "../../data/run_folder.ts";
import { stdout } from "../terminal/terminal.ts";
import { UsageError } from "../terminal/usage_error.ts";

/** Writes the run's policy; returns where its weights come from. */
export async function exportModel(run: RunFolder, target: string, merge: boolean): Promise<string> {
  const { openPolicy } = await import("./open_policy.ts");
  const { exportOf } = await import("../../steps/resources/export.ts");
  const { cardOf } = await import("../../steps/resources/card.ts");
  const { settingValues } = await import("../../steps/options/settings_table.ts");
  const { policy, from, trainStep } = await openPolicy(run, { apart: !merge });
  try {
    const { id: runId, seed } = run.manifest, { model, folder: base } = policy;
    if (!merge && !model.adapted) {
      throw new UsageError(
        `Cannot export run ${runId} as peft: all of its weights train, and there is no adapter; want --format hf`,
      );
    }
    const of = { runId, seed, trainStep, folders: { run: run.path }, table: run.table, history: run.table };
    const card = exportedCard(run, !merge) ?? cardOf(of, "policy", base, !merge);
    const settings = settingValues(run.table("settings"));
    const told = exportOf(model, policy, { target, base, merge, dtype: "float32", settings, card });
    if (told !== null) stdout.line(told);
    return from;
  } finally {
    policy.release();
  }
}

/** The card of the run's own export where that is of the same kind: it alone still knows what the run began with. */
function exportedCard({ path }: RunFolder, isAdapter: boolean): string | null {
  const model = join(path, RUN_FILES.model), config = isAdapter ? "adapter_config.json" : "config.json";
  const card = isFile(join(model, config)) ? textIfThere(join(model, "README.md")) : null;
  return card?.includes(CARD_MARK) ? card : null;
}
