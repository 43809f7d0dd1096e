"""What PEFT makes of our reward models: scores of given rows by an adapter's folder upon a base and by a merged model.

    python peft_scores.py --base FOLDER --adapter FOLDER --merged FOLDER --rows rows.json

Saves one of its own beside the adapter, with numbers that are not 0, in bfloat16, and prints its scores too.
"""
import argparse
import json

import torch
from peft import LoraConfig, PeftModelForSequenceClassification, get_peft_model
from transformers import AutoModelForSequenceClassification


def scores(model, rows):
    return [model(torch.tensor([ids])).logits[0, 0].item() for ids in rows]


def main():
    parser = argparse.ArgumentParser()
    for name in ("base", "adapter", "merged", "rows"):
        parser.add_argument(f"--{name}", required=True)
    args = parser.parse_args()
    rows = json.load(open(args.rows))
    load = lambda folder: AutoModelForSequenceClassification.from_pretrained(
        folder, num_labels=1, dtype=torch.float32, attn_implementation="eager"
    )
    torch.manual_seed(3)
    with torch.no_grad():
        adapted = PeftModelForSequenceClassification.from_pretrained(load(args.base), args.adapter).eval()
        result = {"adapter": scores(adapted, rows), "merged": scores(load(args.merged).eval(), rows)}
        config = LoraConfig(task_type="SEQ_CLS", r=4, lora_alpha=12, target_modules="all-linear")
        theirs = get_peft_model(load(args.base), config).eval()
        for parameter in theirs.parameters():
            if parameter.requires_grad:
                parameter.copy_((0.3 * torch.randn_like(parameter)).bfloat16().float())
        result["theirs"] = scores(theirs, rows)
        for parameter in theirs.parameters():
            if parameter.requires_grad:
                parameter.data = parameter.data.bfloat16()
        theirs.save_pretrained(f"{args.adapter}_theirs")
    print(json.dumps(result))


if __name__ == "__main__":
    main()
