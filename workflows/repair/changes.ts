/** Which changes a finding allows, in the order in which they are tried, and when none may be tried. @module */
import type { RecordedPatch } from "../../steps/diagnoses/remedies/patch.ts";
import type { RunFinding } from "../engine/findings.ts";
import type { StepKinds } from "../language/schema.ts";

const MOST_PER_CAUSE = 2; // Repairs of one cause, and of one run with its forks.
const MOST_PER_RUN = 3;

/** Catalogue codes of integrity: what they find is wrong in the program or the machine, and no setting mends it. */
export const INTEGRITY_CODES: ReadonlySet<string> = new Set(["G00", "G01", "K02", "M02", "N05"]);

/** Train steps from the first at which a finding holds to the one where it was found, this one included. */
export function detectionWindow(finding: RunFinding): number {
  return Math.max(1, finding.train_step - firstStep(finding) + 1);
}

/** The first train step at which a finding holds. */
export function firstStep(finding: RunFinding): number {
  const steps = (finding.train_steps ?? []) as readonly number[];
  return Math.min(finding.train_step, ...steps);
}

/** How a run ended, and what was found in it. */
interface Stopped {
  readonly status: string;
  readonly reason: string | null;
  readonly findings: readonly RunFinding[];
}

/** The finding that stopped a run: the step diagnose gives its cause as the reason. */
export function stoppingFinding({ status, reason, findings }: Stopped): RunFinding | null {
  if (status !== "stopped" || reason === null) return null;
  return findings.find(({ cause }) => reason.startsWith(`${cause}:`)) ?? null;
}

/**
 * What to repair of a run that stopped, the most likely cause first: what its verdict names and a setting may mend, in the
 * order of its differential, then what stopped it, if that is none of these. None for a run that no finding stopped.
 */
export function suspectsOf(result: Stopped & { readonly verdict: { readonly causes: readonly string[] } | null }) {
  const stopping = stoppingFinding(result);
  if (stopping === null) return [];
  const named = (result.verdict?.causes ?? []).flatMap((cause) =>
    result.findings.find((one) => one.cause === cause) ?? []
  )
    .filter((one) => one.cause === stopping.cause || patchesOf(one).length > 0);
  return named.includes(stopping) ? named : [...named, stopping];
}

/** True where no other finding of the run may be repaired either. */
export function isRefusedAltogether(finding: RunFinding, tried: readonly unknown[]): boolean {
  return integrityOf(finding).length > 0 || tried.length >= MOST_PER_RUN;
}

function integrityOf({ codes }: RunFinding): readonly string[] {
  return ((codes ?? []) as readonly string[]).filter((code) => INTEGRITY_CODES.has(code));
}

/** Why a finding must not be repaired, or null. */
export function refusal(
  finding: RunFinding,
  tried: readonly { readonly cause: string }[],
): string | null {
  const integrity = integrityOf(finding);
  if (integrity.length > 0) {
    return `${finding.cause} is a failure of integrity (${integrity.join(", ")}): no setting mends it`;
  }
  const same = tried.filter(({ cause }) => cause === finding.cause).length;
  if (same >= MOST_PER_CAUSE) return `${finding.cause} was tried ${same} times, want at most ${MOST_PER_CAUSE}`;
  if (tried.length >= MOST_PER_RUN) return `${tried.length} repairs were tried, want at most ${MOST_PER_RUN} per run`;
  return null;
}

/** True when rewards with and without the change are of the same kind. */
export function isComparable(
  change: readonly { readonly step: string; readonly key: string }[],
  kinds: StepKinds,
): boolean {
  return change.every(({ step, key }) => {
    const decides = kinds[step]?.decidesReward ?? [];
    return decides !== "all" && !decides.includes(key);
  });
}

/** One change to try; the second time a factor goes further. */
export interface Attempt extends RecordedPatch {
  readonly further?: true;
}

/** The patches of a finding as its table has them (JSON text) or as the rules give them. */
export function patchesOf(finding: RunFinding): readonly RecordedPatch[] {
  const { remedy } = finding;
  const value = typeof remedy === "string" ? JSON.parse(remedy) : remedy;
  return (value as { patches?: readonly RecordedPatch[] } | null)?.patches ?? [];
}

/**
 * Changes to try, one at a time. Values set on one step belong together (temperature with top_p); every factor is a
 * change of its own, with what it needs that the run lacks (a reference for more KL). A factor that was not enough is
 * tried once more, further: 0.1, then 0.001.
 */
export function changesOf(patches: readonly RecordedPatch[]): readonly (readonly Attempt[])[] {
  const changes: Attempt[][] = [];
  const isFactor = ({ set, least }: RecordedPatch) => set === undefined && least === undefined;
  for (const patch of patches) {
    const last = changes.at(-1);
    const belongs = !isFactor(patch) && last?.every((other) => other.step === patch.step && !isFactor(other));
    if (belongs || last !== undefined && isNeed(patch)) last!.push(patch);
    else changes.push([patch]);
  }
  const further = changes.filter((change) => change.every((patch) => patch.mul !== undefined || isNeed(patch)))
    .map((change) => change.map((patch) => isNeed(patch) ? patch : { ...patch, further: true as const }));
  return [...changes, ...further];
}

/** True of what is set only where the run lacks it: the change before it wants it. */
export const isNeed = ({ where }: RecordedPatch): boolean => where !== undefined;
