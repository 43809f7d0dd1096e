/** What a model's card says of a run: read from its tables, its manifest and the folder that it began with. @module */
import { basename, dirname, join } from "node:path";
import { isFile, orElse, textIfThere } from "../../data/file_system.ts";
import { baseOf, type CardFacts, licensesOf, modelCard } from "../../data/hub/model_card.ts";
import { readFolderText } from "../../data/hub/model_folder.ts";
import { hubSource } from "../../data/hub/remote/cache.ts";
import type { groupTraits } from "../advantages/advantage.ts";
import { settingValues } from "../options/settings_table.ts";
import type { StepContext } from "../step.ts";
import { cardWorkflow } from "./card_workflow.ts";

/** What is read of a run. */
type CardRun = Pick<StepContext, "runId" | "seed" | "trainStep" | "table" | "history"> & {
  readonly folders: Pick<StepContext["folders"], "run">;
};

/** The card of what a run exports, as it was at `trainStep`. `folder` is the one that its weights came from, or null. */
export function cardOf(context: CardRun, what: string, folder: string | null, isAdapter: boolean): string {
  const manifest = manifestOf(context.folders.run),
    workflow = textIfThere(join(context.folders.run, "workflow.yaml")) ?? "",
    baseCard = folder === null ? null : orElse(() => readFolderText(folder, "README.md"), null);
  return modelCard({
    ...cardWorkflow(workflow),
    base: hubSource(folder)?.name ?? null,
    ancestor: baseOf(baseCard),
    folder: folder === null ? null : folderName(folder),
    licenses: licensesOf(baseCard),
    isAdapter,
    what: what.replace("_", " "),
    workflow: String(manifest["name"] ?? "a workflow"),
    run: context.runId,
    seed: context.seed,
    trainStep: context.trainStep,
    phases: phasesOf(context, what),
    settings: new Map([...settingValues(context.table("settings"))].filter(([name]) => !isForDoctor(name))),
    versions: (manifest["versions"] ?? {}) as Record<string, string>,
    evaluations: evaluationsOf(context),
    findings: rowsOf<CardFacts["findings"][number]>(context, "findings"),
  });
}

/** What the doctor judges by and no option says. */
const TRAITS: readonly string[] = ["compares_groups", "sums_to_zero", "follows_rewards", "small_groups"] satisfies (
  keyof ReturnType<typeof groupTraits>
)[];
const isForDoctor = (name: string) => TRAITS.includes(name) || name.endsWith("lora_fresh");

/** How a folder is called without the way to it: one that a run exported is called as the run. */
function folderName(folder: string): string {
  const above = dirname(folder);
  return isFile(join(above, "run.json")) ? `${basename(above)}/${basename(folder)}` : basename(folder);
}

function manifestOf(run: string): Readonly<Record<string, unknown>> {
  return orElse(() => JSON.parse(Deno.readTextFileSync(join(run, "run.json"))), {});
}

/** A reward model has had its own training alone; policy and critic have had the others. */
function phasesOf(context: CardRun, what: string): string[] {
  const phases = new Set(rowsOf<{ readonly phase: string }>(context, "metrics").map(({ phase }) => phase));
  return [...phases].filter((phase) => (phase === "reward_model") === (what === "reward_model"));
}

/** All rows of a table up to the train step of the export. */
function rowsOf<Row>({ history, trainStep }: CardRun, table: "findings" | "evaluations" | "metrics"): Row[] {
  const rows = history(table, trainStep + 1).objects() as (Row & { readonly train_step: number })[];
  return rows.filter(({ train_step }) => train_step <= trainStep);
}

function evaluationsOf(context: CardRun): CardFacts["evaluations"] {
  const rows = rowsOf<{
    readonly train_step: number;
    readonly step_id: string;
    readonly mode: string;
    readonly correct: boolean;
  }>(context, "evaluations");
  const groups = Map.groupBy(rows, ({ train_step, step_id, mode }) => `${train_step} ${step_id} ${mode}`);
  return [...groups.values()].map((own) => ({
    step: own[0]!.step_id,
    trainStep: own[0]!.train_step,
    mode: own[0]!.mode,
    prompts: own.length,
    correct: own.filter(({ correct }) => correct).length,
  }));
}
