/** Cause `greedy_sampling`: sampling is near-deterministic, so completions of a group are the same. @module */
import { defineDiagnosis, type Found } from "./diagnosis.ts";
import { samplesAsFolder } from "../../data/systems.ts";
import { PLAIN_SAMPLING } from "./remedies/often.ts";
import { COLD_TEMPERATURE, isNearGreedyOption, NARROW_TOP_P, NEAR_GREEDY } from "./view/near_greedy.ts";
import { isNumber, LATE, mean, median, recordsOf, show, written } from "./view/numbers.ts";
import { asNumber, settingEvidence, settingFlag } from "./view/settings.ts";
import { spreadSummary } from "./view/spread.ts";
import { isGraded } from "./view/graded.ts";
import { groupsOfOneLength } from "./view/same_length.ts";
import { NEARLY_SOLVED, nearlySolved, rewardFunctions } from "./view/rewards.ts";
import { quote, texts } from "./view/texts.ts";
import { groupSize, isReinforcement } from "./view/groups.ts";
import type { RunView, Setting } from "./view/run_view.ts";
import { capital, onAll } from "./view/on_records.ts";

const GROUPS = 3, ALIKE = 0.95; // Groups, or records, that show one text each; the share of them that must.
const RECORDS = 5; // Records, all that there are, on which a reward with partial credit ties in every group.
const SPREAD = 0.7; // Share of tied groups below which measured groups have spread, whatever the settings say.
const JUDGED = 20; // Records of a foreign log whose entropy is that of the printed texts.
/** Characters of texts that are not alike by luck, and completions over which they are measured. */
const LONG = 20, MEASURED = 64;
/** One text in G, with rounding; where G is unknown one in four, which is the largest share that is usual. */
const ONE_ROUNDED = 1.02, ONE_IN_FOUR = 0.26;

/** Nats per token at which a policy still has something to choose (one in seven tokens uncertain between two). */
const ALIVE = 0.1;

/** Nats of surprise that no luck explains: the entropy is a mean, and the most likely text has more than its share. */
const PROOF = 30;

/** Where no option of the command line is read. */
const IN_FOLDER =
  "Write temperature 1.0, top_p 1.0 and top_k 0 into generation_config.json of the model's folder: this trainer hands " +
  "transformers none of them but a temperature of 1, which 4.50 to 4.57 take for not said.";

/** Settings that make sampling near-greedy, the run's own first. */
function cold(view: RunView): Setting[] {
  const isCold = (entry: Setting): boolean => {
    if (/(^|[._])(val|eval|validation|test)([._]|_|$)/.test(entry.name)) return false;
    const number = asNumber(entry.value);
    if (isNearGreedyOption(entry.option)) return number !== null && NEAR_GREEDY[entry.option](number);
    if (entry.option === "do_sample") return entry.value === false || /^false$/i.test(String(entry.value));
    return false;
  };
  return view.settings.filter(isCold).sort((a, b) => Number(a.system === "model") - Number(b.system === "model"));
}

/** One distinct text per group on every record: 1 / G, or one small value that never moves where G is unknown. */
function onePerGroup(unique: readonly number[], size: number | null): boolean {
  if (size !== null && size > 1) return unique.every((value) => value <= ONE_ROUNDED / size);
  return unique.every((value) => value <= ONE_IN_FOUR && value === unique[0]);
}

/**
 * Runs of ours: identical groups have a probability of about exp(-entropy x tokens x (G - 1)) each. Few, short or small
 * groups are alike by luck, and those of a policy that is right are alike because it is sure of most of them.
 */
function mayBeLuck(view: RunView, entropy: number): boolean {
  if (view.imported) return false;
  const { groups } = texts(view);
  const tokens = mean(view.completions.flatMap((row) => row.tokens ?? []));
  const nats = entropy * tokens * Math.max(1, (groupSize(view) ?? 1) - 1) * groups;
  return nearlySolved(view) || !(nats >= PROOF); // without completions there is no number, and no proof
}

export default defineDiagnosis({
  codes: ["E03", "C04"],
  wastes: "flat",
  about: "Sampling takes the most likely token nearly always, so the completions of a group are identical.",
  reads: [
    "settings.temperature",
    "settings.top_p",
    "settings.top_k",
    "completions.text",
    "unique_fraction",
    "entropy",
    "reward_std",
    "reward.<goal>",
    "completion_length",
  ],
  decision: [
    written`A temperature of at most ${COLD_TEMPERATURE}, a top_p of at most ${NARROW_TOP_P} or top_k 1 in force, unless measured groups have spread.`,
    written`All texts of a group equal in at least ${ALIKE} % of the groups while the entropy at temperature 1 is above ${ALIVE} nats per token (of the same records; identical groups then have a probability of exp(-entropy x tokens x (G-1)); in a run of ours ${PROOF} nats over all groups are wanted, and a task that is not nearly solved).`,
    written`Where a log prints neither texts nor entropy: a reward with partial credit, such as an IoU, ties in every group on at least ${RECORDS} records, all that there are: rewards whose mean is no fraction of whole ones are equal eight times where the texts are.`,
    written`Or the mean length has no finer steps than the reward of groups that tie, on all records: within a group lengths are equal too.`,
  ],
  hint:
    "Set temperature 1, top_p 1 and top_k 0 explicitly: a model folder's generation_config.json may override the trainer's defaults.",
  remedy: PLAIN_SAMPLING,
  lookAlikes: {
    entropy_collapse: "there the entropy at temperature 1 is near 0",
    all_correct_saturated: "there the completions are right",
  },
  taughtBy: "Visual-RFT and TRL: generation_config.json of Qwen2-VL with temperature 0.01, top_p 0.001",
  check(view): Found | null {
    if (!isReinforcement(view) && view.algorithm !== null) return null;
    const settings = cold(view);
    const found = settings.length > 0
      ? byConfiguration(view, settings)
      : byTexts(view) ?? byEntropy(view) ?? byRewards(view) ?? byLengths(view);
    // With vLLM the command line has the say.
    const isFolders = samplesAsFolder(view.system) && settingFlag(view, "use_vllm") !== true;
    return found === null || !isFolders ? found : { ...found, remedy: [], hint: IN_FOLDER, byHand: IN_FOLDER };
  },
});

/** Every group has one text, as far as texts are printed, and it is neither a loop nor token 0. */
function isIdentical(view: RunView): boolean {
  const { groups, unique, identicalGroups, looping, tokenZero } = texts(view);
  return unique !== null && groups >= GROUPS && identicalGroups! >= ALIKE && looping < 0.5 && tokenZero < 0.5;
}

/**
 * The entropy of the records whose texts are judged, NaN where none is printed: in runs of ours that of the last one, also
 * where it is not finite, since texts of broken weights say nothing of the sampling.
 */
function entropyOf(view: RunView): number {
  if (view.imported) return median(entropiesOfTexts(view));
  return asNumber(view.column("entropy").at(-1)) ?? NaN;
}

/** Of a log: at the train steps of its texts; where those are not told, of its first records, which texts are of. */
function entropiesOfTexts(view: RunView): readonly number[] {
  const printed = new Set(view.completions.map(({ trainStep }) => trainStep)), entropy = view.column("entropy");
  const own = view.trainSteps.flatMap((step, record) =>
    printed.has(step) && isNumber(entropy[record]) ? [entropy[record]] : []
  );
  return own.length > 0 ? own : view.finite("entropy").slice(0, JUDGED);
}

/** Groups of one text at the beginning as at the end, as sampling that is set so gives them. */
function isOneThroughout(view: RunView): boolean {
  const unique = view.finite("unique_fraction"), size = groupSize(view);
  return unique.length >= GROUPS &&
    [unique.slice(0, LATE), unique.slice(-LATE)].every((part) => onePerGroup(part, size));
}

/** Median entropy of some records; NaN where none is printed. */
function entropyAt(view: RunView, records: readonly number[]): number {
  return median(records.map((record) => view.column("entropy")[record]).filter(isNumber));
}

/** How many of the printed groups have one text. */
function alike(view: RunView): string {
  const { groups, identicalGroups } = texts(view), count = Math.round(identicalGroups! * groups);
  return count === groups ? `${groups} groups` : `${count} of ${groups} groups`;
}

const sameInGroup = (view: RunView) => quote(view.completions[0]!, "the same in its group");

/** Settings say so, and what is measured does not say otherwise. */
function byConfiguration(view: RunView, settings: readonly Setting[]): Found | null {
  const { flat, spread, share } = spreadSummary(view);
  const { groups, unique } = texts(view), identical = isIdentical(view), entropy = entropyOf(view);
  const measured = (share !== null && share < SPREAD) || spread.length > flat.length ||
    (groups > 0 && unique !== null && unique > 0.5);
  const warm = settings.every((entry) => entry.system === "model") &&
    view.settings.some((entry) =>
      entry.system !== "model" && entry.option === "temperature" && !NEAR_GREEDY.temperature(asNumber(entry.value) ?? 0)
    );
  const seen = flat.length > 0 || identical;
  if (measured || (warm && !seen)) return null;
  return {
    trainSteps: view.stepsAt(flat),
    message: `Sampling is near-greedy: ${settings.map((entry) => `${entry.name} ${entry.value}`).join(", ")}`,
    evidence: [
      ...settings.map((entry) => settingEvidence(entry)),
      ...(flat.length > 0 ? [view.evidence("reward", flat[0]!, "no spread inside groups")] : []),
      ...(identical ? [sameInGroup(view)] : []),
    ],
    ruledOut: entropy > ALIVE ? { entropy_collapse: `entropy at temperature 1 is ${show(entropy)} nats` } : {},
    ...(seen ? {} : { confirm: "print the completions of one group: they are the same" }),
  };
}

/** Texts alone: long ones that are alike within groups and not over prompts. */
function byTexts(view: RunView): Found | null {
  const { groups, samePrompts } = texts(view);
  const length = mean(view.completions.slice(0, MEASURED).map((row) => row.text.length));
  if (!isIdentical(view) || view.finite("entropy").length > 0 || !(length >= LONG)) return null;
  if (groups <= GROUPS || (samePrompts ?? 0) >= 0.5) return null;
  return {
    trainSteps: [],
    message: `All completions of a group are the same text, in ${alike(view)}`,
    evidence: [sameInGroup(view)],
    confirm: "the entropy at temperature 1: near 0 it is entropy_collapse; and the sampling settings in force",
  };
}

/**
 * Rewards alone: one with partial credit tells texts apart, and in no group does it differ, from the first record to the
 * last. A reward that reads the prompt only would do the same.
 */
function byRewards(view: RunView): Found | null {
  const { flat } = spreadSummary(view), { groups } = texts(view);
  if (!view.imported || groups > 0 || view.prints("entropy") || view.prints("unique_fraction")) return null;
  if (flat.length < RECORDS || flat.length < recordsOf(view.column("reward")).length) return null;
  const graded = rewardFunctions(view).find(({ kind, values }) => kind !== "format" && isGraded(values));
  // Right answers tie as well, and only where this reward itself says so.
  if (graded === undefined || median(graded.values.slice(-LATE)) >= NEARLY_SOLVED) return null;
  return {
    trainSteps: view.stepsAt(flat),
    message:
      `${graded.name} has partial credit, and ${onAll(view, flat.length)} every completion of a group gets the ` +
      "same: the completions are the same",
    evidence: [
      view.evidence(graded.column, flat[0]!),
      view.evidence(
        ["group_reward_std", "reward_std"].find((name) => view.has(name)) ?? "zero_spread_fraction",
        flat[0]!,
        "no spread inside groups",
      ),
    ],
    ruledOut: { broken_gradient_path: "without spread inside groups a gradient of 0 is what the formula gives" },
    confirm: "print the completions of one group, and the sampling settings in force with those of the model folder",
  };
}

/** Lengths alone: where rewards tie, so do they, in every group of every record. */
function byLengths(view: RunView): Found | null {
  const { flat } = spreadSummary(view), { groups } = texts(view);
  if (!view.imported || groups > 0 || view.prints("entropy") || view.prints("unique_fraction")) return null;
  if (flat.length < RECORDS || flat.length < recordsOf(view.column("reward")).length || nearlySolved(view)) return null;
  const [lengths, rewards] = ["completion_length", "reward"].map((name) =>
    flat.map((record) => view.column(name)[record]).filter(isNumber)
  ) as [number[], number[]];
  const count = lengths.length === flat.length ? groupsOfOneLength(lengths, rewards, groupSize(view)) : null;
  if (count === null) return null;
  return {
    trainSteps: view.stepsAt(flat),
    message:
      `${
        capital(onAll(view, flat.length))
      } the mean length is a whole number of 1/${count} tokens, as the reward of ${count} ` +
      "groups that tie: within a group all completions are equally long, as copies are",
    evidence: [
      view.evidence("completion_length", flat[0]!),
      view.evidence("reward", flat[0]!),
    ],
    ruledOut: { broken_gradient_path: "without spread inside groups a gradient of 0 is what the formula gives" },
    confirm: "print the completions of one group, and the sampling settings in force with those of the model folder",
  };
}

/** Groups of one text although the policy has a choice. */
function byEntropy(view: RunView): Found | null {
  const identical = isIdentical(view), records = recordsOf(view.column("unique_fraction")).slice(-LATE);
  const one = isOneThroughout(view);
  // What is judged is judged by the entropy of the same records: a policy that loses it ends with one text, too.
  const entropy = identical || !view.imported ? entropyOf(view) : entropyAt(view, records);
  if (!(identical || one) || !(entropy > ALIVE) || mayBeLuck(view, entropy)) return null;
  const length = mean(view.finite("completion_length"));
  return {
    trainSteps: view.trainSteps.slice(0, 1),
    message: `All completions of a group are the same text${
      identical ? `, in ${alike(view)},` : ""
    } while the entropy at temperature 1 is ${show(entropy)} nats per token`,
    evidence: [
      ...(identical ? [quote(view.completions[0]!, `one text in ${alike(view)}`)] : []),
      ...(one ? [view.evidence("unique_fraction", view.records - 1)] : []),
      view.evidence("entropy", identical || !one ? 0 : records.at(-1)!),
    ],
    ruledOut: {
      entropy_collapse: `at this entropy${
        Number.isFinite(length) ? ` and ${show(length)} tokens` : ""
      } identical samples would need luck beyond reason`,
    },
    confirm: "print the sampling settings in force, with those inherited from the model folder",
  };
}
