/** What a diagnosis is: one cause of CAUSES.md as a pure rule over the view of a run. @module */
import type { CutSteps } from "../../data/listed_train_steps.ts";
import type { Severity } from "../../data/severity.ts";
import type { Cost } from "./cost/cost.ts";
import type { Waste } from "./cost/waste.ts";
import type { Likely } from "./differential/differential.ts";
import type { Patch } from "./remedies/patch.ts";
import type { Remedy } from "./remedies/remedy.ts";
import type { Evidence } from "./view/evidence.ts";
import type { RunView } from "./view/run_view.ts";

/** A look-alike that was considered, and why it is not this. */
interface RuledOut {
  readonly cause: string;
  readonly why: string;
}

/** What a check returns when its cause is there. Fields left out come from the diagnosis. */
export interface Found {
  readonly trainSteps: readonly number[];
  readonly message: string;
  readonly evidence: readonly Evidence[];
  readonly severity?: Severity;
  readonly hint?: string;
  readonly remedy?: readonly Patch[];
  readonly byHand?: string;
  /** Look-alikes that were considered, by cause: why it is not that. */
  readonly ruledOut?: Readonly<Record<string, string>>;
  /** What the message says besides where no other alarm of the run stands: another may say why. */
  readonly alone?: string;
  /** What would confirm it, when the log alone leaves a doubt. */
  readonly confirm?: string;
  /** What is lost, where that is something else than of most runs with the cause. */
  readonly wastes?: Waste;
  /** It came about over the run: the first of its train steps is where it began. */
  readonly trend?: true;
}

/** What a check returns when the run looks like its cause but a column or file that decides is not there. */
export interface CannotTell {
  readonly missing: readonly string[];
  readonly because: string;
}

/** One cause. `check` reads the view only: no file, no clock, no state; it is silent on runs that cannot have the cause. */
export interface Diagnosis {
  /** Catalogue codes of rules.md it decides. */
  readonly codes: readonly string[];
  readonly severity: Severity;
  /** What is lost of a run from the onset on; every rule of the doctor says it (a test). */
  readonly wastes: Waste;
  /** One sentence in plain words: what is wrong. */
  readonly about: string;
  /** Columns, settings, messages or completions it looks at, for the page and for "cannot tell without". */
  readonly reads: readonly string[];
  /** The decision with its thresholds and their reason, for the page: a line for each branch where it has several. */
  readonly decision: string | readonly string[];
  readonly hint: string;
  /** What is trained is spoilt from the first of its train steps on: a change helps from a checkpoint before, or from the start. */
  readonly spoils?: true;
  /** For our workflows; the other systems' options follow from it (`remedies/options.ts`). None where no option helps. */
  readonly remedy: readonly Patch[];
  /** What a person must do where no option helps. */
  readonly byHand?: string;
  /** Other words than `hint` and `byHand` for a run that cannot take them; null for every other. */
  readonly advice?: (view: RunView) => { readonly hint: string; readonly byHand: string } | null;
  /** The same in a run of ours, where `byHand` speaks of what only other systems have. */
  readonly ours?: string;
  /** Look-alikes by cause, and how the check tells them apart. */
  readonly lookAlikes: Readonly<Record<string, string>>;
  /** The real log that taught it. */
  readonly taughtBy: string;
  readonly check: (view: RunView) => Found | CannotTell | null;
}

/** One finding: a row of the `findings` table. */
export interface Finding {
  readonly cause: string;
  readonly codes: readonly string[];
  readonly severity: Severity;
  readonly train_steps: readonly number[];
  /** Of train_steps that are cut: what the whole list is. */
  readonly cut?: CutSteps;
  readonly message: string;
  readonly hint: string;
  readonly evidence: readonly Evidence[];
  readonly remedy: Remedy;
  readonly ruled_out: readonly RuledOut[];
  readonly confirm?: string;
  /** Train step in which a trend began; absent of anything else. */
  readonly began?: number;
  /** What is lost, where its rule says otherwise than for most. */
  readonly wastes?: Waste;
}

type Verdict = "faulty" | "benign" | "insufficient";

/** What the doctor says about one run. */
export interface RunDiagnosis {
  readonly verdict: Verdict;
  /** Most likely first; at most three are worth showing first. Notes (info) come last. */
  readonly findings: readonly Finding[];
  /** After-effects of the findings above: what also fired and is explained by them. */
  readonly afterEffects: readonly Finding[];
  /** Every cause that the evidence leaves possible, most likely first; none of a healthy run. */
  readonly differential: readonly Likely[];
  /** What the first finding has cost since it began; absent where nothing is wrong or no log shows it. */
  readonly cost?: Cost;
  /** Columns or files that would decide, when the verdict is insufficient. */
  readonly missing: readonly string[];
  /** Why the verdict is what it is, one line each. */
  readonly reasons: readonly string[];
}

type Usual = "severity" | "remedy" | "wastes";

/** A cause as its file writes it: an error, without an option that helps, of no known cost, where it says nothing else. */
interface Written extends Omit<Diagnosis, Usual>, Partial<Pick<Diagnosis, Usual>> {
  /** The runs that can have it; every run where it says nothing. */
  readonly applies?: (view: RunView) => boolean;
}

export function defineDiagnosis({ applies = () => true, check, ...written }: Written): Diagnosis {
  return {
    severity: "error",
    remedy: [],
    wastes: "none",
    ...written,
    check: (view) => applies(view) ? check(view) : null,
  };
}
