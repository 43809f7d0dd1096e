/** Cause `wrong_reference_model`: the reference is not the initial policy. @module */
import { defineDiagnosis, type Found } from "./diagnosis.ts";
import { isPreference, isReinforcement, startLoss } from "./view/groups.ts";
import { peakLearningRate } from "./view/learning_rate.ts";
import { finiteOf, isNumber, median, show, written } from "./view/numbers.ts";
import { ownNumber, setting, settingEvidence, settingFlag, settingNumber } from "./view/settings.ts";
import { followsWarmStart, interval, startsAtBeginning } from "./view/start.ts";
import { isReferenceFree } from "./view/reference.ts";
import { noneStands } from "./view/ruin.ts";
import { NO_IMAGE, texts } from "./view/texts.ts";
import type { RunView } from "./view/run_view.ts";

const BROKEN = 10; // A first KL from here is no other reference: something else is broken.
const MANY_UPDATES = 25; // Updates behind a first record that may have learned anything.
const FEW = 3, RECORDS = 5; // Records, printed seldom, of which the rest can be told; and those that show growth.
/** Rewards before any update, in a first record of several, at full and at half precision: bf16 loses about one nat per text, times beta. */
const NOISE = { later: 0.5, full: 1e-3, half: 0.1 } as const;
const LOSS_NOISE = 0.01; // A loss of four printed decimals, and its own noise.
const STAYING = 4; // Records that show whether rewards stay where they are.

const FAR = 0.05; // Engines in bf16 differ by up to 1e-3 nats per token; a different checkpoint by a tenth and more.
const FP32 = 0.002; // In fp32, before the first update, two equal models differ by rounding only.
const GROWN = 20; // A KL that grows by so much explodes, wherever it starts.
/** KL that a policy may have learned, over the square of the summed learning rate; measured: 4400 on a tiny model. */
const LEARNED = 1e4;

export default defineDiagnosis({
  codes: ["K02", "P01"],
  wastes: "wrong",
  about: "The reference policy is not the model that training started from (or dropout is on in one of the two).",
  reads: ["kl", "loss", "chosen_reward", "rejected_reward", "reward_margin", "settings.updates_per_rollout"],
  decision: [
    written`GRPO and kin: the KL of the run's first record (of its first update, where a run of ours makes several of a rollout) is at least ${FAR} nats per token (${FP32} where the configuration says fp32 and every update is printed, and in runs of ours whose reference is a copy, or the base of a fresh adapter) and later records do not lie far above it (a copy's may); a mean over several passes must also stay. Not at a rate that no model stands where nothing says that the first record is one update.`,
    "DPO and KTO: the very first record, before any update, has rewards other than 0 or a loss other than its start value (ln 2), beyond the noise of the precision; silent where rewards are log-probs (SimPO, CPO, ORPO). Silent in runs of ours whose reference is a copy of a policy that trains with dropout on an adapter which has trained before: the dropout explains the difference.",
  ],
  hint: "Load the reference from the same checkpoint as the policy and switch dropout off.",
  remedy: [{ step: "load_model", key: "reference", set: "copy" }],
  byHand: "Check the reference's path, the adapter that is disabled for it, cached reference log-probs, and dropout.",
  ours: "Check the folder that reference of load_model names.",
  lookAlikes: {
    kl_explosion: "there the KL starts at 0",
    rollout_trainer_mismatch: "there the first KL is 100 and more, or the ratio is not 1",
    healthy: "a resumed run starts with the KL it had",
  },
  taughtBy: "TRL: KL 1.2 in the first record at learning rate 1e-4, about 1 ever after",
  check(view): Found | null {
    if (isPreference(view)) return preference(view);
    if (!isReinforcement(view) || !startsAtBeginning(view)) return null;
    const kl = view.column("kl");
    const values = finiteOf(kl);
    const copied = !view.imported && startsEqual(view);
    if (says(view, "reference", "copy") && dropsOut(view)) return null;
    const sampled = view.sampledKl(0), first = sampled?.value ?? kl[0];
    const unknown = view.lacks.includes("settings") ? 2 : 1;
    const passes = sampled === null ? settingNumber(view, "updates_per_rollout") ?? unknown : 1;
    const updates = interval(view) * passes;
    const exact = copied
      ? passes === 1
      : updates === 1 && settingFlag(view, "bf16") === false && settingFlag(view, "use_vllm") !== true;
    if (!isNumber(first) || first < (exact ? FP32 : FAR) || first >= BROKEN || updates > MANY_UPDATES) return null;
    if (texts(view).brokenImage > NO_IMAGE) return null;
    const resumed = /resume/i.test(
      view.settings.filter((entry) => entry.value !== null && !/^(false|none|)$/i.test(String(entry.value))).map((
        entry,
      ) => entry.name).join(" "),
    );
    if (resumed) return null;
    const rest = median(values.slice(1).length > 0 ? values.slice(1) : values);
    if (updates > 1 && (values.length < FEW || rest > 2 * first)) return null;
    // A mean over passes at a large rate falls back as soon as the next rollout is sampled; another model stays away.
    if (passes > 1 && 2 * rest < first) return null;
    // Adam moves a weight by about the learning rate per update: a first record of several may have learned it.
    if (updates > 1 && first < LEARNED * (updates * (peakLearningRate(view) ?? 0)) ** 2) return null;
    // Nothing says that the first record is one update, and no model stands its rate: that explains any KL.
    if (
      !view.stepsPrinted && setting(view, "logging_steps") === null && noneStands(view, peakLearningRate(view) ?? 0)
    ) {
      return null;
    }
    // A copy has no KL before the first update, whatever comes after.
    if (!(copied && exact) && values.length >= RECORDS && values.at(-1)! > GROWN * first && rest > GROWN * first) {
      return null;
    }
    return {
      trainSteps: [view.trainSteps[0]!],
      message: `The KL is ${show(first)} nats per token before anything was learned, ${
        show(rest)
      } later: the reference is another model`,
      evidence: [sampled ?? view.evidence("kl", 0), ...(kl.length > 1 ? [view.evidence("kl", view.records - 1)] : [])],
      ruledOut: { kl_explosion: "it is there in the first record" },
      ...advice(view),
    };
  },
});

const says = (view: RunView, name: string, value: unknown) =>
  !view.imported && view.settings.some((one) => one.name === name && one.value === value);

/** An adapter of ours that differs from its base before the run's first update on what the reference is asked for. */
const trainedBefore = (view: RunView) => says(view, "lora_fresh", false) || (view.warmStart?.records ?? 0) > 0;

/** A reference that is the policy until its first update: a copy, or the base of an adapter that adds nothing yet. */
function startsEqual(view: RunView): boolean {
  return says(view, "reference", "copy") ||
    (says(view, "reference", "adapter_off") && says(view, "lora_fresh", true) && !trainedBefore(view));
}

/** Training has the adapter's dropout and the reference has not; while B is 0, dropping A's inputs changes nothing. */
const dropsOut = (view: RunView) => (ownNumber(view, "lora_dropout") ?? 0) > 0 && trainedBefore(view);

/** What to do, by what the reference is. */
function advice(view: RunView): Pick<Found, "hint" | "byHand" | "remedy"> {
  const say = (hint: string, remedy?: Found["remedy"]) => ({ hint, byHand: hint, ...(remedy ? { remedy } : {}) });
  if (says(view, "reference", "copy")) {
    return say("The reference is a copy of the policy: look for what computes the two differently.", []);
  }
  if (!says(view, "reference", "adapter_off")) return {};
  return trainedBefore(view)
    ? say("The adapter has trained before the reference is asked: use reference: copy.")
    : say("The reference is the policy's base: look for what changes the base of the adapter.", []);
}

function preference(view: RunView): Found | null {
  if (!startsAtBeginning(view) && !followsWarmStart(view)) return null;
  // Without a reference its log-probs count as 0: then rewards are log-probs, and no sign of anything.
  if (isReferenceFree(view)) return null;
  // A first record that stands for several updates may have learned something: then the rewards must be far off and stay.
  const exact = view.stepsPrinted && (view.trainSteps[0] === 1 || followsWarmStart(view));
  const half = settingFlag(view, "bf16") === true || settingFlag(view, "fp16") === true ||
    /16/.test(String(setting(view, "precision")?.value ?? ""));
  const full = !view.imported || settingFlag(view, "bf16") === false ||
    /32/.test(String(setting(view, "precision")?.value ?? ""));
  const noise = !exact ? NOISE.later : full && !half ? NOISE.full : NOISE.half;
  if (dropsOut(view) && says(view, "reference", "copy")) return null;
  const cell = (name: string) => view.column(name)[0];
  const shown = ["chosen_reward", "rejected_reward", "reward_margin"].filter((name) => isNumber(cell(name)));
  const worst = Math.max(0, ...shown.map((name) => Math.abs(cell(name)!)));
  const loss = cell("loss");
  const start = startLoss(view);
  const sigmoid = !/ipo|hinge|nca|bco|sppo|apo|discopop|exo|simpo|orpo/i.test(
    String(setting(view, "loss")?.value ?? ""),
  );
  const off = exact && view.algorithm === "dpo" && sigmoid && isNumber(loss) && shown.length === 0 &&
    Math.abs(loss - start) > Math.max(noise, LOSS_NOISE);
  if (worst <= noise && !off) return null;
  if (!exact && !shown.some((name) => stays(view.finite(name), noise))) return null;
  const reference = setting(view, "reference");
  return {
    trainSteps: [view.trainSteps[0]!],
    message: shown.length > 0
      ? `Before any update the implicit rewards are ${
        shown.map((name) => `${name} ${show(cell(name))}`).join(", ")
      }, want 0`
      : `The first loss is ${show(loss)}, want ${show(start)}`,
    evidence: [
      ...shown.slice(0, 2).map((name) => view.evidence(name, 0)),
      view.evidence("loss", 0),
      ...(reference === null ? [] : [settingEvidence(reference)]),
    ],
    ruledOut: { kl_explosion: "nothing was updated yet" },
    ...advice(view),
  };
}

/** True if the values lie on one side, about as far from 0 as the first. */
function stays(values: readonly number[], noise: number): boolean {
  const first = values[0] ?? 0;
  return values.length >= STAYING && Math.abs(first) > noise &&
    values.every((value) => value / first > 0.5 && value / first < 2);
}
