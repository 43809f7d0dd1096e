/** Which visual task a dataset, a script or a reward belongs to, by its name. @module */
import type { RunView } from "./run_view.ts";

type VisualTask = "detection" | "classification" | "grounding" | "math" | "code";

const DATA: readonly (readonly [VisualTask, RegExp])[] = [
  ["detection", /coco|lvis|detection|base65|base_65|MonsterFactory/i],
  ["grounding", /refcoco|lisa|grounding|refgta/i],
  ["classification", /flower|aircraft|fgvc|pets|cars?[_-]?196|stanford_?car|classif|_cls|cls_|imagenet|caltech/i],
  ["math", /gsm8k|math|aime|numina|polaris|deepscaler|geo(metry)?3k|clevr/i],
  ["code", /humaneval|mbpp|leetcode|codeforces|apps\b/i],
];

const SCRIPT: readonly (readonly [VisualTask, RegExp])[] = [
  ["classification", /grpo_classification|classification_reward/i],
  ["grounding", /grpo_lisa|grpo_gui_grounding|grpo_rec\b|grpo_rec\.py|rec_reward/i],
  ["detection", /open_r1\/grpo\.py|virft.*\/grpo\.py|detection_reward/i],
];

const REWARD: readonly (readonly [VisualTask, RegExp])[] = [
  ["detection", /iou|accuracy_confidence|\bbox|bbox/i],
  ["code", /code_reward|unit_?test|sandbox|code_format/i],
  ["math", /math_verify|gsm8k|math_acc|math_reward/i],
];

function first(
  text: string,
  table: readonly (readonly [VisualTask, RegExp])[],
): { task: VisualTask; word: string } | null {
  for (const [task, pattern] of table) {
    const hit = pattern.exec(text);
    if (hit !== null) return { task, word: hit[0] };
  }
  return null;
}

/** Text of the settings whose name or option speaks of one thing. */
function about(view: RunView, pattern: RegExp): string {
  return view.settings.filter((entry) => pattern.test(`${entry.option ?? ""} ${entry.name}`)).map((entry) =>
    String(entry.value)
  ).join(" ");
}

interface Pairing {
  readonly data: { task: VisualTask; word: string } | null;
  readonly script: { task: VisualTask; word: string } | null;
  readonly reward: { task: VisualTask; word: string } | null;
}

export function pairing(view: RunView): Pairing {
  const all = view.settings.map((entry) => `${entry.name} ${String(entry.value)}`).join(" ") + " " +
    view.messages.map((entry) => entry.text).join(" ");
  const names = [...view.columns.keys()].filter((name) => name.startsWith("reward.")).join(" ");
  return {
    data: first(about(view, /dataset|data_path|train_files|prompt_data|data_file/i), DATA),
    // Other repositories have an open_r1/grpo.py too.
    script: /virft|visual.?rft/i.test(all) ? first(all, SCRIPT) : first(all.replace(/open_r1\/grpo\.py/g, ""), SCRIPT),
    reward: first(`${about(view, /reward/i)} ${names}`, REWARD),
  };
}
