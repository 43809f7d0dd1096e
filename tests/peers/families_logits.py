"""Logits that transformers and PEFT compute from folders: reads jobs from a file, prints one list of rows per job.

    python families_logits.py jobs.json

jobs.json: [{"folder": F, "adapter": folder of PEFT or null, "scalar": bool, "rows": [[token ids]]}]; of a model with a
scalar head the score after each row, else the logits after every token of each row. float32, eager attention.
"""
import json, os, sys

os.environ.update(HF_HUB_OFFLINE="1", TRANSFORMERS_VERBOSITY="error", TQDM_DISABLE="1")

import torch
from peft import PeftModel
from transformers import AutoModelForCausalLM, AutoModelForSequenceClassification

torch.set_num_threads(1)


def run(job):
    kind = AutoModelForSequenceClassification if job["scalar"] else AutoModelForCausalLM
    model, told = kind.from_pretrained(job["folder"], dtype=torch.float32, attn_implementation="eager", output_loading_info=True)
    wrong = {k: sorted(v) for k, v in told.items() if v and not (k == "missing_keys" and set(v) == {"lm_head.weight"})}
    if wrong:
        raise ValueError(f"{job['folder']}: {wrong}")
    if job["adapter"]:
        model = PeftModel.from_pretrained(model, job["adapter"])
    model.eval()
    with torch.no_grad():
        return [model(torch.tensor([row])).logits[0].tolist() for row in job["rows"]]


print(json.dumps([run(job) for job in json.load(open(sys.argv[1]))]))
