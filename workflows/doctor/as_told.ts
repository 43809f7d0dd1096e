/**
 * What is said of a run that people tell of: records that stand for what they say have train steps that nobody told.
 * @module
 */
import type { Finding, RunDiagnosis } from "../../steps/diagnoses/diagnosis.ts";
import type { Cost } from "../../steps/diagnoses/cost/cost.ts";
import type { Likely } from "../../steps/diagnoses/differential/differential.ts";

/** A train step, or a course of them, as rules write it. */
const STEP = String
  .raw`(?:train step|record)s? (\d+)(?: (?:to|and) (?:(?:train step|record) )?(\d+))?(?![\d.]*\d| (?:of|records?|train steps?)\b)`;
/** With what stands around it. */
const AROUND = [
  ` ?\\(${STEP}\\)`,
  `^(?:[Ss]ince|[Ff]rom|[Aa]t|[Uu]p to|[Bb]y) ${STEP}(?: on)?,? `,
  `,? (?:since|from|at|after|by|up to|until|before|of)(?: about)? ${STEP}(?: on(?! \\d)| to the end)?`,
]
  .map((pattern) => new RegExp(pattern, "g"));

/** The text without train steps that nobody tells: those of records that stand for what is told. */
export function withoutUntold(text: string, known: ReadonlySet<number>): string {
  const short = AROUND.reduce(
    (rest, pattern) =>
      rest.replace(
        pattern,
        (said, from: string, to?: string) =>
          [from, to].every((step) => step === undefined || known.has(Number(step))) ? said : "",
      ),
    text,
  );
  return short === text || /^[A-Z]/.test(short) || !/^[A-Z]/.test(text)
    ? short
    : short[0]!.toUpperCase() + short.slice(1);
}

/** The diagnosis of a run of which not all records are printed, in such words; `known` are the train steps of those and of what is told. */
export function diagnosisAsTold(diagnosis: RunDiagnosis, known: ReadonlySet<number>): RunDiagnosis {
  const words = (text: string) => withoutUntold(text, known);
  const finding = ({ began, cut: _, ...one }: Finding): Finding => ({
    ...one,
    message: words(one.message),
    train_steps: one.train_steps.filter((step) => known.has(step)),
    ruled_out: one.ruled_out.map(({ cause, why }) => ({ cause, why: words(why) })),
    ...began !== undefined && known.has(began) ? { began } : {},
  });
  const said = (pieces: Likely["for"]) => pieces.map((piece) => ({ ...piece, says: words(piece.says) }));
  const { cost, ...rest } = diagnosis;
  return {
    ...rest,
    findings: diagnosis.findings.map(finding),
    afterEffects: diagnosis.afterEffects.map(finding),
    differential: diagnosis.differential.map((one) => ({ ...one, for: said(one.for), against: said(one.against) })),
    ...cost === undefined ? {} : costAsTold(cost, known),
    reasons: diagnosis.reasons.map(words),
  };
}

/** What was lost since a train step that is told, or of the whole run; any other share is one of records that nobody printed. */
function costAsTold(cost: Cost, known: ReadonlySet<number>): Pick<RunDiagnosis, "cost"> {
  if (cost.since === null || known.has(cost.since)) return { cost };
  return cost.share_of_run === 1 ? { cost: { ...cost, since: null } } : {};
}
