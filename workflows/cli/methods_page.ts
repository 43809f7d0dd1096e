/** The page docs/methods.md: every method with its formula, where it comes from, and its name in other systems. @module */
import { z } from "zod";
import { AGGREGATIONS } from "../../gpu/losses/aggregations.ts";
import { KL_ESTIMATORS } from "../../gpu/losses/kl.ts";
import { KTO_FORMS } from "../../gpu/losses/kto.ts";
import { KTO_VANILLA_METHOD } from "../../gpu/losses/kto_vanilla.ts";
import type { MethodNotes } from "../../gpu/losses/method.ts";
import { LOSS_PRESETS } from "../../gpu/losses/presets.ts";
import { OBJECTIVES, ROLLOUT_OBJECTIVES } from "../../gpu/losses/mod.ts";
import { DIVERGENCES } from "../../gpu/losses/preferences/divergences.ts";
import { DPO_LOSSES } from "../../gpu/losses/preferences/dpo_losses.ts";
import { ADVANTAGES } from "../../steps/advantages/mod.ts";
import { ADVANTAGE_PRESETS } from "../../steps/advantages/presets.ts";
import { ADAPTIVE_ENTROPY } from "../../steps/controllers/entropy_coefficient.ts";
import { ADAPTIVE_KL } from "../../steps/controllers/kl_coefficient.ts";
import { CRITERIA } from "../../steps/corrections/rejection.ts";
import { OUTSIDE } from "../../steps/corrections/sampler_weights.ts";
import { KEEP } from "../../steps/groups/judge.ts";
import { STEPS } from "../../steps/mod.ts";
import { METHOD_DIFFERENCES } from "./method_differences.ts";

/** One kind of method: a table of the code, and the option that names its entries. */
interface MethodSection {
  readonly title: string;
  readonly step: string;
  /** Null where the step has only this method. */
  readonly option: string | null;
  readonly entries: Readonly<Record<string, unknown>>;
  /** Options of the step that an entry reads beside its own. */
  readonly reads?: (entry: Entry, name: string) => readonly string[];
}

/** What a loss of pairs says of itself. */
interface Entry {
  readonly smoothing?: unknown;
  readonly divergence?: unknown;
  readonly weighting?: unknown;
}

const { value, reward_pair } = OBJECTIVES;
const KL_OPTIONS = ["kl_coef", "kl_difference_bound", "kl_bound", "kl_times_ratio"];
const TARGET_OPTIONS = {
  kl_target: ["kl_target", "kl_horizon", "kl_coef"],
  entropy_target: ["entropy_target", "entropy_coef", "entropy_coef_step", "entropy_coef_min", "entropy_coef_max"],
};
const KTO_OPTIONS = ["beta", "desirable_weight", "undesirable_weight"];

function pairOptions({ smoothing, divergence, weighting }: Entry): string[] {
  return [
    "beta",
    ...(smoothing ? ["label_smoothing"] : []),
    ...(divergence ? ["f_divergence"] : []),
    ...(weighting ? ["use_weighting"] : []),
    "ld_alpha",
    "reference_free",
  ];
}

/** Every table whose entries are methods. */
export const METHOD_SECTIONS: readonly MethodSection[] = [
  { title: "Policy losses", step: "apply_update", option: "loss", entries: ROLLOUT_OBJECTIVES },
  { title: "Aggregations", step: "apply_update", option: "aggregation", entries: AGGREGATIONS },
  {
    title: "KL to the reference",
    step: "apply_update",
    option: "kl_estimator",
    entries: KL_ESTIMATORS,
    reads: () => KL_OPTIONS,
  },
  { title: "Advantages", step: "compute_advantages", option: "estimator", entries: ADVANTAGES },
  {
    title: "Groups that are kept",
    step: "filter_groups",
    option: "keep",
    entries: KEEP,
    reads: (_, name) => ["metric", ...(name === "range" ? ["range"] : []), "groups", "max_batches", "too_few"],
  },
  {
    title: "Weights of what the sampler drew",
    step: "apply_update",
    option: "sampler_outside",
    entries: OUTSIDE,
    reads: () => ["sampler_weights", "sampler_bounds", "sampler_normalize"],
  },
  { title: "Rejection of what the sampler drew", step: "apply_update", option: "sampler_reject", entries: CRITERIA },
  {
    title: "Coefficients that follow a target",
    step: "apply_update",
    option: null,
    entries: { kl_target: ADAPTIVE_KL, entropy_target: ADAPTIVE_ENTROPY },
    reads: (_, name) => TARGET_OPTIONS[name as keyof typeof TARGET_OPTIONS],
  },
  {
    title: "Losses of single completions",
    step: "train_preferences",
    option: "loss",
    entries: KTO_FORMS,
    reads: () => KTO_OPTIONS,
  },
  {
    title: "A loss to be recognised, not used",
    step: "train_preferences",
    option: "loss",
    entries: { kto_vanilla: KTO_VANILLA_METHOD },
    reads: () => ["beta", "detach_kl", "unsafe"],
  },
  { title: "Losses of pairs", step: "train_preferences", option: "dpo_loss", entries: DPO_LOSSES, reads: pairOptions },
  { title: "Divergences of pairs", step: "train_preferences", option: "f_divergence", entries: DIVERGENCES },
  {
    title: "The critic",
    step: "update_critic",
    option: null,
    entries: { value },
    reads: () => ["value_clip", "aggregation", "updates_per_rollout"],
  },
  {
    title: "The reward model",
    step: "train_reward_model",
    option: null,
    entries: { reward_pair },
    reads: () => ["margin", "center_rewards"],
  },
];

/** The notes of an entry, or null where it has none yet. */
export function notesOf(entry: unknown): MethodNotes | null {
  if (typeof entry !== "object" || entry === null) return null;
  const notes = "method" in entry ? entry.method : entry;
  return typeof notes === "object" && notes !== null && "formula" in notes ? notes as MethodNotes : null;
}

const SYSTEMS = { trl: "TRL", verl: "verl", openrlhf: "OpenRLHF", visual_rft: "Visual-RFT" } as const;

interface Property {
  readonly default?: unknown;
  readonly description?: string;
}
type Properties = Readonly<Record<string, Property>>;

/** The options of a schema with their defaults, as JSON schema has them. */
function propertiesOf(schema: z.ZodType): Properties {
  const { properties = {} } = z.toJSONSchema(schema, { io: "input", unrepresentable: "any" });
  return properties as Properties;
}

/** Where a workflow names the method: step, option and value, whether it is the default, its own options. */
function here({ step, option, reads }: MethodSection, name: string, entry: unknown): string {
  const stepOptions = propertiesOf(Object.entries(STEPS).find(([one]) => one === step)![1].params);
  const chosen = option !== null && isDefault(stepOptions[option], name);
  const place = option === null
    ? `step \`${step}\``
    : `\`${option}: ${name}\` of \`${step}\`${chosen ? " (default)" : ""}`;
  const params: [string, Property][] = [
    ...(typeof entry === "object" && entry !== null && "params" in entry && entry.params instanceof z.ZodObject
      ? Object.entries(propertiesOf(entry.params))
      : []),
    ...(reads?.(entry as Entry, name) ?? []).map((name): [string, Property] => [name, stepOptions[name]!]),
  ];
  const own = params.map(([option, property]) => `\`${option}\`${defaultText(property)}`);
  return own.length ? `${place}; reads ${own.join(", ")}` : place;
}

/** An option's default with a space before it; where a description says it, that. */
function defaultText({ default: value, description = "" }: Property): string {
  if (Array.isArray(value)) return ` ${JSON.stringify(value)}`;
  if (value !== undefined) return ` ${typeof value === "string" ? value : JSON.stringify(value)}`;
  const [, said] = /([^\s,;]+),? if absent/.exec(description) ?? [];
  return said === undefined ? "" : ` ${said}`;
}

/** An option that a preset may fill in has its default in its description. */
function isDefault(property: Property | undefined, name: string): boolean {
  return property?.default === name ||
    new RegExp(`(?:^|[ ;])${RegExp.escape(name)},? (?:if absent|without a preset)`).test(property?.description ?? "");
}

function methodLines(section: MethodSection, name: string, entry: unknown): string[] {
  const notes = notesOf(entry);
  if (!notes) return [];
  const elsewhere = Object.entries(SYSTEMS).flatMap(([system, title]) => {
    const named = notes.names[system as keyof typeof SYSTEMS];
    return named === undefined ? [] : [`* ${title}: ${named}`];
  });
  return [
    `### \`${name}\``,
    "",
    `* Formula: ${notes.formula}`,
    `* Source: ${notes.source}`,
    `* Here: ${here(section, name, entry)}`,
    ...(elsewhere.length ? elsewhere : ["* In none of TRL, verl, OpenRLHF and Visual-RFT by a name of its own"]),
    "",
  ];
}

/** The presets of a step. */
const PRESETS: Readonly<Record<string, Readonly<Record<string, object>>>> = {
  apply_update: LOSS_PRESETS,
  compute_advantages: ADVANTAGE_PRESETS,
};

/** `key value, …`, one level of objects opened, nulls as "none"; what is undefined is not set. */
function settingsText(settings: object): string {
  return Object.entries(settings).filter(([, value]) => value !== undefined).map(([key, value]) =>
    typeof value === "object" && value !== null && !Array.isArray(value)
      ? `${key} (${settingsText(value)})`
      : `${key} ${value === null ? "none" : typeof value === "string" ? value : JSON.stringify(value)}`
  ).join(", ");
}

const cell = (text: string) => text.replaceAll("|", "\\|");

/** Markdown of the whole page. */
export function methodsPage(): string {
  const sections = METHOD_SECTIONS.filter(({ entries }) => Object.values(entries).some(notesOf));
  const contents = sections.map(({ title }) =>
    `[${title}](#${title.toLowerCase().replaceAll(" ", "-").replaceAll(",", "")})`
  );
  return [
    "# Methods",
    "",
    "Written by `deno task docs` from the code: what each method computes, where it comes from, how a workflow names it, and",
    "what TRL 1.16, verl 1dda039b, OpenRLHF 3c3be623 and Visual-RFT 94866331 call it with their own defaults.",
    "`deno task goldens DIR` compares them with values that those programs computed.",
    "",
    "Letters: lp, old, ref the log-probs in nats of a token under the policy, the policy that sampled, the reference;",
    "r = exp(lp - old); A advantage; m mask, 1 on tokens that count; L loss per token; T tokens; V value of the critic, R return;",
    "mean_g, std_g, sum_g over a group. Of a completion: ρ = Σ m (lp - ref); s = ρ or what the divergence makes of it, n its counted",
    "tokens, _c and _r those of the chosen and the rejected; Δ = s_c - s_r; z the KL of mismatched pairs; β `beta`, ε",
    "`label_smoothing`, λ_D and λ_U `desirable_weight` and `undesirable_weight`, τ `discopop_tau`; σ the sigmoid, sg no gradient.",
    "",
    contents.join(" · "),
    "",
    ...sections.flatMap((section) => [
      `## ${section.title}`,
      "",
      ...Object.entries(section.entries).flatMap(([name, entry]) => methodLines(section, name, entry)),
    ]),
    "## Presets",
    "",
    "What a name chooses; what a workflow sets besides wins.",
    "",
    "| step | preset | means |",
    "| --- | --- | --- |",
    ...Object.entries(PRESETS).flatMap(([step, presets]) =>
      Object.entries(presets).map(([name, preset]) => `| \`${step}\` | \`${name}\` | ${cell(settingsText(preset))} |`)
    ),
    "",
    "## Same name, different formula",
    "",
    "What differs between the systems although it is called the same, and which option here means which.",
    "",
    "| name | in the systems | here |",
    "| --- | --- | --- |",
    ...METHOD_DIFFERENCES.map(({ name, systems, ours }) => `| ${cell(name)} | ${cell(systems)} | ${cell(ours)} |`),
    "",
  ].join("\n");
}
