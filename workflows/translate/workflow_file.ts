/** Writes the workflow of a translation as YAML: the steps of its kind with their settings, and the list on top. @module */
import type { Settings, Target } from "./table.ts";
import type { Shape } from "./trainers.ts";

const WIDTH = 118;
const HEAD = "# ";

/** Steps of each kind of training in their order; `?` only where something sets them, those of `repeat` in the loop. */
const STEPS_OF: Readonly<Record<Shape, { readonly before: readonly string[]; readonly repeat: readonly string[] }>> = {
  rollout: {
    before: ["load_prompts", "load_model", "load_critic?", "load_reward_model?"],
    repeat: [
      "sample_groups",
      "sample_greedy?",
      "measure_tokens?",
      "score_rewards",
      "filter_groups?",
      "compute_values?",
      "compute_advantages",
      "update_critic?",
      "apply_update",
      "diagnose",
    ],
  },
  preferences: { before: ["load_preferences", "load_model", "train_preferences", "diagnose"], repeat: [] },
  supervised: { before: ["load_prompts", "load_model", "fine_tune", "diagnose"], repeat: [] },
  reward_model: { before: ["load_preferences", "load_model", "train_reward_model", "diagnose"], repeat: [] },
};

/** A setting of the file that asks for a step which needs no option, `workflow.with_compute_values`. */
export const WITH = "workflow.with_";

/** Steps that a workflow of this kind has. */
export function stepsOf(shape: Shape, settings: Settings): string[] {
  const { before, repeat } = STEPS_OF[shape];
  const isUsed = (step: string) =>
    Object.keys(settings).some((target) => target.startsWith(`${step}.`) || target === `${WITH}${step}`);
  return [...before, ...repeat].flatMap((step) =>
    !step.endsWith("?") ? [step] : isUsed(step.slice(0, -1)) ? [step.slice(0, -1)] : []
  );
}

interface WorkflowText {
  readonly name: string;
  readonly about: string;
  readonly shape: Shape;
  readonly settings: Settings;
  /** Lines above the workflow. */
  readonly comment: readonly string[];
}

/** The file: byte-equal for equal input. */
export function workflowText({ name, about, shape, settings, comment }: WorkflowText): string {
  const own = (step: string) => withOf(step, settings), used = stepsOf(shape, settings);
  const { before, repeat } = STEPS_OF[shape], isUsed = (step: string) => used.includes(step.replace("?", ""));
  const plain = (step: string) => step.replace("?", "");
  const trainSteps = settings["workflow.train_steps" as Target];
  const checkpoint = withOf("workflow", settings).filter(([option]) => option.startsWith("checkpoint."))
    .map(([option, value]) => [option.replace("checkpoint.", ""), value] as const);
  return [
    ...comment.map((line) => line === "" ? "#" : HEAD + line),
    `name: ${name}`,
    `about: ${scalar(about)}`,
    ...(repeat.length > 0 ? [`params: { train_steps: ${trainSteps} }`] : []),
    ...(settings["workflow.seed" as Target] === undefined ? [] : [`seed: ${settings["workflow.seed" as Target]}`]),
    ...(checkpoint.length === 0 ? [] : [`checkpoint: ${flow(Object.fromEntries(checkpoint))}`]),
    "steps:",
    ...before.filter(isUsed).flatMap((step) => stepLines(plain(step), own(plain(step)), 2)),
    ...(repeat.length === 0 ? [] : [
      "  - repeat: ${{ params.train_steps }}",
      "    steps:",
      ...repeat.filter(isUsed).flatMap((step) => stepLines(plain(step), own(plain(step)), 6)),
    ]),
    ...stepLines("export_model", exported(shape, settings), 2),
    "",
  ].join("\n");
}

/** The other trainers save an adapter as PEFT's folder, not merged into its base. */
function exported(shape: Shape, settings: Settings): [string, unknown][] {
  return [
    ...(shape === "reward_model" ? [["what", "reward_model"] satisfies [string, unknown]] : []),
    ...(settings["load_model.lora" as Target] === undefined ? [] : [["merge", false] satisfies [string, unknown]]),
  ];
}

const withOf = (step: string, settings: Settings): [string, unknown][] =>
  Object.entries(settings).filter(([target]) => target.startsWith(`${step}.`)).map(([target, value]) => [
    target.slice(step.length + 1),
    value,
  ]);

function stepLines(step: string, settings: readonly [string, unknown][], indent: number): string[] {
  const spaces = " ".repeat(indent);
  const short = `${spaces}- { uses: ${step}${settings.length ? `, with: ${flow(Object.fromEntries(settings))}` : ""} }`;
  if (short.length <= WIDTH && settings.length <= 4) return [short];
  return [
    `${spaces}- uses: ${step}`,
    `${spaces}  with:`,
    ...settings.flatMap(([option, value]) => {
      const line = `${spaces}    ${option}: ${flow(value)}`;
      if (line.length <= WIDTH || !Array.isArray(value)) return [line];
      return [`${spaces}    ${option}:`, ...value.map((item) => `${spaces}      - ${flow(item)}`)];
    }),
  ];
}

/** A value in YAML's flow style. */
function flow(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(flow).join(", ")}]`;
  if (typeof value === "object" && value !== null) {
    const entries = Object.entries(value).map(([key, inner]) => `${key}: ${flow(inner)}`);
    return entries.length > 0 ? `{ ${entries.join(", ")} }` : "{}";
  }
  return scalar(value);
}

/** A number with a dot before its exponent, as YAML 1.1 wants it; a text in quotes where it needs them. */
function scalar(value: unknown): string {
  if (typeof value === "number") {
    const text = value !== 0 && (Math.abs(value) < 1e-3 || Math.abs(value) >= 1e15)
      ? value.toExponential()
      : String(value);
    return text.replace(/^(-?\d+)e/, "$1.0e");
  }
  if (typeof value !== "string") return String(value);
  const isPlain = /^[A-Za-z_./$][\w ./$-]*[\w/-]$|^[A-Za-z]$/.test(value) &&
    !/^(?:true|false|null|yes|no|on|off|y|n)$/i.test(value);
  return isPlain || /^\$\{\{ [\w.]+ \}\}$/.test(value) ? value : JSON.stringify(value);
}
