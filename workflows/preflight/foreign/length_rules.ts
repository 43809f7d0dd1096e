/** Lengths that cut prompts, images, thoughts, or leave completions no room. @module */
import { type Hit, hit, type LaunchRule, ON_TRAINER, ON_TRL } from "./rule.ts";
import type { Launch } from "./launch.ts";
import { PIXELS_OF_TOKEN } from "./visual_rules.ts";

/** LLaMA-Factory's default: 768 × 768. */
const IMAGE_PIXELS = 589_824;
const IMAGES = /[-_ ]vl\b|[-_]vl-|qwen\w*vl|llava|internvl|paligemma|smolvlm|idefics|minicpm-v|vision/i;

interface Lengths {
  readonly most: string;
  readonly prompt: readonly string[];
  readonly completion: readonly string[];
}

const ENGINES: Readonly<Partial<Record<Launch["system"], readonly Lengths[]>>> = {
  trl: [
    { most: "vllm_max_model_length", prompt: ["max_prompt_length"], completion: ["max_completion_length"] },
    { most: "vllm_max_model_len", prompt: ["max_prompt_length"], completion: ["max_completion_length"] },
  ],
  "ms-swift": [{ most: "vllm_max_model_len", prompt: ["max_length"], completion: ["max_completion_length"] }],
  unsloth: [{ most: "model.max_seq_length", prompt: ["max_prompt_length"], completion: ["max_completion_length"] }],
  verl: [{
    most: "actor_rollout_ref.rollout.max_model_len",
    prompt: ["data.max_prompt_length"],
    completion: ["data.max_response_length"],
  }],
  openrlhf: [{ most: "data.max_len", prompt: [], completion: ["rollout.max_new_tokens"] }, {
    most: "max_len",
    prompt: ["prompt_max_len"],
    completion: ["generate_max_len"],
  }],
};

function engineTooShort(launch: Launch): Hit | null {
  for (const { most, prompt, completion } of ENGINES[launch.system] ?? []) {
    const limit = launch.number(most), asked = prompt.length === 0 ? null : launch.number(...prompt);
    const answered = launch.number(...completion);
    if (limit === null || answered === null || !launch.isRollout) continue;
    const needs = answered + (asked ?? 0);
    // Without a prompt's length there must be room for one at all.
    if (asked === null ? needs < limit : needs <= limit) continue;
    const parts = asked === null
      ? `completions of ${answered} tokens leave no room for a prompt`
      : `prompts of ${asked} and ` +
        `completions of ${answered} tokens need ${needs}`;
    const found = hit(
      `${parts}, and ${launch.called(most)} is ${limit}: sequences are cut, or refused by the engine`,
      [launch.told(...completion), launch.told(most)],
      { name: most, value: asked === null ? answered + 1024 : needs },
    );
    // Prompts are rarely as long as they may be; a completion that fills all of it always is.
    if (answered >= limit || launch.system === "verl") return found; // verl asserts it before the first step.
    return { ...found, severity: launch.system === "ms-swift" ? "info" : "warning" };
  }
  return null;
}

function promptFillsLength(launch: Launch): Hit | null {
  const [prompt, all] = [launch.number("max_prompt_length"), launch.number("max_length")];
  if (launch.isRollout || prompt === null || all === null || prompt < all) return null;
  return hit(
    `prompts may have ${prompt} tokens and the whole row ${all}: of a long prompt's completion nothing is left to learn from`,
    [launch.told("max_length"), launch.told("max_prompt_length")],
    { name: "max_prompt_length", value: Math.floor(all / 2) },
  );
}

/** The model reads images, by its name. */
const readsImages = (launch: Launch) => IMAGES.test(launch.model ?? "");

const SHORT_PROMPT = 512, SHORT_ROW = 1024; // TRL's own defaults.

function imagesCut(launch: Launch): Hit | null {
  if (launch.system === "llamafactory") return imagesBeyondCutoff(launch);
  if (launch.system === "ms-swift") return imagesDropped(launch);
  if (!readsImages(launch)) return null;
  const name = launch.trainer === "grpo" || launch.trainer === "rloo" ? "max_prompt_length" : "max_length";
  const most = launch.number(name);
  if (most === null || most > (name === "max_length" ? SHORT_ROW : SHORT_PROMPT)) return null;
  return hit(
    `${name} ${most} cuts prompts of a model with images: an image is hundreds of tokens, and what is left of them no longer ` +
      "fits its pixels",
    [launch.told(name)],
    { name, value: null },
  );
}

function imagesBeyondCutoff(launch: Launch): Hit | null {
  const cut = launch.number("cutoff_len"),
    pixels = launch.numberOr(IMAGE_PIXELS, "image_max_pixels", "image_resolution");
  if (cut === null || pixels === null || !/_vl$|llava|internvl/.test(launch.word("template") ?? "")) return null;
  const area = launch.isWritten("image_resolution") && pixels < 10_000 ? pixels ** 2 : pixels;
  const tokens = Math.floor(area / PIXELS_OF_TOKEN);
  if (cut > tokens) return null;
  return hit(
    `an image of ${area} pixels is ${tokens} tokens and cutoff_len is ${cut}: image tokens are cut, and no longer match the image's features`,
    [launch.told("image_max_pixels"), launch.told("cutoff_len")],
    { name: "cutoff_len", value: tokens + 1024 },
  );
}

function imagesDropped(launch: Launch): Hit | null {
  const most = launch.number("max_length"), pixels = launch.number("max_pixels");
  const strategy = launch.word("truncation_strategy") ?? "delete";
  if (most === null || pixels === null || strategy !== "delete" || pixels / PIXELS_OF_TOKEN < most) return null;
  return hit(
    `an image of ${pixels} pixels is ${
      Math.floor(pixels / PIXELS_OF_TOKEN)
    } tokens and max_length is ${most}: truncation_strategy delete ` +
      "drops every row with such an image",
    [launch.told("max_pixels"), launch.told("max_length")],
    { name: "max_length", value: Math.floor(pixels / PIXELS_OF_TOKEN) + 1024 },
  );
}

const THINKERS = /r1-distill|\bqwq\b|thinking|qwen3-\d+(?:\.\d+)?b$|magistral|phi-4(?:-mini)?-reasoning|gpt-oss/i;
const ANSWERS = ["max_completion_length", "data.max_response_length", "rollout.max_new_tokens", "generate_max_len"];
const SHORT_THOUGHT = 512;
/** Tokens that hold a word or a number and no way to it; those of a chat template. */
const A_WORD = 16, TEMPLATE = 32;

function thinkingCut(launch: Launch): Hit | null {
  const told = launch.told(...ANSWERS);
  if (told === undefined || typeof told.value !== "number" || told.value > SHORT_THOUGHT || !launch.isRollout) {
    return null;
  }
  if (told.value <= A_WORD) return null; // completion_of_a_word says it.
  if (!THINKERS.test(launch.model ?? "") || /enable_thinking["':= ]+(?:false|0)/i.test(launch.text)) return null;
  return hit(
    `${launch.called(told.name)} is ${told.value}, and ${
      launch.model!.split("/").at(-1)
    } thinks for longer before it answers: all completions are ` +
      "cut, and none earns a reward",
    [told],
    { name: told.name, value: 4096 },
  );
}

/** What TRL's older trainers and LLaMA-Factory's call the longest completion. */
const OLDER_ANSWERS = ["max_new_tokens", "response_length"];
/** A task that wants more than a word: what is written of the data, the rewards or the prompt says so. */
const REASONS =
  /gsm8k|\bmath|\baime|numina|olympiad|countdown|deepscaler|dapo|geo(?:3k|qa|metry)|clevr|humaneval|mbpp|livecode|think|reason|format|cosine|overlong/i;

/** The data, rewards and prompts that a training is told, as one text. */
const taskOf = (launch: Launch) =>
  launch.options.filter(({ name }) => /dataset|data|reward|prompt|train_files|system|template/.test(name))
    .map(({ value }) => typeof value === "string" ? value : JSON.stringify(value)).join(" ");

function completionOfAWord(launch: Launch): Hit | null {
  const told = launch.told(...ANSWERS, ...OLDER_ANSWERS);
  if (
    told === undefined || typeof told.value !== "number" || told.value < 1 || told.value > A_WORD || !launch.isRollout
  ) return null;
  const isReasoned = THINKERS.test(launch.model ?? "") || REASONS.test(taskOf(launch));
  const found = hit(
    `${launch.called(told.name)} is ${told.value}: a completion holds a word or a number, ` +
      (isReasoned
        ? "and this task wants a way to the answer: all are cut, and none earns more than by chance"
        : "which is enough only where that is the whole answer; else all are cut"),
    [told],
    { name: told.name, value: isReasoned ? 512 : 256 },
  );
  return isReasoned ? found : { ...found, severity: "info" };
}

const PROMPTS = ["max_prompt_length", "data.max_prompt_length", "prompt_max_len", "max_source_length"];
const ROWS = [
  "max_length",
  "max_seq_length",
  "cutoff_len",
  "data.max_length",
  "data.max_len",
  "max_len",
  "model.max_seq_length",
];

function rowOfATemplate(launch: Launch): Hit[] {
  const names = launch.isRollout ? [...PROMPTS, ...ROWS] : ROWS;
  return names.flatMap((name) => {
    const told = launch.told(name);
    if (told === undefined || typeof told.value !== "number" || told.value <= 0 || told.value > TEMPLATE) return [];
    return hit(
      `${launch.called(name)} is ${told.value}: a chat template alone takes about as many tokens, and of most rows ` +
        "nothing else is left",
      [told],
      { name, value: launch.isRollout ? 512 : 1024 },
    );
  });
}

export const LENGTH_RULES = {
  engine_too_short: {
    systems: ["trl", "ms-swift", "unsloth", "verl", "openrlhf"],
    severity: "error",
    also: "warning",
    about: "Prompt and completion at their longest do not fit the engine's or the model's length.",
    change:
      "vllm_max_model_length, --vllm_max_model_len, max_seq_length, --data.max_len, actor_rollout_ref.rollout.max_model_len",
    source: "vLLM, max_model_len; unslothai/unsloth#2215; ms-swift, Command-line-parameters",
    check: engineTooShort,
  },
  prompt_fills_length: {
    systems: ["trl", "unsloth"],
    severity: "error",
    about: "In a training on pairs the prompt may fill the whole row.",
    change: "max_prompt_length",
    source: "TRL up to 0.28, dpo_config.py, max_length and max_prompt_length",
    check: promptFillsLength,
  },
  images_cut: {
    systems: [...ON_TRL, "llamafactory"],
    severity: "warning",
    about: "A length that cuts the tokens of images, or drops the rows that have one.",
    change: "max_prompt_length, max_length, cutoff_len",
    source:
      "TRL, grpo_config.py and sft_config.py (None for models with images); ms-swift, truncation_strategy; LLaMA-Factory, model_args.py, image_max_pixels",
    wantsWhole: true,
    check: imagesCut,
  },
  thinking_cut: {
    systems: [...ON_TRL, "verl", "openrlhf"],
    severity: "warning",
    about: "A reasoning model is cut before it can answer.",
    change: "max_completion_length, data.max_response_length, --rollout.max_new_tokens",
    source: "DeepSeek-R1, model card: outputs of up to 32,768 tokens; tests/cases/031 (a cap of 256)",
    check: thinkingCut,
  },
  completion_of_a_word: {
    systems: [...ON_TRAINER, "verl", "openrlhf"],
    severity: "warning",
    also: "info",
    about: "A longest completion that holds a word, where the task wants a way to the answer.",
    change: "max_completion_length, data.max_response_length, --rollout.max_new_tokens",
    source: "docs/rules.md, truncated_completions; TRL, grpo_config.py: 512 where nothing is written",
    check: completionOfAWord,
  },
  row_of_a_template: {
    systems: [...ON_TRAINER, "verl", "openrlhf"],
    severity: "warning",
    about: "Rows or prompts that are cut to about the tokens of their chat template.",
    change: "max_length, max_prompt_length, cutoff_len, data.max_prompt_length, --data.max_len",
    source: "Qwen2.5, tokenizer_config.json, chat_template: some thirty tokens around an empty question",
    check: rowOfATemplate,
  },
} as const satisfies Record<string, LaunchRule>;
