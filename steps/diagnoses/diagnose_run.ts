/** What the doctor says of a run: every rule on a view, causes apart from after-effects, and the verdict. @module */
import { SEVERITIES } from "../../data/severity.ts";
import { unevaluated } from "./differential/unevaluated.ts";
import { costOf } from "./cost/cost.ts";
import { DECISION_ORDER, ORDER } from "./decide.ts";
import { type Cause, DIAGNOSES } from "./mod.ts";
import type { CannotTell, Diagnosis, Finding, Found, RunDiagnosis } from "./diagnosis.ts";
import { decided } from "./differential/decide_between.ts";
import { differentialOf, type Likely } from "./differential/differential.ts";
import { follows, type Suspects } from "./differential/evidence.ts";
import { criticAtFault } from "./remedies/critic_rate.ts";
import { extremeEnd } from "./view/extremes.ts";
import { remedyOf } from "./remedies/remedy.ts";
import { complaintFinding } from "./told/complaints.ts";
import { isForeign, toldFinding, toldTooLittle } from "./told/told_finding.ts";
import { gains, shownHealth, wantedProof } from "./told/shown_health.ts";
import { untold } from "./told/untold.ts";
import { NoCourse } from "./view/course.ts";
import { eachOnce } from "./view/each_once.ts";
import type { Evidence } from "./view/evidence.ts";
import { frozen } from "./view/frozen.ts";
import { trainsSteps } from "./view/learning_rate.ts";
import type { RunView } from "./view/run_view.ts";
import { endsNotFinite, heldBy, isSilent, nothingLearned, stopsTelling, tooFew } from "./view/telling.ts";
import { printedOnes, recordsAndTold } from "./view/on_records.ts";

/** Causes with which nothing is learned: what got better excludes them. */
const TEACHES_NOTHING: ReadonlySet<string> = new Set<Cause>([
  "benign_zero_loss",
  "greedy_sampling",
  "group_size_too_small",
  "zero_reward_variance",
  "broken_gradient_path",
  "no_supervised_tokens",
]);

/** Of a note there is nothing to go back for. */
const WATCH = "Nothing: what the run is for does not suffer. Watch whether it goes on.";

/** Losses of the policy that a critic may be the reason of. */
const BY_CRITIC: ReadonlySet<Cause> = new Set<Cause>([
  "reward_collapse",
  "training_divergence",
  "flat_reward_no_learning",
]);

/** A finding with the critic's rate where that is far out, and its change before those of the policy. */
function withCritic(cause: Cause, view: RunView, found: Found): Found {
  const critic = BY_CRITIC.has(cause) && found.severity !== "info" ? criticAtFault(view) : null;
  return critic === null ? found : {
    ...found,
    message: `${found.message}; ${critic.says}`,
    evidence: [...found.evidence, critic.evidence],
    remedy: [critic.remedy],
    hint: critic.hint,
  };
}

function finding(cause: Cause, view: RunView, found: Found, isAlone: boolean): Finding {
  const diagnosis: Diagnosis = DIAGNOSES[cause], severity = found.severity ?? diagnosis.severity;
  const cut = view.cutFrom(found.trainSteps);
  // What a trainer of others must look at is no advice for one of ours.
  const ours = view.imported ? undefined : diagnosis.ours,
    advice = diagnosis.advice?.(view) ?? diagnosis,
    isUnspoilt = severity === "info" && spoils(cause);
  return {
    cause,
    codes: diagnosis.codes,
    severity,
    train_steps: found.trainSteps,
    ...(cut === undefined ? {} : { cut }),
    message: isAlone && found.alone !== undefined ? `${found.message}; ${found.alone}` : found.message,
    hint: found.hint ?? (isUnspoilt ? WATCH : ours ?? advice.hint),
    evidence: eachOnce(found.evidence),
    remedy: isUnspoilt
      ? remedyOf([], undefined, view)
      : remedyOf(found.remedy ?? diagnosis.remedy, found.byHand ?? ours ?? advice.byHand, view),
    ruled_out: Object.entries(found.ruledOut ?? {}).map(([cause, why]) => ({ cause, why })),
    ...(found.confirm === undefined ? {} : { confirm: found.confirm }),
    ...(found.wastes === undefined ? {} : { wastes: found.wastes }),
    ...(found.trend === true && found.trainSteps.length > 0 ? { began: found.trainSteps[0]! } : {}),
  };
}

/** What is trained is spoilt by a cause: of a note about one nothing suffers. */
const spoils = (cause: string) => (DIAGNOSES[cause as Cause] as Diagnosis).spoils === true;

/** What a rule says; nothing where it needs the course of a run of which the view is a part. */
function checked(cause: Cause, view: RunView): Found | CannotTell | null {
  try {
    return DIAGNOSES[cause].check(view);
  } catch (error) {
    if (error instanceof NoCourse) return null;
    throw error;
  }
}

/** A finding with what people say of it. */
function withTold(found: Found, told: Found | null): Found {
  if (told === null) return found;
  const key = ({ source, line, name }: Evidence) => `${source} ${line} ${name}`,
    seen = new Set(found.evidence.map(key));
  return { ...found, evidence: [...found.evidence, ...told.evidence.filter((row) => !seen.has(key(row)))] };
}

/** What the rules say of a view: findings and what stays open, in the order of decisions. */
export function suspectsOf(view: RunView): Suspects & { readonly found: readonly Finding[] } {
  const fired: { readonly cause: Cause; readonly result: Found }[] = [];
  const open: (CannotTell & { readonly cause: Cause })[] = [];
  for (const cause of DECISION_ORDER) {
    const ruled = checked(cause, view),
      isOpen = ruled === null || !("message" in ruled) || (ruled.severity ?? DIAGNOSES[cause].severity) === "info";
    const told = toldFinding(cause, view), result = isOpen ? told ?? ruled : withTold(ruled as Found, told);
    if (result === null || isForeign(cause, view)) continue;
    const unsure = "message" in result ? toldTooLittle(cause, view) : null;
    if (unsure !== null) open.push({ ...unsure, cause });
    else if ("message" in result) fired.push({ cause, result });
    else open.push({ ...(result as CannotTell), cause });
  }
  const isAlarm = ({ cause, result }: typeof fired[number]) =>
    (result.severity ?? DIAGNOSES[cause].severity) !== "info";
  const complaint = fired.some(isAlarm) ? null : complaintFinding(view);
  if (complaint !== null) {
    fired.push(complaint);
    const known = new Set([...fired, ...open].map(({ cause }) => cause));
    open.push(
      ...complaint.alike.filter((cause) => !known.has(cause)).map((cause) => ({
        cause,
        missing: [],
        because: `nothing that is told speaks against it`,
      })),
    );
  }
  const found = fired.map((one) =>
    finding(
      one.cause,
      view,
      withCritic(one.cause, view, one.result),
      !fired.some((other) => other !== one && isAlarm(other)),
    )
  );
  const alarms = found.filter(({ severity }) => severity !== "info");
  return { found, alarms, open, length: trainsSteps(view) };
}

/** Runs every rule on a view and decides what is the cause, what its after-effects, and what cannot be told. */
export function diagnoseRun(view: RunView): RunDiagnosis {
  const suspects = suspectsOf(view), { found, alarms, open, length } = suspects;
  const differential = differentialOf(suspects);
  const { first: causes, afterEffects } = sorted(alarms, differential, length);
  const first = causes.map((entry) => lifted(entry, afterEffects));
  const explained = new Set(
    found.filter(({ cause, severity }) =>
      severity === "info" && causes.some((entry) => ORDER[entry.cause as Cause].includes(cause as Cause))
    ).map(({ cause }) => cause),
  );
  const notes = found.filter((entry) => entry.severity === "info" && !explained.has(entry.cause));
  if (first.length > 0) {
    const isSpoilt = [...first, ...afterEffects].some(({ cause }) => spoils(cause));
    const cost = costOf(first[0]!, first[0]!.wastes ?? DIAGNOSES[first[0]!.cause as Cause].wastes, view);
    return {
      verdict: "faulty",
      findings: [
        ...first,
        // That nothing suffers is no word beside what does.
        ...notes.filter(({ cause }) => cause !== "benign_zero_loss" && !(isSpoilt && spoils(cause))),
      ],
      afterEffects,
      differential: decided(differential, first[0]!.cause, view, onsetOf(first[0]!)),
      ...(cost === null ? {} : { cost }),
      missing: [],
      reasons: first.map((entry) => `${entry.cause}: ${entry.message}`),
    };
  }
  const undecidable = undecided(view, open, notes);
  if (undecidable !== null) return { ...undecidable, differential: decided(differential, undefined, view) };
  return {
    verdict: "benign",
    findings: notes,
    afterEffects: [],
    differential: [],
    missing: [],
    reasons: healthy(view, notes),
  };
}

/** Where a finding begins; null where it names no train step. */
const onsetOf = ({ began, train_steps }: Finding) => began ?? train_steps[0] ?? null;

/** Alarms, most likely first: what follows from one that is more likely is an after-effect, all else a cause. */
function sorted(alarms: readonly Finding[], differential: readonly Likely[], length: number) {
  const rank = new Map(differential.map(({ cause }, at) => [cause, at]));
  const rankOf = ({ cause }: Finding) => rank.get(cause) ?? differential.length;
  const first: Finding[] = [], afterEffects: Finding[] = [];
  for (const entry of alarms.toSorted((a, b) => rankOf(a) - rankOf(b))) {
    const isExplained = [...first, ...afterEffects].some((other) => follows(entry, other, length));
    (isExplained ? afterEffects : first).push(entry);
  }
  return { first, afterEffects };
}

/** Too little to call the run healthy, and what would tell; null where there is enough. */
function undecided(
  view: RunView,
  suspected: readonly (CannotTell & { readonly cause: string })[],
  notes: readonly Finding[],
): Omit<RunDiagnosis, "differential"> | null {
  // What proves that a run learns needs no other metric, and no more records.
  const isProved = shownHealth(view).length > 0, hasLearned = gains(view).length > 0;
  const open = suspected.filter(({ cause }) => !(hasLearned && TEACHES_NOTHING.has(cause)));
  const silent = !isProved && isSilent(view), notFinite = endsNotFinite(view), stopped = stopsTelling(view);
  const short = isProved ? null : tooFew(view), idle = nothingLearned(view), unanswered = untold(view);
  const extreme = extremeEnd(view);
  const stuck = frozen(view).filter(({ isGrave }) => isGrave).map(({ says }) => says);
  if (
    open.length + stuck.length + view.lacks.length === 0 && !silent && notFinite === null && stopped === null &&
    short === null && idle === null && unanswered === null && extreme === null
  ) return null;
  const missing = [
    ...open.flatMap((entry) => entry.missing),
    ...(silent ? ["a metric log (loss, reward, grad_norm)"] : view.lacks.map((table) => `the table ${table}`)),
    ...(notFinite === null && extreme === null
      ? []
      : ["what was printed around it: warnings, entropy, the first records"]),
    ...(stopped === null ? [] : [`${stopped.columns.join(", ")}${after(view, stopped.last)}`]),
    ...(short === null && idle === null && unanswered === null ? [] : ["more records"]),
    ...(unanswered === null ? [] : [wantedProof(view)]),
    ...(stuck.length === 0 ? [] : ["values that are measured anew on each record"]),
    ...((silent || idle !== null) && view.completions.length === 0 ? ["printed completions"] : []),
  ];
  return {
    verdict: "insufficient",
    findings: notes,
    afterEffects: [],
    missing: [...new Set(missing)],
    reasons: [
      ...open.map((entry) => entry.because),
      ...(silent ? ["no metric was found: the files hold settings or texts only"] : []),
      ...(notFinite === null ? [] : [notFinite]),
      ...(extreme === null ? [] : [extreme]),
      ...(stopped === null ? [] : [unjudged(view, stopped)]),
      ...(short === null ? [] : [short]),
      ...(unanswered === null ? [] : [unanswered]),
      ...(idle === null ? [] : [`${idle}: an untrained policy begins so, and a broken one`]),
      ...stuck,
      ...(view.lacks.length === 0 ? [] : [`no rule that reads ${view.lacks.join(" or ")} could look`]),
    ],
  };
}

const after = (view: RunView, record: number) => record < 0 ? "" : ` after train step ${view.trainSteps[record]}`;

/** Up to where a run was judged whose loss, gradient or reward is printed no more. */
function unjudged(view: RunView, { columns, last }: { readonly columns: readonly string[]; readonly last: number }) {
  const none = `print no ${columns.join(", ")}: a NaN that was written as null looks so`;
  if (last < 0) return `all ${view.records} records ${none}`;
  return `no rule fires up to train step ${view.trainSteps[last]}; the ${
    view.records - 1 - last
  } later of ${view.records} records ${none}`;
}

/** A cause is as severe as the worst of what it explains: a warning never hides that a run is dead. */
function lifted(entry: Finding, afterEffects: readonly Finding[]): Finding {
  const own = afterEffects.filter(({ cause }) => ORDER[entry.cause as Cause].includes(cause as Cause));
  const severity = SEVERITIES.find((name) => [entry, ...own].some((finding) => finding.severity === name))!;
  return { ...entry, severity };
}

/** Why a run counts as healthy, from what it prints. */
function healthy(view: RunView, notes: readonly Finding[]): string[] {
  const gradients = view.column("grad_norm"), isMoving = (record: number) => (gradients[record] ?? 0) > 0;
  const moving = printedOnes(view).filter((record) => isMoving(record) && !view.isTold("grad_norm", record)).length;
  return [
    `no rule fires on ${recordsAndTold(view)}`,
    ...shownHealth(view),
    ...heldBy(view),
    ...(moving > 0 ? [`grad_norm is above 0 on ${moving} record${moving === 1 ? "" : "s"}`] : []),
    ...frozen(view).map(({ says }) => says),
    ...notes.map((note) => `${note.cause}: ${note.message}`),
    ...unevaluated(view),
  ];
}
