/** Look-ups of settings by our option names. @module */
import type { OptionName } from "../../../data/options.ts";
import type { RunView, Setting } from "./run_view.ts";
import { type Evidence, placeOf } from "./evidence.ts";

/** Settings of validation or evaluation, and of the critic, are not what trains the policy. */
const ELSEWHERE = /(^|[._])(val|eval|validation|test|critic)([._]|$|_)/;

/** Where the run's own configuration says the option; a model folder's file only if nothing else does. */
export function setting(view: RunView, option: OptionName): Setting | null {
  const hits = view.settings.filter((entry) =>
    entry.option === option && (option.startsWith("critic_") || !ELSEWHERE.test(entry.name))
  );
  return hits.findLast((entry) => entry.system !== "model") ?? hits.at(-1) ?? null;
}

/** Its value as a number, or null; text such as "1e-6" counts. */
export function settingNumber(view: RunView, option: OptionName): number | null {
  return asNumber(setting(view, option)?.value);
}

export function asNumber(value: unknown): number | null {
  if (typeof value === "number") return Number.isFinite(value) ? value : null;
  if (typeof value !== "string" || value.trim() === "") return null;
  const parsed = Number(value.trim().replaceAll("_", ""));
  return Number.isFinite(parsed) ? parsed : null;
}

/** A number that a run of ours writes beside its options, such as `parameters`; null in an imported log. */
export function ownNumber(view: RunView, name: string): number | null {
  return view.imported ? null : asNumber(view.settings.find((entry) => entry.name === name)?.value);
}

/** True or false as configurations write them, or null. */
export function settingFlag(view: RunView, option: OptionName): boolean | null {
  const value = setting(view, option)?.value;
  if (typeof value === "boolean") return value;
  if (typeof value !== "string") return null;
  return /^(true|yes|1)$/i.test(value) ? true : /^(false|no|0)$/i.test(value) ? false : null;
}

/** The row that shows a setting. */
export function settingEvidence(entry: Setting, note?: string): Evidence {
  const value = entry.value;
  return {
    ...placeOf(entry),
    train_step: null,
    name: entry.name,
    value: typeof value === "number" || typeof value === "string" || typeof value === "boolean"
      ? value
      : value === null
      ? null
      : JSON.stringify(value) ?? null,
    ...(note === undefined ? {} : { note }),
  };
}

/** All settings as one text, for rules that look for a dataset's or a script's name. */
export function settingsText(view: RunView): string {
  return view.memo(
    "settings text",
    () =>
      view.settings.map((entry) =>
        `${entry.name} ${typeof entry.value === "string" ? entry.value : JSON.stringify(entry.value)}`
      ).join("\n"),
  );
}
