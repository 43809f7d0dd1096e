/** A diagnosis made by hand, for the tests of the reports. @module */
import type { Cost } from "../../../steps/diagnoses/cost/cost.ts";
import type { Decisive } from "../../../steps/diagnoses/differential/decide_between.ts";
import type { Likely } from "../../../steps/diagnoses/differential/differential.ts";
import type { Finding } from "../../../steps/diagnoses/diagnosis.ts";
import type { Examined } from "../../../workflows/doctor/examined.ts";

/** A finding with the least that one needs. */
export function oneFinding(changes: Partial<Finding> = {}): Finding {
  return {
    cause: "entropy_collapse",
    codes: ["E01"],
    severity: "error",
    train_steps: [3, 4],
    message: "entropy falls from 1.5 to 0.01",
    hint: "Raise the temperature",
    evidence: [
      { source: "/home/ada/log.txt", line: 3, train_step: 3, name: "actor/entropy", value: 0.01, note: "was 1.5" },
      { source: null, line: null, train_step: 4, name: "loss", value: NaN },
    ],
    remedy: { patches: [], options: ["temperature=1.0"], by_hand: "look at the completions" },
    ruled_out: [{ cause: "greedy_sampling", why: "temperature is 1" }],
    confirm: "sample with temperature 1",
    ...changes,
  };
}

/** One faulty run of four records. */
export function oneExamined(changes: Partial<Examined> = {}): Examined {
  const trainSteps = [1, 2, 3, 4];
  return {
    path: "/home/ada/log.txt",
    part: "",
    system: "verl",
    algorithm: "grpo",
    records: 4,
    diagnosis: {
      verdict: "faulty",
      findings: [oneFinding()],
      afterEffects: [oneFinding({ cause: "mode_collapse", message: "completions are alike; on 4 records" })],
      differential: [],
      missing: [],
      reasons: ["entropy_collapse: entropy falls from 1.5 to 0.01"],
    },
    series: new Map([
      ["entropy", { name: "entropy", trainSteps, values: [1.5, 1.2, 0.01, 0.01] }],
      ["reward", { name: "reward", trainSteps, values: [0, 0.25, 0.5, 1] }],
    ]),
    evaluations: new Map(),
    columnOf: new Map([["actor/entropy", "entropy"]]),
    reading: ["1 metric name without a column: global_seqlen/min"],
    ...changes,
  };
}

/** What a run of eleven hours lost. */
export function oneCost(changes: Partial<Cost> = {}): Cost {
  return {
    since: 180,
    share_of_run: 0.45,
    waste: "flat",
    rollouts: 0.55,
    tokens: null,
    hours: 6.2,
    of: { tokens: null, hours: 11.3 },
    gpus: null,
    missing: [],
    ...changes,
  };
}

/** A look that tells two causes apart. */
export function oneDecisive(changes: Partial<Decisive> = {}): Decisive {
  return {
    look: "more_samples",
    about: "sample 32",
    if: "they differ",
    against: "greedy_sampling",
    else: "most are the same",
    options: [],
    command: [],
    ...changes,
  };
}

/** The first cause and a look-alike of it. */
export function oneDifferential(): Likely[] {
  return [
    {
      cause: "entropy_collapse",
      probability: 0.7,
      for: [{ says: "entropy falls", weight: 4 }],
      against: [],
      decide: oneDecisive(),
    },
    {
      cause: "greedy_sampling",
      probability: 0.2,
      for: [{ says: "groups are copies", weight: 3 }],
      against: [{ says: "it begins later", weight: -1 }],
      decide: oneDecisive({ if: "most are the same", against: "entropy_collapse", else: "they differ" }),
    },
  ];
}
