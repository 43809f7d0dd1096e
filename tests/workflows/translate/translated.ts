/** What tests of translations compare: classes and settings of options, by name. */
import { applyTable, type Class, type Settings } from "../../../workflows/translate/table.ts";
import { ourDefault, settle } from "../../../workflows/translate/settle.ts";
import { TITLES } from "../../../workflows/translate/translate.ts";
import { type Shape, TRAINERS } from "../../../workflows/translate/trainers.ts";
import { stepsOf } from "../../../workflows/translate/workflow_file.ts";
import type { ForeignSystem, Value } from "../../../workflows/translate/written.ts";

interface Told {
  readonly classes: Readonly<Record<string, Class>>;
  readonly settings: Settings;
  /** What is asked of the steps, whether or not they have it. */
  readonly wanted: Settings;
  readonly texts: Readonly<Record<string, string>>;
}

/** What a step cannot be checked without. */
const REQUIRED: Readonly<Record<Shape, Settings>> = {
  rollout: {},
  preferences: { "train_preferences.max_updates": 1 },
  supervised: { "fine_tune.max_updates": 1 },
  reward_model: { "train_reward_model.max_updates": 1 },
};

/** What a trainer's table makes of options. */
export function told(system: ForeignSystem, trainer: string, options: Readonly<Record<string, Value>>): Told {
  const rules = TRAINERS[system][trainer]!;
  const written = Object.entries(options).map(([name, value], i) => ({ name, value, line: i + 1 }));
  const applied = applyTable(rules, written, TITLES[system], ourDefault);
  const whole = { ...applied, settings: { ...REQUIRED[rules.shape], ...applied.settings } };
  const { outcomes, settings } = settle(whole, stepsOf(rules.shape, whole.settings));
  const own = outcomes.filter(({ line }) => line > 0);
  return {
    classes: Object.fromEntries(own.map(({ option, class: kind }) => [option, kind])),
    settings,
    wanted: applied.settings,
    texts: Object.fromEntries(own.map(({ option, text }) => [option, text])),
  };
}

/** The settings of one step. */
export function stepSettings(settings: Settings, step: string): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(settings).flatMap(([target, value]) =>
      target.startsWith(`${step}.`) ? [[target.slice(step.length + 1), value]] : []
    ),
  );
}
