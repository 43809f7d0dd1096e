import assert from "node:assert/strict";
import { readText } from "../read_text.ts";

for (
  const [line, kind, value] of [
    ["trainable params: 8,798,208 || all params: 502,830,976 || trainable%: 1.7497", "trainable_parameters", 8_798_208],
    ["trainable params: 0 || all params: 7,655,986,688 || trainable%: 0.0000", "trainable_parameters", 0],
    ["UserWarning: None of the inputs have requires_grad=True. Gradients will be None", "inputs_without_grad", null],
    ["RuntimeError: element 0 of tensors does not require grad and does not have a grad_fn", "no_grad_function", null],
    ["RuntimeError: probability tensor contains either `inf`, `nan` or element < 0", "invalid_probabilities", null],
    ["RuntimeError: Function 'ExpBackward0' returned nan values in its 0th output.", "backward_nan", null],
    ["torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 2 GiB", "out_of_memory", null],
    ["Traceback (most recent call last):", "traceback", null],
    ["ValueError: The global train batch size must be divisible", "exception", null],
    ["[deepspeed] OVERFLOW! Rank 0 Skipping step. Attempted loss scale: 65536, reducing to 32768", "overflow", 65536],
    ["Current loss scale already at minimum - cannot decrease scale anymore.", "loss_scale_minimum", null],
    ["[RANK 0] You have different amounts of desirable/positive and undesirable/negative", "class_imbalance", null],
    ["WARN: rank 0 grad_norm is not finite: nan", "grad_norm_skipped", null],
    ["Some weights of Qwen2 were not initialized from the model checkpoint", "weights_not_loaded", null],
    ["ValueError: Target modules {'foo'} not found in the base model.", "target_modules_unmatched", null],
    ["Token indices sequence length is longer than the maximum (5120 > 4096)", "token_length", 5120],
    ["UserWarning: Could not find response key `### R:` in the following instance", "no_labels", null],
    ["This instance will be ignored in loss calculation. Note, if this happens often, …", "no_labels", null],
    ["    Num examples = 1,622", "examples", 1622],
    ["KL divergence is starting to become negative: -5.27 - this might be", "negative_kl", -5.27],
  ] as const
) {
  Deno.test(`readMessage() takes "${line.slice(0, 40)}…" for ${kind}`, async () => {
    const { messages } = await readText(line + "\n");
    const found = messages.find((message) => message.kind === kind);
    assert(found !== undefined, JSON.stringify(messages.map((message) => message.kind)));
    assert.equal(found.value, value);
  });
}

for (
  const line of [
    "Loading weights: 100%|██████████| 26/26 [00:00<00:00, 30133.16it/s]",
    "The banana is finite and the Nanjing road has errors in it",
    "Error rate is fine",
    "step done",
  ]
) {
  Deno.test(`readMessage() has nothing to say about "${line.slice(0, 30)}…"`, async () => {
    assert.deepEqual((await readText(line + "\n")).messages, []);
  });
}

Deno.test("readMessage() keeps the first lines of a kind and counts the rest, with the train step before them", async () => {
  const record = "{'loss': 0.5, 'grad_norm': 1.0, 'epoch': 0.1}\n";
  const { messages } = await readText(record + "CUDA out of memory\n".repeat(50));
  assert.equal(messages.length, 20);
  assert.deepEqual([messages[0]!.count, messages[0]!.train_step, messages[0]!.line], [50, 1, 2]);
});

Deno.test("readMessage() does not take a share of trainable parameters for a count", async () => {
  const { messages } = await readText("Trainable parameters: 0.109% (0.541M/494.033M)\n");
  assert.deepEqual(messages.filter(({ kind }) => kind === "trainable_parameters"), []);
});
