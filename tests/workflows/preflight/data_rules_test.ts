/** Rules on data: what they must speak of, and the look-alikes at which they are silent. */
import { type Case, testRules } from "./rule_cases.ts";

const NO_VALIDATION = { splits: { train: 0.8, validation: 0, held_out: 0.2 } };

const ALL = { splits: { train: 1, validation: 0, held_out: 0 } };
const unchecked = { loss: "kto", check_data: false };

const CHAT = { file: "chats.jsonl" };
const NONE = { file: "sums.jsonl", answer_column: "sum", verifier: "none" };
const TUNE = { max_updates: 3, until_accuracy: 0.5 };
const told = (who: string, why: string) => new RegExp(`^${who} cannot tell which completions are right: ${why}`);

/** Who asks whether a completion is right, where prompts do not say. */
const UNJUDGED = ([
  ["an evaluation of chats", { prompts: CHAT, evaluate: {} }, told("evaluate", ".*are conversations"), "evaluate"],
  ["a reward verifier of chats", { prompts: CHAT }, told('reward "verifier"', ".*are conversations"), "verifier"],
  ["an accuracy on chats", { prompts: CHAT, tune: TUNE }, told("until_accuracy", ".*; name prompt_column"), "0.5"],
  ["no verifier", { prompts: NONE, evaluate: {} }, told("evaluate", ".*have verifier: none; name another"), "evaluate"],
  [
    "no answers",
    { prompts: { ...NONE, answer_column: null } },
    told('reward "verifier"', ".* have no answer; name .*, or use another reward$"),
    "verifier",
  ],
] as const).map(([what, fires, says, at]): Case => ({
  rule: "verifier",
  what,
  severity: "error",
  refuses: true,
  fires,
  says,
  at,
  silent: { prompts: { ...NONE, verifier: "exact" }, evaluate: {}, tune: TUNE },
}));

/** Rewards score an evaluation where no verifier does. */
const SCORED: Case = {
  rule: "verifier",
  what: "an evaluation that asks for the verifier as its reward",
  severity: "error",
  refuses: true,
  fires: { prompts: NONE, reward: "format", evaluate: { rewards: [{ uses: "verifier" }] } },
  says: told('reward "verifier"', ".*have verifier: none; name another"),
  at: '"verifier"',
  silent: { prompts: NONE, reward: "format", evaluate: { rewards: [{ uses: "format" }] } },
};

testRules(["permissions", "preference_rows", "preferences", "prompts", "reward_file", "splits", "verifier"], [
  ...UNJUDGED,
  SCORED,
  {
    rule: "prompts",
    what: "a prompt file that is not there",
    severity: "error",
    refuses: true,
    fires: { prompts: { file: "absent.jsonl" } },
    says: /absent\.jsonl/,
    at: "absent.jsonl",
    silent: { prompts: { file: "sums.jsonl", answer_column: "sum" } },
  },
  {
    rule: "prompts",
    what: "an answer column that is not there",
    severity: "error",
    refuses: true,
    fires: { prompts: { file: "sums.jsonl", answer_column: "summ" } },
    says: /it has no column "summ" \(option answer_column\); did you mean "sum"/,
    at: "summ",
    silent: { prompts: { file: "sums.jsonl", answer_column: "sum" } },
  },
  {
    rule: "reward_file",
    what: "a reward file that is not there",
    severity: "error",
    refuses: true,
    fires: { reward: "./absent.ts" },
    says: /there is no reward file \.\/absent\.ts/,
    at: "./absent.ts",
    silent: { reward: "./reward.ts" },
  },
  ...([
    [
      "./broken.ts",
      "a reward file with a mistake of syntax",
      /\.\/broken\.ts does not load: .*SyntaxError: Expression expected \(broken\.ts:2:33\)$/,
    ],
    [
      "./nothing.ts",
      "a reward file without a function",
      /does not load: it exports no function "score".*exports: rewards/,
    ],
    [
      "./fields.ts",
      "a reward that reads a field no batch has",
      /\(fields\.ts:2:\d+\); the first argument holds prompts, texts/,
    ],
    [
      "./fetches.ts",
      "a reward that needs the network",
      /may not reach "127.0.0.1:1999"; name the host in its entry, permissions/,
    ],
    ["./one.ts", "a reward that gives too few values", /returned 1 values for 2 completions/],
    [
      "./nan.ts",
      "a reward that gives no number",
      /gave NaN, want a finite number or null; .*each row prompt_id, prompt/,
    ],
    ["./package.ts", "a reward that imports a package", /does not load: TypeError: a reward imports no packages/],
  ] as const).map(([reward, what, says]): Case => ({
    rule: "reward_file",
    what,
    severity: "error",
    refuses: true,
    fires: { reward },
    says,
    at: reward,
    silent: { reward: "./reward.ts" },
  })),
  {
    rule: "preferences",
    what: "a file of preferences that is not there",
    severity: "error",
    refuses: true,
    fires: { preferences: { file: "nothere.jsonl" } },
    says: /nothere\.jsonl/,
    at: "nothere.jsonl",
    silent: { preferences: { file: "pairs.jsonl" } },
  },
  {
    rule: "preferences",
    what: "a file of preferences without their columns",
    severity: "error",
    refuses: true,
    fires: { preferences: { file: "sums.jsonl" } },
    says: /its columns are prompt, sum, want chosen and rejected/,
    at: "sums.jsonl",
    silent: { preferences: { file: "pairs.jsonl" } },
  },
  {
    rule: "preference_rows",
    what: "pairs of equal completions, by their lines",
    severity: "error",
    refuses: true,
    fires: { preferences: { file: "equal.jsonl", ...ALL }, prefer: { loss: "dpo" } },
    says: /^2 pairs of equal\.jsonl have equal completions \(line 5, 9\): .*set check_data: false/,
    at: "equal.jsonl",
    silent: { preferences: { file: "pairs.jsonl", ...ALL }, prefer: { loss: "dpo" } },
  },
  {
    rule: "preference_rows",
    what: "labelled completions for a loss of pairs",
    severity: "error",
    refuses: true,
    fires: { preferences: { file: "one_class.jsonl", ...ALL }, prefer: { loss: "dpo" } },
    says: /^Cannot train on pairs: one_class\.jsonl holds labelled completions; .* loss kto$/,
    at: "dpo",
    silent: { preferences: { file: "pairs.jsonl", ...ALL }, prefer: { loss: "dpo" } },
  },
  {
    rule: "preference_rows",
    what: "pairs for a loss of labelled completions",
    severity: "error",
    refuses: true,
    fires: { preferences: { file: "pairs.jsonl", ...ALL }, prefer: { loss: "kto" } },
    says: /^Cannot train on labelled completions: pairs\.jsonl holds pairs; train with loss dpo, or set form: unpaired/,
    at: "kto",
    silent: { preferences: { file: "pairs.jsonl", form: "unpaired", ...ALL }, prefer: { loss: "kto" } },
  },
  {
    rule: "preference_rows",
    what: "pairs of equal completions for a reward model",
    severity: "error",
    refuses: true,
    fires: { preferences: { file: "equal.jsonl", ...ALL }, judge: {} },
    says: /^2 pairs of equal\.jsonl have equal completions/,
    silent: { preferences: { file: "equal.jsonl", ...ALL }, judge: { check_data: false } },
  },
  {
    rule: "preference_rows",
    what: "labelled completions of one class",
    severity: "error",
    refuses: true,
    fires: { preferences: { file: "one_class.jsonl", ...ALL }, prefer: { loss: "kto" } },
    says: /^all 60 completions of one_class\.jsonl to train on are desirable, want undesirable ones as well/,
    at: "one_class.jsonl",
    silent: { preferences: { file: "one_class.jsonl", ...ALL }, prefer: unchecked },
  },
  {
    rule: "permissions",
    what: "a reward inside this program",
    severity: "info",
    fires: { reward: "./reward.ts, trusted: true" },
    says: /this workflow runs .*reward\.ts inside this program/,
    at: "true",
    silent: { reward: "./reward.ts" },
  },
  {
    rule: "permissions",
    what: "a reward that may use the network",
    severity: "info",
    fires: { reward: "./fetches.ts, permissions: { net: [localhost:1, example.org] }" },
    says: /send prompts, answers and completions to localhost:1, example\.org/,
    silent: { reward: "./reward.ts, permissions: { net: [] }" },
  },
  {
    rule: "splits",
    what: "an accuracy to stop at without validation prompts",
    severity: "error",
    refuses: true,
    fires: { prompts: NO_VALIDATION, tune: { max_updates: 3, until_accuracy: 0.5 } },
    says: /until_accuracy is measured on validation prompts and there are none/,
    at: "0.5",
    silent: { tune: { max_updates: 3, until_accuracy: 0.5 } },
  },
  {
    rule: "splits",
    what: "an evaluation of an empty split",
    severity: "error",
    refuses: true,
    fires: { prompts: NO_VALIDATION, evaluate: { split: "validation" } },
    says: /split "validation" has no prompts/,
    silent: { prompts: NO_VALIDATION, evaluate: { split: "held_out" } },
  },
]);
