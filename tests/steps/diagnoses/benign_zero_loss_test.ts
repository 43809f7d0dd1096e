/** The rule benign_zero_loss: its fault and its look-alikes. */
import assert from "node:assert/strict";
import { diagnoseRun } from "../../../steps/diagnoses/diagnose_run.ts";
import { show } from "../../../steps/diagnoses/view/numbers.ts";
import { flat, healthyBut, ramp, type Run, testRule, viewOf } from "./synthetic.ts";

testRule("benign_zero_loss", {
  fires: {
    "a printed 0 with a gradient": healthyBut({ loss: flat(0) }),
    "a KL that grows where no gradient is printed": healthyBut({ loss: flat(0), grad_norm: [] }),
    "a loss that equals its closed form": healthyBut({ loss: flat(1e-8), expected_loss: flat(0) }, { own: true }),
  },
  silent: {
    "a gradient of 0": healthyBut({ loss: flat(0), grad_norm: flat(0), zero_spread_fraction: flat(1) }),
    "a gradient that rounding leaves": healthyBut({ loss: flat(0), grad_norm: flat(2e-6) }),
    "the pull of a KL where no spread is printed": healthyBut({
      loss: flat(0),
      grad_norm: flat(7e-5),
      reward_std: [],
      zero_spread_fraction: [],
    }),
    "a gradient that has gone late in the run": healthyBut({
      loss: flat(0),
      grad_norm: [...ramp(0.8, 0.5, 22), ...flat(2e-6, 8)],
    }),
    "a gradient of 0.4 where all groups tie, and hardly any elsewhere": healthyBut({
      loss: flat(0),
      zero_spread_fraction: flat(0.5).map((share, i) => i % 3 === 0 ? share! : 1),
      grad_norm: flat(0.4).map((norm, i) => i % 3 === 0 ? 2e-6 : norm),
    }),
    "a loss that is not 0": healthyBut({ loss: flat(0.4) }),
    "a gradient of 0 although groups have spread": healthyBut({ loss: flat(0), grad_norm: flat(0) }),
    "a loss that prints 0 now and then": healthyBut({ loss: flat(0.4).map((value, i) => i % 4 === 0 ? 0 : value) }),
  },
});

Deno.test("benign_zero_loss leaves a run open whose loss prints 0 and whose gradient is what rounding leaves", () => {
  const { verdict, reasons, missing } = diagnoseRun(viewOf(healthyBut({
    loss: flat(0),
    grad_norm: [...ramp(0.8, 0.5, 22), ...flat(2e-6, 8)],
  })));
  assert.equal(verdict, "insufficient");
  assert.match(reasons[0]!, /grad_norm is 0\.000002: what rounding or a KL leaves/);
  assert(missing.includes("kl"));
  const solved = viewOf(healthyBut({
    loss: flat(0),
    grad_norm: flat(2e-6),
    accuracy: ramp(0.95, 0.99, 30, 0.001),
    "reward.accuracy_reward": [],
  }));
  assert.equal(diagnoseRun(solved).verdict, "benign");
});

Deno.test("benign_zero_loss speaks of the records whose groups differ, not of those that teach nothing", () => {
  const half = (yes: number, no: number) => flat(no).map((value, i) => i % 2 === 0 ? yes : value);
  const { findings } = diagnoseRun(viewOf(healthyBut({
    loss: flat(0),
    zero_spread_fraction: half(0.5, 1),
    reward: half(0.1, 0.4),
    "reward.accuracy_reward": [],
    grad_norm: half(0.25, 2e-6),
  })));
  const note = findings.find(({ cause }) => cause === "benign_zero_loss");
  assert.match(note?.message ?? "absent", /grad_norm is 0\.25/);
  assert.equal(note?.train_steps.length, 15);
});

/** What a run is told of and what proves it. */
function told(run: Run) {
  const { findings } = diagnoseRun(viewOf(run));
  const { message, evidence } = findings.find(({ cause }) => cause === "benign_zero_loss")!;
  return { message, evidence: evidence.map(({ name, train_step, value }) => [name, train_step, value]) };
}

Deno.test("benign_zero_loss says in its message what its evidence holds: one train step, its values", () => {
  const printed = {
    loss: flat(0),
    grad_norm: ramp(0.8, 0.5, 30, 0.1).map((norm, i) => i === 0 ? null : i === 1 ? 0 : norm),
  };
  const norm = printed.grad_norm[2]!;
  assert.deepEqual(told(healthyBut(printed)), {
    message: `The loss prints 0 while grad_norm is ${show(norm)} at train step 3: ` +
      "this is what a healthy first update of each rollout looks like",
    evidence: [["loss", 3, 0], ["grad_norm", 3, norm]],
  });
  const own = { loss: flat(2e-9), expected_loss: flat(-2e-9).map((loss, i) => i === 0 ? 0.5 : loss) };
  assert.deepEqual(told(healthyBut({ ...own, grad_norm: printed.grad_norm }, { own: true })), {
    message: "The loss of 0 is right: 2e-9 equals the closed form at ratio 1, -2e-9, up to rounding; " +
      `grad_norm is ${show(norm)} at train step 3`,
    evidence: [["loss", 3, 2e-9], ["expected_loss", 3, -2e-9], ["grad_norm", 3, norm]],
  });
  const kl = ramp(0, 0.02, 30, 0).map((value, i) => i === 29 ? null : value);
  const { message, evidence } = told(healthyBut({ loss: flat(0), grad_norm: [], kl }));
  assert.match(message, /^The loss prints 0 while the KL grows to [\d.]+ by train step 29: /);
  assert.deepEqual(evidence, [["loss", 1, 0], ["kl", 29, kl[28]]]);
});
