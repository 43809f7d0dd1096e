/** Rules on adapters: what they must speak of, and the look-alikes at which they are silent. */
import assert from "node:assert/strict";
import { frozenBytes, PROCESS_BYTES, trainedBytes } from "../../../steps/cost/memory.ts";
import { factsOf } from "../../../workflows/preflight/facts.ts";
import { adapterExport, trainedLayout } from "../../../workflows/preflight/lora_rules.ts";
import { peaksOf } from "../../../workflows/preflight/memory_rules.ts";
import type { Facts } from "../../../workflows/preflight/facts.ts";
import { join } from "node:path";
import { preflight } from "../../../workflows/preflight/preflight.ts";
import { editJson, modelFolder } from "../../steps/contexts/model_folders.ts";
import { testRules } from "./rule_cases.ts";
import { smallPlan, withFiles } from "./small_plans.ts";

testRules(["adapter_reference", "lora"], [
  {
    rule: "lora",
    what: "modules that match nothing",
    severity: "error",
    refuses: true,
    fires: { model: { lora: { target_modules: ["q_prj"] } } },
    says: /Cannot add an adapter to "q_prj": it matches no module; did you mean "q_proj"\?/,
    at: '["q_prj"]',
    silent: { model: { lora: { target_modules: ["q_proj"] } } },
  },
  {
    rule: "lora",
    what: "one name among others that matches nothing",
    severity: "warning",
    fires: { model: { lora: { target_modules: ["q_proj", "c_attn"] } } },
    says: /target_modules has "c_attn", which matches no module of the model; the others get an adapter/,
    at: '["q_proj"',
    silent: { model: { lora: { target_modules: ["q_proj", "v_proj"] } } },
  },
  {
    rule: "lora",
    what: "a layer beyond the last",
    severity: "error",
    refuses: true,
    fires: { model: { lora: { layers: [7] } } },
    says: /to layer 7: the model has layers 0 to 1/,
    at: "[7]",
    silent: { model: { lora: { layers: [1] } } },
  },
  {
    rule: "lora",
    what: "a rank that no matrix has",
    severity: "error",
    refuses: true,
    fires: { model: { lora: { rank: 30_000 } } },
    says:
      /of rank 30000: q_proj is \[64,64\], and no matrix that gets one has a smaller side above 64; want at most 64$/,
    at: "30000",
    silent: { model: { lora: { rank: 32 } } },
  },
  {
    rule: "lora",
    what: "a rank of a pattern that no matrix has",
    severity: "error",
    refuses: true,
    fires: { model: { lora: { rank_pattern: { v_proj: 30_000 } } } },
    says: /of rank 30000: v_proj is \[32,64\], .* want at most 32$/,
    at: '{"v_proj"',
    silent: { model: { lora: { rank_pattern: { v_proj: 32 } } } },
  },
  {
    rule: "lora",
    what: "a rank beyond what some matrices have, which PEFT takes",
    severity: "warning",
    fires: { model: { lora: { rank: 64, target_modules: "all_linear" } } },
    says: /^rank 64 is more than k_proj \[32,64\] has.* rank_pattern: \{ k_proj: 32, v_proj: 32 \} does with less/,
    at: "64",
    silent: { model: { lora: { rank: 32, target_modules: "all_linear" } } },
  },
  {
    rule: "lora",
    what: "a module to save that is not there",
    severity: "error",
    refuses: true,
    fires: { model: { lora: { modules_to_save: ["lm_head"] } } },
    says: /Cannot train "lm_head" of modules_to_save/,
    at: '["lm_head"]',
    silent: { model: { lora: { modules_to_save: ["embed_tokens"] } } },
  },
  {
    rule: "lora",
    what: "a folder without an adapter",
    severity: "error",
    refuses: true,
    fires: { model: { model: "cold", adapter: "cold" } },
    says: /Cannot load adapter "cold": there is no adapter_config\.json in .*cold or /,
    at: "cold",
    silent: { model: { model: "cold", lora: {} } },
  },
  {
    rule: "lora",
    what: "modules of a reward model that match nothing",
    severity: "error",
    refuses: true,
    fires: { preferences: { file: "pairs.jsonl" }, judge: { lora: { target_modules: ["q_prj"] } } },
    says: /Cannot add an adapter to "q_prj": it matches no module; did you mean "q_proj"\?/,
    at: '["q_prj"]',
    silent: { preferences: { file: "pairs.jsonl" }, judge: { lora: { target_modules: ["q_proj"] } } },
  },
  {
    rule: "lora",
    what: "an adapter of a reward model of which only A trains",
    severity: "error",
    refuses: true,
    fires: { preferences: { file: "pairs.jsonl" }, judge: { lora: {}, trainable: ["*lora_A*"] } },
    says: /^trainable leaves out lora_B of ".*", which is 0, so nothing of the adapter would ever change/,
    at: '["*lora_A*"]',
    silent: { preferences: { file: "pairs.jsonl" }, judge: { lora: {}, trainable: ["*lora_A*", "score*"] } },
  },
  {
    rule: "lora",
    what: "a pattern of trainable that matches nothing of a reward model's adapter",
    severity: "error",
    refuses: true,
    fires: { preferences: { file: "pairs.jsonl" }, judge: { lora: {}, trainable: ["*.mlp.*"] } },
    says: /^Cannot choose trainable parameters: "\*\.mlp\.\*" matches no parameter/,
    silent: { preferences: { file: "pairs.jsonl" }, judge: { lora: {}, trainable: ["*lora*"] } },
  },
  {
    rule: "adapter_reference",
    what: "the base of an adapter that fine_tune has trained",
    severity: "warning",
    fires: { model: { lora: {}, reference: "adapter_off" }, tune: { max_updates: 3 } },
    says: /the adapter has trained before the reference is asked.*use reference: copy/,
    at: "adapter_off",
    silent: { model: { lora: {}, reference: "adapter_off" } },
  },
]);

const facts = (model: Record<string, unknown>) => factsOf(smallPlan({ model }, "."), null);

Deno.test("an adapter's layout is what trains: patterns of trainable and the estimate of memory go by it", async () => {
  const { model } = await facts({ lora: { rank: 2, target_modules: "all_linear" } });
  const base = model!.layout!.count, adapter = trainedLayout(model!)!.count;
  assert(adapter < 0.1 * base);
  const [peak] = peaksOf(await facts({ lora: { rank: 2, target_modules: "all_linear" } }));
  assert.equal(peak!.bytes, PROCESS_BYTES + frozenBytes(base) + trainedBytes(adapter));
  assert.equal(peaksOf(await facts({}))[0]!.bytes, PROCESS_BYTES + trainedBytes(base));
  const plain = (await facts({})).model!;
  assert.equal(trainedLayout(plain), plain.layout);
});

Deno.test("a saved adapter is estimated as a fresh one of its sizes, and trainable is matched against it", () =>
  withFiles(async (folder) => {
    const adapter = modelFolder(folder, "qwen2_lora", { tokenizer: false });
    const { r: rank, lora_alpha: alpha, target_modules } = JSON.parse(
      Deno.readTextFileSync(join(adapter, "adapter_config.json")),
    );
    const of = async (given: Record<string, unknown>) => {
      const facts = await factsOf(smallPlan({ model: { model: "cold", ...given }, update: {} }, folder), null);
      return { facts, peaks: peaksOf(facts).map(({ bytes }) => bytes) };
    };
    const saved = await of({ adapter }), fresh = await of({ lora: { rank, alpha, target_modules } });
    assert.deepEqual(saved.peaks, fresh.peaks);
    assert(saved.peaks.length > 1);
    assert.notDeepEqual((await of({ adapter, merge: true })).peaks, fresh.peaks);
    assert.equal(trainedLayout(saved.facts.model!)!.count, trainedLayout(fresh.facts.model!)!.count);
    const findings = await preflight(
      smallPlan({ model: { model: "cold", adapter, trainable: ["*.lora_C.*"] } }, folder),
    );
    assert(
      findings.some(({ message }) => /"\*\.lora_C\.\*" matches no parameter of the adapter; it has/.test(message)),
    );
  }));

Deno.test("an adapter whose folder names another model of the same shapes is told before the run, one of this model is not", () =>
  withFiles(async (folder) => {
    const adapter = modelFolder(folder, "qwen2_lora", { tokenizer: false });
    const told = async (base: string) => {
      editJson(join(adapter, "adapter_config.json"), (json) => json["base_model_name_or_path"] = base);
      const findings = await preflight(smallPlan({ model: { model: "cold", adapter } }, folder));
      return findings.filter(({ rule }) => rule === "lora").map(({ severity, refuses, message }) => ({
        severity,
        refuses,
        message,
      }));
    };
    assert.deepEqual(await told("org/cold"), []);
    assert.deepEqual(await told(join(Deno.cwd(), "tests/models/qwen2")), [], "the same weights elsewhere");
    const [finding, ...others] = await told("org/warm");
    assert.deepEqual([finding!.severity, finding!.refuses, others], ["warning", false, []]);
    assert.match(
      finding!.message,
      /qwen2_lora may be another model's: .* trained upon org\/warm, and the model is .*cold: /,
    );
  }));

Deno.test("an adapter of another rank than its configuration says is told before the run", () =>
  withFiles(async (folder) => {
    modelFolder(folder, "qwen2");
    const saved = modelFolder(folder, "qwen2_lora", { tokenizer: false });
    const plan = smallPlan({ model: { model: "qwen2", adapter: "qwen2_lora" } }, folder);
    const told = async () => (await preflight(plan)).filter(({ rule, refuses }) => rule === "lora" && refuses);
    assert.deepEqual(await told(), []);
    editJson(join(saved, "adapter_config.json"), (json) => Object.assign(json, { r: 31 }));
    const [problem] = await told();
    assert.match(problem!.message, /lora_A of "model\..*" has rank \d+, want 31 as its adapter_config\.json says/);
  }));

Deno.test("adapterExport() refuses PEFT's folder of a policy without an adapter, before anything trains", () => {
  const step = { uses: "export_model", path: ["steps", 3], with: { merge: false } };
  const loaded = (given: Record<string, unknown>) => ({ step: { uses: "load_model", with: given } });
  const of = (merge: boolean, ...loads: Record<string, unknown>[]) =>
    adapterExport({
      each: () => [{ step, params: { merge, what: "policy" } }],
      steps: [...loads.map(loaded), { step }],
    } as unknown as Facts);
  const plain = { model: "x" }, adapted = { model: "${{ open }}", lora: {} };
  assert.deepEqual([of(true, plain), of(false, adapted), of(false, plain, adapted), of(false)], [[], [], [], []]);
  const [report] = of(false, adapted, plain);
  assert.equal(report!.refuses, true);
  assert.match(report!.message, /^merge is false and the policy has no adapter/);
  assert.deepEqual(report!.path, ["steps", 3, "with", "merge"]);
  const critic = (given: Record<string, unknown>) =>
    adapterExport({
      each: () => [{ step, params: { merge: false, what: "critic" } }],
      steps: [loaded(adapted), { step: { uses: "load_critic", with: given } }, { step }],
    } as unknown as Facts);
  assert.deepEqual(critic({ lora: {} }), []);
  assert.match(
    critic({})[0]!.message,
    /^merge is false and the critic has no adapter.* set lora or adapter of load_critic/,
  );
});
