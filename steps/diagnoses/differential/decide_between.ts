/** The one look that decides between two causes of a differential, as it is done in the system of the run. @module */
import { ORDER } from "../decide.ts";
import { LIKE_TRL, normaliseOption } from "../../../data/options.ts";
import type { Cause } from "../mod.ts";
import { flagOfGeneration } from "../remedies/generation.ts";
import { assignment, optionLine } from "../remedies/options.ts";
import type { Value } from "../remedies/patch.ts";
import type { RunView } from "../view/run_view.ts";
import { areLookAlikes } from "./look_alikes.ts";
import type { Likely } from "./differential.ts";
import { type Look, lookAt, type LookName, LOOKS } from "./looks.ts";
import { SIGNS, type Signs } from "./signs.ts";

/** A look, and what it shows if a cause is there or another one is. */
export interface Decisive {
  readonly look: LookName;
  /** What to do, an imperative clause. */
  readonly about: string;
  /** What is seen if it is this cause: a clause. */
  readonly if: string;
  /** The cause that it is told apart from; null where it is the only one. */
  readonly against: string | null;
  /** What is seen if it is that other cause; null where the look shows only this one. */
  readonly else: string | null;
  /** Options of the run's system, or a line of our workflow, ready to copy. */
  readonly options: readonly string[];
  /** Words of a command of ours, RUN for the run. */
  readonly command: readonly string[];
}

/**
 * The causes of a differential, each with the look that decides: the first against its first rival, others against it.
 *
 * first  the cause that is named first: what only follows from another may be more likely, and is named after it
 * onset  train step with which that began
 */
export function decided(
  differential: readonly Likely[],
  first: string | undefined,
  view: RunView,
  onset: number | null = null,
): Likely[] {
  const named = (first ?? differential[0]?.cause) as Cause | undefined;
  // What follows from the first, or is a fault beside it, is no rival of it.
  const rival = differential.find(({ cause }) =>
    areLookAlikes(named!, cause) && cause !== named && !ORDER[named!].includes(cause as Cause)
  );
  return differential.map((entry) => {
    const decide = decisive(
      entry.cause as Cause,
      entry.cause === named ? rival?.cause as Cause | undefined : named,
      view,
      onset,
    );
    return decide === null ? entry : { ...entry, decide };
  });
}

/** The look between two causes; null where the run at hand shows already what each look would. */
export function decisive(
  cause: Cause,
  other: Cause | undefined,
  view: RunView,
  onset: number | null = null,
): Decisive | null {
  const own: Signs = SIGNS[cause], theirs: Signs = other === undefined ? {} : SIGNS[other];
  const open = (signs: Signs) => (Object.keys(signs) as LookName[]).filter((name) => !isDone(name, view));
  const shared = open(own).find((name) => Object.hasOwn(theirs, name) && theirs[name] !== own[name]);
  // A look that shows only the other one decides as well: this cause is what is left.
  const look = shared ?? open(own)[0];
  if (look === undefined) return null;
  return {
    look,
    about: lookAt(look, view, onset).about,
    if: own[look]!,
    against: other ?? null,
    else: theirs[look] === own[look] ? null : theirs[look] ?? null,
    ...done(look, view, onset),
  };
}

function isDone(name: LookName, view: RunView): boolean {
  const look: Look = LOOKS[name];
  return look.isDone?.(view) ?? false;
}

/** How a look is done in the system of a run: nothing where that is not known, or no option does it. */
export function done(
  name: LookName,
  view: RunView,
  onset: number | null = null,
): Pick<Decisive, "options" | "command"> {
  const { patches = [], prints = {}, command = [], line } = lookAt(name, view, onset), system = systemOf(view);
  if (system === null) return { options: [], command: [] };
  const isOurs = system === "nonzero";
  const changes = patches.filter((patch) => !isOurs || "step" in patch)
    .flatMap((patch) => {
      const change = optionLine(patch, system, view);
      return change === null ? [] : [isOurs && "step" in patch ? `${change}  # ${patch.step}` : change];
    });
  const own = prints[system] ?? (LIKE_TRL.has(system) ? prints.trl : undefined) ?? {};
  const lines = Object.entries(own).flatMap(([newest, value]) => {
    const option = flagOfGeneration(newest, system, view);
    return option === null || isInForce(option, value, view) ? [] : [assignment(system, option, value)];
  });
  return {
    options: [...changes, ...lines, ...(isOurs && line !== undefined ? [line] : [])],
    command: isOurs ? command : [],
  };
}

/** What the run was started with already changes nothing that it prints. */
function isInForce(option: string, value: Value, { settings }: RunView): boolean {
  const text = String(value).toLowerCase();
  return settings.some((entry) => normaliseOption(entry.name) === option && String(entry.value).toLowerCase() === text);
}

const systemOf = ({ imported, system }: RunView) => imported ? system : "nonzero";

/** A look in one sentence, without the options. */
export function lookText(cause: string, decide: Decisive): string {
  const { about, against } = decide;
  if (against === null) return `${about}: it is ${cause} if ${decide.if}`;
  const otherwise = decide.else === null ? `otherwise ${against}` : `${against} if ${decide.else}`;
  return `${about}: ${cause} if ${decide.if}; ${otherwise}`;
}
