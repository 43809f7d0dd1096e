"""Draws tokens with transformers' generate: a line "rows prompt new" in, the times between tokens out, in ms."""

import json
import sys
import time

import torch
from transformers import AutoModelForCausalLM, LogitsProcessor, LogitsProcessorList

folder, threads = sys.argv[1], int(sys.argv[2])
torch.set_num_threads(threads)
model = AutoModelForCausalLM.from_pretrained(folder, dtype=torch.float32).eval()
model.generation_config.eos_token_id = None


class Clock(LogitsProcessor):
    def __init__(self):
        self.times = []

    def __call__(self, input_ids, scores):
        self.times.append(time.perf_counter())
        return scores


print("loaded", flush=True)
for line in sys.stdin:
    rows, prompt, new = map(int, line.split())
    ids = torch.tensor([[1000 + 37 * r + t for t in range(prompt)] for r in range(rows)])
    clock = Clock()
    with torch.no_grad():
        model.generate(
            ids,
            attention_mask=torch.ones_like(ids),
            do_sample=True,
            top_k=0,
            max_new_tokens=new,
            min_new_tokens=new,
            pad_token_id=0,
            logits_processor=LogitsProcessorList([clock]),
        )
    gaps = [1000 * (b - a) for a, b in zip(clock.times[2:], clock.times[3:])]
    print(json.dumps(gaps), flush=True)
