"""Log-probs that transformers and PEFT compute of rows with images, from folders that we wrote.

    python vision_logprobs.py jobs.json

jobs.json: {"jobs": [{"folder": F, "adapter": folder of PEFT or null}], "rows": [{"ids": [..], "grids": [[h, w]], "patches":
[numbers, image after image]}], "image_token": id, "silent": ids that nothing says,
"width": numbers of a patch}. Prints a list per job of a list per row: the log-prob of every token but the first. With "again" set
the model is also saved there, under the names of its modules, with "adapter_again" the adapter.
"""
import json
import os
import sys

os.environ.update(HF_HUB_OFFLINE="1", TRANSFORMERS_VERBOSITY="error", TQDM_DISABLE="1")

import torch
from peft import PeftModel, get_peft_model_state_dict
from safetensors.torch import load_file
from transformers import AutoModelForImageTextToText

torch.set_num_threads(1)
given = json.load(open(sys.argv[1]))


def load(job):
    model, told = AutoModelForImageTextToText.from_pretrained(
        job["folder"], dtype=torch.float32, attn_implementation="eager", output_loading_info=True)
    wrong = {k: sorted(v) for k, v in told.items() if v and not (k == "missing_keys" and set(v) == {"lm_head.weight"})}
    if wrong:
        raise ValueError(f"{job['folder']}: {wrong}")
    if job.get("again"):
        model.save_pretrained(job["again"], save_original_format=False)
    if job["adapter"]:
        model = PeftModel.from_pretrained(model, job["adapter"])
        # PEFT passes over what it does not find a place for.
        stored, own = load_file(f"{job['adapter']}/adapter_model.safetensors"), get_peft_model_state_dict(model)
        if stored.keys() != own.keys() or not all(torch.equal(stored[k], own[k]) for k in stored):
            raise ValueError(f"{job['adapter']}: PEFT holds other tensors: {sorted(stored.keys() ^ own.keys())[:6]}")
        if job.get("adapter_again"):
            model.save_pretrained(job["adapter_again"])
    return model.eval()


def logprobs(model, row):
    ids = torch.tensor([row["ids"]])
    grids = torch.tensor([[1, h, w] for h, w in row["grids"]])
    with torch.no_grad():
        logits = model(
            input_ids=ids, attention_mask=torch.ones_like(ids), mm_token_type_ids=(ids == given["image_token"]).long(),
            pixel_values=torch.tensor(row["patches"]).reshape(-1, given["width"]), image_grid_thw=grids, use_cache=False,
        ).logits[0, :-1].double()
    logits[:, given["silent"]] = -torch.inf  # as we never say them
    return torch.log_softmax(logits, -1).gather(1, ids[0, 1:, None])[:, 0].clamp(min=-1e30).tolist()


print(json.dumps([[logprobs(model, row) for row in given["rows"]] for model in map(load, given["jobs"])]))
