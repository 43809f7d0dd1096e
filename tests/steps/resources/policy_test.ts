import assert from "node:assert/strict";
import { Policy, stateArray } from "../../../steps/resources/policy.ts";
import { editJson, modelFolder } from "../contexts/model_folders.ts";
import { withRun, withTinyPolicy } from "../contexts/training_run.ts";
import { same } from "../../same.ts";

Deno.test("Policy reads prompts by its tokenizer, ends answers, and says which prompt is too long or empty", () =>
  withTinyPolicy(({ policy }) => {
    const ids = policy.encodePrompt("1+2=", 4);
    assert.equal(policy.decode(ids), "1+2=");
    const answer = policy.encodeAnswer("3");
    assert.equal(answer.at(-1), policy.tokenizer.eosIds[0]);
    assert.equal(policy.decode(answer), "3");
    assert.throws(() => policy.encodePrompt("", 1), /Cannot read prompt "": it has no token/);
    policy.encodePrompt("x".repeat(200), 56);
    assert.throws(
      () => policy.encodePrompt("x".repeat(200), 57),
      /Cannot read prompt "x{60}…": 200 tokens and 57 new ones, want at most 256 .*shorten the prompt/,
    );
  }));

Deno.test("Policy.save() and restore() are bitwise; another size is refused", () =>
  withTinyPolicy((run) => {
    const state = structuredClone(run.policy.save()), saved = run.weights();
    const live = run.policy.model.weights.values.data;
    assert.equal(run.policy.save().arrays.get("weights")!.data.buffer, live.buffer, "a checkpoint takes no copy");
    run.policy.model.weights.values.upload(run.weights().fill(1));
    run.policy.restore(state);
    same(run.weights(), saved);
    const arrays = new Map([["weights", { shape: [3], data: new Float32Array(3) }]]);
    assert.throws(() => run.policy.restore({ json: {}, arrays }), /"weights": the checkpoint holds 3 values, want \d+/);
    assert.throws(() => stateArray(arrays, "m", 3), /the checkpoint has no array "m"/);
  }));

Deno.test("Policy reads a prompt in the form that the model knows", () =>
  withTinyPolicy(({ policy: { model, tokenizer, files } }) => {
    const formatted = new Policy(model, tokenizer, null, files, (prompt) => `<${prompt}>`);
    assert.equal(formatted.decode(formatted.encodePrompt("1+2=", 4)), "<1+2=>");
  }));

Deno.test("Policy.encodeCompletion() ends a text, and takes of messages what the template writes after the prompt", () =>
  withTinyPolicy(({ policy }) => {
    const { model, tokenizer, files } = policy;
    const format = (prompt: string) => `<${prompt}>`;
    const conversation = (messages: readonly { readonly content: unknown }[]) =>
      messages.map(({ content }, i) => (i === 0 ? `<${content}>` : `${content}.`)).join("");
    const chat = new Policy(model, tokenizer, null, files, format, 1, conversation);
    const answer = JSON.stringify([{ role: "assistant", content: "3" }]);
    same(chat.encodeCompletion("1+2", "3"), chat.encodeAnswer("3"));
    assert.equal(chat.decode(chat.encodeCompletion("1+2", answer)), "3.");
    assert.throws(
      () => policy.encodeCompletion("1+2", answer),
      /Cannot read a list of messages: the tokenizer has no chat/,
    );
    const other = new Policy(model, tokenizer, null, files, () => "another prompt", 1, conversation);
    assert.throws(
      () => other.encodeCompletion("1+2", answer),
      /the chat template writes the prompt otherwise with an answer/,
    );
  }));

Deno.test("Policy.encodePrompt() begins a plain text as the tokenizer does, and one by a template as that writes it", () =>
  withTinyPolicy(({ policy: { model, tokenizer, files } }) => {
    const begun = { ...tokenizer, begins: [257] },
      of = (format: (prompt: string) => string) =>
        Array.from(new Policy(model, begun, null, files, format).encodePrompt("1", 4));
    const plain = Array.from(tokenizer.encode("1"));
    assert.deepEqual(of((prompt) => prompt), [257, ...plain]);
    assert.deepEqual(of((prompt) => `${prompt}${prompt}`), [...plain, ...plain]);
  }));

Deno.test("what fine_tune and train_preferences read ends with the tokenizer's own end, whichever the folder lists first", () =>
  withRun(async (run) => {
    const folder = modelFolder(run.folder, "qwen2"); // eos_token is 503, <|im_end|>
    editJson(`${folder}/generation_config.json`, (json) => json["eos_token_id"] = [501, 503, 502]);
    const load = { model: folder, reference: "copy", lora: { rank: 1, target_modules: ["o_proj"] } };
    const task = { task: "addition", digits: 1 }, training = { max_updates: 1, batch_size: 4, learning_rate: 1e-3 };
    for (const trains of ["fine_tune", "train_preferences"] as const) {
      await run.run(trains === "fine_tune" ? "load_prompts" : "load_preferences", task);
      await run.run("load_model", load);
      const { model } = run.policy, gradient = model.accumulateGradient.bind(model), read: unknown[] = [];
      model.accumulateGradient = (batch, settings) => {
        read.push(...batch.completions.map((ids) => Array.from(ids).at(-1)));
        return gradient(batch, settings);
      };
      await run.run(trains, trains === "fine_tune" ? training : { ...training, loss: "dpo" });
      assert(read.length >= 4 && read.every((id) => id === 503), `${trains}: ${read}`);
    }
  }));
