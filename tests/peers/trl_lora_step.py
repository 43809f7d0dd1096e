"""A GRPO step of stock TRL with PEFT on the CPU in float32: seconds of the median step after the first, peak memory.

Completions end by length: the tokens that end one are never sampled. Prompts are texts of a fixed number of tokens.
"""
import json
import os
import resource
import statistics
import sys
import tempfile
import time

given = json.loads(sys.argv[1])
os.environ["OMP_NUM_THREADS"] = str(given["threads"])
real, sys.stdout = sys.stdout, sys.stderr

import torch

torch.set_num_threads(given["threads"])
from datasets import Dataset
from peft import LoraConfig
from transformers import AutoModelForCausalLM, AutoTokenizer, TrainerCallback
from trl import GRPOConfig, GRPOTrainer

tokenizer = AutoTokenizer.from_pretrained(given["folder"], padding_side="left")
model = AutoModelForCausalLM.from_pretrained(given["folder"], dtype=torch.float32)


def prompt(number):
    """A text of as many tokens as asked for."""
    ids = [(number * 7919 + i * 104729) % 150_000 for i in range(given["prompt_tokens"] * 2)]
    text = tokenizer.decode(ids)
    while len(tokenizer(text).input_ids) > given["prompt_tokens"]:
        text = text[:-1]
    return text


def reward(completion_ids, **_):
    assert all(len(ids) == given["new_tokens"] for ids in completion_ids), "a completion ended early"
    return [float(i % 2) for i in range(len(completion_ids))]


class Clock(TrainerCallback):
    seconds = []

    def on_step_begin(self, *_, **__):
        self.began = getattr(self, "ended", time.perf_counter())

    def on_step_end(self, *_, **__):
        self.ended = time.perf_counter()
        self.seconds.append(self.ended - self.began)


rows = given["prompts"] * given["group"]
config = GRPOConfig(
    output_dir=tempfile.mkdtemp(), per_device_train_batch_size=rows, num_generations=given["group"],
    max_completion_length=given["new_tokens"], max_steps=given["steps"] + 1, beta=0.0, temperature=1.0,
    generation_kwargs={"suppress_tokens": [tokenizer.eos_token_id, tokenizer.pad_token_id, model.config.bos_token_id]},
    learning_rate=1e-5, lr_scheduler_type="constant", logging_strategy="no", report_to=[], save_strategy="no", use_cpu=True,
    bf16=False, gradient_checkpointing=given.get("gradient_checkpointing", False), disable_tqdm=True, seed=1)
trainer = GRPOTrainer(
    model=model, reward_funcs=reward, args=config, processing_class=tokenizer,
    train_dataset=Dataset.from_list([{"prompt": prompt(i)} for i in range(16)]), callbacks=[Clock()],
    peft_config=LoraConfig(r=given["rank"], lora_alpha=2 * given["rank"], target_modules="all-linear", task_type="CAUSAL_LM"))
trainer.train()
peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
print(json.dumps({"seconds": statistics.median(Clock.seconds[1:]), "mib": peak, "all": Clock.seconds}), file=real)
