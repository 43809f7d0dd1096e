/** Verdicts: causes, after-effects, what is missing, and the cost of all rules together. */
import assert from "node:assert/strict";
import { DIAGNOSES } from "../../../steps/diagnoses/mod.ts";
import { diagnoseRun, suspectsOf } from "../../../steps/diagnoses/diagnose_run.ts";
import { follows } from "../../../steps/diagnoses/differential/evidence.ts";
import { between, longRun, noisy } from "./long_run.ts";
import { flat, group, HEALTHY, healthyBut, ramp, viewOf } from "./synthetic.ts";

Deno.test("diagnoseRun() names NaN before what follows from it", () => {
  const { findings, afterEffects, verdict } = diagnoseRun(viewOf(healthyBut({
    grad_norm: [...ramp(0.8, 0.6, 15), ...flat(NaN, 15)],
    entropy: [...ramp(0.6, 0.5, 15), ...flat(NaN, 15)],
    truncated_fraction: [...flat(0, 10), ...flat(1, 20)],
    reward: [...ramp(0.5, 0.6, 10), ...flat(0, 20)],
    "reward.accuracy_reward": [...ramp(0.5, 0.6, 10), ...flat(0, 20)],
    zero_spread_fraction: [...flat(0, 4), ...flat(1, 26)],
  })));
  assert.equal(verdict, "faulty");
  assert.deepEqual(findings.map((finding) => finding.cause), ["old_logprob_nan"]);
  assert(afterEffects.some((finding) => finding.cause === "truncated_completions"));
});

Deno.test("diagnoseRun() makes a cause as severe as the worst of what it explains, and no worse", () => {
  // 80 % to 27 % in 30 train steps: too slow for a learning rate that is too high, beyond doubt for a collapse.
  const accuracy = [...ramp(0.8, 0.8, 10, 0.01), ...ramp(0.75, 0.27, 20, 0.01)];
  const dying = (reward: readonly number[]) =>
    diagnoseRun(viewOf(healthyBut({
      accuracy: reward,
      reward,
      "reward.accuracy_reward": [],
      relative_update: [0.135, ...flat(0.02, 29)],
    }, { own: true, settings: { prompts_per_step: 64, parameters: 770_000 } })));
  const { findings, afterEffects } = dying(accuracy);
  assert.deepEqual(findings.map(({ cause, severity }) => [cause, severity]), [["learning_rate_too_high", "error"]]);
  assert(afterEffects.some(({ cause, severity }) => cause === "reward_collapse" && severity === "error"));
  const sound = dying(ramp(0.6, 0.8, 30));
  assert.deepEqual(sound.findings.map(({ cause, severity }) => [cause, severity]), [
    ["learning_rate_too_high", "warning"],
  ]);
});

Deno.test("diagnoseRun() calls a run of ours whose few rewards are all the floor neither faulty nor healthy", () => {
  const few = (reward: (number | null)[]) =>
    diagnoseRun(viewOf({
      own: true,
      columns: {
        reward,
        reward_std: flat(0, 6),
        zero_spread_fraction: flat(1, 6),
        grad_norm: flat(0, 6),
        loss: flat(0, 6),
        accuracy: reward,
      },
    }));
  const { verdict, missing, reasons } = few(flat(0, 6));
  assert.deepEqual([verdict, missing], ["insufficient", ["more train steps"]]);
  assert.match(reasons[0]!, /every reward is 0, the floor, on all 6 records/);
});

Deno.test("diagnoseRun() lets an after-effect explain nothing of its own", () => {
  const { findings, afterEffects } = diagnoseRun(viewOf(healthyBut({
    reward: [...ramp(0.7, 0.8, 10), ...flat(0, 20)],
    "reward.accuracy_reward": [],
    truncated_fraction: flat(0.95),
    zero_spread_fraction: flat(1),
  }, { completions: group("1+1=", ["2", "3", "4", "5", "6", "7", "8", "9"], [1, 0, 0, 1e6, 0, 1, 0, 0]) })));
  // The invalid reward explains the collapse, which would explain the cut completions were it a cause.
  assert(afterEffects.some(({ cause }) => cause === "reward_collapse"));
  assert.deepEqual(findings.map(({ cause }) => cause), ["invalid_reward_values", "truncated_completions"]);
});

Deno.test("diagnoseRun() leaves the note of a healthy zero loss out where the run has a fault", () => {
  const run = (more: Parameters<typeof healthyBut>[0]) =>
    viewOf(healthyBut({ loss: flat(0), reward_std: ramp(4e5, 3e5), ...more }));
  const faulty = run({ reward: ramp(1e6, 1.1e6, 30, 100), "reward.accuracy_reward": [] });
  assert(DIAGNOSES.benign_zero_loss.check(faulty) !== null);
  assert.deepEqual(diagnoseRun(faulty).findings.map(({ cause }) => cause), ["invalid_reward_values"]);
  assert.deepEqual(diagnoseRun(run({})).findings.map(({ cause }) => cause), ["benign_zero_loss"]);
});

Deno.test("diagnoseRun() says healthy with reasons", () => {
  const { verdict, findings, reasons } = diagnoseRun(viewOf(HEALTHY));
  assert.equal(verdict, "benign");
  assert.deepEqual(findings, []);
  assert.match(reasons[0]!, /no rule fires on 30 records/);
});

Deno.test("diagnoseRun() holds back and names what is missing", () => {
  const config = diagnoseRun(viewOf({ settings: { max_completion_length: 256, temperature: 1.1 } }));
  assert.equal(config.verdict, "insufficient");
  assert.match(config.missing.join(), /metric log/);
  const loss = diagnoseRun(viewOf({ columns: { loss: flat(0, 5) } }));
  assert.equal(loss.verdict, "insufficient");
  assert.deepEqual(loss.missing, ["grad_norm"]);
  const few = diagnoseRun(viewOf({
    columns: {
      "reward.accuracy_reward": [0.16, 0.118],
      "reward.format_reward": [0.476, 0.554],
      reward: [0.7, 0.69],
      grad_norm: [0.8, 0.8],
    },
  }));
  assert.deepEqual([few.verdict, few.missing], ["insufficient", ["later records", "more records"]]);
  assert.equal(diagnoseRun(viewOf({})).verdict, "insufficient");
  const untold = diagnoseRun(
    viewOf({ own: true, lacks: ["completions"], columns: { reward: flat(0), entropy: flat(9) } }),
  );
  assert.deepEqual([untold.missing, untold.reasons.length], [["the table completions"], 2], "named once for both");
});

Deno.test("a finding carries codes, evidence with a line, the run's own option", () => {
  const { findings } = diagnoseRun(
    viewOf(healthyBut({ zero_spread_fraction: flat(1) }, { settings: { num_generations: 8, temperature: 0.01 } })),
  );
  const [first] = findings;
  assert.equal(first?.cause, "greedy_sampling");
  assert.deepEqual(first.codes, ["E03", "C04"]);
  assert.deepEqual(first.evidence[0], {
    source: "config.txt",
    line: 2,
    train_step: null,
    name: "temperature",
    value: 0.01,
  });
  assert.deepEqual(first.remedy.patches, []); // they are for workflows of ours
  assert(first.remedy.options.includes("trl: temperature=1"), first.remedy.options.join());
});

Deno.test("a finding of our own run carries the value to write and no option of another system", () => {
  const run = healthyBut({ zero_spread_fraction: flat(1) }, {
    own: true,
    settings: { group_size: 8, temperature: 0.01 },
  });
  const { patches, options } = diagnoseRun(viewOf(run)).findings[0]!.remedy;
  assert.deepEqual(patches[0], { step: "sample_groups", key: "temperature", set: 1, value: 1 });
  assert.deepEqual(options, []);
});

Deno.test("a finding's own hint and remedy stand before those of its rule", () => {
  const run = healthyBut({ reward: ramp(1e6, 1.1e6, 30, 100), "reward.accuracy_reward": [] }, { own: true });
  const { cause, hint, remedy } = diagnoseRun(viewOf(run)).findings[0]!;
  assert.deepEqual([cause, hint], ["invalid_reward_values", "Scale or clip the rewards to about 1."]);
  assert.deepEqual(remedy.patches, [
    { step: "compute_advantages", key: "reward_clip", set: [-1, 1], value: [-1, 1] },
  ]);
});

Deno.test("a run of ours is not told what only other systems have", () => {
  const cut = { grad_norm: flat(0), zero_spread_fraction: flat(0.2), kl: flat(0) };
  const said = (own: boolean) =>
    diagnoseRun(viewOf(healthyBut(cut, { own }))).findings.find(({ cause }) => cause === "broken_gradient_path")!.remedy
      .by_hand;
  assert.match(said(false)!, /enable_input_require_grads/);
  assert.match(said(true)!, /load_model/);
});

Deno.test("the hint in a run of ours is what can be done in a workflow, that of a log what its system can do", () => {
  const stays = {
    value_mean: flat(0),
    return_mean: flat(1),
    return_std: flat(0.5),
    value_loss: flat(0.6),
    critic_grad_norm: flat(0),
  };
  const hint = (own: boolean) =>
    diagnoseRun(viewOf(healthyBut(stays, { own }))).findings.find(({ cause }) => cause === "critic_not_learning")!.hint;
  assert.match(hint(true), /trainable of load_critic/);
  assert.doesNotMatch(hint(false), /load_critic/);
});

Deno.test("a factor becomes a value within its bounds where the setting is known", () => {
  const { findings } = diagnoseRun(
    viewOf(
      healthyBut({ zero_spread_fraction: flat(0.95), reward: ramp(0.4, 0.5) }, { settings: { num_generations: 8 } }),
    ),
  );
  assert.equal(findings[0]?.cause, "zero_reward_variance");
  assert(findings[0].remedy.options.includes("trl: num_generations=16"), findings[0].remedy.options.join());
});

Deno.test("a run of ours stays silent at every step of a healthy window", () => {
  for (let records = 1; records <= 30; records++) {
    const columns = Object.fromEntries(
      Object.entries(HEALTHY.columns!).map(([name, cells]) => [name, cells.slice(0, records)]),
    );
    const completions = ["1+1=", "2+2=", "3+5=", "4+1="].flatMap((prompt, i) =>
      group(prompt, ["2", "4", "8", "5", "7", "1"], [0, 1, 2, 3, 4, 5].map((k) => Number(k === i)), { advantage: 0 })
    );
    const { verdict, findings } = diagnoseRun(viewOf({ own: true, columns, completions }));
    assert.equal(verdict, "benign", `${records}: ${JSON.stringify(findings.map((finding) => finding.message))}`);
  }
});

Deno.test("a run of ours that has nearly solved its task raises no alarm over ties, entropy or distance", () => {
  const solved = {
    ...HEALTHY.columns,
    accuracy: ramp(0.93, 0.97, 128),
    reward: ramp(1.02, 1.06, 128),
    "reward.accuracy_reward": ramp(0.93, 0.97, 128),
    zero_spread_fraction: flat(0.88, 128),
    entropy: ramp(0.4, 0.01, 128, 0),
    kl: ramp(0.05, 0.8, 128, 0),
    grad_norm: ramp(0.3, 0.2, 128),
    update_size: flat(0.5, 128),
    loss: flat(0.01, 128),
  };
  const steps = Array.from({ length: 128 }, (_, i) => 900 + i);
  const { verdict, findings } = diagnoseRun(viewOf({ own: true, steps, columns: solved }));
  assert.equal(verdict, "benign", JSON.stringify(findings.map((finding) => [finding.cause, finding.message])));
});

Deno.test("diagnoseRun() never calls a run healthy whose last loss or gradient norm is not finite", () => {
  for (const name of ["loss", "grad_norm"]) {
    const column = [...flat(0.1, 29), NaN];
    const { verdict, reasons } = diagnoseRun(
      viewOf({ own: true, columns: { reward: ramp(0.3, 0.8), [name]: column } }),
    );
    assert.notEqual(verdict, "benign", reasons.join("; "));
  }
  const one = diagnoseRun(
    viewOf({ own: true, columns: { reward: [0.4], loss: [NaN], grad_norm: [NaN], entropy: [0.7] } }),
  );
  assert.equal(one.verdict, "insufficient");
  assert.match(one.reasons.join("; "), /loss is NaN in the last record, and no rule says why/);
});

/** What goes wrong in a long run, column by column. */
const WRONG: Record<string, Record<string, readonly (number | null)[]>> = {
  gradient: { grad_norm: [...ramp(0.8, 0.6, 200), ...flat(NaN, 100)] },
  spikes: { grad_norm: noisy(() => 0.6, 0.03).map((value, i) => i % 40 === 7 ? 60 : value) },
  entropy: { entropy: noisy(between(0.7, 0.02, 0.3, 0.7), 0.003).map(Math.abs) },
  slowEntropy: { entropy: noisy(between(0.7, 0.05, 0.3, 0.9), 0.01) },
  kl: { kl: noisy((at) => 1e-3 * Math.exp(8 * at), 1e-4).map(Math.abs) },
  negative: { kl: noisy(() => -0.05, 0.01) },
  cut: { truncated_fraction: noisy(between(0.02, 0.9, 0.3, 0.7), 0.005) },
  ties: { zero_spread_fraction: noisy(between(0.2, 0.97, 0.3, 0.7), 0.01) },
  clips: { clip_fraction: noisy(between(0.01, 0.6, 0.1, 0.3), 0.005).map(Math.abs) },
  length: { completion_length: noisy(between(120, 500, 0.3, 0.8), 4) },
  gap: { sampler_probability_gap: noisy(between(0.001, 0.05, 0.3, 0.7), 5e-4) },
};
const REWARDS: readonly (readonly number[])[] = [
  noisy(between(0.3, 0.6, 0, 0.3), 0.03),
  noisy((at) => at < 0.4 ? 0.3 + at : 0.7 - 1.1 * (at - 0.4), 0.02),
  noisy(() => 0.4, 0.02),
];

Deno.test("diagnoseRun() has the most likely cause first, and for an after-effect what follows from one likelier than itself", () => {
  const names = Object.keys(WRONG), seen = { isSeveral: 0, isEffect: 0, isLaterFirst: 0 };
  for (const reward of REWARDS) {
    for (const [at, one] of names.entries()) {
      for (const other of names.slice(at)) {
        const view = viewOf(longRun({ reward, "reward.accuracy_reward": [], ...WRONG[one], ...WRONG[other] }));
        const { alarms, length } = suspectsOf(view), { findings, afterEffects, differential } = diagnoseRun(view);
        if (alarms.length === 0) continue;
        const what = `${one} and ${other}: ${differential.map(({ cause }) => cause)}`;
        assert.equal(findings[0]!.cause, differential[0]!.cause, what);
        const rank = (cause: string) => (differential.findIndex((likely) => likely.cause === cause) + 100) % 100;
        const isExplained = ({ cause }: { cause: string }) => {
          const own = alarms.find((alarm) => alarm.cause === cause)!;
          return alarms.some((alarm) => rank(alarm.cause) < rank(cause) && follows(own, alarm, length));
        };
        assert.ok(afterEffects.every(isExplained), `${what}; effects ${afterEffects.map(({ cause }) => cause)}`);
        assert.ok(!findings.filter(({ severity }) => severity !== "info").some(isExplained), what);
        seen.isSeveral += Number(findings.length > 1);
        seen.isEffect += Number(afterEffects.length > 0);
        seen.isLaterFirst += Number(alarms[0]!.cause !== findings[0]!.cause);
      }
    }
  }
  for (const [what, count] of Object.entries(seen)) assert(count > 0, `no run tests ${what}`);
});

Deno.test("diagnoseRun() takes of two that may each follow from the other the one that stands earlier in the order", () => {
  const both = viewOf(healthyBut({ sampler_probability_gap: flat(0.05), kl: flat(-0.05) }));
  const { findings, afterEffects } = diagnoseRun(both);
  assert.deepEqual(findings.map(({ cause }) => cause), ["rollout_trainer_mismatch"]);
  assert.deepEqual(afterEffects.map(({ cause }) => cause), ["negative_kl_estimate"]);
  const alone = diagnoseRun(viewOf(healthyBut({ kl: flat(-0.05) }))).findings.map(({ cause }) => cause);
  assert.deepEqual(alone, ["negative_kl_estimate"]);
});

Deno.test("diagnoseRun() calls no run healthy whose loss or reward stops in the middle, and says how far it looked", () => {
  for (const name of ["loss", "grad_norm", "reward"]) {
    const cells = HEALTHY.columns![name]!.map((value, record) => record < 20 ? value : null);
    const { verdict, reasons, missing } = diagnoseRun(
      viewOf(healthyBut({ [name]: cells, "reward.accuracy_reward": [] })),
    );
    assert.equal(verdict, "insufficient", name);
    assert.deepEqual(missing, [`${name} after train step 20`]);
    assert.match(reasons[0]!, /no rule fires up to train step 20; the 10 later of 30 records print no/);
  }
});

Deno.test("diagnoseRun() gives no note that nothing suffers beside a cause that spoils the run", () => {
  const fallen = { reward: noisy(between(0.6, 0.05, 0.5, 0.8), 0.02), "reward.accuracy_reward": [] };
  const kl = noisy(between(0.001, 0.2, 0.4, 0.8), 1e-4).map(Math.abs);
  const { findings } = diagnoseRun(viewOf(longRun({ ...fallen, kl })));
  assert.equal(findings[0]!.cause, "reward_collapse");
  assert(!findings.some(({ hint }) => /does not suffer/.test(hint)), findings.map(({ cause }) => cause).join());
});

Deno.test("a gradient of 0 under spread is named before a format that is therefore not learned", () => {
  const { findings, afterEffects } = diagnoseRun(viewOf({
    system: "visual-rft",
    columns: {
      loss: flat(0, 3),
      grad_norm: flat(0, 3),
      kl: flat(0, 3),
      reward: flat(0.5, 3),
      group_reward_std: flat(0.5, 3),
      "reward.accuracy_reward": flat(0.5, 3),
      "reward.format_reward": flat(0, 3),
    },
  }));
  assert.equal(findings[0]!.cause, "broken_gradient_path");
  assert(afterEffects.some(({ cause }) => cause === "format_reward_never_fires"));
});
