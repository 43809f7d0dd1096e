/** The card of an exported model (README.md): from what it was made, how it was trained, what it came to. No path, no token. @module */
import { parse } from "yaml";
import { orElse } from "../file_system.ts";

export interface CardFacts {
  /** `ORG/NAME` of the model that it began with; null for random weights and for a folder. */
  readonly base: string | null;
  /** Where that is a folder of ours: the model of the Hub that its card names. */
  readonly ancestor: string | null;
  /** What the folder of that model is called, no path; null for random weights. */
  readonly folder: string | null;
  /** As the base's card has it. */
  readonly licenses: readonly string[];
  readonly isAdapter: boolean;
  /** policy, critic or reward model. */
  readonly what: string;
  readonly workflow: string;
  readonly run: string;
  readonly seed: number;
  readonly trainStep: number;
  /** The steps of the workflow in their order, each once. */
  readonly steps: readonly string[];
  /** Rewards, by their names or those of their files. */
  readonly rewards: readonly string[];
  /** Tasks, data sets and names of files that were trained on. */
  readonly data: readonly string[];
  /** Kinds of training that its weights have had, as `phase` of the table `metrics` has them. */
  readonly phases: readonly string[];
  /** Settings in force by name. */
  readonly settings: ReadonlyMap<string, unknown>;
  readonly versions: Readonly<Record<string, string>>;
  /** Data sets of the Hub that were read. */
  readonly datasets: readonly string[];
  readonly evaluations: readonly {
    readonly step: string;
    readonly trainStep: number;
    readonly mode: string;
    readonly prompts: number;
    readonly correct: number;
  }[];
  /** What the doctor found in the run so far; the cause alone, for a message may quote data. */
  readonly findings: readonly { readonly cause: string; readonly severity: string }[];
}

/** By this line a card of ours is known: it may be written anew. */
export const CARD_MARK = "<!-- Written by Nonzero: export_model -->";

/** The text of README.md. */
export function modelCard(facts: CardFacts): string {
  return [
    "---",
    ...frontMatter(facts),
    "---",
    CARD_MARK,
    "",
    `# ${facts.workflow}`,
    "",
    `${
      facts.isAdapter ? "A LoRA adapter" : "A model"
    } (${facts.what}), trained by the workflow \`${facts.workflow}\` with Nonzero` +
    `${beganWith(facts)}.${facts.isAdapter && facts.base === null && facts.folder !== null ? BASE_BESIDE : ""}`,
    "",
    "## Training",
    "",
    `* Steps: ${named(facts.steps) || "not known"}`,
    ...listed("Data", facts.data),
    ...listed("Rewards", facts.rewards),
    `* Train steps: ${facts.trainStep}; seed ${facts.seed}; run ${facts.run}`,
    `* Versions: ${
      Object.entries(facts.versions).map(([name, version]) => `${name} ${version}`).join(", ") || "not known"
    }`,
    "",
    ...settingsTable(facts.settings),
    "## Evaluation",
    "",
    ...evaluationTable(facts.evaluations),
    "## The doctor's verdict",
    "",
    verdict(facts.findings),
    "",
  ].join("\n");
}

/** PEFT's Auto classes take a path from where the program stands. */
const BASE_BESIDE = " `adapter_config.json` names that folder as it lies from this one: with PEFT, load it and then " +
  "`PeftModel.from_pretrained(base_model, adapter_folder)`.";

function beganWith({ base, folder }: CardFacts): string {
  if (base !== null) return ` from ${base}`;
  return folder === null || isPrivate(folder) ? "" : ` from the model in the folder \`${inCode(folder)}\``;
}

const inCode = (text: string) => text.replaceAll(/[`\r\n]/g, " ");
const named = (names: readonly string[]) =>
  names.filter((name) => !isPrivate(name)).map((name) => `\`${inCode(name)}\``).join(", ");

function listed(what: string, names: readonly string[]): string[] {
  const text = named(names);
  return text === "" ? [] : [`* ${what}: ${text}`];
}

/** What the Hub calls a kind of training. */
const TAGS: Readonly<Record<string, string>> = {
  sft: "sft",
  preference: "preference-optimization",
  reward_model: "reward-model",
  rollout: "reinforcement-learning",
};

function frontMatter({ base, ancestor, licenses, isAdapter, datasets, phases }: CardFacts): string[] {
  // An adapter fits the model that it was trained upon, and none before it.
  const named = base ?? (isAdapter ? null : ancestor);
  const list = (name: string, items: readonly string[]) =>
    items.length === 0 ? [] : [`${name}:`, ...items.map((item) => `- ${JSON.stringify(item)}`)];
  return [
    ...(named === null ? [] : [`base_model: ${JSON.stringify(named)}`]),
    ...(licenses.length === 1 ? [`license: ${JSON.stringify(licenses[0])}`] : list("license", licenses)),
    `library_name: ${isAdapter ? "peft" : "transformers"}`,
    ...list("datasets", datasets),
    ...list("tags", ["nonzero", ...phases.flatMap((phase) => TAGS[phase] ?? []), ...(isAdapter ? ["lora"] : [])]),
  ];
}

/** A path, an address of this machine or a token: nobody else's business. */
const isPrivate = (value: unknown) =>
  typeof value === "string" &&
  /^(?:[\\/~.]|[A-Za-z]:[\\/])|\bhf_\w{8,}|[\w.+-]+@[\w-]+\.\w+|localhost|\/home\/|\/Users\//.test(value);

function settingsTable(settings: ReadonlyMap<string, unknown>): string[] {
  const shown = [...settings].filter(([, value]) =>
    !isPrivate(value) && !Array.isArray(value) && typeof value !== "object"
  );
  if (shown.length === 0) return [];
  const rows = shown.map(([name, value]) =>
    `| ${name} | ${String(value).replaceAll("|", "\\|").replaceAll("\n", " ")} |`
  );
  return ["| setting | value |", "| --- | --- |", ...rows, ""];
}

function evaluationTable(evaluations: CardFacts["evaluations"]): string[] {
  if (evaluations.length === 0) return ["Not evaluated.", ""];
  const percent = (share: number) => `${(100 * share).toFixed(1)} %`;
  const rows = evaluations.map(({ step, trainStep, mode, prompts, correct }) =>
    `| ${step} | ${trainStep} | ${mode} | ${prompts} | ${percent(correct / prompts)} |`
  );
  return ["| evaluation | train step | mode | prompts | correct |", "| --- | --- | --- | --- | --- |", ...rows, ""];
}

function verdict(findings: CardFacts["findings"]): string {
  if (findings.length === 0) return "No diagnosis fired up to this export.";
  return [...new Set(findings.map(({ cause, severity }) => `* ${severity}: \`${cause}\``))].join("\n");
}

/** The licences in the front matter of a card: one, or a list of them. */
export function licensesOf(card: string | null): string[] {
  return [frontOf(card)["license"]].flat().filter((name): name is string =>
    typeof name === "string" && /^[\w.-]+$/.test(name)
  );
}

/** The model of the Hub that a card of ours names; of another's it may be the one before that model itself. */
export function baseOf(card: string | null): string | null {
  const base = card?.includes(CARD_MARK) ? frontOf(card)["base_model"] : null;
  return typeof base === "string" && /^[\w.-]+\/[\w.-]+$/.test(base) ? base : null;
}

function frontOf(card: string | null): Readonly<Record<string, unknown>> {
  const front = /^---\r?\n([^]*?)\r?\n---/.exec(card ?? "")?.[1] ?? "";
  return orElse(() => parse(front, { maxAliasCount: 0, logLevel: "error" }) as Record<string, unknown> | null, null) ??
    {};
}
