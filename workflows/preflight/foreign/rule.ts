/** What a rule on other systems' configurations is: one entry of a table, and what it finds. @module */
import type { ImportedRun } from "../../../data/adapters/run/imported_run.ts";
import type { Severity } from "../../../data/severity.ts";
import type { SystemName } from "../../../data/systems.ts";
import type { Change, Launch, Told } from "./launch.ts";
import type { Own } from "./own_finding.ts";

/** What a rule found in one file. */
export interface Hit {
  /** One sentence: what stands there, and what comes of it. */
  readonly message: string;
  /** The options that show it, the one to change last; or a line of the file, from 1. */
  readonly at: readonly Told[] | number;
  /** What to write in their place. */
  readonly change: readonly Change[];
  /** What to do where no option does it, in words. */
  readonly byHand?: string;
  /** In place of the rule's own. */
  readonly severity?: Severity;
  /** Findings of the diagnoses that say the same less sharply, by their message. */
  readonly replaces?: RegExp;
}

interface Entry {
  /** Empty: all of them. */
  readonly systems: readonly SystemName[];
  /** fatal: nothing is trained; error: refused, or nothing can come of it; warning: it wastes, or is probably not meant; info: a remark. */
  readonly severity: Severity;
  /** What it is where less is at stake, which the message says. */
  readonly also?: Severity;
  /** What is wrong, in one sentence. */
  readonly about: string;
  /** Which option to change, in one phrase. */
  readonly change: string;
  /** Where the rule is from: a thread, a page of documentation, a file of the system. */
  readonly source: string;
}

/** A rule that reads one training of a file. */
export interface LaunchRule extends Entry {
  /** It rests on an option that is not written: a file that another one completes is not judged. */
  readonly wantsWhole?: true;
  readonly check: (launch: Launch) => Hit | null | readonly Hit[];
}

/** A rule that reads the settings of a whole run, which may be several files. */
export interface RunRule extends Entry {
  readonly run: (run: ImportedRun) => readonly Own[];
}

/** A cause of the doctor that settings alone decide: it is found by its diagnosis, and stands here for the list. */
export interface DiagnosedRule extends Entry {
  readonly cause: string;
  /** Which of its findings. */
  readonly says: RegExp;
}

export type ForeignRule = LaunchRule | RunRule | DiagnosedRule;

/** Systems on transformers' Trainer, whose arguments they take. */
export const ON_TRAINER = [
  "trl",
  "ms-swift",
  "llamafactory",
  "unsloth",
  "visual-rft",
  "vlm-r1",
  "r1-v-family",
] as const satisfies readonly SystemName[];

/** Systems with TRL's GRPO, under its option names. */
export const ON_TRL = ["trl", "ms-swift", "unsloth"] as const satisfies readonly SystemName[];

/** A hit on one option, which is to have another value. */
export function hit(message: string, at: readonly (Told | undefined)[], ...change: readonly Change[]): Hit {
  return { message, at: at.filter((one) => one !== undefined), change };
}
