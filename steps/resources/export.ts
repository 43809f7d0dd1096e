/** Writes a model of a run as the Hugging Face folder of its own, or as PEFT's of its adapter: one way for all who export. @module */
import { FINGERPRINT } from "../../data/hub/adapter_base.ts";
import { baseFingerprint, fingerprintOf } from "../../data/hub/base_fingerprint.ts";
import { readFloatKeys, readModelConfig } from "../../data/hub/config.ts";
import { writeModelFolder } from "../../data/hub/export.ts";
import { writeAdapterFolder } from "../../data/hub/peft_adapter.ts";
import { wayFrom } from "../../data/real_path.ts";
import { hubSource } from "../../data/hub/remote/cache.ts";
import type { LanguageModel } from "../../gpu/language_model.ts";
import { toConfigJson } from "../../gpu/models/config.ts";
import type { NamedArray } from "../../gpu/weights/weights.ts";
import { exportedSampling } from "../options/sampling_settings.ts";
import { adapterOfModel, modelTensors } from "./adapter.ts";
import { readTensors } from "./model_source.ts";
import type { Policy } from "./policy.ts";

const DTYPES = { float32: "F32", bfloat16: "BF16", float16: "F16" } as const;

/** The tokenizer that lies beside a model, with how it samples. */
type Texts = Pick<Policy, "tokenizer" | "files" | "generationConfig">;

/** What an export knows besides the model; nothing of it has a default. */
interface ExportFacts {
  /** Where to; it is written as a whole or not at all. */
  readonly target: string;
  /** The Hugging Face folder that the weights came from; null for random ones. Its config.json's further keys are kept. */
  readonly base: string | null;
  /** False: the adapter alone. */
  readonly merge: boolean;
  readonly dtype: keyof typeof DTYPES;
  /** The run's table `settings` by name: how it sampled goes into generation_config.json. */
  readonly settings: ReadonlyMap<string, unknown>;
  /** README.md. */
  readonly card: string;
}

/**
 * Writes a model, its adapter merged into the weights of `base` as they lie there, never into rounded ones; or the adapter
 * alone. Returns what is to be told of it, or null. Throws a RangeError when a weight is not finite, and a TypeError for an
 * adapter that is not there.
 */
export function exportOf(model: LanguageModel, texts: Texts, facts: ExportFacts): string | null {
  const { target, base, merge, dtype, settings, card } = facts;
  if (!merge) {
    writeAdapter(model, texts, facts);
    return null;
  }
  const bits = model.adapted?.base.bits ?? null, exact = bits === null ? null : base;
  const tensors = modelTensors(model, exact === null ? null : readTensors(exact));
  refuseBroken(tensors);
  const { tokenizer } = texts;
  const eos = tokenizer.eosIds.length === 1 ? tokenizer.eosIds[0] : [...tokenizer.eosIds];
  const ids = { bos_token_id: tokenizer.bosId, eos_token_id: eos, pad_token_id: tokenizer.padId };
  writeModelFolder(target, {
    config: toConfigJson(model.config, ids),
    tensors,
    dtype: DTYPES[dtype],
    tokenizerFiles: texts.files,
    card,
    ...(base === null ? {} : { source: readModelConfig(base), floats: readFloatKeys(base) }),
    // One with a scalar head samples nothing.
    ...(model.config.head === "lm"
      ? { generationConfig: { ...exportedSampling(texts.generationConfig, settings), ...ids } }
      : {}),
  });
  return exact === null ? null : roundedLine(bits!, exact);
}

const roundedLine = (bits: number, folder: string) =>
  `the adapter was trained upon weights of int${bits}; it is merged into those of ${folder}, which are not rounded`;

function writeAdapter(model: LanguageModel, texts: Texts, { target, base, dtype, card }: ExportFacts): void {
  refuseBroken(model.weights.toHuggingFace());
  const task = model.config.head === "scalar" ? "SEQ_CLS" : "CAUSAL_LM", source = hubSource(base);
  // A path of this machine would be the business of nobody who is given the folder, and wrong there.
  const own = base === null ? null : wayFrom(target, base);
  const named = { base: source?.name ?? own, revision: source?.commit ?? null };
  const files = new Map([...texts.files, ["README.md", card] as const]);
  const fingerprint = base === null ? null : baseFingerprint(base);
  refuseAnotherBase(model, base, fingerprint);
  const metadata: Record<string, string> = fingerprint === null ? {} : { [FINGERPRINT]: fingerprint };
  writeAdapterFolder(target, adapterOfModel(model), {
    ...named,
    files,
    task,
    dtype: DTYPES[dtype],
    metadata,
    visual: model.config.vision !== null,
  });
}

/** An adapter is nothing without its base: that must be the folder's, not what this run made of it before. */
function refuseAnotherBase({ adapted }: LanguageModel, folder: string | null, fingerprint: string | null): void {
  if (!adapted || adapted.base.bits !== null || folder === null) return;
  const tensors = adapted.base.viewHuggingFace();
  const own = fingerprintOf(tensors, (name, into, from) => {
    into.set(tensors.get(name)!.data.subarray(from, from + into.length));
  });
  if (own === fingerprint) return;
  throw new RangeError(
    `Cannot export the adapter alone: it stands upon weights that were trained in this run, not upon those in ${folder}; ` +
      "export it merged (merge: true), or export what is beneath it first and load that",
  );
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
