import assert from "node:assert/strict";
import { ourDefault, settle } from "../../../workflows/translate/settle.ts";

Deno.test("ourDefault() is the schema's, what is in force, or nothing", () => {
  assert.deepEqual(
    ["apply_update.kl_coef", "sample_groups.temperature", "apply_update.learning_rate", "no.step", "workflow.seed"].map(
      (t) => ourDefault(t as "a.b"),
    ),
    [0, 1, undefined, undefined, 0],
  );
});

Deno.test("settle() takes out what no step takes, and tells it at the option", () => {
  const set = {
    "apply_update.learning_rate": 1,
    "apply_update.nothing": 2,
    "apply_update.beta1": 7,
    "apply_update.kl_times_ratio": true,
  };
  const outcome = { option: "o", value: 1, line: 1, class: "translated", text: "", set } as const;
  const { outcomes: [told], settings } = settle({ outcomes: [outcome], settings: set }, ["apply_update"]);
  assert.deepEqual(settings, { "apply_update.learning_rate": 1 });
  assert.match(told!.text, /no option nothing; apply_update\.beta1 does not take 7: .*kl_coef is 0/);
  const [silent] = settle({ outcomes: [], settings: { "other.x": 1 } }, ["apply_update"]).outcomes;
  assert.deepEqual([silent!.class, silent!.text], ["not_supported", "there is no step other here"]);
});

Deno.test("settle() keeps what needs an option whose refused value is replaced", () => {
  const rate = { "apply_update.learning_rate": 1e-6 };
  const settings = { ...rate, "apply_update.schedule": "linear", "apply_update.schedule_updates": 1e30 };
  const otherwise = { "apply_update.schedule_updates": 100 };
  const settled = settle({ outcomes: [], settings }, ["apply_update"], otherwise);
  assert.deepEqual(settled.settings, { ...settings, "apply_update.schedule_updates": 100 });
  assert.match(settled.outcomes[0]!.text, /^apply_update\.schedule_updates does not take 1e\+30: .*; 100 stands/);
  assert.deepEqual(settle({ outcomes: [], settings }, ["apply_update"]).settings, rate);
});
