/** What implies what, by hand, and that nothing is implied where it is not known. */
import assert from "node:assert/strict";
import { IMPLIED, impliedAt, impliedColumn } from "../../../../steps/diagnoses/view/implied.ts";
import { type Run, viewOf } from "../synthetic.ts";

const CAP = { settings: { max_completion_length: 256 } };
const LOSS = { settings: { beta: 0.04, num_iterations: 1, loss_type: "grpo" } };

/** Per column: a run of which every cell is known, and what follows; three records where nothing else is wanted. */
const CASES: Record<string, readonly (readonly [Run, readonly (number | null)[]])[]> = {
  zero_spread_fraction: [
    [{ columns: { group_reward_std: [0, 1e-10, 0] } }, [1, 1, 1]],
    [{ columns: { reward_std: [0, 0, null] } }, [1, 1, null]],
    [{ columns: { advantage_min: [0, -9e-7], advantage_max: [0, 9e-7] } }, [1, 1]],
    [{ columns: { reward_min: [-1, 0.5], reward_max: [-1, 0.5] } }, [1, 1]],
  ],
  reward_std: [[{ columns: { reward_min: [-1, 0.5], reward_max: [-1, 0.5] } }, [0, 0]]],
  // Of four completions one is cut at 256 and three end after 100: (256 + 3 x 100) / 4 = 139.
  truncated_fraction: [
    [{ ...CAP, columns: { completion_length: [139, 100, 256], terminated_length: [100, 100, 0] } }, [0.25, 0, 1]],
    [
      { columns: { completion_length_min: [64, 64], completion_length: [64, 64], completion_length_max: [64, 64] } },
      [1, 1],
    ],
  ],
  completion_length: [
    [{ columns: { completion_length_min: [64, 7], completion_length_max: [64, 7] } }, [64, 7]],
    [{ ...CAP, columns: { truncated_fraction: [0.25, 1], terminated_length: [100, 0] } }, [139, 256]],
  ],
  clip_fraction: [[{ columns: { clip_fraction_low: [0.25, 0], clip_fraction_high: [0.125, 0] } }, [0.375, 0]]],
  reward_margin: [[{ columns: { chosen_reward: [0.5, -1], rejected_reward: [-0.25, 1] } }, [0.75, -2]]],
  kl: [
    [{ columns: { kl_sequence: [12, 3, null], completion_length: [48, 30, 30] } }, [0.25, 0.1, null]],
    // exp(d) - d - 1 of d = 0.1 is 0.005170918, times 0.04.
    [{ ...LOSS, columns: { loss: [0, 0.04 * 0.005170918, 0.0004, 0.0008, 0.002] } }, [
      0,
      0.005170918,
      0.01,
      0.02,
      0.05,
    ]],
  ],
  reward: [
    [{ columns: { "reward.accuracy": [0.5, 1] } }, [0.5, 1]],
    [
      { settings: { reward_weights: [1, 1] }, columns: { "reward.accuracy": [0.5, 1], "reward.format": [0.25, 0] } },
      [0.75, 1],
    ],
  ],
  tokens_per_second: [[{ columns: { loss_tokens: [600, 900], step_ms: [300, 1500] } }, [2000, 600]]],
  // Returns 0 and 2 (deviation 1), values 0.5 and 1.5: mean squared error 0.25, the loss half of it; 1 - 0.25. Of all
  // twice as large (deviation 2) the error is four times as large, and the share the same.
  value_explained_variance: [[{ columns: { value_loss: [0.125, 0.5, 0.5], return_std: [1, 1, 2] } }, [0.75, 0, 0.75]]],
};

for (const [column, cases] of Object.entries(CASES)) {
  Deno.test(`impliedColumn() derives ${column} from what is printed`, () => {
    assert(cases.length >= IMPLIED[column]!.length, "each way has its case");
    cases.forEach(([run, want], i) => {
      const found = impliedColumn(viewOf(run), column);
      assert(found !== null, `way ${i}`);
      found.cells.forEach((cell, record) =>
        assert(
          cell === want[record] || Math.abs(cell! - want[record]!) < 1e-9,
          `way ${i}: ${cell}, want ${want[record]}`,
        )
      );
      assert.deepEqual(viewOf(run).column(column), found.cells);
    });
  });
}

Deno.test("every implied column has its derivation and its case", () => {
  assert.deepEqual(Object.keys(CASES), Object.keys(IMPLIED));
  for (const ways of Object.values(IMPLIED)) for (const { because } of ways) assert(because.length > 20);
});

Deno.test("impliedColumn() has no sample of the worst: some spread on one record leaves the share unknown on all", () => {
  const some: readonly Record<string, number[]>[] = [
    { group_reward_std: [0, 0.1, 0] },
    { reward_std: [0, 0, 0.5] },
    { advantage_min: [0, -1], advantage_max: [0, 1] },
    { reward_min: [0, 0], reward_max: [0, 1] },
  ];
  for (const columns of some) {
    const view = viewOf({ columns });
    assert.equal(impliedColumn(view, "zero_spread_fraction"), null);
    assert.equal(impliedAt(view, "zero_spread_fraction", 0)!.value, 1);
    assert.equal(impliedAt(view, "zero_spread_fraction", columns.reward_std === undefined ? 1 : 2), null);
  }
});

Deno.test("impliedColumn() is silent where a condition of the derivation does not hold", () => {
  const none = (column: string, run: Run) =>
    assert.equal(impliedColumn(viewOf(run), column), null, JSON.stringify(run));
  const lengths = { completion_length: [139], terminated_length: [100] };
  none("truncated_fraction", { columns: lengths });
  none("truncated_fraction", { settings: { max_completion_length: 90 }, columns: lengths });
  none("truncated_fraction", { ...CAP, columns: { completion_length: [80], terminated_length: [100] } });
  const words = { completion_length_min: [1, 1], completion_length: [1, 1], completion_length_max: [1, 1] };
  none("truncated_fraction", { columns: words });
  const loss = [0, 0.0004, 0.0008, 0.001, 0.002];
  none("kl", { columns: { loss } });
  none("kl", { ...LOSS, columns: { loss: loss.with(2, -0.01) } });
  none("kl", { ...LOSS, columns: { loss: loss.with(0, 0.3) } });
  none("kl", { settings: { ...LOSS.settings, num_iterations: 2 }, columns: { loss } });
  none("kl", { settings: { ...LOSS.settings, loss_type: "dapo" }, columns: { loss } });
  none("reward", { columns: { "reward.accuracy": [1], "reward.format": [1] } });
  none("reward", { settings: { reward_weights: [1, 0.5] }, columns: { "reward.a": [1], "reward.b": [1] } });
  none("value_explained_variance", { system: "openrlhf", columns: { value_loss: [0.1], return_std: [1] } });
  none("entropy", { columns: { loss } });
});

Deno.test("evidence of what is implied names what is printed, and its value", () => {
  const view = viewOf({
    columns: { chosen_reward: [0.5], rejected_reward: [-0.25], kl: [0.1], kl_sequence: [9], completion_length: [9] },
    decimals: { chosen_reward: 4, rejected_reward: 2 },
  });
  assert.deepEqual(view.evidence("reward_margin", 0, "the last"), {
    ...{ source: "log.txt", line: 1, train_step: 1, name: "reward_margin", value: 0.75 },
    note: "the last; implied by chosen_reward = 0.5 and rejected_reward = -0.25",
  });
  assert.equal(view.decimals("reward_margin"), 2);
  assert.deepEqual([view.has("reward_margin"), view.prints("reward_margin")], [true, false]);
  assert.deepEqual(
    [view.column("kl"), view.evidence("kl", 0).note],
    [[0.1], undefined],
    "what is printed is not derived",
  );
});

Deno.test("impliedColumn() of advantages of 0 is that groups tie, unless there are no groups", () => {
  const zero = { columns: { advantage_min: [0, 0], advantage_max: [0, 0] } };
  const share = (run: Run) => impliedColumn(viewOf({ ...zero, ...run }), "zero_spread_fraction")?.cells ?? null;
  assert.deepEqual(share({}), [1, 1]);
  assert.deepEqual(share({ settings: { num_generations: 8 } }), [1, 1]);
  assert.equal(share({ algorithm: "ppo" }), null, "a critic's advantages are 0 where it says what comes");
  assert.equal(share({ settings: { num_generations: 1 } }), null, "one completion is no group");
});
