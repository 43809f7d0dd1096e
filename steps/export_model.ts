/** The step `export_model`: the policy, its critic or a reward model as a Hugging Face folder that transformers loads. @module */
import { join, relative, resolve, sep } from "node:path";
import { z } from "zod";
import { whereItLeads } from "../data/real_path.ts";
import { RUN_FILES } from "../data/run_folder.ts";
import { cardOf } from "./resources/card.ts";
import { exportOf } from "./resources/export.ts";
import { settingValues } from "./options/settings_table.ts";
import { defineStep, type StepGrant } from "./step.ts";

/** Names in a run's folder that are not a model's. */
const TAKEN: ReadonlySet<string> = new Set(Object.values(RUN_FILES).filter((name) => name !== RUN_FILES.model));

export const exportModel = defineStep({
  about: "Write the policy, its critic or a reward model as a Hugging Face folder",
  params: z.strictObject({
    what: z.enum(["policy", "critic", "reward_model"]).default("policy").describe(
      "which model; a critic and a reward model become models for sequence classification with one label",
    ),
    folder: z.string().min(1).optional().describe(
      "where to; if absent model/ in the run folder, or critic/ or reward_model/",
    ),
    name: z.string().regex(/^[a-z][a-z0-9_]*$/).optional().describe(
      "another name of the folder in the run folder: two models of one run want two, and a model that a later step builds " +
        "upon stays what it was",
    ),
    dtype: z.enum(["float32", "bfloat16", "float16"]).default("float32").describe("type of the weights in the file"),
    merge: z.boolean().default(true).describe(
      "write a model with an adapter as one, the adapter merged in; false: as PEFT's folder of the adapter alone, of task_type " +
        "CAUSAL_LM, or SEQ_CLS of a critic or reward model",
    ),
  }),
  paths: { folder: "file" },
  reads: {},
  writes: {},
  needs: ["policy"],
  needsFor: ({ what }) => [what],
  grants: ownFolder,
  outputs: z.object({ folder: z.string().describe("absolute path of the folder") }),
  check({ name, folder }) {
    if (name === undefined) return [];
    if (folder !== undefined) return [`Cannot name the folder "${name}": folder says where it is, want one of the two`];
    return TAKEN.has(name)
      ? [`Cannot name the folder "${name}": the run keeps its own files there, want another name`]
      : [];
  },
  run({ what, folder, name, dtype, merge }, context) {
    const own = join(context.folders.run, name ?? (what === "policy" ? RUN_FILES.model : what));
    const target = folder ? resolve(context.folders.workflow, folder) : own, policy = context.resource("policy");
    const settings = settingValues(context.table("settings"));
    const texts = what === "reward_model" ? context.resource(what).texts : policy;
    const { model, folder: base } = context.resource(what);
    if (model.adapted && base !== null && whereItLeads(target) === whereItLeads(base)) {
      throw new RangeError(overBase(target));
    }
    const card = cardOf(context, what, base, !merge);
    const told = exportOf(model, texts, { target, base, merge, dtype, settings, card });
    if (told !== null) context.emit({ event: "message", text: told });
    return { outputs: { folder: target } };
  },
});

const overBase = (folder: string) =>
  `Cannot export the model into ${folder}: its adapter's base lies there, which a resumed run reads again; want another ` +
  "folder; set name of one of the two steps export_model, such as name: base of the first";

/** A folder outside of the workflow's, or that folder itself, is a person's own. */
function ownFolder(written: Readonly<Record<string, unknown>>, folder: string): readonly StepGrant[] {
  if (typeof written["folder"] !== "string") return [];
  const target = whereItLeads(resolve(folder, written["folder"])), way = relative(whereItLeads(folder), target);
  if (way !== ".." && !way.startsWith(`..${sep}`) && way !== target) return [];
  return [{ text: `writes a model into ${target}, in place of one that lies there`, key: ["folder"] }];
}
