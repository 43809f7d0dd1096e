import assert from "node:assert/strict";
import { z } from "zod";
import { adamwAt, OPTIMIZER_PARAMS, optimizerProblems } from "../../../steps/training/optimizer_params.ts";

const schema = z.strictObject(OPTIMIZER_PARAMS);
const rates = (given: Record<string, unknown>, updates: readonly number[]) => {
  const params = schema.parse({ learning_rate: 0.1, ...given });
  return updates.map((update) => adamwAt(params, update).learningRate);
};
const near = (values: number[], want: number[]) =>
  values.forEach((value, i) => assert(Math.abs(value - want[i]!) < 1e-12, `update ${i}: ${value}, want ${want[i]}`));

Deno.test("adamwAt() keeps the rate where nothing is said", () => near(rates({}, [1, 2, 1000]), [0.1, 0.1, 0.1]));

Deno.test("adamwAt() warms up from a first step that is not 0 to the peak at the last warm-up update", () => {
  near(rates({ warmup_updates: 4 }, [1, 2, 3, 4, 5]), [0.025, 0.05, 0.075, 0.1, 0.1]);
});

Deno.test("adamwAt() falls on a line after warm-up; only past its end is the rate 0", () => {
  const given = { schedule: "linear", schedule_updates: 11, warmup_updates: 2 };
  near(rates(given, [1, 2, 7, 10, 11, 12]), [0.05, 0.1, 0.05, 0.02, 0.01, 0]);
  near(rates({ ...given, schedule_updates: 3 }, [1, 2, 3]), [0.05, 0.1, 0.05]);
  const cosine = rates({ ...given, schedule: "cosine" }, [10, 11, 12]);
  assert(cosine[0]! > cosine[1]! && cosine[1]! > 1e-3 && cosine[2] === 0, `${cosine}`);
  // One warm-up update at the peak is no warm-up.
  const line = { schedule: "linear", schedule_updates: 4 };
  near(rates({ ...line, warmup_updates: 1 }, [1, 2, 3, 4]), rates(line, [1, 2, 3, 4]));
});

Deno.test("adamwAt() without warm-up uses the peak first and never a rate of 0", () => {
  near(rates({ schedule: "linear", schedule_updates: 4 }, [1, 2, 3, 4]), [0.1, 0.075, 0.05, 0.025]);
});

Deno.test("adamwAt() falls to schedule_floor, which a constant rate cannot", () => {
  near(rates({ schedule: "cosine", schedule_updates: 2, schedule_floor: 0.5 }, [1, 2, 3]), [0.1, 0.075, 0.05]);
  const [problem] = optimizerProblems(schema.parse({ learning_rate: 0.1, schedule_floor: 0.1 }));
  assert.match(problem!, /schedule_floor/);
});

Deno.test("adamwAt() passes the other options on", () => {
  const params = schema.parse({ learning_rate: 0.1, weight_decay: 0.2, beta1: 0.8, beta2: 0.9, epsilon: 1e-6 });
  assert.deepEqual(adamwAt(params, 1), {
    learningRate: 0.1,
    beta1: 0.8,
    beta2: 0.9,
    epsilon: 1e-6,
    weightDecay: 0.2,
    maxNorm: 1,
  });
});

Deno.test("optimizerProblems() wants to know how long a schedule is", () => {
  assert.deepEqual(optimizerProblems(schema.parse({ learning_rate: 0.1 })), []);
  assert.deepEqual(
    optimizerProblems(schema.parse({ learning_rate: 0.1, schedule: "cosine", schedule_updates: 5 })),
    [],
  );
  const [problem, ...more] = optimizerProblems(schema.parse({ learning_rate: 0.1, schedule: "cosine" }));
  assert.match(problem!, /schedule "cosine": schedule_updates is not set/);
  assert.deepEqual(more, []);
});

Deno.test("adamwAt() follows the shape that the options say", () => {
  const floor = { schedule: "cosine", schedule_updates: 4, schedule_floor: 0.5 };
  near(rates(floor, [1, 3, 5]), [0.1, 0.075, 0.05]);
  const power = { schedule: "polynomial", schedule_updates: 4, schedule_power: 2 };
  near(rates(power, [1, 3, 5]), [0.1, 0.025, 0]);
  near(rates({ schedule: "inverse_sqrt", schedule_timescale: 1 }, [1, 4]), [0.1, 0.05]);
  const stable = { schedule: "warmup_stable_decay", schedule_updates: 6, schedule_decay_updates: 2 };
  near(rates({ ...stable, schedule_decay_curve: "linear" }, [1, 5, 6, 7]), [0.1, 0.1, 0.05, 0]);
});

Deno.test("optimizerProblems() refuses an option that the schedule does not read", () => {
  const problems = (given: Record<string, unknown>) =>
    optimizerProblems(schema.parse({ learning_rate: 0.1, ...given }));
  assert.deepEqual(problems({ schedule: "inverse_sqrt", schedule_timescale: 5 }), []);
  for (
    const [given, message] of [
      [{ schedule_floor: 0.1 }, /"schedule_floor": schedule is constant, want linear or cosine/],
      [{ schedule_updates: 5 }, /"schedule_updates": schedule is constant, want linear or cosine/],
      [
        { schedule: "linear", schedule_updates: 5, schedule_power: 2 },
        /"schedule_power": schedule is linear, want poly/,
      ],
      [{ schedule: "warmup_stable_decay", schedule_updates: 5 }, /schedule_decay_updates is not set/],
    ] as const
  ) {
    const [problem, ...more] = problems(given);
    assert.match(problem!, message);
    assert.deepEqual(more, []);
  }
});

Deno.test("adamwAt() names the rule of another optimizer, and optimizerProblems() what it does not read", () => {
  const at = (given: Record<string, unknown>) => {
    const { rule, momentum } = adamwAt(schema.parse({ learning_rate: 0.1, ...given }), 1);
    return [rule, momentum];
  };
  assert.deepEqual(at({}), [undefined, undefined]);
  assert.deepEqual(at({ optimizer: "adam" }), ["adam", undefined]);
  assert.deepEqual(at({ optimizer: "sgd", momentum: 0.9 }), ["sgd", 0.9]);
  assert.deepEqual(at({ optimizer: "sgd", momentum: 0.9, nesterov: true }), ["sgd_nesterov", 0.9]);
  const problems = (given: Record<string, unknown>) =>
    optimizerProblems(schema.parse({ learning_rate: 0.1, ...given }));
  assert.deepEqual(problems({ optimizer: "sgd", momentum: 0.9, nesterov: true }), []);
  assert.match(problems({ momentum: 0.9 }).join(), /"momentum": optimizer is adamw, want sgd/);
  assert.match(problems({ optimizer: "sgd", beta1: 0.8 }).join(), /"beta1": optimizer is sgd, want adamw or adam/);
  assert.match(problems({ optimizer: "sgd", nesterov: true }).join(), /"nesterov": momentum is 0/);
});
