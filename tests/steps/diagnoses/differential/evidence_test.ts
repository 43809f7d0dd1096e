/** The pieces of evidence: which kinds a finding brings beside others. */
import assert from "node:assert/strict";
import { evidenceOf, follows, type Suspects } from "../../../../steps/diagnoses/differential/evidence.ts";
import { DECISION_ORDER, ORDER } from "../../../../steps/diagnoses/decide.ts";
import type { Finding } from "../../../../steps/diagnoses/diagnosis.ts";

const alarm = (cause: string, since: number, more: Partial<Finding> = {}): Finding => ({
  cause,
  codes: [],
  severity: "error",
  train_steps: [since],
  message: `${cause} is there`,
  hint: "",
  evidence: [],
  remedy: { patches: [], options: [] },
  ruled_out: [],
  ...more,
});
const RUN: Suspects = { alarms: [], open: [], length: 100 };
const kinds = (more: Partial<Suspects>) =>
  evidenceOf({ ...RUN, ...more }).map(({ cause, pieces }) => [cause, ...pieces.map(({ kind }) => kind)].join(" "));

Deno.test("evidenceOf() brings severity, order, doubt and what follows from what", () => {
  assert.deepEqual(
    kinds({
      alarms: [
        alarm("nan_loss", 1, { severity: "fatal" }),
        alarm("entropy_collapse", 40, { confirm: "look", began: 40 }),
        alarm("reward_collapse", 60, { severity: "warning", began: 60 }),
      ],
    }),
    [
      "nan_loss fatal explains",
      "entropy_collapse error first explains later doubt",
      "reward_collapse warning follows",
    ],
  );
});

Deno.test("evidenceOf() adds what a rule leaves open once, and not beside its own alarm", () => {
  const open = (["nan_loss", "overfitting"] as const).map((cause) => ({ cause, missing: ["x"], because: "no x" }));
  assert.deepEqual(kinds({ alarms: [alarm("nan_loss", 1)], open }), ["nan_loss error", "overfitting open later"]);
});

Deno.test("follows() is false for a trend that began well before the other, and where none explains", () => {
  const trend = (cause: string, began: number) => ({ cause, began });
  assert.ok(follows(trend("reward_collapse", 40), trend("entropy_collapse", 50), 100));
  assert.ok(!follows(trend("reward_collapse", 10), trend("entropy_collapse", 50), 100));
  assert.ok(!follows(trend("entropy_collapse", 50), trend("reward_collapse", 40), 100));
});

Deno.test("follows() takes the one that stands earlier in the order for the cause where each may explain the other", () => {
  const mutual = DECISION_ORDER.flatMap((cause, at) =>
    DECISION_ORDER.slice(at + 1).filter((other) => ORDER[cause].includes(other) && ORDER[other].includes(cause))
      .map((other) => [cause, other] as const)
  );
  assert(mutual.length > 0);
  assert(mutual.some(([one, other]) => one === "rollout_trainer_mismatch" && other === "negative_kl_estimate"));
  for (const [earlier, later] of mutual) {
    assert.ok(follows({ cause: later }, { cause: earlier }, 100), `${later} follows from ${earlier}`);
    assert.ok(!follows({ cause: earlier }, { cause: later }, 100), `${earlier} does not follow from ${later}`);
  }
});

Deno.test("evidenceOf() counts two findings of a kind at most: more of them say the same again", () => {
  const [origin, effects] = DECISION_ORDER.map((cause) =>
    [cause, ORDER[cause].filter((effect) => !ORDER[effect].includes(cause))] as const
  ).find(([, effects]) => effects.length >= 4)!;
  const of = (cause: string, kind: string, others: readonly string[]) =>
    evidenceOf({ ...RUN, alarms: [cause, ...others].map((one) => alarm(one, 1)) })
      .find((one) => one.cause === cause)!.pieces.filter((piece) => piece.kind === kind).length;
  assert.deepEqual([1, 2, 4].map((count) => of(origin, "explains", effects.slice(0, count))), [1, 2, 2]);
  // Causes of which none explains the last one, looked at before it.
  const last = DECISION_ORDER.at(-1)!,
    apart = DECISION_ORDER.filter((cause) =>
      cause !== last && !ORDER[cause].includes(last) && !ORDER[last].includes(cause)
    );
  const later = (count: number) =>
    evidenceOf({ ...RUN, alarms: [...apart.slice(0, count), last].map((one) => alarm(one, 1)) })
      .at(-1)!.pieces.filter(({ kind }) => kind === "later").length;
  assert.deepEqual([1, 2, 4].map(later), [1, 2, 2]);
});
