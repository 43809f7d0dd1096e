/** Which changes are tried, in which order. */
import assert from "node:assert/strict";
import { STEPS } from "../../../steps/mod.ts";
import {
  changesOf,
  detectionWindow,
  firstStep,
  INTEGRITY_CODES,
  isComparable,
  isRefusedAltogether,
  patchesOf,
  refusal,
  stoppingFinding,
  suspectsOf,
} from "../../../workflows/repair/changes.ts";

const FINDING = { cause: "kl_explosion", severity: "error", message: "m", hint: "h", train_step: 9, codes: ["K01"] };

Deno.test("changesOf() keeps values of one step together and factors apart, and ends with factors once more", () => {
  const set = (step: string, key: string) => ({ step, key, set: 1 });
  const mul = (key: string, mul: number) => ({ step: "apply_update", key, mul });
  assert.deepEqual(changesOf([set("a", "x"), set("a", "y"), set("b", "z")]), [
    [set("a", "x"), set("a", "y")],
    [set("b", "z")],
  ]);
  const changes = changesOf([mul("learning_rate", 0.5), set("apply_update", "kl_coef"), mul("clip_low", 2)]);
  assert.deepEqual(changes, [
    [mul("learning_rate", 0.5)],
    [set("apply_update", "kl_coef")],
    [mul("clip_low", 2)],
    [{ ...mul("learning_rate", 0.5), further: true }],
    [{ ...mul("clip_low", 2), further: true }],
  ]);
  assert.deepEqual(changesOf([]), []);
});

Deno.test("changesOf() keeps with a factor what it needs that the run lacks, the second time too", () => {
  const [lower, more] = [{ step: "apply_update", key: "learning_rate", mul: 0.3 }, {
    step: "apply_update",
    key: "kl_coef",
    mul: 2,
  }];
  const need = { step: "load_model", key: "reference", where: "none", set: "copy" };
  assert.deepEqual(changesOf([lower!, more!, need]), [
    [lower],
    [more, need],
    [{ ...lower, further: true }],
    [{ ...more, further: true }, need],
  ]);
});

Deno.test("firstStep() and detectionWindow() count from the first train step of the evidence", () => {
  assert.equal(firstStep(FINDING), 9);
  assert.equal(firstStep({ ...FINDING, train_steps: [7, 4, 9] }), 4);
  assert.equal(detectionWindow({ ...FINDING, train_steps: [7, 4, 9] }), 6);
  assert.equal(detectionWindow(FINDING), 1);
});

Deno.test("stoppingFinding() is the one that the reason names, and none for a failed run", () => {
  const other = { ...FINDING, cause: "mode_collapse" };
  const run = { status: "stopped", reason: "kl_explosion: m", findings: [other, FINDING] };
  assert.equal(stoppingFinding(run), FINDING);
  assert.equal(stoppingFinding({ ...run, status: "failed" }), null);
  assert.equal(stoppingFinding({ ...run, reason: "a person said so" }), null);
});

Deno.test("suspectsOf() are what the verdict names and a setting may mend, in its order, then what stopped the run", () => {
  const remedy = { patches: [{ step: "a", key: "b", set: 1 }] };
  const [hacking, length, stall] = ["reward_hacking", "length_inflation", "resource_stall"].map((cause) => ({
    ...{ ...FINDING, cause },
    ...(cause === "resource_stall" ? {} : { remedy }),
  }));
  const run = { status: "stopped", reason: "kl_explosion: m", findings: [FINDING, length!, hacking!, stall!] };
  const said = (causes: readonly string[]) => suspectsOf({ ...run, verdict: { causes } }).map(({ cause }) => cause);
  assert.deepEqual(said(["resource_stall", "reward_hacking", "kl_explosion", "length_inflation"]), [
    "reward_hacking",
    "kl_explosion",
    "length_inflation",
  ]);
  assert.deepEqual(said(["reward_hacking"]), ["reward_hacking", "kl_explosion"]);
  assert.deepEqual(suspectsOf({ ...run, verdict: null }), [FINDING]);
  assert.deepEqual(suspectsOf({ ...run, status: "failed", verdict: { causes: ["reward_hacking"] } }), []);
});

Deno.test("isRefusedAltogether() is true of integrity and after three repairs of a run, not after two of a cause", () => {
  assert.equal(isRefusedAltogether(FINDING, [FINDING, FINDING]), false);
  assert.equal(isRefusedAltogether(FINDING, [FINDING, FINDING, FINDING]), true);
  assert.equal(isRefusedAltogether({ ...FINDING, codes: ["G00"] }, []), true);
});

Deno.test("refusal() stops at integrity, at two of a cause and at three of a run", () => {
  assert.equal(refusal(FINDING, []), null);
  assert.equal(refusal(FINDING, [FINDING, { cause: "mode_collapse" }]), null);
  assert.match(refusal(FINDING, [FINDING, FINDING])!, /want at most 2/);
  assert.match(refusal(FINDING, [{ cause: "a" }, { cause: "b" }, { cause: "c" }])!, /want at most 3 per run/);
  for (const code of INTEGRITY_CODES) assert.match(refusal({ ...FINDING, codes: ["K01", code] }, [])!, /integrity/);
});

Deno.test("patchesOf() reads the remedy as a table has it and as a rule gives it", () => {
  const patches = [{ step: "a", key: "b", set: 1 }];
  assert.deepEqual(patchesOf({ ...FINDING, remedy: JSON.stringify({ patches }) }), patches);
  assert.deepEqual(patchesOf({ ...FINDING, remedy: { patches } }), patches);
  assert.deepEqual(patchesOf(FINDING), []);
});

Deno.test("isComparable() is false where the rewards of a rollout mean something else", () => {
  assert(
    isComparable(
      [{ step: "sample_groups", key: "max_new_tokens" }, { step: "apply_update", key: "learning_rate" }],
      STEPS,
    ),
  );
  assert(!isComparable([{ step: "sample_groups", key: "temperature" }], STEPS));
  assert(!isComparable([{ step: "score_rewards", key: "on_error" }], STEPS));
});
