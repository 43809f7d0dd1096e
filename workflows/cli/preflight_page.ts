/** The page docs/preflight.md: every rule that `check` has for other systems' configurations. @module */
import { RULE_GROUPS } from "../preflight/foreign/mod.ts";
import type { ForeignRule } from "../preflight/foreign/rule.ts";
import { TITLES } from "../translate/translate.ts";

const INTRODUCTION = `# Mistakes in other systems' configurations

\`\`\`sh
deno task check run.sh            # also .yaml, .json, .py, .ipynb; each problem with its [rule]; exit 3 on an error
deno task check run.sh --json     # each problem with its rule (else its cause of rules.md), place and change
\`\`\`

\`check\` reads launch scripts (variables, arrays, continued lines, accelerate, torchrun, deepspeed, ray, Hydra's overrides), configurations and Python scripts of TRL, verl, OpenRLHF, ms-swift, LLaMA-Factory, Unsloth, Visual-RFT, VLM-R1 and R1-V, and the YAML or the DeepSpeed file that a command names where it lies beside it. It starts nothing, and reads neither model nor data but for the model's generation_config.json where a rule says so. What a file does not tell is not judged: a value that only the program knows, the number of processes where no launcher is named.

A **fatal** mistake trains nothing, and the doctor says the same of the run; an **error** is refused, or nothing can come of the run; a **warning** wastes, or is probably not meant; an **info** is a remark. \`--fail-on\` says from which on the exit code is 3. Defaults of a system change with its version: where a rule rests on one, its message says so. Each rule has two files in \`tests/workflows/preflight/foreign/cases\`, which differ in the option alone: on the one it fires, on the other everything is silent.

`;

const NAMES: Readonly<Record<string, string>> = { ...TITLES, unsloth: "Unsloth" };
const cell = (text: string) => text.replaceAll("|", "\\|");

function row([name, { systems, severity, also, about, change, source }]: [string, ForeignRule]): string {
  const whose = systems.length === 0 ? "all" : systems.map((system) => NAMES[system] ?? system).join(", ");
  return `| \`${name}\` | ${severity}${also === undefined ? "" : `, or ${also}`} | ${cell(about)} | ${
    cell(change)
  } | ${whose} | ${cell(source)} |`;
}

/** The page as Markdown. */
export function preflightPage(): string {
  const groups = Object.entries(RULE_GROUPS), count = groups.flatMap(([, rules]) => Object.keys(rules)).length;
  const sections = groups.flatMap(([title, rules]) => [
    `## ${title}`,
    "",
    "| rule | severity | what | change | systems | source |",
    "| --- | --- | --- | --- | --- | --- |",
    ...Object.entries(rules as Record<string, ForeignRule>).map(row),
    "",
  ]);
  return `${INTRODUCTION}${count} rules.\n\n${sections.join("\n")}`;
}
