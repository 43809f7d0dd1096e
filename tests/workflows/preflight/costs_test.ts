/** What steps declare as their cost, gathered over a plan. */
import assert from "node:assert/strict";
import { join } from "node:path";
import { costsOf } from "../../../workflows/preflight/costs.ts";
import { factsOf } from "../../../workflows/preflight/facts.ts";
import { STEPS } from "../../../steps/mod.ts";
import { parseWorkflow } from "../../../workflows/language/parse.ts";
import { planWorkflow } from "../../../workflows/plan/plan_workflow.ts";
import { trainingBytes } from "../../../steps/cost/memory.ts";
import { planText, type Settings, smallPlan, withFiles } from "./small_plans.ts";

const costs = async (given: Parameters<typeof smallPlan>[0]) => {
  const found = costsOf(await factsOf(smallPlan(given, "/data"), null));
  return found.map(({ step, times, cost }) => [step.id, times, cost.trainSteps]);
};

Deno.test("costsOf() lists the steps that declare a cost, with how often they run", async () => {
  assert.deepEqual(await costs({ tune: { max_updates: 30 } }), [
    ["fine_tune", 1, 30],
    ["sample_groups", 10, 1],
    ["apply_update", 10, 0],
  ]);
});

Deno.test("costsOf() says nothing of steps that are open until the run, and of a model that is not known", async () => {
  assert.deepEqual(await costs({ sample: { max_new_tokens: "${{ steps.load_model.outputs.context }}" } }), []);
  assert.deepEqual(await costs({ model: { model: "./none" } }), []);
});

Deno.test("costsOf() counts the longest answer with its end", async () => {
  const facts = await factsOf(smallPlan({ tune: { max_updates: 1, batch_size: 8 } }, "/data"), null);
  const [tune] = costsOf(facts);
  const want = trainingBytes(facts.model!.config!, { prompts: 8, group: 1, promptTokens: 4, completionTokens: 3 });
  assert.equal(tune!.cost.peak!.bytes, want, "9+9= and 18 with its end");
});

Deno.test("costsOf() counts the longest row of the preferences that a step trains on, not of the prompts", () =>
  withFiles(async (folder) => {
    const bytes = async (given: Settings) => {
      const facts = await factsOf(smallPlan(given, folder), null);
      return [facts.model!.config!, costsOf(facts)[0]!.cost] as const;
    };
    // "59+1=" and "60" or "no" with its end, against "9+9=" and "18" with its end.
    const preferences = { file: "pairs.jsonl" }, model = { reference: "copy" };
    const [config, pairs] = await bytes({ preferences, model, prefer: { loss: "dpo", batch_size: 4 } });
    const row = { prompts: 4, promptTokens: 5, completionTokens: 3 };
    const pass = (reads: "gradient" | "values") => trainingBytes(config, { ...row, group: 2 }, { reads });
    assert.equal(pairs.peak.bytes, pass("gradient") + pass("values"));
    const tuned = async (table: string) =>
      (await bytes({ preferences, tune: { max_updates: 1, batch_size: 4, table } }))[1].peak.bytes;
    assert.equal(await tuned("preferences"), trainingBytes(config, { ...row, group: 1 }));
    assert.equal(await tuned("prompts"), trainingBytes(config, { ...row, group: 1, promptTokens: 4 }));
  }));

Deno.test("costsOf() counts prompts as the chat template renders them, and the most tokens, not the most characters", () =>
  withFiles(async (folder) => {
    Deno.writeTextFileSync(
      join(folder, "own.jinja"),
      "{% for message in messages %}<|user|>{{ message['content'] }}<|end|>{% endfor %}<|assistant|>",
    );
    const tokens = async (chat_template: boolean | string) => {
      const given = { model: { model: "cold", chat_template }, tune: { max_updates: 1, batch_size: 1 } };
      const facts = await factsOf(smallPlan(given, folder), null);
      const [, text] = /\[1, (\d+)\] tokens/.exec(costsOf(facts)[0]!.cost.shape!.text)!;
      const plain = facts.model!.tokenizer!.encode("9+9=").length;
      const chat = facts.model!.tokenizer!.encode("<|user|>9+9=<|end|><|assistant|>").length;
      return { counted: Number(text), plain, chat };
    };
    const without = await tokens(false), rendered = await tokens("own.jinja");
    assert(rendered.chat > rendered.plain);
    assert.equal(rendered.counted - without.counted, rendered.chat - rendered.plain);
  }));

Deno.test("costsOf() lets each update cost the rollout before it", async () => {
  const [once, twice] = [2, 4].map((prompts_per_step) => planText({ sample: { prompts_per_step }, diagnose: null }));
  const rollout = (text: string) => text.slice(text.indexOf("  - repeat"));
  const text = `${once}${rollout(twice!)}`;
  const plan = planWorkflow(parseWorkflow(text, "small.yaml", { folder: "/data", kinds: STEPS }), STEPS);
  const updates = costsOf(await factsOf(plan, null)).filter(({ step }) => step.uses === "apply_update");
  assert.deepEqual(updates.map(({ cost }) => cost.peak!.what.split(" × ")[0]), ["an update on 2", "an update on 4"]);
});

Deno.test("costsOf() counts samplings again, greedy completions and the measuring of tokens", async () => {
  const costOf = async (step: string) => {
    const text = planText({}).replace(
      "      - { uses: compute_adv",
      `      - ${step}\n      - { uses: compute_adv`,
    );
    const plan = planWorkflow(parseWorkflow(text, "small.yaml", { folder: "/data", kinds: STEPS }), STEPS);
    const costs = costsOf(await factsOf(plan, null));
    const own = costs.find(({ step: { uses } }) => step.includes(uses))!.cost;
    return { ...own, times: own.flops / costs.find(({ step: { uses } }) => uses === "sample_groups")!.cost.flops };
  };
  const plain = await costOf("{ uses: filter_groups, with: { keep: all } }");
  const dynamic = await costOf("{ uses: filter_groups, with: { max_batches: 4 } }");
  assert.deepEqual([plain.times, dynamic.times, dynamic.trainSteps], [0, 3, 0]);
  assert(dynamic.peak.bytes > plain.peak.bytes);
  assert.equal((await costOf("{ uses: sample_greedy, with: { max_new_tokens: 8 } }")).times, 2 / 8);
  assert.equal((await costOf("{ uses: sample_greedy }")).times, 1 / 8);
  assert.equal((await costOf("{ uses: measure_tokens }")).times, 1);
});

Deno.test("costsOf() counts every pass that the updates make over a rollout", async () => {
  const flops = async (update: Record<string, number>) =>
    costsOf(await factsOf(smallPlan({ update }, "/data"), null)).at(-1)!.cost.flops;
  const once = await flops({});
  assert.equal(await flops({ updates_per_rollout: 8, minibatches: 2 }), 4 * once);
  assert.equal(await flops({ updates_per_rollout: 4, minibatches: 4 }), once);
});
