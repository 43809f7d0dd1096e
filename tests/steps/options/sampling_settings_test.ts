import assert from "node:assert/strict";
import {
  exportedSampling,
  logprobTemperature,
  samplingLine,
  samplingSettings,
} from "../../../steps/options/sampling_settings.ts";

const FOLDER = { temperature: 0.01, top_p: 0.001, do_sample: true };

Deno.test("samplingSettings() follows the workflow, then the default, and says what it does not follow", () => {
  const settings = samplingSettings({ top_k: 5 }, FOLDER, false);
  assert.deepEqual(settings.values, { temperature: 1, top_k: 5, top_p: 1, min_p: 0, repetition_penalty: 1 });
  assert.equal(settings.origins.top_k, "workflow");
  assert.equal(settings.origins.temperature, "default");
  assert.deepEqual(settings.ignored, ["temperature 0.01", "top_p 0.001"]);
  assert.equal(
    samplingLine(settings),
    "sampling: temperature 1 (default), top_k 5 (workflow); the rest at its default; " +
      "the model folder asks for temperature 0.01, top_p 0.001: not followed",
  );
});

Deno.test("samplingSettings() inherits from the model folder when asked, workflow values first", () => {
  const settings = samplingSettings({ temperature: 0.7 }, FOLDER, true);
  assert.deepEqual([settings.values.temperature, settings.origins.temperature], [0.7, "workflow"]);
  assert.deepEqual([settings.values.top_p, settings.origins.top_p], [0.001, "model folder"]);
});

Deno.test("samplingSettings() reads do_sample: false as greedy", () => {
  assert.equal(samplingSettings({}, { do_sample: false, temperature: 0.7 }, true).values.temperature, 0);
});

Deno.test("logprobTemperature() is the sampling temperature, 1 where greedy sampling has none", () => {
  assert.deepEqual([0.7, 1, 1.5, 0].map((temperature) => logprobTemperature({ temperature })), [0.7, 1, 1.5, 1]);
});

Deno.test("exportedSampling() replaces the folder's sampling by the run's, and keeps the rest", () => {
  const folder = { ...FOLDER, bos_token_id: 3 };
  assert.deepEqual(exportedSampling(folder, new Map()), folder);
  assert.deepEqual(
    exportedSampling(folder, new Map<string, unknown>([["temperature", 1], ["top_p", 1], ["kl_coef", 2]])),
    {
      bos_token_id: 3,
      do_sample: true,
      temperature: 1,
      top_p: 1,
    },
  );
  assert.deepEqual(exportedSampling(folder, new Map([["temperature", 0]])), { bos_token_id: 3, do_sample: false });
});

/** What transformers would follow and no step of ours does; the last four change nothing. */
const FOREIGN = {
  suppress_tokens: [9],
  typical_p: 0.9,
  no_repeat_ngram_size: 3,
  max_length: 20,
  num_beams: 1,
  renormalize_logits: false,
  bad_words_ids: [],
  sequence_bias: null,
};

Deno.test("samplingSettings() says which other settings of the folder are not followed, and none that changes nothing", () => {
  const asked = ["suppress_tokens [9]", "typical_p 0.9", "no_repeat_ngram_size 3", "max_length 20"];
  for (const inherit of [false, true]) assert.deepEqual(samplingSettings({}, FOREIGN, inherit).ignored, asked);
  assert.deepEqual(samplingSettings({ suppress_tokens: [9] }, FOREIGN, false).ignored, asked.slice(1));
});

Deno.test("exportedSampling() has no setting that the run did not follow, and the tokens that it did suppress", () => {
  const exported = (suppress_tokens: number[], temperature = 1) =>
    exportedSampling(
      { ...FOREIGN, use_cache: true },
      new Map<string, unknown>([["temperature", temperature], ["suppress_tokens", suppress_tokens]]),
    );
  assert.deepEqual(exported([11]), { use_cache: true, do_sample: true, temperature: 1, suppress_tokens: [11] });
  assert.deepEqual(exported([]), { use_cache: true, do_sample: true, temperature: 1 });
  assert.deepEqual(exported([11], 0), { use_cache: true, do_sample: false, suppress_tokens: [11] });
});
