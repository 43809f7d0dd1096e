/** Rules on groups and batches: what they must speak of, and the look-alikes at which they are silent. */
import { testRules } from "./rule_cases.ts";

testRules(["group_size", "minibatches", "train_step"], [
  {
    rule: "train_step",
    what: "a rollout in no block",
    severity: "error",
    refuses: true,
    fires: { repeat: false },
    says: /no train step has begun when it samples/,
    at: "sample_groups",
    silent: { repeat: false, tune: { max_updates: 1 } },
  },
  {
    rule: "group_size",
    what: "groups of one",
    severity: "error",
    refuses: true,
    fires: { sample: { group_size: 1 } },
    says: /group_size is 1, want at least 2 for estimator "grpo"/,
    at: "1",
    silent: { sample: { group_size: 1 }, advantages: { estimator: "reinforce_plus_plus" } },
  },
  {
    rule: "group_size",
    what: "two group sizes",
    severity: "error",
    refuses: true,
    fires: { advantages: { group_size: 4 } },
    says: /is 4 and of sample_groups 8/,
    at: "4",
    silent: { advantages: { group_size: 8 } },
  },
  {
    rule: "minibatches",
    what: "a batch that does not divide",
    severity: "error",
    refuses: true,
    fires: { update: { minibatches: 5, updates_per_rollout: 5 } },
    says: /16 prompts cannot be split into 5 minibatches/,
    at: "5",
    silent: { update: { minibatches: 4, updates_per_rollout: 4 } },
  },
]);
