/** What a rule on another system's configuration finds, and how it reads the settings. @module */
import type { ImportedRun, ImportedSetting } from "../../../data/adapters/run/imported_run.ts";
import type { OptionName } from "../../../data/options.ts";
import type { Severity } from "../../../data/severity.ts";
import type { Finding } from "../../../steps/diagnoses/diagnosis.ts";
import type { Cause } from "../../../steps/diagnoses/mod.ts";
import type { Evidence } from "../../../steps/diagnoses/view/evidence.ts";
import type { Change } from "./launch.ts";

export interface Own {
  readonly finding: Finding;
  /** Causes of the diagnoses that say the same less sharply. */
  readonly replaces: readonly string[];
  /** The same, by what they say. */
  readonly replacesText?: RegExp | undefined;
  /** Where the option stands, from 1; null where the run's settings have it. */
  readonly column: number | null;
  /** What to write, as the file of the last setting writes its options; it stands in words in the hint. */
  readonly changes?: readonly Change[];
}

export type Rule = (run: ImportedRun) => readonly Own[];

interface More {
  readonly replaces?: readonly string[];
  /** Where the configuration alone shows a cause that a diagnosis has. */
  readonly cause?: Cause;
  readonly codes?: readonly string[];
  /** What to write, ready to copy. */
  readonly options?: readonly string[];
  readonly replacesText?: RegExp | undefined;
  readonly column?: number;
  readonly changes?: readonly Change[];
}

/** What the evidence of a finding needs of a setting. */
type Shown = Pick<ImportedSetting, "source" | "line" | "name" | "value">;

export function own(
  severity: Severity,
  message: string,
  hint: string,
  settings: readonly Shown[],
  {
    replaces = [],
    cause = "invalid_config_value",
    codes = ["C01", "C04"],
    options = [],
    replacesText,
    column,
    changes = [],
  }: More = {},
): Own {
  const evidence = settings.map(({ source, line, name, value }): Evidence => ({
    source,
    line,
    train_step: null,
    name,
    value: typeof value === "number" || typeof value === "string" || typeof value === "boolean"
      ? value
      : JSON.stringify(value),
  }));
  const finding: Finding = {
    cause,
    codes,
    severity,
    train_steps: [],
    message,
    hint,
    evidence,
    remedy: { patches: [], options, by_hand: hint },
    ruled_out: [],
  };
  const causes = cause === "invalid_config_value" ? replaces : [...replaces, cause];
  return { finding, replaces: causes, replacesText, column: column ?? null, changes };
}

export function settingOf({ settings }: ImportedRun, option: OptionName): ImportedSetting | undefined {
  return settings.findLast((entry) => entry.option === option && entry.system !== "model");
}

export function numberOf(run: ImportedRun, option: OptionName): number | null {
  const value = settingOf(run, option)?.value;
  return typeof value === "number" ? value : null;
}
