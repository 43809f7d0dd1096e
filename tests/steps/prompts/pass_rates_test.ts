import assert from "node:assert/strict";
import { table } from "arquero";
import { emptyTable } from "../../../data/tables/mod.ts";
import { drawWeight, passRates } from "../../../steps/prompts/pass_rates.ts";

Deno.test("passRates() adds up what each prompt was tried, verdicts only", () => {
  const rates = passRates(table({
    prompt_id: [3, 5, 3, 7],
    completions: [8, 8, 4, 8],
    pass_rate: [0.25, 1, 0.5, null],
  }));
  assert.deepEqual([...rates], [[3, { completions: 12, right: 4 }], [5, { completions: 8, right: 8 }]]);
  assert.equal(passRates(emptyTable("groups")).size, 0);
});

Deno.test("drawWeight() is largest for a prompt solved half of the time or never tried, least for one always or never solved", () => {
  assert.equal(drawWeight(null), 1);
  assert.equal(drawWeight({ completions: 8, right: 4 }), 1);
  assert.equal(drawWeight({ completions: 8, right: 1 }), 4 * 0.2 * 0.8);
  assert.equal(drawWeight({ completions: 998, right: 0 }), 0.05);
  assert.equal(drawWeight({ completions: 998, right: 998 }), 0.05);
});
