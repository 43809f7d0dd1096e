/** Mistakes in a workflow file, and the beginning of the one line that answers each, with its place. @module */
import { TASKS } from "../../../data/tasks/mod.ts";

/** The file that each mistake is made in. */
export const RIGHT = `name: mine
about: Adds numbers.
params: { rounds: 5, size: 4, rate: 1.0e-3 }
seed: 1
steps:
  - { uses: load_prompts, with: { task: addition, digits: 1 } }
  - { uses: load_model, with: { model: tiny_qwen2 } }
  - repeat: \${{ params.rounds }}
    steps:
      - uses: sample_groups
        with:
          prompts_per_step: 8
          group_size: \${{ params.size }}
          max_new_tokens: 4
      - { uses: score_rewards, with: { rewards: [{ uses: verifier }] } }
      - { uses: compute_advantages, with: { estimator: grpo } }
      - { uses: apply_update, with: { learning_rate: "\${{ params.rate }}" } }
  - { id: after, uses: evaluate, with: { split: held_out } }
`;

/** What stands in the file, what is written instead ("" before: the whole file), and `line:column answer`. */
export const MISTAKES: readonly (readonly [before: string, after: string, answer: string])[] = [
  ["group_size: ${{ params.size }}", "group_size: 4", '3:28 nothing reads parameter "size"'],
  [
    "          max_new_tokens: 4",
    "       max_new_tokens: 4",
    "14:8 this line is indented by 7 spaces, want 8 (as line 11)",
  ],
  ["seed: 1", "matrix: { size: [2] }", '4:1 unknown key "matrix"; write strategy: { matrix: … }'],
  ["seed: 1", "seed: 1\nstrategy: { matrix: { size: [2] } }", '5:29 nothing reads matrix axis "size"'],
  ["", "", '1:1 the file is empty, want keys such as "name" and "steps"'],
  ["", "# nothing\n", '1:1 the file is empty, want keys such as "name" and "steps"'],
  ["", "- a\n- b\n", '1:1 no workflow in mine.yaml, want keys such as "name" and "steps"'],
  ["", "hello\n", '1:1 no workflow in mine.yaml, want keys such as "name" and "steps"'],
  ["", "3\n", '1:1 no workflow in mine.yaml, want keys such as "name" and "steps"'],
  ["", "null\n", '1:1 no workflow in mine.yaml, want keys such as "name" and "steps"'],
  ["", "---\n", '1:4 no workflow in mine.yaml, want keys such as "name" and "steps"'],
  ["        with:\n          prompts", "\twith:\n          prompts", "11:1 a tab in the indentation; want spaces"],
  ["          group_size", "\t  group_size", "13:1 a tab in the indentation; want spaces"],
  ["seed: 1", "\tseed: 1", "4:1 a tab in the indentation; want spaces"],
  [
    "{ uses: load_model, with: { model: tiny_qwen2 } }",
    "{ uses: load_model, with: { model: tiny_qwen2 }",
    '7:5 "{" has no "}"',
  ],
  ["params: { rounds: 5, size: 4, rate: 1.0e-3 }", "params: { rounds: 5, size: 4, rate: 1.0e-3", '3:9 "{" has no "}"'],
  ["[{ uses: verifier }]", "[{ uses: verifier }", '15:49 "[" has no "]"'],
  ["{ model: tiny_qwen2 } }", "{ model: tiny_qwen2 } } }", '7:55 "}" closes nothing; remove it'],
  ["[{ uses: verifier }]", "[{ uses: verifier }]]", '15:69 "]" closes nothing; remove it'],
  ["about: Adds numbers.", 'about: "Adds numbers.', '2:8 a text that begins with " has no closing "'],
  ["about: Adds numbers.", "about: 'Adds numbers.", "2:8 a text that begins with ' has no closing '"],
  ["seed: 1", "seed 1", '4:1 "seed 1" has no colon; want "key: value"'],
  ["seed: 1", "seed:1", '4:1 want a space after the colon of "seed"'],
  ["  - { id: after", "  -{ id: after", '18:3 want a space after "-"'],
  ["about: Adds numbers.", "about: Adds: numbers.", '2:1 a second ": " in a text; put the text in quotes'],
  ["seed: 1", "seed: 1\nseed: 2", '5:1 key "seed" stands twice'],
  [
    "          max_new_tokens: 4",
    "          max_new_tokens: 4\n          max_new_tokens: 5",
    '15:11 key "max_new_tokens" stands twice',
  ],
  [
    "          group_size",
    "        group_size",
    "13:21 this key has a value, and the next line is indented deeper; want the same column for both",
  ],
  [
    "          group_size",
    "         group_size",
    "13:10 this line is indented by 9 spaces, want 8 (as line 11) or 10 (as line 12)",
  ],
  [
    "          group_size",
    "            group_size",
    "12:29 this key has a value, and the next line is indented deeper; want the same column for both",
  ],
  ["name: mine", "name: mine\n---\nname: other", "2:1 a second document begins here; one file holds one workflow"],
  ["seed: 1", "seed: *one", '4:7 unknown alias "*one"; no "&one" stands before it'],
  ["seed: 1", "<<: { seed: 1 }", '4:1 merge key "<<" is not read; write the keys out'],
  ["seed: 1", "seed: !!python/object 1", '4:7 tag "!!python/object" is not read; write the plain value'],
  ["about: Adds numbers.", "about: @adds", "2:8 a text cannot begin with @; put it in quotes"],
  ["about: Adds numbers.", "about: `adds`", "2:8 a text cannot begin with `; put it in quotes"],
  ["about: Adds numbers.", "about: %adds", "2:8 a text cannot begin with %; put it in quotes"],
  [
    'learning_rate: "${{ params.rate }}"',
    "learning_rate: ${{ params.rate }}",
    '17:54 unquoted "${{" inside { } or [ ]; put the expression in quotes: "${{ \u2026 }}", or write the keys on lines of their own',
  ],
  [
    "rounds: 5, size: 4",
    "rounds: 5 size: 4",
    "3:19 a comma is missing before this, or a text with a colon wants quotes",
  ],
  ["seed: 1", "sede: 1\r", '4:1 unknown key "sede"; did you mean "seed"?'],
  ["", '{"name": "a"}', '1:1 missing key "steps"'],
  ["name: mine\n", "", '1:1 missing key "name"'],
  ["", "name: mine\n", '1:1 missing key "steps"'],
  ["", "name: mine\nsteps: []\n", '2:8 "steps" is an empty list, want at least 1 item(s)'],
  ["", "name: mine\nsteps:\n", '2:7 "steps" is empty, want a list'],
  ["", "name: mine\nsteps:\n  uses: load_model\n", '3:3 "steps" is keys with values, want a list'],
  ["", "name: mine\nsteps: all\n", '2:8 "steps" is "all", want a list'],
  ["name: mine", "name: 3", '1:7 "name" is 3, want a text'],
  [
    "name: mine",
    "name: my run",
    '1:7 "name" is "my run", want snake_case: a letter a to z, then letters, digits and _',
  ],
  ["name: mine", "name: Mine", '1:7 "name" is "Mine", want snake_case: a letter a to z, then letters, digits and _'],
  ["steps:\n  - { uses: load_p", "jobs:\n  - { uses: load_p", '5:1 unknown key "jobs"; did you mean "steps"?'],
  ["seed: 1", "env: { A: 1 }", '4:1 unknown key "env";'],
  ["params:", "param:", '3:1 unknown key "param"; did you mean "params"?'],
  ["seed: 1", "seed: one", '4:7 "seed" is "one", want a number or an expression: ${{ params.NAME }}'],
  ["seed: 1", "seed: -1", '4:7 "seed" is -1, want at least 0'],
  ["seed: 1", "seed: 1.5", '4:7 "seed" is 1.5, want a whole number or an expression: ${{ params.NAME }}'],
  ["seed: 1", 'seed: "1"', '4:7 "seed" is "1", want a number or an expression: ${{ params.NAME }}'],
  [
    "seed: 1",
    "seed: 1\ndevice: gpu",
    '5:9 "device" is "gpu", want one of "auto", "cpu", "cuda"; did you mean "cpu"?',
  ],
  ["seed: 1", "seed: 1\nthreads: 0", '5:10 "threads" is 0, want at least 1'],
  [
    "seed: 1",
    "seed: 1\ndeterministic: yes",
    '5:16 "deterministic" is "yes", want true or false or an expression: ${{ params.NAME }}',
  ],
  ["seed: 1", "seed: 1\ncheckpoint: 20", '5:13 "checkpoint" is 20, want keys with values'],
  ["seed: 1", "seed: 1\ncheckpoint: { evry: 20 }", '5:15 unknown key "evry"; did you mean "every"?'],
  [
    "seed: 1",
    "seed: 1\ncheckpoint: { best: metrics.rewrad }",
    '5:21 unknown "rewrad" of metrics; did you mean "reward"?',
  ],
  [
    "seed: 1",
    'seed: 1\non: { schedule: [{ cron: "3am" }] }',
    '5:26 "cron" is "3am", want five fields, such as "0 3 * * *"',
  ],
  ["seed: 1", "seed: 1\non: push", '5:5 "on" is "push", want keys with values'],
  [
    "seed: 1",
    'seed: 1\non: { schedule: [{ cron: "0 3 * * *", timezone: Berlin }] }',
    '5:49 "timezone" is "Berlin", want an IANA time zone, such as "Europe/Berlin"',
  ],
  [
    "seed: 1",
    'seed: 1\non: { schedule: [{ cron: "0 3 * * *", timezone: "+02:00" }] }',
    '5:49 "timezone" is "+02:00", want an IANA time zone, such as "Europe/Berlin"',
  ],
  [
    "seed: 1",
    'seed: 1\non: { schedule: [{ cron: "0 3 * * *", timezone: america/new_york }] }',
    '5:49 "timezone" is "america/new_york", want an IANA time zone, such as "America/New_York"',
  ],
  [
    "seed: 1",
    "seed: 1\nrepair: on",
    '5:9 "repair" is "on", want one of "off", "suggest", "apply"; did you mean "off"?',
  ],
  ["seed: 1", "seed: 1\nfaults: [{ kind: nan_rewrd }]", '5:18 unknown fault "nan_rewrd"; did you mean "nan_reward"?'],
  ["seed: 1", "seed: 1\nfaults: [{ knd: nan_reward }]", '5:10 missing key "kind" in "faults"'],
  ["seed: 1", "seed: 1\nfaults: [nan_reward]", '5:10 item 1 of "faults" is "nan_reward", want keys with values'],
  ["seed: 1", "seed: 1\nstrategy: { matrix: { size: [] } }", '5:29 "size" is an empty list, want at least 1 item(s)'],
  ["seed: 1", "seed: 1\nstrategy: { matrix: { size: 3 } }", '5:29 "size" is 3, want a list'],
  [
    "group_size: ${{ params.size }}",
    "group_size: ${{ matrix.size }}",
    '13:27 "matrix.size" needs a "strategy.matrix", and there is none',
  ],
  [
    "{ uses: load_model, with: { model: tiny_qwen2 } }",
    "{ with: { model: tiny_qwen2 } }",
    '7:5 missing key "uses" in "steps"',
  ],
  ["{ uses: load_model,", "{ use: load_model,", '7:7 unknown key "use"; did you mean "uses"?'],
  [
    "{ uses: load_model, with: { model: tiny_qwen2 } }",
    "load_model",
    '7:5 item 2 of "steps" is "load_model", want keys with values',
  ],
  ["uses: load_model", "uses: load_modle", '7:13 unknown step kind "load_modle"; did you mean "load_model"?'],
  ["uses: load_model", "uses: load-model", '7:13 unknown step kind "load-model"; did you mean "load_model"?'],
  ["uses: load_model", "uses: load_model@v1", '7:13 unknown step kind "load_model@v1"; did you mean "load_model"?'],
  [
    "{ id: after, uses: evaluate, with: { split: held_out } }",
    "{ run: echo hi }",
    '18:7 unknown key "run"; did you mean "uses"?',
  ],
  ["with: { split: held_out }", "with: [split]", '18:40 "with" is a list of 1, want keys with values'],
  [
    "{ id: after, uses: evaluate, with: { split: held_out } }",
    "{ id: after, uses: evaluate, split: held_out }",
    '18:34 unknown key "split"; parameters of the step stand in "with"',
  ],
  ["group_size: $", "group_sise: $", '13:11 unknown key "group_sise"; did you mean "group_size"?'],
  ["          max_new_tokens: 4\n", "", '12:11 missing key "max_new_tokens" in "with"'],
  ["prompts_per_step: 8", "prompts_per_step: eight", '12:29 "prompts_per_step" is "eight", want a number'],
  ["prompts_per_step: 8", "prompts_per_step: 8.5", '12:29 "prompts_per_step" is 8.5, want a whole number'],
  ["prompts_per_step: 8", "prompts_per_step: 0", '12:29 "prompts_per_step" is 0, want at least 1'],
  ["prompts_per_step: 8", "prompts_per_step:", '12:28 "prompts_per_step" is empty, want a number'],
  ["prompts_per_step: 8", "prompts_per_step: true", '12:29 "prompts_per_step" is true, want a number'],
  ["prompts_per_step: 8", "prompts_per_step: .inf", '12:29 "prompts_per_step" is Infinity, want a finite number'],
  ["prompts_per_step: 8", "prompts_per_step: .nan", '12:29 "prompts_per_step" is NaN, want a finite number'],
  ["split: held_out", "split: test", '18:49 "split" is "test", want one of "train", "validation", "held_out"'],
  [
    "estimator: grpo",
    "estimator: gropo",
    '16:56 "estimator" is "gropo", want one of "grpo", "dr_grpo", "grpo_passk", "gdpo", "rloo", "reinforce_plus_plus", "remax", "opo", "gpg", "optimal_token_baseline", "gae"; did you mean "grpo"?',
  ],
  [
    "estimator: grpo",
    "estimator: grpo, normalize: true",
    '16:73 Cannot set "normalize" for estimator "grpo": it reads scale, eps',
  ],
  ["uses: verifier", "uses: verifer", '15:58 unknown reward "verifer"; did you mean "verifier"?'],
  [
    "{ uses: verifier }",
    "{ uses: format, with: { patern: a } }",
    '15:74 unknown key "patern" of reward "format"; did you mean "pattern"?',
  ],
  ["[{ uses: verifier }]", "[verifier]", '15:50 item 1 of "rewards" is "verifier", want keys with values'],
  ["[{ uses: verifier }]", "{ uses: verifier }", '15:49 "rewards" is keys with values, want a list'],
  [
    "uses: verifier",
    "uses: ./nope.ts",
    "15:58 there is no reward file ./nope.ts in /data; paths are relative to the workflow file",
  ],
  [
    "task: addition",
    "task: adition",
    `6:41 "task" is "adition", want one of ${
      Object.keys(TASKS).map((name) => `"${name}"`).join(", ")
    }; did you mean "addition"?`,
  ],
  ["digits: 1", "digit: 1", '6:51 unknown key "digit" of task "addition"; did you mean "digits"?'],
  ["digits: 1", "digits: 99", '6:59 "digits" is 99, want at most 9'],
  ["task: addition", "task: addition, file: a.jsonl", "6:33 both a task and a file are given; want one"],
  [
    "task: addition, digits: 1",
    "file: nope.jsonl",
    "6:41 Cannot load prompts from nope.jsonl: there is no file /data/nope.jsonl",
  ],
  ["model: tiny_qwen2", "model: tiny_qwen", '7:40 there is no model "tiny_qwen"; did you mean "tiny_qwen2"?'],
  [
    "model: tiny_qwen2",
    "model: ./nope",
    '7:40 there is no model "./nope": no preset (small_qwen2, small_qwen3, small_llama, tiny_qwen2, small_qwen2_vl) and no config.json in /data/nope or /data/nope/model (paths in a workflow are relative to its file, those of -p to where',
  ],
  ['learning_rate: "${{ params.rate }}"', 'learning_rate: "1e-3"', '17:54 "learning_rate" is "1e-3", want a number'],
  ['learning_rate: "${{ params.rate }}"', "learning_rate: -1", '17:54 "learning_rate" is -1, want at least 0'],
  [
    "rate: 1.0e-3",
    "rate: 0",
    "17:54 learning_rate is 0: no weight ever changes; set it above 0",
  ],
  [
    "repeat: ${{ params.rounds }}",
    "repeat: forever",
    '8:13 "repeat" is "forever", want a number or an expression: ${{ params.NAME }}',
  ],
  ["repeat: ${{ params.rounds }}", "repeat: 0", '8:13 "repeat" is 0, want at least 1'],
  ["", "name: a\nsteps:\n  - repeat: 3\n", '3:5 missing key "steps" in "steps"'],
  ["  - repeat: $", "  - repaet: $", '8:5 unknown key "repaet"; did you mean "repeat"?'],
  [
    "    steps:\n      - uses: sample",
    "    with: { a: 1 }\n    steps:\n      - uses: sample",
    '9:5 unknown key "with";',
  ],
  [
    "repeat: ${{ params.rounds }}",
    "repeat: 5\n    until: steps.after.outputs.sampled > 0.9",
    '9:12 "steps.after.outputs.sampled" looks up a step that runs after this block',
  ],
  [
    "repeat: ${{ params.rounds }}",
    "repeat: 5\n    until: ${{ steps.befor.outputs.sampled > 0.9 }}",
    '9:16 unknown step "befor";',
  ],
  ["group_size: ${{ params.size }}", "group_size: ${{ params.size }", '13:23 "${{" without "}}"'],
  ["params.size", "params.sise", '13:27 unknown parameter "sise"; did you mean "size"?'],
  ["params.size", "param.size", '13:27 unknown "param" in an expression; did you mean "params"?'],
  [
    "${{ params.size }}",
    "${{ params.size * 2 }}",
    '13:39 unexpected "*": an expression is one look-up (in "if" and "until" also one comparison with a literal)',
  ],
  ["${{ params.size }}", "{{ params.size }}", '13:23 "{{ params.size }}" is no expression, want "${{ \u2026 }}"'],
  ["${{ params.size }}", "$params.size", '13:23 "group_size" is "$params.size", want a number'],
  ["${{ params.size }}", "${{ env.SIZE }}", '13:27 unknown "env" in an expression;'],
  ["size: 4", "size: four", '13:23 "group_size" is "four", want a number'],
  ["{ uses: load_model,", "{ id: after, uses: load_model,", '18:11 id "after" is already taken by an earlier step'],
  [
    "id: after",
    "id: After Run",
    '18:11 "id" is "After Run", want snake_case: a letter a to z, then letters, digits and _',
  ],
  ["id: after,", "id: after, every: 2,", '18:18 "every" counts rounds; it has a meaning inside "repeat" only'],
  ["id: after,", "id: after, if: sometimes(),", '18:22 unknown function "sometimes()";'],
  [
    "id: after,",
    "id: after, if: params.size = 4,",
    '18:34 "=" is no comparison, want ==, !=, <, <=, > or >=; equality is "=="',
  ],
  ["id: after,", "id: after, if: params.sise == 4,", '18:22 unknown parameter "sise"; did you mean "size"?'],
  [
    "id: after,",
    "id: after, timeout_minutes: 5,",
    '18:18 unknown key "timeout_minutes"; did you mean "timeout-minutes"?',
  ],
  ["id: after,", "id: after, timeout-minutes: 0,", '18:35 "timeout-minutes" is 0, want more than 0'],
  ["seed: 1", "seed: 1\ntimeout-minutes: 5", '5:1 unknown key "timeout-minutes"; a step has it, with "uses"'],
  [
    "with: { split: held_out }",
    "with: { split: held_out, timeout-minutes: 5 }",
    '18:59 unknown key "timeout-minutes"; it stands beside "with", not in it',
  ],
  [
    "  - repeat: ${{ params.rounds }}",
    "  - repeat: 5\n    timeout-minutes: 5",
    '9:5 unknown key "timeout-minutes"; a step has it, with "uses"',
  ],
  ["id: after,", "id: after, retry: 3,", '18:25 "retry" is 3, want keys with values'],
  [
    "id: after,",
    "id: after, cache: true,",
    '18:25 Cannot cache "evaluate": its rows depend on more than parameters and tables; step kinds that can: pair_completions, best_of_n',
  ],
  [
    "id: after,",
    "id: after, continue_on_error: true,",
    '18:18 unknown key "continue_on_error"; did you mean "continue-on-error"?',
  ],
  [
    "      - { uses: score_rewards, with: { rewards: [{ uses: verifier }] } }\n",
    "",
    '15:17 Cannot run step "compute_advantages": it reads completions.reward, which no earlier step writes; add score_rewards before it',
  ],
  [
    "      - { uses: compute_advantages, with: { estimator: grpo } }\n",
    "",
    '16:17 Cannot run step "apply_update": it reads completions.advantage, which no earlier step writes; add compute_advantages before it',
  ],
  [
    "  - { uses: load_model, with: { model: tiny_qwen2 } }\n",
    "",
    '9:15 Cannot run step "sample_groups": it needs the policy and the reference, which no earlier step gives; add load_model before it',
  ],
  [
    "  - { uses: load_prompts, with: { task: addition, digits: 1 } }\n",
    "",
    '9:15 Cannot run step "sample_groups": it reads table "prompts", which no earlier step writes; add load_prompts before it',
  ],
  ["seed: 1", "seed:\u00a01", "4:6 a no-break space (U+00A0); want a plain one"],
  ["seed: 1", "seed\uff1a 1", '4:5 "\uff1a" is a full-width character; want ":"'],
  ["seed: 1", "seed: 1#one", '4:7 "seed" is "1#one", want a number or an expression: ${{ params.NAME }}'],
  ["digits: 1", "digits: yes", '6:59 "digits" is "yes", want a number'],
  ["seed: 1", "seed: 0o17x", '4:7 "seed" is "0o17x", want a number or an expression: ${{ params.NAME }}'],
  ["prompts_per_step: 8", "prompts_per_step: 1_000", '12:29 "prompts_per_step" is "1_000", want a number'],
  ["prompts_per_step: 8", "prompts_per_step: 50%", '12:29 "prompts_per_step" is "50%", want a number'],
  ["", "? [a]\n: 1\n", "1:3 a key must be a name"],
];

/** What looks like a mistake and is none. */
export const NO_MISTAKES: readonly (readonly [before: string, after: string])[] = [
  ["prompts_per_step: 8", "prompts_per_step: 1e3"],
  ["rate: 1.0e-3", "rate: 1e-3"],
  ["id: after,", "id: after, timeout-minutes: 5,"],
  ["name: mine", "\ufeffname: mine"],
  ["about: Adds numbers.", "about: \u201cAdds numbers."],
];
