/** Tells the programs of Visual-RFT, VLM-R1 and R1-V, which are called alike, apart by what starts them. @module */
import type { ImportedSetting } from "./imported_run.ts";

/** What is known of how a program was started. */
export interface Launch {
  /** Its entry script's path; null where nothing names one, as in a log. */
  readonly script: string | null;
  /** Names of its options, without hyphens. */
  readonly options: ReadonlySet<string>;
  /** Paths and values around it, for scripts whose names several systems have. */
  readonly words: string;
}

export interface VisualScript {
  readonly system: "visual-rft" | "vlm-r1" | "r1-v-family";
  /** The entry script, as translations call it. */
  readonly trainer: string;
}

/** Entry scripts that one system alone has. */
const SCRIPTS = {
  grpo_rec: { system: "vlm-r1", trainer: "grpo_rec" },
  grpo_jsonl: { system: "vlm-r1", trainer: "grpo_jsonl" },
  grpo_classification: { system: "visual-rft", trainer: "grpo_classification" },
  grpo_lisa: { system: "visual-rft", trainer: "grpo_lisa" },
  // Visual-RFT's 2B_lisa_grounding.sh names it, and it is not there.
  grpo_gui_grounding_lisa: { system: "visual-rft", trainer: "grpo_lisa" },
} as const satisfies Readonly<Record<string, VisualScript>>;

/** Options that only VLM-R1's programs have. */
const VLM_OPTIONS = ["data_file_paths", "image_folders", "is_reward_customized_from_vlm_module"];
const VLM_WORDS = /vlm-?r1/i;
const RFT_NAMES = /virft|visual[-_]?rft/i;
/** Words of paths and names in Visual-RFT's scripts: of the program, its data sets, their kinds of split. */
const RFT_WORDS = new RegExp(
  `${RFT_NAMES.source}|base65|\\d_?cate(?:[_/]|$)|lvis|lisa_train|\\d_?shot`,
  "i",
);
const R1V_WORDS = /(?:^|[^a-z])r1-v(?![a-z])|clevr|geoqa|leonardPKU/i;

/** Which of them it is; null where it is another program. The script's name and the options decide before any word. */
export function visualScript({ script, options, words }: Launch): VisualScript | null {
  const name = script === null ? null : /([\w-]+)\.py$/.exec(script)?.[1] ?? "";
  const known = name !== null && Object.hasOwn(SCRIPTS, name) ? SCRIPTS[name as keyof typeof SCRIPTS] : null;
  if (VLM_OPTIONS.some((option) => options.has(option))) return { system: "vlm-r1", trainer: "grpo_jsonl" };
  if (known !== null) return known;
  const hasImages = options.has("max_pixels") || options.has("min_pixels");
  const isLikely = name === "grpo"
    ? hasImages || RFT_WORDS.test(words) || R1V_WORDS.test(words)
    : name === null && (RFT_NAMES.test(words) || hasImages && (options.has("dataset_name") || R1V_WORDS.test(words)));
  if (!isLikely) return null;
  if (name === "grpo" && VLM_WORDS.test(words) && !RFT_WORDS.test(words)) return SCRIPTS.grpo_rec;
  // Visual-RFT grew out of R1-V, and its scripts still name that folder.
  const system = RFT_WORDS.test(words) || !R1V_WORDS.test(words) ? "visual-rft" : "r1-v-family";
  return { system, trainer: "grpo" };
}

/** Options of launchers behind which the script may stand as a last value: `--standalone train.py`. */
const LAUNCHER =
  /^(?:script|standalone|nproc_per_node|nnodes|node_rank|master_\w+|rdzv_\w+|num_\w+|machine_rank|main_process_\w+|config_file|mixed_precision|multi_gpu|include|use_deepspeed)$/;

/** The entry script that settings name, with the one that holds it; those called grpo before others. */
export function entryScript<Held extends Pick<ImportedSetting, "name" | "value">>(
  settings: readonly Held[],
): { readonly path: string; readonly setting: Held } | null {
  const found = settings.flatMap((setting) => {
    const last = [setting.value].flat().at(-1), path = typeof last === "string" && /\.py$/.test(last) ? last : null;
    if (path === null) return [];
    const isCalled = /(?:^|\/)grpo\w*\.py$/.test(path);
    return isCalled || LAUNCHER.test(setting.name) ? [{ path, setting, isCalled }] : [];
  });
  return found.find(({ isCalled }) => isCalled) ?? found[0] ?? null;
}

/** What settings say of a launch; `around` are further lines that name folders. */
export function launchOf(settings: readonly ImportedSetting[], around: readonly string[] = []): Launch {
  const values = settings.flatMap(({ value }) => [value].flat()).filter((value) => typeof value === "string");
  return {
    script: entryScript(settings)?.path ?? null,
    options: new Set(settings.map(({ name }) => name.replaceAll("-", "_"))),
    words: [...values, ...around].join("\n"),
  };
}
