import assert from "node:assert/strict";
import { sampleGroups } from "../../steps/sample_groups.ts";
import { editJson, modelFolder } from "./contexts/model_folders.ts";
import { lists, type TrainingRun, withRun, withTinyPolicy } from "./contexts/training_run.ts";

const GIVEN = { prompts_per_step: 4, group_size: 2, max_new_tokens: 5 };

async function sample(run: TrainingRun, given: Record<string, unknown> = {}) {
  const { outputs } = await run.run("sample_groups", { ...GIVEN, ...given });
  return { table: run.tables.table("completions"), outputs: outputs! };
}

Deno.test("sample_groups writes whole groups with what was asked, sampled and counted", () =>
  withTinyPolicy(async (run) => {
    run.tables.advance();
    const { table, outputs } = await sample(run);
    assert.equal(outputs["completions"], 8);
    assert.deepEqual(run.column("completions", "sample"), [0, 1, 0, 1, 0, 1, 0, 1]);
    const rows = table.objects() as { prompt_id: number; prompt: string; answer: string; text: string }[];
    const prompts = run.tables.table("prompts").objects() as (typeof rows[number] & { split: string })[];
    rows.forEach((row, i) => {
      const asked = prompts.find(({ prompt_id }) => prompt_id === row.prompt_id)!;
      assert.deepEqual([row.prompt, row.answer], [asked.prompt, asked.answer]);
      assert.equal(row.prompt_id, rows[i - i % 2]!.prompt_id);
      assert.equal(asked.split, "train");
    });
    const ids = lists(table, "token_ids"), eos = run.policy.tokenizer.eosIds[0]!;
    const truncated = run.column<boolean>("completions", "truncated");
    ids.forEach((row, i) => {
      assert.equal(row.at(-1) === eos, !truncated[i]);
      assert(!row.slice(0, -1).includes(eos));
      assert.equal(rows[i]!.text, run.policy.decode(row));
    });
    assert.deepEqual(run.column("completions", "completion_tokens"), ids.map((row) => row.length));
    assert.equal(outputs["truncated_fraction"], truncated.filter(Boolean).length / 8);
    assert.equal(outputs["completion_length"], ids.flat().length / 8);
    assert.deepEqual(lists(table, "completion_mask"), ids.map((row) => row.map(() => 1)));
    assert.equal(table.column("ref_logprobs"), undefined);
  }));

Deno.test("sample_groups draws by seed, train step and row, however rows are batched", () =>
  withTinyPolicy(async (run) => {
    run.tables.advance();
    const whole = lists((await sample(run)).table, "token_ids");
    assert.deepEqual(lists((await sample(run, { rows_at_once: 4 })).table, "token_ids"), whole);
    assert.deepEqual(lists((await sample(run, { rows_at_once: 2 })).table, "token_ids"), whole);
    assert.deepEqual(lists((await sample(run, { rows_at_once: 6 })).table, "token_ids"), whole, "a rest of one group");
    assert.deepEqual(lists((await sample(run)).table, "token_ids"), whole, "the same again");
    const half = lists((await sample(run, { prompts_per_step: 2 })).table, "token_ids");
    assert.deepEqual(half, whole.slice(0, 4), "fewer prompts, the same first rows");
    run.seed = 8;
    assert.notDeepEqual(lists((await sample(run)).table, "token_ids"), whole, "another seed");
    run.seed = 7;
    run.tables.advance();
    assert.notDeepEqual(lists((await sample(run)).table, "token_ids"), whole, "another train step");
  }));

Deno.test("sample_groups draws anew when it asks the same prompt in another train step", () =>
  withTinyPolicy(async (run) => {
    const splits = { train: 1, validation: 0, held_out: 0 };
    await run.run("load_prompts", { task: "addition", digits: 1, limit: 1, splits });
    const drawn = async () => {
      run.tables.advance();
      return lists((await sample(run, { prompts_per_step: 1 })).table, "token_ids");
    };
    assert.notDeepEqual(await drawn(), await drawn());
  }));

Deno.test("sample_groups asks every prompt of the split once per pass, in a new order each pass", async () => {
  /** Prompts of the validation split, then those asked in `steps` train steps. */
  async function drawn(steps: number, portion: (all: number) => number): Promise<number[][]> {
    const asked: number[] = [];
    let validation: number[] = [];
    await withTinyPolicy(async (run) => {
      const splits = run.column<string>("prompts", "split");
      validation = run.column<number>("prompts", "prompt_id").filter((_, i) => splits[i] === "validation");
      for (let step = 0; step < steps; step++) {
        run.tables.advance();
        const prompts_per_step = portion(validation.length);
        await sample(run, { prompts_per_step, group_size: 1, max_new_tokens: 1, split: "validation" });
        asked.push(...run.column<number>("completions", "prompt_id"));
      }
    });
    return [validation, asked];
  }
  const [validation, asked] = await drawn(2, (all) => all) as [number[], number[]];
  assert(validation.length > 5);
  const passes = [asked.slice(0, validation.length), asked.slice(validation.length)];
  for (const pass of passes) assert.deepEqual(pass.toSorted((a, b) => a - b), validation);
  assert.notDeepEqual(passes[0], passes[1]);
  const [, portions] = await drawn(2 * validation.length, () => 1);
  assert.deepEqual(portions, asked, "cut into other portions the order is the same");
});

Deno.test("sample_groups stores the settings in force with where each came from, and says what it does not follow", () =>
  withRun(async (run) => {
    modelFolder(run.folder, "qwen2");
    await run.run("load_prompts", { task: "addition", digits: 1 });
    await run.run("load_model", { model: "./qwen2" });
    run.tables.advance();
    await sample(run, { temperature: 0.9 });
    assert.deepEqual(run.settings()["temperature"], { value: 0.9, source: "workflow" });
    assert.deepEqual(run.settings()["top_k"], { value: 0, source: "default" });
    assert.deepEqual(run.settings()["group_size"], { value: 2, source: "workflow" });
    const said = () => run.events.map(({ text }) => String(text)).filter((text) => text.startsWith("sampling:"));
    assert.match(said()[0]!, /the model folder asks for temperature 0\.7, top_k 20, top_p 0\.8: not followed$/);
    await sample(run, { temperature: 0.9 });
    assert.equal(said().length, 1, "said once");
    await sample(run, { inherit_sampling: true, min_p: 0.1 });
    assert.deepEqual(run.settings()["temperature"], { value: 0.7, source: "model folder" });
    assert.deepEqual(run.settings()["top_p"], { value: 0.8, source: "model folder" });
    assert.deepEqual(run.settings()["min_p"], { value: 0.1, source: "workflow" });
  }));

Deno.test("sample_groups masks truncated completions when asked, and only those", () =>
  withTinyPolicy(async (run) => {
    run.tables.advance();
    const { table } = await sample(run, { prompts_per_step: 16, max_new_tokens: 60, mask_truncated: true });
    const truncated = run.column<boolean>("completions", "truncated");
    assert(truncated.some(Boolean) && truncated.some((t) => !t), "the test needs both kinds");
    lists(table, "completion_mask").forEach((mask, i) =>
      assert(mask.every((value) => value === (truncated[i] ? 0 : 1)))
    );
  }));

Deno.test("sample_groups at temperature 0 takes one completion per group", () =>
  withTinyPolicy(async (run) => {
    run.tables.advance();
    const { table } = await sample(run, { temperature: 0 });
    const ids = lists(table, "token_ids");
    for (let i = 0; i < ids.length; i += 2) assert.deepEqual(ids[i], ids[i + 1]);
  }));

Deno.test("sample_groups with a reference stores its log-probs: those of the policy while they are equal", () =>
  withTinyPolicy(async (run) => {
    run.tables.advance();
    const { table } = await sample(run);
    const reference = lists(table, "ref_logprobs"), sampler = lists(table, "sampler_logprobs");
    reference.forEach((row, i) => row.forEach((p, t) => assert(Math.abs(p - sampler[i]![t]!) < 1e-5)));
    const weights = run.weights();
    run.policy.model.weights.values.upload(weights.map((value) => value * 1.5));
    const moved = (await sample(run)).table;
    const apart = lists(moved, "ref_logprobs").flatMap((row, i) =>
      row.map((p, t) => Math.abs(p - lists(moved, "sampler_logprobs")[i]![t]!))
    );
    assert(Math.max(...apart) > 1e-3, "the reference stays where it was");
  }, { reference: "copy" }));

Deno.test("sample_groups takes old and reference log-probs at the rollout's temperature: no gap where the two are one", () =>
  withTinyPolicy(async (run) => {
    for (const sampling of [{ temperature: 0.7 }, { temperature: 1 }, { temperature: 1.5 }, { temperature: 0 }]) {
      run.tables.advance();
      const { table } = await sample(run, sampling);
      const old = lists(table, "old_logprobs"), reference = lists(table, "ref_logprobs");
      assert.deepEqual(old, reference, `temperature ${sampling.temperature}`);
      if (sampling.temperature === 0) continue;
      const sampler = lists(table, "sampler_logprobs").flat();
      old.flat().forEach((p, i) =>
        assert(Math.abs(p - sampler[i]!) < 1e-4, `temperature ${sampling.temperature}: ${p}, drawn with ${sampler[i]}`)
      );
      await run.run("score_rewards", { rewards: [{ uses: "regex", with: { pattern: "$", found: 1 } }] });
      for (const estimator of ["rloo", "grpo"]) {
        await run.run("compute_advantages", { estimator, kl_coef: 0.1 });
        assert(run.column<number>("completions", "advantage").every((a) => a === 0), `${estimator}: equal rewards`);
      }
    }
  }, { reference: "copy" }));

Deno.test("sample_groups stores the policy's own log-probs as old ones, not those of the sampler's filters", () =>
  withTinyPolicy(async (run) => {
    run.tables.advance();
    const { table } = await sample(run, { temperature: 0.7, top_k: 3 });
    const prompts = run.column<string>("completions", "prompt").filter((_, i) => i % 2 === 0);
    const sequences = run.policy.sequences(prompts, lists(table, "token_ids"));
    const { logprobs } = await run.policy.model.logprobs(sequences, { temperature: 0.7 });
    assert.deepEqual(lists(table, "old_logprobs"), logprobs.map((row) => [...row]));
    const gaps = lists(table, "sampler_logprobs").flatMap((row, i) => row.map((p, t) => p - logprobs[i]![t]!));
    assert(Math.min(...gaps) > 0.5, "of three tokens each is likelier than of all");
  }, { reference: "copy" }));

Deno.test("sample_groups checks batches before the run, and prompts in it", () =>
  withTinyPolicy(async (run) => {
    const problems = (given: Record<string, unknown>) =>
      sampleGroups.check!(sampleGroups.params.parse({ ...GIVEN, ...given }));
    assert.match(
      problems({ rows_at_once: 3 })[0]!,
      /^Cannot decode 3 completions at once: groups have 2, want .*multiple/,
    );
    assert.match(problems({ rows_at_once: 1 })[0]!, /multiple of group_size, or 0 for all$/);
    for (const rows_at_once of [0, 2, 6]) assert.deepEqual(problems({ rows_at_once }), []);
    run.tables.advance();
    await assert.rejects(
      () => sample(run, { max_new_tokens: 255 }),
      /Cannot read prompt "\d\+\d=": \d tokens and 255 new ones, want at most 256/,
    );
    await run.run("load_prompts", { task: "addition", digits: 1, splits: { train: 1, validation: 0, held_out: 0 } });
    await assert.rejects(
      () => sample(run, { split: "held_out" }),
      /no row of split "held_out"; give load_prompts more/,
    );
  }));

Deno.test("sample_groups never draws a suppressed token, and its log-probs are then not compared", () =>
  withTinyPolicy(async (run) => {
    run.tables.advance();
    const drawn = new Set(lists((await sample(run)).table, "token_ids").flat());
    const eos = run.policy.tokenizer.eosIds[0]!;
    const suppress_tokens = [...drawn].filter((id) => id !== eos).slice(0, 5);
    const after = lists((await sample(run, { suppress_tokens })).table, "token_ids").flat();
    assert(suppress_tokens.length === 5 && after.length > 0);
    assert(suppress_tokens.every((id) => !after.includes(id)));
    assert.deepEqual(run.settings()["suppress_tokens"]!.value, suppress_tokens);
    await assert.rejects(sample(run, { suppress_tokens: [eos] }), /it ends a sequence/);
    await assert.rejects(sample(run, { suppress_tokens: [99_999] }), /token 99999: the model has \d+ tokens/);
  }));

Deno.test("sample_groups ends a completion at any of the model's ends, be it the first or the last of them", () =>
  withRun(async (run) => {
    const folder = modelFolder(run.folder, "qwen2"), ends = Array.from({ length: 256 }, (_, i) => 2 * i);
    editJson(`${folder}/generation_config.json`, (json) => json["eos_token_id"] = ends);
    await run.run("load_prompts", { task: "addition", digits: 1 });
    await run.run("load_model", { model: folder });
    run.tables.advance();
    const { table } = await sample(run, { prompts_per_step: 8, max_new_tokens: 8 });
    const rows = lists(table, "token_ids"), truncated = run.column<boolean>("completions", "truncated");
    rows.forEach((ids, i) => {
      assert.deepEqual(ids.slice(0, -1).filter((id) => ends.includes(id)), [], "none goes on after an end");
      assert.equal(ends.includes(ids.at(-1)!), !truncated[i]);
    });
    assert(new Set(rows.map((ids) => ids.at(-1)).filter((id) => ends.includes(id!))).size > 4);
  }));
