/**
 * What cannot work in a launch script of Visual-RFT, VLM-R1 or R1-V: their trainers read images, folders and variables in
 * ways of their own. Sources: Visual-RFT at 94866331 (src/virft/src/open_r1), VLM-R1 and R1-V (trainer/grpo_trainer.py).
 * @module
 */
import { basename, dirname, join, resolve } from "node:path";
import type { ImportedRun, ImportedSetting } from "../../../data/adapters/run/imported_run.ts";
import { entryScript } from "../../../data/adapters/run/visual_scripts.ts";
import { isFile, orElse } from "../../../data/file_system.ts";
import type { OptionName } from "../../../data/options.ts";
import { NEAR_GREEDY } from "../../../steps/diagnoses/view/near_greedy.ts";
import { callerFolder } from "../../terminal/caller.ts";
import { TRL_GROUP } from "./batch_rules.ts";
import { type Own, own, type Rule, settingOf } from "./own_finding.ts";

export const VISUAL: ReadonlySet<string | null> = new Set(["visual-rft", "vlm-r1", "r1-v-family"]);
/** Their trainers descend from TRL 0.14's, which cuts a prompt for the update and not for sampling. */
const CUTS = new Set<string | null>(["visual-rft", "r1-v-family"]);

/** Pixels of one image token: a patch is 14 x 14, and 2 x 2 of them are merged (Qwen2-VL). */
export const PIXELS_OF_TOKEN = 784;
/** Tokens of a short question with its template; Visual-RFT's own of detection has about 150. */
const QUESTION = 100;
/** Defaults of GRPOScriptArguments and of GRPOConfig (TRL 0.14). */
const MAX_PIXELS = 12_845_056, MAX_PROMPT = 512, MAX_COMPLETION = 256, DEVICE_BATCH = 8;

const MOST_NESTED = 3; // Variables that hold variables.

/** A setting with what its shell variable holds. */
function resolved(run: ImportedRun, value: unknown, depth = 0): unknown {
  const name = typeof value === "string" ? /^\$\{?(\w+)\}?$/.exec(value.trim())?.[1] : undefined;
  const held = name === undefined ? undefined : run.settings.findLast((setting) => setting.name === name);
  return held === undefined || depth > MOST_NESTED ? value : resolved(run, held.value, depth + 1);
}

const valueOf = (run: ImportedRun, option: OptionName) => resolved(run, settingOf(run, option)?.value);
const named = (run: ImportedRun, name: string) => run.settings.findLast((setting) => setting.name === name);
const numberOr = (value: unknown, otherwise: number) => typeof value === "number" ? value : otherwise;
const isTrue = (value: unknown) => value === true || /^(?:true|1)$/i.test(String(value));
const shown = (...settings: readonly (ImportedSetting | undefined)[]) => settings.filter((one) => one !== undefined);

/** The entry script's name, with the setting that holds it. */
function scriptOf(run: ImportedRun): { readonly name: string; readonly setting: ImportedSetting } | null {
  const found = entryScript(run.settings);
  return found === null ? null : { name: basename(found.path), setting: found.setting };
}

/** A rule of theirs alone. */
const visual = (rule: Rule): Rule => (run) => VISUAL.has(run.system) ? rule(run) : [];

/** generation_config.json of a model's folder on this machine, beside the script or where the caller stands; null without such a folder. */
export function folderSampling(run: ImportedRun): Readonly<Record<string, unknown>> | null {
  const setting = settingOf(run, "model"), model = resolved(run, setting?.value);
  if (setting === undefined || typeof model !== "string") return null;
  const places = [dirname(resolve(setting.source)), callerFolder()].map((place) => resolve(place, model));
  // A pipe would be waited for, and a file that may not be read stops no check of a script.
  const textOf = (path: string) => orElse(() => isFile(path) ? Deno.readTextFileSync(path) : null, null);
  const text = places.map((place) => textOf(join(place, "generation_config.json"))).find((text) => text !== null);
  if (text !== undefined) return orElse(() => JSON.parse(text) as Readonly<Record<string, unknown>>, null);
  return places.some((place) => isFile(join(place, "config.json"))) ? {} : null;
}

/**
 * generation_config.json of the model's folder: generate() of transformers 4.50 to 4.57 takes temperature 1 for "not said"
 * and the folder's in its place (Visual-RFT #122, trl#5783). Only what lies on this machine is judged.
 */
const greedyFolder = visual((run) => {
  const setting = settingOf(run, "model"), read = folderSampling(run);
  if (setting === undefined || read === null || isTrue(valueOf(run, "use_vllm"))) return [];
  const cold = (Object.keys(NEAR_GREEDY) as (keyof typeof NEAR_GREEDY)[]).filter((name) => {
    const value = read[name];
    return typeof value === "number" && NEAR_GREEDY[name](value);
  });
  if (cold.length === 0) return [];
  const what = cold.map((name) => `${name} ${read[name]}`).join(", ");
  const message = `the model's folder has ${what} in generation_config.json, and this trainer sets none of it but a ` +
    "temperature of 1, which transformers 4.50 to 4.57 takes for not said: the completions of a group are the same, and loss stays 0";
  const hint =
    "Write temperature 1.0, top_p 1.0 and top_k 0 into generation_config.json of the model's folder, or set --use_vllm true.";
  return [own("error", message, hint, [setting], { cause: "greedy_sampling", codes: ["E03", "C04"] })];
});

const CLASSES = /flower|aircraft|fgvc|pets|cars?_?196|stanford_?car|classif|_cls/i;
const OF_CLASSES = "grpo_classification.py", OF_BOXES = "grpo.py";
const BOXES = /coco|lvis|base_?65|detection/i;

/** The entry script decides the rewards: those of boxes never fire on classes, nor the other way round. */
const wrongScript = visual((run) => {
  const script = scriptOf(run), setting = settingOf(run, "dataset"), data = String(resolved(run, setting?.value) ?? "");
  if (run.system !== "visual-rft" || script === null) return [];
  if (script.name === "grpo_gui_grounding_lisa.py") {
    const message = `Visual-RFT has no ${script.name}, which its 2B_lisa_grounding.sh names: the run cannot start`;
    return [own("error", message, "Start grpo_lisa.py.", [script.setting])];
  }
  const wants = CLASSES.test(data) ? OF_CLASSES : BOXES.test(data) ? OF_BOXES : null;
  if (wants === null || script.name === wants || ![OF_CLASSES, OF_BOXES].includes(script.name)) return [];
  const message = `${script.name} scores ${script.name === OF_BOXES ? "boxes" : "class names"}, and the data ` +
    `("${data.split("/").at(-1)}") are for ${
      wants === OF_BOXES ? "detection" : "classification"
    }: no completion can score`;
  return [
    own("error", message, `Start ${wants}.`, shown(script.setting, setting), {
      cause: "reward_task_mismatch",
      codes: ["R08", "R00"],
    }),
  ];
});

/** Visual-RFT's scripts hold the list of rewards themselves (grpo.py, main). */
const ignoredRewards = visual((run) => {
  const setting = settingOf(run, "reward_functions");
  if (run.system !== "visual-rft" || setting === undefined) return [];
  const message = `${setting.name} is read by none of Visual-RFT's scripts: each has its own list of rewards`;
  return [own("warning", message, `Leave ${setting.name} out, and change the list in the script.`, [setting])];
});

/** An image's tokens and the question beside what the trainer keeps of a prompt, or vLLM takes of a sequence. */
const imageTokens = visual((run) => {
  if (!CUTS.has(run.system)) return [];
  const setting = settingOf(run, "max_pixels"), pixels = numberOr(resolved(run, setting?.value), MAX_PIXELS);
  const tokens = Math.floor(pixels / PIXELS_OF_TOKEN), needs = tokens + QUESTION, by = isTrue(valueOf(run, "use_vllm"));
  const limit = settingOf(run, by ? "max_new_tokens" : "max_prompt_length");
  const most = numberOr(resolved(run, limit?.value), by ? MAX_COMPLETION : MAX_PROMPT);
  if (needs <= most) return [];
  const option = by ? "max_completion_length" : "max_prompt_length";
  const said =
    `an image of ${pixels} pixels (max_pixels${
      setting === undefined ? ", by default" : ""
    }) is ${tokens} tokens, with a ` +
    `question about ${needs}, and ${option} is ${most}${limit === undefined ? " by default" : ""}: `;
  const message = said +
    (by
      ? "vLLM is opened with that as its longest sequence, and refuses the prompt"
      : "the prompt is cut for the update and not for sampling, and the completion then begins with the rest of the prompt");
  const places = shown(setting, limit, settingOf(run, "model")).slice(0, 2);
  return [
    own(
      "error",
      message,
      `Set --${option} to ${by ? needs + most : needs}, or --max_pixels to ${fitting(most)}.`,
      places,
    ),
  ];
});

/** Pixels whose tokens fit beside a question. */
const fitting = (most: number) => Math.max(4, most - QUESTION) * PIXELS_OF_TOKEN;

/** pixel_values are tiled, image_grid_thw is repeated one by one: with two prompts images and completions do not belong together. */
const imagesOfBatch = visual((run) => {
  const setting = settingOf(run, "device_batch_size"), size = numberOr(resolved(run, setting?.value), DEVICE_BATCH);
  if (run.system !== "visual-rft" || size < 2) return [];
  const message =
    `per_device_train_batch_size is ${size}${setting === undefined ? " by default" : ""}: with more than one prompt ` +
    "on a device Visual-RFT's trainer gives completions the images of other prompts";
  const hint = "Set --per_device_train_batch_size 1, and --gradient_accumulation_steps to make up for it.";
  return [own("error", message, hint, shown(setting ?? settingOf(run, "model")))];
});

/** Flash attention computes in half precision alone, and Qwen2-VL with it wants padding on the left. */
const flashAttention = visual((run) => {
  const setting = settingOf(run, "attention");
  if (!/^flash/.test(String(resolved(run, setting?.value)))) return [];
  const found: Own[] = [], side = named(run, "padding_side");
  found.push(...fullPrecision(run, setting!));
  if (String(resolved(run, side?.value)) === "right") {
    const message = "flash attention on prompts that are padded on the right: Qwen2-VL refuses it, or writes noise";
    found.push(own("error", message, "Set padding_side to left.", [side!, setting!]));
  }
  return found;
});

/** Ways to half precision that a script's own options do not show. */
const ELSEWHERE = ["config", "config_file", "mixed_precision", "model_init_kwargs"];

/**
 * Under --bf16 or --fp16 float32 weights are cast before attention. Without, weights decide: Visual-RFT and R1-V hand
 * from_pretrained() no dtype (their scripts pass ModelConfig's torch_dtype to nobody), which is float32 in transformers 4;
 * VLM-R1 takes torch_dtype, and bfloat16 where it is not said.
 */
function fullPrecision(run: ImportedRun, attention: ImportedSetting): Own[] {
  const half = (["bf16", "fp16"] as const).map((option) => settingOf(run, option));
  const isOff = (setting: ImportedSetting | undefined) =>
    setting === undefined || /^(?:false|0|no)$/i.test(String(resolved(run, setting.value)));
  if (!half.every(isOff) || scriptOf(run) === null || ELSEWHERE.some((name) => named(run, name) !== undefined)) {
    return [];
  }
  const precision = settingOf(run, "precision");
  if (run.system === "vlm-r1" && !/^(?:float32|fp32)$/.test(String(resolved(run, precision?.value)))) return [];
  const why = run.system === "vlm-r1"
    ? `${precision!.name} is ${precision!.value}`
    : `this trainer tells from_pretrained() no dtype${
      precision === undefined ? "" : ` (it never reads --${precision.name})`
    }, so that transformers 4 loads float32`;
  const message =
    `${attention.name} is ${attention.value}, neither --bf16 nor --fp16 is on, and ${why}: flash attention computes in ` +
    "half precision alone, and refuses";
  return [own("error", message, "Set --bf16, or --attn_implementation sdpa.", shown(attention, precision))];
}

/** Rewards write into open(os.getenv("LOG_PATH")), which is None where nobody set it. */
const debugWithoutPath = visual((run) => {
  const debug = named(run, "DEBUG_MODE");
  if (debug === undefined || String(debug.value) !== "true" || named(run, "LOG_PATH") !== undefined) return [];
  const message = "DEBUG_MODE is true and LOG_PATH is not set: the first reward stops the run with a TypeError";
  return [own("error", message, "export LOG_PATH=./debug_log.txt, or leave DEBUG_MODE out.", [debug])];
});

/** VLM-R1 spreads a group over devices: its size must divide the completions of one step (grpo_trainer.py, __init__). */
const wholeGroups = visual((run) => {
  const devices = valueOf(run, "devices"), nodes = numberOr(valueOf(run, "nodes"), 1);
  if (run.system !== "vlm-r1" || typeof devices !== "number") return [];
  const size = settingOf(run, "group_size"), batch = settingOf(run, "device_batch_size");
  const [group, each] = [
    numberOr(resolved(run, size?.value), TRL_GROUP),
    numberOr(resolved(run, batch?.value), DEVICE_BATCH),
  ];
  const all = devices * nodes * each;
  if (all % group === 0) return [];
  const message =
    `${
      devices * nodes
    } processes × ${each} of a device are ${all} completions, no whole number of groups of ${group}: ` +
    "VLM-R1 refuses to start";
  const fit = [8, 6, 5, 4, 3, 2].find((count) => count <= all && all % count === 0) ?? all;
  return [
    own("error", message, `Set --num_generations ${fit}.`, shown(size, batch, settingOf(run, "devices")).slice(0, 2)),
  ];
});

/** Qwen2-VL was trained in bfloat16: some of its activations are beyond what float16 holds. */
const halfPrecision = visual((run) => {
  const fp16 = settingOf(run, "fp16"), precision = settingOf(run, "precision");
  const setting = isTrue(fp16?.value)
    ? fp16
    : run.system === "vlm-r1" && /^(?:float16|fp16|half)$/.test(String(resolved(run, precision?.value)))
    ? precision
    : undefined;
  if (setting === undefined) return [];
  const message = `${setting.name} ${setting.value}: Qwen2-VL's activations overflow float16, and log-probs become NaN`;
  return [own("warning", message, "Set --bf16 (and --torch_dtype bfloat16).", [setting])];
});

/** Each by its name in the table. */
export const VISUAL_CHECKS = {
  greedy_model_folder: greedyFolder,
  script_of_other_rewards: wrongScript,
  rewards_not_read: ignoredRewards,
  image_beyond_prompt: imageTokens,
  images_of_other_prompts: imagesOfBatch,
  flash_attention_of_images: flashAttention,
  debug_without_path: debugWithoutPath,
  groups_over_devices: wholeGroups,
  images_in_fp16: halfPrecision,
} as const satisfies Record<string, Rule>;
