/** The page docs/methods.md: every method with its formula, where it comes from, and its name in other systems. @module */
import { z } from "zod";
import type { MethodNotes } from "../../gpu/losses/method.ts";
import { STEPS } from "../../steps/mod.ts";
import { METHOD_DIFFERENCES } from "./method_differences.ts";
import { type Entry, METHOD_SECTIONS, type MethodSection, type Place, PRESETS } from "./method_sections.ts";

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
function here({ step, option, listed, reads }: Place, name: string, entry: unknown): string {
  const stepOptions = propertiesOf(Object.entries(STEPS).find(([one]) => one === step)![1].params);
  const chosen = option !== null && isDefault(stepOptions[option], name);
  const place = option === null
    ? `step \`${step}\``
    : listed
    ? `\`uses: ${name}\` in \`${option}\` of \`${step}\``
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

/** Every place where a workflow names the method; its own options stand at the first. */
function placeLines({ also, ...first }: MethodSection, name: string, entry: unknown): string[] {
  const second = also && (also.names?.includes(name) ?? true) ? [`* Here: ${here(also, name, null)}`] : [];
  return [`* Here: ${here(first, name, entry)}`, ...second];
}

/** What an entry of no other system's says of itself. */
function aboutOf(entry: unknown): string | null {
  const about = typeof entry === "object" && entry !== null && "about" in entry ? entry.about : null;
  return typeof about === "string" ? about : null;
}

function methodLines(section: MethodSection, name: string, entry: unknown): string[] {
  const notes = notesOf(entry), about = aboutOf(entry), title = [`### \`${name}\``, ""];
  if (!notes) return about === null ? [] : [...title, `* ${about}`, ...placeLines(section, name, entry), ""];
  const elsewhere = Object.entries(SYSTEMS).flatMap(([system, title]) => {
    const named = notes.names[system as keyof typeof SYSTEMS];
    return named === undefined ? [] : [`* ${title}: ${named}`];
  });
  return [
    ...title,
    `* Formula: ${notes.formula}`,
    `* Source: ${notes.source}`,
    ...placeLines(section, name, entry),
    ...(elsewhere.length ? elsewhere : ["* In none of TRL, verl, OpenRLHF and Visual-RFT by a name of its own"]),
    "",
  ];
}

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
    "`label_smoothing`, λ_D and λ_U `desirable_weight` and `undesirable_weight`, τ `discopop_tau`, α `f_divergence_alpha`; σ the sigmoid, sg no gradient.",
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
