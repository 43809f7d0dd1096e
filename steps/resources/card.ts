/** What a model's card says of a run: read from its tables, its manifest and the folder that it began with. @module */
import { join } from "node:path";
import { orElse, textIfThere } from "../../data/file_system.ts";
import { type CardFacts, licenseOf, modelCard } from "../../data/hub/model_card.ts";
import { readFolderText } from "../../data/hub/model_folder.ts";
import { settingValues } from "../options/settings_table.ts";
import type { StepContext } from "../step.ts";

/** Name and commit where a folder is the snapshot of a repository in huggingface_hub's cache; null for another. */
export function hubSource(folder: string | null): { readonly name: string; readonly commit: string } | null {
  const [, name, commit] = /[\\/]models--([^\\/]+)[\\/]snapshots[\\/]([0-9a-f]{40})$/.exec(folder ?? "") ?? [];
  return name === undefined || commit === undefined ? null : { name: name.replace("--", "/"), commit };
}

/** The card of what a run exports. `folder` is the one that its weights came from, or null. */
export function cardOf(context: StepContext, what: string, folder: string | null, isAdapter: boolean): string {
  const manifest = manifestOf(context.folders.run),
    workflow = textIfThere(join(context.folders.run, "workflow.yaml")) ?? "";
  return modelCard({
    base: hubSource(folder)?.name ?? null,
    license: folder === null ? null : licenseOf(orElse(() => readFolderText(folder, "README.md"), null)),
    isAdapter,
    what: what.replace("_", " "),
    workflow: String(manifest["name"] ?? "a workflow"),
    run: context.runId,
    seed: context.seed,
    trainStep: context.trainStep,
    steps: Array.from(workflow.matchAll(/\buses:\s*["']?([a-z_]+)\b/g), ([, name]) => name!),
    settings: settingValues(context.table("settings")),
    versions: (manifest["versions"] ?? {}) as Record<string, string>,
    datasets: [...new Set(Array.from(workflow.matchAll(/hf:datasets\/([\w.-]+\/[\w.-]+)/g), ([, name]) => name!))],
    evaluations: evaluationsOf(context),
    findings: context.history("findings", context.trainStep + 1).objects() as CardFacts["findings"],
  });
}

function manifestOf(run: string): Readonly<Record<string, unknown>> {
  return orElse(() => JSON.parse(Deno.readTextFileSync(join(run, "run.json"))), {});
}

function evaluationsOf(context: StepContext): CardFacts["evaluations"] {
  const rows = context.history("evaluations", context.trainStep + 1).objects() as {
    readonly train_step: number;
    readonly step_id: string;
    readonly mode: string;
    readonly correct: boolean;
  }[];
  const groups = Map.groupBy(rows, ({ train_step, step_id, mode }) => `${train_step} ${step_id} ${mode}`);
  return [...groups.values()].map((own) => ({
    step: own[0]!.step_id,
    trainStep: own[0]!.train_step,
    mode: own[0]!.mode,
    prompts: own.length,
    correct: own.filter(({ correct }) => correct).length,
  }));
}
