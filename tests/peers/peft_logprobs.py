"""What transformers and PEFT make of our exports: log-probs of given rows, under an adapter's folder or a merged model.

    python peft_logprobs.py --base FOLDER --adapter FOLDER --merged FOLDER --rows rows.json
"""
import argparse
import json

import torch
from peft import PeftModel
from transformers import AutoModelForCausalLM


def logprobs(model, rows):
    out = []
    for ids in rows:
        logits = model(torch.tensor([ids])).logits[0, :-1].double()
        picked = torch.log_softmax(logits, -1).gather(1, torch.tensor(ids[1:])[:, None])[:, 0]
        out.append(picked.tolist())
    return out


def main():
    parser = argparse.ArgumentParser()
    for name in ("base", "adapter", "merged", "rows"):
        parser.add_argument(f"--{name}", required=True)
    args = parser.parse_args()
    rows = json.load(open(args.rows))
    load = lambda folder: AutoModelForCausalLM.from_pretrained(folder, dtype=torch.float32, attn_implementation="eager")
    with torch.no_grad():
        adapted = PeftModel.from_pretrained(load(args.base), args.adapter).eval()
        result = {"adapter": logprobs(adapted, rows), "merged": logprobs(load(args.merged).eval(), rows)}
        with adapted.disable_adapter():
            result["off"] = logprobs(adapted, rows)
    again = f"{args.adapter}_again"
    adapted.save_pretrained(again)
    print(json.dumps({**result, "saved": again}))


if __name__ == "__main__":
    main()
