/** Cause `gradient_spikes`: rare gradients far outside the rest, again and again. @module */
import { optionDefault } from "../../data/option_defaults.ts";
import { defineDiagnosis, type Found } from "./diagnosis.ts";
import { SMALLER_STEPS } from "./remedies/often.ts";
import type { Patch } from "./remedies/patch.ts";
import { settingNumber } from "./view/settings.ts";
import { type Cells, isNumber, median, recordsOf, show, written } from "./view/numbers.ts";
import { endsAtTop, gainSince } from "./view/progress.ts";
import { nearlySolved } from "./view/rewards.ts";
import type { RunView } from "./view/run_view.ts";

const RECORDS = 40; // Records that show what is usual.
const TIMES = 20; // Times the running median.
const USUAL = 0.9, ABOVE = 6; // Quantile of all gradients that is still usual, and times as much that a spike is above.
const LEVEL = 5; // Times the highest running median: where the loss is nearly 0, a hard batch is as the first ones were.
/** Spikes that are no accident, and records within which one must come: heavy tails of healthy runs have rarer ones. */
const AGAIN = 3, WITHIN = 250;
const WINDOW = 25; // Records before it whose median is what is usual.
const WARM_UP = 0.05; // Share of the run in which a spike is of the warm-up.
const REUSED = 4; // Updates per rollout from which on gradients differ from pass to pass.
const APART = 3; // Records between two spikes that are two.
const EVERY = 100; // Train steps for which the rate is told.
const CLIP = 3; // Times the usual norm at which a gradient is clipped: ordinary ones pass.
const SHOWN = 4; // Spikes that are shown.

interface Spike {
  readonly record: number;
  readonly times: number;
}

export default defineDiagnosis({
  codes: ["N02"],
  wastes: "listed",
  severity: "warning",
  about: "Now and then a gradient is many times the usual one: single batches move the weights as far as dozens do.",
  reads: ["grad_norm", "loss", "reward"],
  decision:
    written`On at least ${RECORDS} records the gradient norm is more than ${TIMES} times the median of the ${WINDOW} records before it and ${ABOVE} times what ${USUAL} % of all are below and ${LEVEL} times the highest such median, at least ${AGAIN} times and once in ${WITHIN} records, ${APART} records and more apart, the first ${WARM_UP} % of the run left out; not in a run that is nearly solved or ends near the top of its scale, nor where a rollout is used for ${REUSED} updates and more and what the run is for rises. Fewer are no cause.`,
  hint:
    "Clip the gradient (max_grad_norm), look at the batches of these train steps: outlier rewards, a very long or empty completion; skip updates beyond a multiple of the usual norm.",
  remedy: [SMALLER_STEPS],
  lookAlikes: {
    learning_rate_too_high: "there the level itself is high, and the run breaks",
    invalid_reward_values: "there the rewards of such a batch are absurd",
    healthy: "one spike, or one in warm-up, is no fault",
  },
  taughtBy: "long runs of GRPO: spikes of 20 to 200 times the median gradient, every 50 train steps",
  check(view): Found | null {
    const spikes = spikesOf(view), known = recordsOf(view.column("grad_norm"));
    // Where nearly all are right most groups tie, and one that does not is the whole gradient.
    if (spikes.length < Math.max(AGAIN, known.length / WITHIN) || nearlySolved(view) || endsAtTop(view)) return null;
    // Of passes over one rollout most are clipped: gradients of 0 beside others are none, where the run learns all the same.
    const isReused = (settingNumber(view, "updates_per_rollout") ?? 1) >= REUSED;
    if (isReused && gainSince(view, view.trainSteps[0]!)?.still === false) return null;
    const steps = view.stepsAt(spikes.map(({ record }) => record));
    const span = Math.max(1, view.trainSteps.at(-1)! - view.trainSteps[0]! + 1);
    const largest = spikes.toSorted((a, b) => b.times - a.times)[0]!;
    const usual = median(known.map((record) => view.column("grad_norm")[record]!));
    return {
      trainSteps: steps,
      trend: true,
      remedy: remedyOf(view, usual),
      message: `${spikes.length} gradients are more than ${TIMES} times what is usual before them (about ${
        show(usual)
      }), up to ${show(largest.times)} times at train step ${view.trainSteps[largest.record]}: ${
        show(EVERY * spikes.length / span)
      } per ${EVERY} train steps${leftOut(view, spikes)}`,
      evidence: [
        ...[largest, ...spikes.filter((spike) => spike !== largest)].slice(0, SHOWN).map(({ record, times }) =>
          view.evidence("grad_norm", record, `${show(times)} times the median before it`)
        ),
        view.evidence("grad_norm", known.at(-1)!),
      ],
      ruledOut: { learning_rate_too_high: "between the spikes the gradient is as usual" },
    };
  },
});

/** What a picture shows above those that count: larger gradients of the warm-up, said to be left out. */
function leftOut(view: RunView, spikes: readonly Spike[]): string {
  const cells = view.column("grad_norm"), known = recordsOf(cells), largest = Math.max(...valuesAt(cells, spikes));
  const larger = known.slice(0, startOf(known)).filter((record) => cells[record]! > largest);
  if (larger.length === 0) return "";
  const top = larger.reduce((a, b) => cells[b]! > cells[a]! ? b : a);
  return `; larger ones of the warm-up (up to ${show(cells[top])} at train step ${view.trainSteps[top]}) are left out`;
}

const valuesAt = (cells: Cells, spikes: readonly Spike[]) => spikes.map(({ record }) => cells[record]!);

/** Index of the first record behind the warm-up. */
const startOf = (known: readonly number[]) => Math.max(1, Math.ceil(WARM_UP * known.length));

/** Clip at some times the usual norm, where the run clips at more or at none. */
function remedyOf(view: RunView, usual: number): readonly Patch[] {
  const at = Number((CLIP * usual).toPrecision(1)),
    now = settingNumber(view, "max_grad_norm") ?? optionDefault("max_grad_norm", view.system);
  const clips = typeof now === "number" && now > 0 && now <= at;
  const patch: Patch = { step: "apply_update", key: "max_grad_norm", set: at };
  return clips || !(at > 0) ? [SMALLER_STEPS] : [patch, SMALLER_STEPS];
}

/** Spikes that are apart, by what is usual before each. */
function spikesOf(view: RunView): Spike[] {
  const cells = view.column("grad_norm"), known = recordsOf(cells);
  if (known.length < RECORDS) return [];
  const spikes: Spike[] = [];
  // Where most groups tie the gradient is 0 and now and then as usual: that is no spike.
  const sorted = new Float64Array(known.map((record) => cells[record]!)).sort();
  const usual = known.map((_, at) => median(known.slice(Math.max(0, at - WINDOW), at).map((other) => cells[other]!)));
  const start = startOf(known);
  const sure = Math.max(
    ABOVE * sorted[Math.floor(USUAL * (sorted.length - 1))]!,
    ...usual.slice(Math.min(WINDOW, start)).map((level) => LEVEL * level),
  );
  for (let at = start; at < known.length; at++) {
    const record = known[at]!, value = cells[record]!;
    if (!isNumber(value) || value <= sure) continue;
    const times = value / usual[at]!;
    const last = spikes.at(-1);
    if (!(times > TIMES) || !Number.isFinite(times)) continue;
    if (last === undefined || at - known.indexOf(last.record) > APART) spikes.push({ record, times });
    else if (times > last.times) spikes[spikes.length - 1] = { record, times }; // Of several in a row the largest tells.
  }
  return spikes;
}
