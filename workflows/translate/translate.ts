/** Turns another system's file into a workflow of ours, with the list of what became of every option. @module */
import { dirname, resolve } from "node:path";
import { wrapped } from "../terminal/text_width.ts";
import { didYouMean } from "../../data/did_you_mean.ts";
import { isFile, isThere } from "../../data/file_system.ts";
import { isAddress } from "../../data/hub/remote/repository.ts";
import { placeNote } from "./pull_notes.ts";
import { callerFolder, shownPath } from "../terminal/caller.ts";
import { commandLine, optionWords } from "../terminal/command_line.ts";
import { SOME_STEPS } from "./hugging_face.ts";
import { readForeign } from "./read_options.ts";
import { localRows } from "./row_count.ts";
import { reportLines } from "./report.ts";
import { ourDefault, settle } from "./settle.ts";
import { applyTable, type Beside, type Outcome, type Settings, type Target } from "./table.ts";
import { type Shape, type Trainer, TRAINERS } from "./trainers.ts";
import { type Foreign, type ForeignSystem, shownValue } from "./written.ts";
import { stepsOf, workflowText } from "./workflow_file.ts";

interface Translation {
  /** The workflow file. */
  readonly text: string;
  /** As its people call the system. */
  readonly system: string;
  readonly outcomes: readonly Outcome[];
  /** What could not be followed, and what is to be put in place. */
  readonly notes: readonly string[];
  readonly settings: Settings;
}

export const TITLES: Readonly<Record<ForeignSystem, string>> = {
  trl: "TRL",
  verl: "verl",
  openrlhf: "OpenRLHF",
  "ms-swift": "ms-swift",
  llamafactory: "LLaMA-Factory",
  "visual-rft": "Visual-RFT",
  "vlm-r1": "VLM-R1",
  "r1-v-family": "R1-V",
};

const COMMENT_WIDTH = 116;

/**
 * Translates a file; `shown` is how messages and the workflow name it, `folder` where the workflow will lie. Throws a named
 * error where it is none.
 */
export async function translate(
  path: string,
  shown: string,
  name: string,
  folder: string = dirname(path),
): Promise<Translation> {
  const foreign = await readForeign(path, shown), found = await localRows(foreign.options, path);
  const isLocal = (one: string) => [dirname(path), callerFolder()].some((place) => isThere(resolve(place, one)));
  const translation = translated(foreign, shown, name, { isLocal, ...found }, folder);
  if (found !== null) return translation;
  // The rows may have been put where the workflow reads them.
  const file = fileOf(translation.settings), placed = typeof file === "string" ? resolve(folder, file) : null;
  const rows = placed !== null && isFile(placed) ? await localRows(foreign.options, path, placed) : null;
  return rows === null ? translation : translated(foreign, shown, name, { isLocal, ...rows }, folder);
}

const fileOf = (settings: Settings) => settings["load_prompts.file"] ?? settings["load_preferences.file"];

/** Translates what was read of a file, with what is known of its rows; `folder` is where the workflow will lie. */
export function translated(
  foreign: Foreign,
  shown: string,
  name: string,
  beside: Beside = {},
  folder: string = callerFolder(),
): Translation {
  const system = TITLES[foreign.system], trainer = trainerOf(foreign, shown);
  const applied = applyTable(trainer, foreign.options, system, ourDefault, {
    ...beside,
    functions: foreign.functions ?? {},
  });
  if (applied.refusal !== null) throw new RangeError(`Cannot translate "${shown}": ${applied.refusal}`);
  const least = needed(trainer.shape), whole = { ...applied, settings: { ...least, ...applied.settings } };
  const plain = { outcomes: [], settings: { ...least, ...applyTable(trainer, [], system, ourDefault).settings } };
  // What the system does where nothing is said may be refused here too.
  const usable = settle(plain, stepsOf(trainer.shape, plain.settings), least).settings;
  const { outcomes, settings } = adapterOff(settle(whole, stepsOf(trainer.shape, whole.settings), usable));
  const told = (at: (path: string) => string) => [
    ...foreign.notes,
    ...trainer.notes ?? [],
    ...processNotes(foreign, system),
    ...places(trainer.shape, settings, folder, at),
  ];
  // Who reads the file stands where it lies, who reads the terminal where they began.
  const written = told((path) => path), notes = told((path) => shownPath(resolve(folder, path)));
  const about = `Translated from ${shown}: ${trainer.name} of ${system}.`;
  const comment = [
    `${foreign.form}, ${trainer.name}, translated by: new workflow ${name} --from ${shown}`,
    "",
    ...written.flatMap((note) => wrapped(`* ${note}`, COMMENT_WIDTH).map((line, i) => i === 0 ? line : `  ${line}`)),
    ...(written.length > 0 ? [""] : []),
    ...reportLines(outcomes, system, COMMENT_WIDTH),
    "",
  ].map((line) => line.replaceAll(/[^\P{Cc}\t]/gu, " "));
  return {
    text: workflowText({ name, about, shape: trainer.shape, settings, comment }),
    system,
    outcomes,
    notes,
    settings,
  };
}

/** Methods that are no misspelling of another: what to do instead. */
const OTHER_METHODS: Readonly<Record<string, string>> = {
  ppo: "; workflows/library/ppo.yaml is PPO with a critic: set its options to the file's",
  ...Object.fromEntries(
    ["orpo", "cpo", "simpo", "kto_pair", "bco", "xpo", "nashmd", "nash_md", "onlinedpo", "online_dpo", "gkd", "prm"]
      .map(
        (name) => [name, ` (dpo, kto, sft, reward, grpo, rloo)`],
      ),
  ),
};

function trainerOf({ system, trainer, options }: Foreign, shown: string): Trainer {
  const known = TRAINERS[system];
  const own = Object.hasOwn(known, trainer) ? known[trainer]! : null, name = own?.elsewhere?.(options) ?? trainer;
  if (own !== null && name === trainer) return own;
  throw new RangeError(
    `Cannot translate "${shown}": it trains with "${shownValue(name)}" of ${
      TITLES[system]
    }, want one that is here too` +
      (Object.hasOwn(OTHER_METHODS, name) ? OTHER_METHODS[name] : didYouMean(name, Object.keys(known))),
  );
}

/** What a step cannot do without, where the file does not say it. */
function needed(shape: Shape): Settings {
  const model = { "load_model.model": "./models/MODEL" };
  switch (shape) {
    case "rollout":
      return {
        ...model,
        "load_prompts.file": "./data/prompts.jsonl",
        "load_prompts.splits": { train: 1, validation: 0, held_out: 0 },
        "score_rewards.rewards": [{ uses: "verifier" }],
        "workflow.train_steps": SOME_STEPS,
      };
    case "supervised":
      return {
        ...model,
        "load_prompts.file": "./data/prompts.jsonl",
        "load_prompts.splits": { train: 1, validation: 0, held_out: 0 },
        "fine_tune.max_updates": SOME_STEPS,
      };
    case "preferences":
      return {
        ...model,
        "load_preferences.file": "./data/preferences.jsonl",
        "train_preferences.max_updates": SOME_STEPS,
      };
    case "reward_model":
      return {
        ...model,
        "load_preferences.file": "./data/preferences.jsonl",
        "train_reward_model.max_updates": SOME_STEPS,
      };
  }
}

/** How many processes a command ran on changes its batch, and the file may not say. */
function processNotes({ options, system: kind }: Foreign, system: string): string[] {
  if (
    kind === "verl" || kind === "openrlhf" ||
    options.some(({ name }) => /^(?:num_processes|nproc_per_node|world_size)$/.test(name))
  ) return [];
  return [
    `the file does not say on how many processes ${system} ran: 1 is taken; with more, multiply the batch by them`,
  ];
}

/** Beneath a new adapter the reference is the frozen weights themselves, as PEFT's trainers have it: no copy. */
function adapterOff({ outcomes, settings }: Pick<Translation, "outcomes" | "settings">) {
  const target = "load_model.reference", off = { [target]: "adapter_off" };
  if (settings["load_model.lora"] === undefined || settings[target] !== "copy") return { outcomes, settings };
  return {
    outcomes: outcomes.map((one) => one.set[target] === "copy" ? { ...one, set: { ...one.set, ...off } } : one),
    settings: { ...settings, ...off },
  };
}

const ANSWERS =
  "rows have a column prompt and a column answer; for prompt and completion set answer_column: completion of " +
  "load_prompts; for conversations messages_column: messages and verifier: none of load_prompts, and of fine_tune loss_on: all, " +
  "as TRL counts them, or assistant; a column text is not read";

/** The columns that rows of prompts have. */
function withColumns(settings: Settings): string {
  const { "load_prompts.prompt_column": prompt = "prompt", "load_prompts.answer_column": answer = "answer" } = settings;
  const talk = settings["load_prompts.messages_column"], read = talk === undefined ? [prompt, answer] : [talk];
  const images = settings["load_prompts.image_column"] ?? [];
  const names = [read, images, settings["load_prompts.columns"] ?? []].flat(2).filter((name) => name !== null);
  return `, with ${names.length > 1 ? "columns" : "a column"} ${names.join(", ").replace(/, (?=[^,]*$)/, " and ")}`;
}

/** What is to be put in place before the workflow in a folder runs; `at` says a path as it is told. */
function places(shape: Shape, settings: Settings, folder: string, at: (path: string) => string): string[] {
  const value = (target: Target) => settings[target];
  const model = String(value("load_model.model")), file = fileOf(settings);
  const own = value("score_rewards.rewards"), rewards = Array.isArray(own) ? own as { readonly uses: string }[] : [];
  const files = rewards.map(({ uses }) => uses).filter((uses) => uses.endsWith(".ts"));
  return [
    placeNote(
      model,
      "the model",
      `put the model's folder (config.json, tokenizer.json, *.safetensors) at ${at(model)}`,
    ),
    placeNote(
      String(file),
      "the rows",
      `put the rows at ${at(String(file))}${shape === "rollout" ? withColumns(settings) : ""}`,
    ),
    ...[value("load_critic.model"), value("load_reward_model.model")].flatMap((place) =>
      typeof place === "string" && isAddress(place) ? [placeNote(place, "the model that scores", "")] : []
    ),
    ...(shape === "supervised" && value("load_prompts.answer_column") === undefined ? [ANSWERS] : []),
    ...files.map((uses) => {
      const words = ["new", "reward", uses.replace(/^\.\/|\.ts$/g, ""), ...optionWords("into", shownPath(folder))];
      return `write the reward ${at(uses)}: ${commandLine(words)}`;
    }),
  ];
}
