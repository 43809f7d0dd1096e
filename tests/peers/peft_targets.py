"""Which modules PEFT puts an adapter on, for given or random options over the families' module names.

    python peft_targets.py --seed 0 --cases 24 > tests/goldens/peft/lora_targets.json

Models are tiny and random; `matched` is null where PEFT raises.
"""
import argparse
import json
import random

import torch
from peft import LoraConfig, get_peft_model
from transformers import AutoConfig, AutoModelForCausalLM, AutoModelForSequenceClassification

SIZES = dict(
    hidden_size=16, intermediate_size=16, num_hidden_layers=3, num_attention_heads=2, num_key_value_heads=1, head_dim=8,
    vocab_size=32, max_position_embeddings=32, pad_token_id=0,
)
FAMILIES = ["qwen2", "qwen3", "llama", "mistral", "phi3", "gemma3_text", "olmo2", "granite"]
TAILS = ["q_proj", "k_proj", "v_proj", "o_proj", "gate_proj", "up_proj", "down_proj", "qkv_proj", "gate_up_proj"]


def build(family, scalar):
    config = AutoConfig.for_model(family, **SIZES)
    if scalar:
        config.num_labels = 1
        return AutoModelForSequenceClassification.from_config(config)
    return AutoModelForCausalLM.from_config(config)


def options(draw, names, linear):
    """Random options: lists of ends, parts and whole names, patterns, exclusions, layers."""
    def name():
        whole = draw.choice(linear if draw.random() < 0.9 else names)
        parts = whole.split(".")
        return ".".join(parts[-draw.randint(1, len(parts)):])
    kind = draw.random()
    if kind < 0.15:
        given = {"target_modules": "all-linear"}
    elif kind < 0.45:
        tails = "|".join(draw.sample(TAILS, draw.randint(1, 4)))
        given = {"target_modules": draw.choice([
            rf".*\.({tails})", rf"model\.layers\.[01]\..*\.(?:{tails})", rf"({tails})", rf".*mlp\.\w+", rf".*_proj",
            rf".*layers\.\d+\.self_attn\.[qk]_proj", r".*\.2\..*proj", rf"^(?!.*layers\.1\.).*(?:{tails})$", r".*lm_hea",
            rf"model\.layers\.(0|2)\.(self_attn|mlp)\.({tails})",
        ])}
    else:
        given = {"target_modules": [name() for _ in range(draw.randint(1, 3))]}
        if draw.random() < 0.4:
            given["layers_to_transform"] = draw.sample(range(4), draw.randint(1, 2))
            if draw.random() < 0.4:
                given["layers_pattern"] = draw.choice(["layers", "h", ["h", "layers"]])
    if draw.random() < 0.3:
        given["exclude_modules"] = draw.choice([[name()], rf".*\.{draw.randint(0, 2)}\..*", [name(), "lm_head"]])
    if draw.random() < 0.2:
        given["modules_to_save"] = [draw.choice(["norm", "input_layernorm", "mlp", "self_attn", "o_proj"])]
    return given


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--seed", type=int, required=True)
    parser.add_argument("--cases", type=int, required=True)
    args = parser.parse_args()
    draw, models, cases = random.Random(args.seed), {}, []
    for family in FAMILIES:
        for scalar in [False, True] if family == "qwen2" else [False]:
            model, label = build(family, scalar), f"{family}_scalar" if scalar else family
            models[label] = [[name, p.dim()] for name, p in model.named_parameters()]
            names = [name for name, _ in model.named_modules() if name]
            linear = [name for name, m in model.named_modules() if isinstance(m, torch.nn.Linear)]
            for _ in range(args.cases):
                given = options(draw, names, linear)
                try:
                    adapted = get_peft_model(
                        build(family, scalar), LoraConfig(r=2, task_type="SEQ_CLS" if scalar else "CAUSAL_LM", **given)
                    )
                    matched = sorted(set(adapted.base_model.targeted_module_names))
                except (ValueError, KeyError, UnboundLocalError):
                    matched = None
                own = {**given, **({"layers": given["layers_to_transform"]} if "layers_to_transform" in given else {})}
                own.pop("layers_to_transform", None)
                if scalar:
                    own["modules_to_save"] = [*own.get("modules_to_save", []), "score"]
                cases.append({"model": label, "options": own, "matched": matched})
    print(json.dumps({"models": models, "cases": cases}, separators=(",", ":")))


if __name__ == "__main__":
    main()
