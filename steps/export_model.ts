/** The step `export_model`: the policy, its critic or a reward model as a Hugging Face folder that transformers loads. @module */
import { basename, dirname, join, relative, resolve, sep } from "node:path";
import { z } from "zod";
import { orElse } from "../data/file_system.ts";
import { RUN_FILES } from "../data/run_folder.ts";
import { writeModelFolder } from "../data/hub/export.ts";
import { readModelConfig } from "../data/hub/config.ts";
import { writeAdapterFolder } from "../data/hub/peft_adapter.ts";
import { toConfigJson } from "../gpu/models/config.ts";
import type { NamedArray } from "../gpu/weights/weights.ts";
import { adapterOfModel, modelTensors } from "./resources/adapter.ts";
import { cardOf, hubSource } from "./resources/card.ts";
import { readTensors } from "./resources/model_source.ts";
import type { Policy } from "./resources/policy.ts";
import { exportedSampling } from "./options/sampling_settings.ts";
import { settingValues } from "./options/settings_table.ts";
import { defineStep, type StepGrant } from "./step.ts";

/** Names in a run's folder that are not a model's. */
const TAKEN: ReadonlySet<string> = new Set(Object.values(RUN_FILES).filter((name) => name !== RUN_FILES.model));
const DTYPES = { float32: "F32", bfloat16: "BF16", float16: "F16" } as const;

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
    const rounded = merge && base !== null ? model.adapted?.base.bits ?? null : null;
    if (rounded !== null) context.emit({ event: "message", text: roundedLine(rounded, base!) });
    const card = cardOf(context, what, base, !merge);
    if (merge) {
      const source = base === null ? null : readModelConfig(base);
      const options = { dtype, settings, exact: rounded === null ? null : base, card, source };
      exportPolicy({ ...filesOf(texts), model }, target, options);
    } else {
      const files = new Map([...texts.files, ["README.md", card] as const]);
      exportAdapter({ files, model, base }, target, dtype);
    }
    return { outputs: { folder: target } };
  },
});

const overBase = (folder: string) =>
  `Cannot export the model into ${folder}: its adapter's base lies there, which a resumed run reads again; want another ` +
  "folder; set name of one of the two steps export_model, such as name: base of the first";

/** What a folder holds: a model, and the tokenizer beside it. */
type Exported = Pick<Policy, "model" | "tokenizer" | "files" | "generationConfig">;

const filesOf = ({ tokenizer, files, generationConfig }: Omit<Exported, "model">) => ({
  tokenizer,
  files,
  generationConfig,
});

interface ExportOptions {
  readonly dtype?: keyof typeof DTYPES;
  /** The run's table `settings` by name: how it sampled goes into generation_config.json. */
  readonly settings?: ReadonlyMap<string, unknown>;
  /** The folder of the weights beneath an adapter, where the model has them rounded. */
  readonly exact?: string | null;
  /** README.md. */
  readonly card?: string | null;
  /** config.json of the folder that the model came from. */
  readonly source?: Readonly<Record<string, unknown>> | null;
}

const roundedLine = (bits: number, folder: string) =>
  `the adapter was trained upon weights of int${bits}; it is merged into those of ${folder}, which are not rounded`;

/** Writes a model to a folder, all of it or nothing; one with a scalar head samples nothing. Throws when a weight is not finite. */
export function exportPolicy(
  policy: Exported,
  folder: string,
  { dtype = "float32", settings = new Map(), exact = null, card = null, source = null }: ExportOptions = {},
): void {
  const tensors = modelTensors(policy.model, exact === null ? null : readTensors(exact));
  refuseBroken(tensors);
  const { tokenizer } = policy;
  const eos = tokenizer.eosIds.length === 1 ? tokenizer.eosIds[0] : [...tokenizer.eosIds];
  const ids = { bos_token_id: tokenizer.bosId, eos_token_id: eos, pad_token_id: tokenizer.padId };
  writeModelFolder(folder, {
    config: toConfigJson(policy.model.config, ids),
    tensors,
    dtype: DTYPES[dtype],
    tokenizerFiles: policy.files,
    card,
    source,
    ...(policy.model.config.head === "lm"
      ? { generationConfig: { ...exportedSampling(policy.generationConfig, settings), ...ids } }
      : {}),
  });
}

function refuseBroken(tensors: ReadonlyMap<string, NamedArray>): void {
  for (const [name, { data }] of tensors) {
    const bad = data.findIndex((value) => !Number.isFinite(value));
    if (bad < 0) continue;
    throw new RangeError(
      `Cannot export the model: parameter "${name}" holds ${
        data[bad]
      } at element ${bad}, want finite numbers; go back to a checkpoint`,
    );
  }
}

/** Writes a model's adapter to a folder as PEFT does, all of it or nothing. */
export function exportAdapter(
  { model, base, files }: Pick<Exported, "model" | "files"> & { readonly base: string | null },
  folder: string,
  dtype: keyof typeof DTYPES = "float32",
): void {
  refuseBroken(model.weights.toHuggingFace());
  const task = model.config.head === "scalar" ? "SEQ_CLS" : "CAUSAL_LM";
  const source = hubSource(base), named = { base: source?.name ?? base, revision: source?.commit ?? null };
  writeAdapterFolder(folder, adapterOfModel(model), { ...named, files, task, dtype: DTYPES[dtype] });
}

/** A folder outside of the workflow's, or that folder itself, is a person's own. */
function ownFolder(written: Readonly<Record<string, unknown>>, folder: string): readonly StepGrant[] {
  if (typeof written["folder"] !== "string") return [];
  const target = whereItLeads(resolve(folder, written["folder"])), way = relative(whereItLeads(folder), target);
  if (way !== ".." && !way.startsWith(`..${sep}`) && way !== target) return [];
  return [{ text: `writes a model into ${target}, in place of one that lies there`, key: ["folder"] }];
}

const MAX_LINKS = 40; // As many as Linux follows.

/** The path without its links, as far as it exists: one in the workflow's folder may lead elsewhere. */
function whereItLeads(path: string, links = MAX_LINKS): string {
  try {
    return Deno.realPathSync(path);
  } catch {
    // A link to nothing leads to where its target would be; a loop of links leads nowhere, and nothing is written.
    if (links === 0 || dirname(path) === path) return path;
    const target = orElse(() => resolve(dirname(path), Deno.readLinkSync(path)), null);
    return target === null ? join(whereItLeads(dirname(path), links), basename(path)) : whereItLeads(target, links - 1);
  }
}
