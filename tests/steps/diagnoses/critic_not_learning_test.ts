/** The rule critic_not_learning: its fault and its look-alikes. */
import assert from "node:assert/strict";
import { diagnoseRun } from "../../../steps/diagnoses/diagnose_run.ts";
import { flat, healthyBut, ramp, type Run, silentOn, testRule, viewOf } from "./synthetic.ts";
import { longRunOf } from "./long_run.ts";
import { from, settles } from "./long_pairs.ts";

/** A healthy run with a critic that comes nearer to the returns. */
const critic = (columns: Record<string, readonly (number | null)[]>, more: Omit<Run, "columns"> = {}): Run =>
  healthyBut({
    value_loss: ramp(0.27, 0.12),
    value_mean: ramp(0, 0.45),
    return_mean: ramp(0.45, 0.5),
    return_std: flat(0.49),
    critic_grad_norm: ramp(3, 0.4),
    critic_learning_rate: flat(1e-3),
    ...columns,
  }, { own: true, ...more });
const STILL = { value_loss: ramp(0.27, 0.26), value_mean: ramp(0, 0.01), critic_grad_norm: ramp(3, 3) };
const thrown = (critic_learning_rate: number) =>
  critic({
    value_loss: [0.286, 19.5, 5.9, ...ramp(0.23, 0.1, 27, 0)],
    critic_learning_rate: flat(critic_learning_rate),
  }, { settings: { critic_learning_rate, parameters: 109_248 } });
const first = (run: Run): Run => ({
  ...run,
  columns: Object.fromEntries(Object.entries(run.columns!).map(([name, cells]) => [name, cells.slice(0, 1)])),
});

/** From the middle of the run on. */
const LOST = {
  value_explained_variance: (t: number) => settles(0.6, 0.05)(t) - from(0.5, 0.8)(t),
  value_loss: (t: number) => 0.3 - settles(0.25, 0.1)(t) + from(0.5, 0.1)(t),
};

testRule("critic_not_learning", {
  fires: {
    "a critic that foretold half of the variance and then less and less": longRunOf(LOST),
    "a learning rate of 0, at the first record": first(
      critic({ critic_learning_rate: flat(0) }, { settings: { critic_learning_rate: 0 } }),
    ),
    "verl's critic with a rate of 0": critic({ critic_learning_rate: flat(0) }, {
      own: false,
      system: "verl",
      settings: { "critic.optim.lr": 0 },
    }),
    "a gradient of 0 at the first record": first(critic({ critic_grad_norm: flat(0) })),
    "a critic that alone turns NaN": critic({
      value_loss: ramp(0.27, 0.12).map((value, i) => i < 9 ? value : NaN),
      critic_grad_norm: ramp(3, 0.4).map((value, i) => i < 9 ? value : NaN),
    }),
    "values that stay where they were": critic(STILL),
    "values thrown about by an update at a hundred times the usual rate, although they came back": thrown(0.1),
    "values thrown about from the first record on, which is no measure then": critic({
      value_loss: [365, 1430, 198, 107, ...ramp(45, 0.1, 26, 0)],
      return_std: [0.42, 5.2, 1.9, 1.4, ...flat(0.44, 26)],
    }, { settings: { critic_learning_rate: 1, parameters: 109_248 } }),
    "an explained variance far below 0 at ten times the usual rate": critic({
      value_explained_variance: [-0.2, -2.3, -1.5, -2, ...flat(-0.1, 26)],
    }, { settings: { critic_learning_rate: 0.01, parameters: 109_248 } }),
    "values that an update has thrown away": critic({
      value_loss: [0.26, 1.8e7],
      value_mean: [0, 6000],
      return_std: [0.5, 0.5],
    }),
  },
  silent: {
    "a critic that has nothing left to foretell: its loss falls with what it explains": longRunOf({
      ...LOST,
      value_loss: (t) => 0.3 - settles(0.28, 0.3)(t),
    }),
    "a critic that foretells a little less": longRunOf({
      ...LOST,
      value_explained_variance: (t) => settles(0.6, 0.05)(t) - from(0.5, 0.12)(t),
    }, { rough: 0.02 }),
    "a dip in the last records": longRunOf({ ...LOST, value_explained_variance: (t) => t > 0.93 ? 0.1 : 0.6 }),
    "a dip at a change of the curriculum": longRunOf({
      ...LOST,
      value_explained_variance: (t) => t > 0.5 && t < 0.56 ? 0.1 : 0.6,
    }),
    "an explained variance that was never there": longRunOf({
      ...LOST,
      value_explained_variance: (t) => 0.1 - from(0.4, 0.3)(t),
    }),
    "values thrown about at the usual rate": thrown(1e-3),
    "a hundred times the usual rate that the critic stands": critic({}, {
      settings: { critic_learning_rate: 0.1, parameters: 109_248 },
    }),
    "an explained variance far below 0 at the start, at the usual rate": critic({
      value_explained_variance: [-5, -4, -2, -1.5, ...ramp(0, 0.3, 26)],
    }, { settings: { critic_learning_rate: 1e-3, parameters: 109_248 } }),
    "a value loss that returns of another scale raise": critic({ value_loss: [0.26, 300], return_std: [0.5, 17] }),
    "a critic that learns": critic({}),
    "a critic at the start of training": { ...critic(STILL), columns: cut(critic(STILL).columns!, 12) },
    "a slow critic": critic({ value_mean: ramp(0, 0.25), value_loss: ramp(0.27, 0.15) }),
    "a log of a critic that warms up": critic(STILL, { own: false }),
    "a critic that foretells nothing although its mean is right": critic({
      value_mean: ramp(0.45, 0.5),
      value_loss: flat(0.12),
    }),
    "a constant reward: nothing to foretell, no gradient": critic({
      value_loss: flat(0),
      value_mean: flat(1),
      return_mean: flat(1),
      return_std: flat(0),
      critic_grad_norm: flat(0),
    }),
    "a log that rounds its gradient": critic({ critic_grad_norm: flat(0) }, {
      own: false,
      decimals: { critic_grad_norm: 2 },
    }),
    "a run without a critic": healthyBut({ value_mean: flat(0) }, { own: true }),
  },
});

function cut(columns: NonNullable<Run["columns"]>, records: number) {
  return Object.fromEntries(Object.entries(columns).map(([name, cells]) => [name, cells.slice(0, records)]));
}

Deno.test("critic_not_learning gives the critic a rate, in the words of the run's system", () => {
  const remedy = (run: Run) => diagnoseRun(viewOf(run)).findings[0]!.remedy;
  const own = remedy(
    critic({ critic_learning_rate: flat(0) }, { settings: { critic_learning_rate: 0, parameters: 1e5 } }),
  );
  assert.deepEqual(own.patches.map(({ step, key, value }) => [step, key, value]), [[
    "update_critic",
    "learning_rate",
    1e-3,
  ]]);
  const verl = remedy(critic({ critic_learning_rate: flat(0) }, {
    own: false,
    system: "verl",
    settings: { "critic.optim.lr": 0 },
  }));
  assert.deepEqual(verl.options, ["verl: critic.optim.lr=2.0e-5"]);
});

silentOn(
  "critic_not_learning",
  "healthy runs with a critic",
  Array.from({ length: 60 }, (_, seed) =>
    longRunOf({
      value_explained_variance: (t) => settles(0.2 + 0.01 * seed, 0.05 + 0.02 * (seed % 9))(t),
      value_loss: (t) => 0.5 - settles(0.4, 0.1)(t),
    }, { seed, records: [60, 200, 500][seed % 3]!, rough: [0.05, 0.2, 0.4][seed % 4 % 3]!, algorithm: "ppo" })),
);

Deno.test("critic_not_learning names a rate far out under which the critic's loss rises, in a log", () => {
  const causes = (rate: number, last: number) =>
    diagnoseRun(viewOf(critic({ value_loss: [3.2, 10, 20, 40, 60, last] }, {
      own: false,
      system: "openrlhf",
      settings: { critic_learning_rate: rate },
    }))).findings.filter(({ cause }) => cause === "critic_not_learning").map(({ message }) => message);
  assert.deepEqual(causes(1e-3, 85), [
    "The critic's learning rate is 50 times what is usual for one, and its loss went from 3.2 to 85",
  ]);
  assert.deepEqual(causes(9e-6, 85), [], "a usual rate");
  assert.deepEqual(causes(1e-3, 2), [], "a loss that falls");
});
