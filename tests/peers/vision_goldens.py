"""What transformers and PEFT compute of two tiny models that read images: goldens of tests/goldens/torch.

    pip install torch==2.13.0 transformers==5.24.0 peft==0.21.0 pillow
    python tests/peers/vision_goldens.py tests

Reads tests/models/qwen2_vl and the rows of vision.json, of which it writes vision_more.{json,safetensors} and the adapter
tests/models/qwen2_vl_lora; makes tests/models/qwen2_5_vl (random weights rounded to bfloat16, untied, window attention) and writes
vision_2_5.{json,safetensors} of it. float32, eager attention, one thread. Before it writes, the tower and the positions are
computed a second time by tests/peers/vision_tower.py, which knows nothing of torch.

Keys of the JSON (B rows, S tokens of a row, P of them prompt, T completion; padding at the left of a prompt, at the right of a
completion). vision_more is of the rows and images of vision.* and repeats none of them, nor `logprobs` and `hidden_norms`.

    model, tensors             where the weights and the tensors below lie
    images, image_grid_thw     per image `grid` [h, w] in patches and `tokens`, the image tokens it becomes; and [1, h, w]
    images_of_row              per row the images of its prompt, in order
    group                      so many rows that follow each other have the same prompt
    prompt_ids, prompt_mask, completion_ids, completion_mask, input_ids, attention_mask, mm_token_type_ids   [B, *]
    position_ids               [3, B, S] time, height, width, by get_rope_index; 0 at padding
    rope_deltas                [B, 1]: token i of a row (padding not counted) behind the prompt has position i + delta on each axis
    window_index, cu_window_seqlens, cu_seqlens   transformers' own: groups of 4 patches in the order of windows, borders in patches
    logits_index               [row, token] of each row of the tensor `logits`
    greedy                     `prompts_of_row`, `ids` that generate() appends to each prompt and their `logprobs` by its cache, never
                               image_token_id or video_token_id, but log-probs of all tokens; `smallest_margin` of the best logit
    banned                     name -> token ids that log-probs of that name leave out of the softmax
    grpo                       `advantages` [B]; "plain", or one of `banned`: `loss` = - sum of mask * advantage * ratio / sum of mask,
                               where ratio = exp(logprob - the same, detached) = 1, and `gradients` of every parameter: [norm,
                               product with cos(0), cos(1), ...], both of the flat float64 gradient. A tied embedding is one parameter.
                               "clipped": the same with `old_logprobs` in place of the detached and the ratio clipped at 0.8 and 1.2
    lora                       `adapter` folder, `loss` (plain), `gradients` of every tensor of it, under the adapter file's names

and of the safetensors, all float32 but for pixel_values of vision_2_5, which are bfloat16 and were rounded before they were used:

    pixel_values               [patches of all images, 1176] in merge-block order; inside a patch channel, frame (2 equal ones), y, x
    tower_hidden               [depth + 1, patches, width]: after the patch embedding, then after each block, in the ORIGINAL order
                               of patches (of qwen2_5_vl transformers has blocks' outputs in the order of windows: put back here)
    tower_merged               [image tokens, hidden]: what the merger makes of them, also in the original order
    features_gradient          [image tokens, hidden]: of the plain loss, summed over the rows that have the image
    logits                     [index, V]; hidden_norms [layers + 1, B, S] norm of the embedding and of each layer's output, the last
                               after the final norm, 0 at padding
    logprobs, logprobs_NAME    [B, T] of the completion tokens, 0 at padding; NAME of `banned`; old_logprobs those of "clipped"
    grad.PARAMETER             the plain loss's gradient of it, whole, for some parameters
    lora.logprobs, lora.grad.NAME   under the adapter, of every tensor of it
"""
import json
import os
import random
import shutil
import sys
from pathlib import Path

os.environ.update(HF_HUB_OFFLINE="1", TRANSFORMERS_VERBOSITY="error")

import torch
from families import fill
from peft import LoraConfig, get_peft_model
from peft.utils import get_peft_model_state_dict
from safetensors.torch import load_file, save_file
from transformers import Qwen2_5_VLConfig, Qwen2_5_VLForConditionalGeneration, Qwen2VLForConditionalGeneration
from transformers.vision_utils import get_vision_cu_seqlens, get_vision_window_index
from vision_rows import GRIDS, PAD, QWEN2_5, pictures, rows_of_three
from vision_tower import positions, tower

CLIP = 0.2
BANNED = {"without_images": [510, 511], "without_vision": [508, 509, 510, 511]}

WHOLE = ("visual.patch_embed.proj.weight", "visual.blocks.0.", "visual.merger.", "model.layers.1.self_attn.", "model.norm.weight")
LORA = r".*visual\.blocks\.\d+\.(attn\.(qkv|proj)|mlp\.fc1)|.*layers\.\d+\.self_attn\.q_proj"


def published(name):
    """A parameter of transformers 5 by its name in published files."""
    return name.replace("model.visual.", "visual.").replace("model.language_model.", "model.")


def make_qwen2_5(folder, like):
    """The model and its folder, with the tokenizer and the image processor of `like`."""
    config = Qwen2_5_VLConfig(**json.loads(json.dumps(QWEN2_5)))
    model = Qwen2_5_VLForConditionalGeneration._from_config(config, attn_implementation="eager", dtype=torch.float32).eval()
    fill(model, torch.Generator().manual_seed(52))
    with torch.no_grad():
        # Of 1176 pixels that resemble each other the sum is large; ln_q is a norm by another name.
        model.model.visual.patch_embed.proj.weight.copy_((model.model.visual.patch_embed.proj.weight * 0.03).bfloat16())
        ln_q = model.model.visual.merger.ln_q.weight
        ln_q.copy_((1 + ln_q).bfloat16())
    shutil.rmtree(folder, ignore_errors=True)
    shutil.copytree(like, folder)
    old = json.loads((like / "preprocessor_config.json").read_text())
    # The hub's says less than that of `like`: what is not there is the processor's default.
    kept = ("min_pixels", "max_pixels", "patch_size", "temporal_patch_size", "merge_size", "image_mean", "image_std", "image_processor_type")
    processor = {**{key: old[key] for key in kept}, "processor_class": "Qwen2_5_VLProcessor"}
    for name, value in {"config.json": QWEN2_5, "preprocessor_config.json": processor}.items():
        (folder / name).write_text(json.dumps(value, indent=2) + "\n")
    tensors = {published(name): value.detach().bfloat16() for name, value in sorted(model.named_parameters())}
    save_file(tensors, folder / "model.safetensors", metadata={"format": "pt"})
    again = load(Qwen2_5_VLForConditionalGeneration, folder)
    for (name, ours), (_, theirs) in zip(model.named_parameters(), again.named_parameters(), strict=True):
        assert torch.equal(ours, theirs), f"{name} is read otherwise"
    return again


def load(kind, folder):
    model, info = kind.from_pretrained(folder, dtype=torch.float32, attn_implementation="eager", output_loading_info=True)
    assert not any(info[key] for key in ("missing_keys", "unexpected_keys", "mismatched_keys")), info
    return model.eval()


def of_rows(rows, pixels):
    """What a row's images are to transformers, which wants them again for each row: their pixels, grids, and tokens' places."""
    starts, tokens = [0], [0]
    for _, h, w in rows["image_grid_thw"]:
        starts.append(starts[-1] + h * w)
        tokens.append(tokens[-1] + h * w // 4)
    own = [i for row in rows["images_of_row"] for i in row]
    return dict(
        pixel_values=torch.cat([pixels[starts[i] : starts[i + 1]] for i in own]),
        image_grid_thw=torch.tensor([rows["image_grid_thw"][i] for i in own]),
    ), torch.cat([torch.arange(tokens[i], tokens[i + 1]) for i in own])


def tower_states(model, pixels, grid):
    """States after the embedding and each block, and merged ones, in the original order of patches."""
    visual, states = model.model.visual, []
    hooks = [m.register_forward_hook(lambda _, __, out: states.append(out)) for m in (visual.patch_embed, *visual.blocks)]
    with torch.no_grad():
        merged = visual(pixels, grid_thw=grid).pooler_output
    [hook.remove() for hook in hooks]
    numbers = {"cu_seqlens": get_vision_cu_seqlens(grid)}
    if hasattr(visual, "window_size"):
        index, cu = get_vision_window_index(grid, visual.spatial_merge_size, visual.window_size, visual.patch_size)
        back = lambda x: x.reshape(len(index), 4, -1)[torch.argsort(index)].reshape(x.shape)
        states[1:] = [back(x) for x in states[1:]]
        numbers |= {"window_index": index, "cu_window_seqlens": cu}
    return torch.stack(states), merged, numbers


def completion_logprobs(logits, ids, mask, banned=()):
    logits = logits[:, -ids.shape[1] - 1 : -1].clone()
    logits[..., list(banned)] = -torch.inf
    return torch.log_softmax(logits, -1).gather(2, ids[..., None])[..., 0] * mask


def summary(gradient):
    flat = gradient.detach().double().flatten()
    return [flat.norm().item(), (flat * torch.cos(torch.arange(len(flat), dtype=torch.float64))).sum().item()]


def grpo_loss(logprobs, old, mask, advantages, clip=CLIP):
    ratio, advantages = torch.exp(logprobs - old), torch.tensor(advantages)[:, None]
    return -(torch.minimum(ratio * advantages, ratio.clamp(1 - clip, 1 + clip) * advantages) * mask).sum() / mask.sum()


def older(logprobs, mask):
    """Log-probs of a policy that was another: ratios from 0.63 to 1.6, none of them near where it is clipped."""
    n = torch.arange(logprobs.numel()).reshape(logprobs.shape)
    old = logprobs.detach() + torch.tensor([0.05, -0.4, 0.15, 0.45, -0.1, -0.3])[n % 6] * mask
    assert all((torch.exp(logprobs - old) - edge).abs().min() > 0.01 for edge in (1 - CLIP, 1 + CLIP))
    return old


def backward(model, loss):
    """The loss and every parameter's gradient."""
    model.zero_grad()
    loss.backward(retain_graph=True)
    return {"loss": loss.item(), "gradients": {published(name): summary(p.grad) for name, p in model.named_parameters()}}


def measure(model, folder, rows, pixels, advantages):
    """JSON and tensors of a model on rows, checked against the second computation."""
    tensor = lambda key: torch.tensor(rows[key])
    grid, ids, mask = tensor("image_grid_thw"), tensor("completion_ids"), tensor("completion_mask")
    seen, places = of_rows(rows, pixels)
    given = dict(input_ids=tensor("input_ids"), attention_mask=tensor("attention_mask"), mm_token_type_ids=tensor("mm_token_type_ids"))
    states, merged, numbers = tower_states(model, pixels, grid)
    config = json.loads((folder / "config.json").read_text())
    weights = {name: value.float().numpy() for name, value in load_file(folder / "model.safetensors").items()}
    mine = tower(weights, config, pixels.numpy(), grid.tolist())
    for what, ours, theirs in [("states", mine[0], states.numpy()), ("merged", mine[1], merged.numpy())]:
        off = abs(ours - theirs).max()
        assert off < 2e-5 * abs(theirs).max(), f"{what} differ by {off}"
    where, deltas = model.model.get_rope_index(
        given["input_ids"], given["mm_token_type_ids"], seen["image_grid_thw"], attention_mask=given["attention_mask"])
    for row, places_of_row, images in zip(range(len(ids)), where.permute(1, 2, 0).tolist(), rows["images_of_row"]):
        valid = given["attention_mask"][row].bool().tolist()
        real = [i for i, v in zip(rows["input_ids"][row], valid) if v]
        want = positions(real, 510, [rows["image_grid_thw"][i] for i in images], 2)
        assert [p for p, v in zip(places_of_row, valid) if v] == want, f"positions of row {row}"
    numbers |= {"position_ids": where, "rope_deltas": deltas}

    features = []
    hook = model.model.visual.register_forward_hook(lambda _, __, out: features.append(out.pooler_output))
    out = model(**given, **seen, use_cache=False, output_hidden_states=True)
    hook.remove()
    features[0].retain_grad()
    P, lengths = len(rows["prompt_ids"][0]), mask.sum(1).tolist()
    index = [[b, s] for b, n in enumerate(lengths) for s in range(P - 1, P + n)]
    tensors = dict(tower_hidden=states, tower_merged=merged, logits=torch.stack([out.logits[b, s] for b, s in index]),
                   hidden_norms=torch.stack([x.norm(dim=-1) * given["attention_mask"] for x in out.hidden_states]))
    grpo = {"advantages": advantages}
    for name, banned in {"plain": [], **BANNED}.items():
        logprobs = completion_logprobs(out.logits, ids, mask, banned)
        tensors["logprobs" if name == "plain" else f"logprobs_{name}"] = logprobs
        grpo[name] = backward(model, grpo_loss(logprobs, logprobs.detach(), mask, advantages))
        if name == "plain":
            # Block 1 of qwen2_5_vl sees the whole image.
            keep = (*WHOLE, "visual.blocks.1.attn.", "model.embed") if "window_index" in numbers else WHOLE
            tensors |= {f"grad.{published(n)}": p.grad.clone() for n, p in model.named_parameters() if published(n).startswith(keep)}
            tensors["features_gradient"] = torch.zeros_like(merged).index_add(0, places, features[0].grad)
            tensors["old_logprobs"] = older(logprobs, mask)
            grpo["clipped"] = backward(model, grpo_loss(logprobs, tensors["old_logprobs"], mask, advantages))
    return dict(**numbers, logits_index=index, greedy=greedy(model, rows, seen), banned=BANNED, grpo=grpo), tensors


def greedy(model, rows, seen):
    ids = torch.tensor(rows["prompt_ids"])
    out = model.generate(
        ids, attention_mask=torch.tensor(rows["prompt_mask"]), mm_token_type_ids=(ids == 510).long(), **seen, max_new_tokens=10,
        do_sample=False, eos_token_id=None, pad_token_id=PAD, suppress_tokens=BANNED["without_images"],
        temperature=None, top_k=None, top_p=None, return_dict_in_generate=True, output_logits=True)
    new, logits = out.sequences[:, ids.shape[1]:], torch.stack(out.logits, 1)
    allowed = logits.clone()
    allowed[..., BANNED["without_images"]] = -torch.inf
    best = allowed.topk(2, -1)
    assert torch.equal(best.indices[..., 0], new)
    margin = (best.values[..., 0] - best.values[..., 1]).min().item()
    assert margin > 1e-3
    each = torch.log_softmax(logits, -1).gather(2, new[..., None])[..., 0]
    kept = list(range(0, len(ids), rows.get("group", 1)))
    return dict(prompts_of_row=kept, ids=new[kept], logprobs=each[kept], smallest_margin=margin)


def with_adapter(model, rows, pixels, advantages, folder):
    """The same loss under an adapter on the tower and on text layers."""
    adapted = get_peft_model(model, LoraConfig(r=2, lora_alpha=6, target_modules=LORA, task_type="CAUSAL_LM"))
    generator = torch.Generator().manual_seed(7)
    for name, parameter in adapted.named_parameters():
        if "lora_" in name:
            parameter.data.copy_(torch.randn(parameter.shape, generator=generator) * 0.3)
    ids, mask = torch.tensor(rows["completion_ids"]), torch.tensor(rows["completion_mask"])
    keys = ("input_ids", "attention_mask", "mm_token_type_ids")
    out = adapted.eval()(**{key: torch.tensor(rows[key]) for key in keys}, **of_rows(rows, pixels)[0], use_cache=False)
    logprobs = completion_logprobs(out.logits, ids, mask)
    loss = grpo_loss(logprobs, logprobs.detach(), mask, advantages)
    loss.backward()
    shutil.rmtree(folder, ignore_errors=True)
    adapted.peft_config["default"].base_model_name_or_path = "../qwen2_vl"
    adapted.save_pretrained(folder)
    (folder / "README.md").unlink(missing_ok=True)
    stored = load_file(folder / "adapter_model.safetensors")
    gradients = {n.replace(".default", ""): p.grad for n, p in adapted.named_parameters() if "lora_" in n}
    assert gradients.keys() == stored.keys() == get_peft_model_state_dict(adapted).keys() and len(stored) == 2 * (3 * 2 + 2)
    numbers = {"adapter": f"models/{folder.name}", "loss": loss.item(), "gradients": {n: summary(g) for n, g in gradients.items()}}
    return numbers, {"lora.logprobs": logprobs, **{f"lora.grad.{n}": g for n, g in gradients.items()}}


def write(tests, name, model, numbers, tensors):
    """One line per key of the JSON."""
    plain = lambda x: x.tolist() if isinstance(x, torch.Tensor) else x
    numbers = {"model": f"models/{model}", "tensors": f"{name}.safetensors", **numbers}
    lines = [f" {json.dumps(key)}: {json.dumps(value, default=plain)}" for key, value in numbers.items()]
    goldens = tests / "goldens" / "torch"
    (goldens / f"{name}.json").write_text("{\n" + ",\n".join(lines) + "\n}\n")
    save_file({key: value.detach().contiguous() for key, value in tensors.items()}, goldens / f"{name}.safetensors")


def main():
    tests = Path(sys.argv[1])
    torch.set_num_threads(1)
    folder, rng = tests / "models" / "qwen2_vl", random.Random(5)

    pixels, rows, advantages = pictures(rng), rows_of_three(rng), [1.1, -0.4, 0.7, -1.3, 0.5, -0.6]
    rows["images"] = [{"grid": [h, w], "tokens": h * w // 4} for h, w in GRIDS]
    windowed = tests / "models" / "qwen2_5_vl"
    numbers, tensors = measure(make_qwen2_5(windowed, folder), windowed, rows, pixels.float(), advantages)
    write(tests, "vision_2_5", windowed.name, {**rows, **numbers}, {"pixel_values": pixels, **tensors})

    rows = json.loads((tests / "goldens" / "torch" / "vision.json").read_text())
    stored, advantages = load_file(tests / "goldens" / "torch" / "vision.safetensors"), [1.2, -0.7, 0.4]
    pixels = stored["pixel_values"]
    model = load(Qwen2VLForConditionalGeneration, folder)
    numbers, tensors = measure(model, folder, rows, pixels, advantages)
    for ours, theirs in [("tower_merged", "vision_merged"), ("logprobs", "logprobs"), ("hidden_norms", "hidden_norms")]:
        assert (tensors[ours] - stored[theirs]).abs().max() < 1e-4, f"{theirs} differs from that of vision.safetensors"
    assert numbers.pop("position_ids").tolist() == rows["position_ids"] and numbers.pop("rope_deltas").tolist() == rows["rope_deltas"]
    numbers["lora"], more = with_adapter(model, rows, pixels, advantages, tests / "models" / "qwen2_vl_lora")
    same = ("hidden_norms", "logprobs")
    write(tests, "vision_more", folder.name, numbers, {**{k: v for k, v in tensors.items() if k not in same}, **more})


if __name__ == "__main__":
    main()
