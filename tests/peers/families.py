"""Random tiny models of every family by transformers, with what transformers computes from them: goldens of tests/goldens/families.

    python families.py --out FOLDER [--seed 1] [--only qwen2,gemma3] [--vary]

Per case a folder NAME with config.json, model.safetensors (bfloat16, to which the numbers are rounded before anything is
computed) and golden.json: rows of prompt and completion, logits after every token of the first row, log-probs of completion
tokens, the gradient of their negative mean (of each parameter its norm and its product with cos(0), cos(1), ...), and what
generate() appends greedily, with its log-probs by cached decoding. float32, eager attention.
`--vary` draws sizes, windows and multipliers from the seed: cases that no one looked at before.
"""
import argparse, json, math, os, random

os.environ.update(HF_HUB_OFFLINE="1", TRANSFORMERS_VERBOSITY="error")

import torch
from safetensors.torch import save_file
from transformers import AutoConfig, AutoModelForCausalLM

SIZES = dict(
    vocab_size=80, hidden_size=32, intermediate_size=36, num_hidden_layers=2, num_attention_heads=4,
    num_key_value_heads=2, max_position_embeddings=128, bos_token_id=1, eos_token_id=2, pad_token_id=0,
)
LONGROPE = dict(rope_type="longrope", short_factor=[1.0, 1.1, 1.3], long_factor=[1.5, 2.5, 4.0])
LLAMA3 = dict(rope_type="llama3", factor=4.0, low_freq_factor=1.0, high_freq_factor=4.0, original_max_position_embeddings=16)

CASES = {
    "qwen2": ("qwen2", dict(num_hidden_layers=3, use_sliding_window=True, sliding_window=5, max_window_layers=1)),
    "qwen3": ("qwen3", dict(head_dim=12, attention_bias=True, tie_word_embeddings=True)),
    "llama": ("llama", dict(hidden_size=36, num_attention_heads=3, num_key_value_heads=3, head_dim=20, attention_bias=True,
                            mlp_bias=True, rope_parameters=dict(rope_theta=500.0, **LLAMA3))),
    "llama_linear": ("llama", dict(rope_parameters=dict(rope_type="linear", factor=3.0, rope_theta=900.0))),
    "llama_dynamic": ("llama", dict(rope_parameters=dict(rope_type="dynamic", factor=2.0, rope_theta=900.0))),
    "llama_yarn": ("llama", dict(head_dim=16, rope_parameters=dict(
        rope_type="yarn", factor=4.0, rope_theta=1000.0, original_max_position_embeddings=32, beta_fast=4.0, beta_slow=1.0))),
    "mistral": ("mistral", dict(sliding_window=4, head_dim=24)),
    "mistral_full": ("mistral", dict(sliding_window=None)),
    "smollm3": ("smollm3", dict(num_hidden_layers=3, no_rope_layer_interval=2, use_sliding_window=True, sliding_window=6, rope_parameters=dict(rope_theta=5000.0))),
    "phi3": ("phi3", dict(original_max_position_embeddings=64, tie_word_embeddings=True, rope_parameters=dict(
        partial_rotary_factor=0.75, rope_theta=10000.0, **LONGROPE))),
    "phi3_long": ("phi3", dict(original_max_position_embeddings=6, rope_parameters=dict(
        partial_rotary_factor=0.75, rope_theta=10000.0, **LONGROPE))),
    "phi3_window": ("phi3", dict(sliding_window=3, rope_parameters=dict(rope_type="default", rope_theta=10000.0))),
    "gemma2": ("gemma2", dict(num_hidden_layers=3, head_dim=10, query_pre_attn_scalar=12, sliding_window=4,
                              attn_logit_softcapping=1.5, final_logit_softcapping=2.5)),
    "gemma3": ("gemma3_text", dict(num_hidden_layers=3, head_dim=24, query_pre_attn_scalar=20, sliding_window=5, layer_types=[
        "sliding_attention", "full_attention", "sliding_attention"], rope_parameters=dict(
            full_attention=dict(rope_type="linear", factor=4.0, rope_theta=100000.0),
            sliding_attention=dict(rope_type="default", rope_theta=500.0)))),
    "olmo2": ("olmo2", dict(hidden_size=28, num_attention_heads=7, num_key_value_heads=1, rms_norm_eps=1e-5)),
    "granite": ("granite", dict(attention_bias=True, mlp_bias=True, tie_word_embeddings=True, embedding_multiplier=3.0,
                                attention_multiplier=0.2, residual_multiplier=0.6, logits_scaling=2.0)),
}


def varied(model_type, given, rng):
    """The same case with other sizes: heads, head sizes, windows from 1 to beyond every sequence, multipliers."""
    kv = rng.choice([1, 2, 3])
    heads = kv * rng.choice([1, 2, 3, 5])
    sizes = dict(given, num_key_value_heads=kv, num_attention_heads=heads, hidden_size=heads * rng.choice([4, 6, 10]),
                 intermediate_size=rng.choice([17, 32, 50]), num_hidden_layers=rng.choice([2, 3, 5]), vocab_size=rng.choice([61, 96, 131]),
                 tie_word_embeddings=rng.random() < 0.5)
    rope = sizes.get("rope_parameters", {})
    if rope.get("rope_type") != "longrope":
        sizes["head_dim"] = rng.choice([4, 6, 8, 16, 20, 24, 40, 48, 80])
    else:
        sizes.update(hidden_size=heads * 8)
    if sizes.get("sliding_window"):
        sizes["sliding_window"] = rng.choice([1, 2, 3, 7, 11, 40, 500])
    if "layer_types" in sizes:
        sizes["layer_types"] = [rng.choice(["full_attention", "sliding_attention"]) for _ in range(sizes["num_hidden_layers"])]
    if "max_window_layers" in sizes:
        sizes["max_window_layers"] = rng.choice([0, 1, 2])
    for key in ("embedding_multiplier", "attention_multiplier", "residual_multiplier", "logits_scaling"):
        if key in sizes:
            sizes[key] = round(rng.uniform(0.2, 4.0), 3)
    for key in ("attn_logit_softcapping", "final_logit_softcapping"):
        if key in sizes:
            sizes[key] = rng.choice([None, 0.7, 2.0, 30.0])
    if "query_pre_attn_scalar" in sizes:
        sizes["query_pre_attn_scalar"] = rng.choice([4, 20, 64])
    return sizes


def fill(model, generator):
    """Norms that are not 1, biases that are not 0, and matrices large enough that softmax has preferences."""
    for name, parameter in model.named_parameters():
        noise = torch.randn(parameter.shape, generator=generator)
        if "norm" in name:
            value = parameter.data.mean() + 0.3 * noise
        elif parameter.dim() == 1:
            value = 0.3 * noise
        else:
            value = noise * (0.5 if "embed" in name else 1.3 / math.sqrt(parameter.shape[1]))
        parameter.data.copy_(value.bfloat16().float())


def token_logprobs(model, prompt, completion):
    logits = model(torch.tensor([prompt + completion])).logits[0, len(prompt) - 1 : -1]
    return torch.log_softmax(logits, -1).gather(1, torch.tensor(completion)[:, None])[:, 0]


def golden(model, rng, vocab):
    ids = lambda n: [rng.randrange(3, vocab) for _ in range(n)]
    rows = [(ids(9), ids(7)), (ids(1), ids(9)), (ids(13), ids(3)), (ids(6), ids(1))]
    with torch.no_grad():
        logits = model(torch.tensor([rows[0][0] + rows[0][1]])).logits[0]
    logprobs = [token_logprobs(model, p, c) for p, c in rows]
    loss = -torch.cat(logprobs).mean()
    loss.backward()
    gradients = {}
    for name, parameter in model.named_parameters():
        flat = parameter.grad.double().flatten()
        gradients[name] = [flat.norm().item(), (flat * torch.cos(torch.arange(len(flat), dtype=torch.float64))).sum().item()]
    greedy = []
    # With a window of 1 the cache of transformers 5.23 keeps every token (`keys[:, :, -0:]`) and differs from its own forward.
    # Of longrope only prompts beyond the original context: generate() reads a sequence again when it comes to cross it.
    rope, config = model.config.rope_parameters, model.config
    shortest = config.original_max_position_embeddings if rope.get("rope_type") == "longrope" and config.original_max_position_embeddings < 24 else 0
    for prompt in [prompt for prompt, _ in rows if len(prompt) > shortest][:3]:
        out = model.generate(torch.tensor([prompt]), max_new_tokens=10, do_sample=False, eos_token_id=None, pad_token_id=0,
                             return_dict_in_generate=True, output_logits=True, use_cache=getattr(config, "sliding_window", None) != 1)
        new = out.sequences[0, len(prompt):].tolist()
        each = [torch.log_softmax(x[0], -1)[i].item() for x, i in zip(out.logits, new)]
        greedy.append({"prompt": prompt, "ids": new, "logprobs": each})
    return {
        "rows": [{"prompt": p, "completion": c} for p, c in rows],
        "logits": [[float(f"{x:.6g}") for x in row] for row in logits.tolist()],
        "logprobs": [x.tolist() for x in logprobs], "loss": loss.item(), "gradients": gradients, "greedy": greedy,
    }


def make(name, folder, seed, vary, whole):
    model_type, given = CASES[name]
    rng = random.Random(f"{seed} {name}")
    given = varied(model_type, {**SIZES, **given}, rng) if vary else {**SIZES, **given}
    if whole:
        given = {key: float(math.ceil(value)) if "softcapping" in key else value for key, value in given.items()}
    config = AutoConfig.for_model(model_type, **given)
    model = AutoModelForCausalLM.from_config(config, attn_implementation="eager", dtype=torch.float32).eval()
    generator = torch.Generator().manual_seed(seed * 1000 + sorted(CASES).index(name))
    fill(model, generator)
    result = golden(model, rng, config.vocab_size)
    os.makedirs(folder, exist_ok=True)
    config.architectures = [type(model).__name__]
    config.to_json_file(os.path.join(folder, "config.json"), use_diff=False)
    tensors = {k: v.detach().bfloat16().contiguous() for k, v in model.named_parameters()}
    save_file(tensors, os.path.join(folder, "model.safetensors"))
    with open(os.path.join(folder, "golden.json"), "w") as file:
        json.dump(result, file, separators=(",", ":"))


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--out", required=True)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", default=",".join(CASES))
    parser.add_argument("--vary", action="store_true")
    parser.add_argument("--whole", action="store_true", help="soft caps without a fraction, as published models have them")
    args = parser.parse_args()
    torch.set_num_threads(1)
    for name in args.only.split(","):
        make(name, os.path.join(args.out, name), args.seed, args.vary, args.whole)


if __name__ == "__main__":
    main()
