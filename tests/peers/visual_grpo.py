"""GRPO of a small Qwen2-VL on real digits in plain PyTorch: what a train step of our visual workflows is timed against.

    THREADS=2 python visual_grpo.py digits.csv --task detection [--steps 20] [--warm 250] [--train all]

`digits.csv`: 64 pixels of 0..16 row by row and the label, a line each; the last 500 lines are left out. transformers' own class with
random weights (1.3 M), a short supervised warm start, then train steps: sample by a cache that is filled once per prompt, reward,
one AdamW update, on-policy. The image is encoded once to sample and once to update, for all completions of its group.

    classification   32 prompts x 8 completions of 7 tokens (at most 8), reward: class, format
    detection        16 prompts x 8 completions of 14 tokens (at most 15), one digit in a scene, reward: IoU, confidence, format

The last line of output is JSON: median and fewest seconds of a train step after the first two (making its images included), the
median share of sampling, sampled tokens per second of the median step, reward of the first and the last five steps, peak memory
of the process, load before it began. Tower included in the gradient with --train all, frozen with merger+text.
"""
import argparse
import json
import os
import re
import resource
import statistics
import time

parser = argparse.ArgumentParser()
parser.add_argument("digits")
parser.add_argument("--task", choices=["classification", "detection"], required=True)
parser.add_argument("--steps", type=int, default=20)
parser.add_argument("--warm", type=int, help="supervised updates: 40 and 250 are those of the recipe")
parser.add_argument("--train", choices=["all", "merger+text"], default="all")
parser.add_argument("--vocabulary", type=int, default=341, help="rows of the embedding; the tasks use fewer than 100")
parser.add_argument("--seed", type=int, default=0)
parser.add_argument("--threads", type=int, default=int(os.environ.get("THREADS", "2")))
args = parser.parse_args()
os.environ.update(OMP_NUM_THREADS=str(args.threads), HF_HUB_OFFLINE="1", TRANSFORMERS_VERBOSITY="error")

import numpy as np
import torch
import torch.nn.functional as F
from transformers import Qwen2VLConfig, Qwen2VLForConditionalGeneration

torch.set_num_threads(args.threads)
torch.manual_seed(args.seed)
LOAD = os.getloadavg()[0]
SIDE, PATCH, MERGE, GROUP = 56, 14, 2, 8
GRID = SIDE // PATCH
TOKENS = (GRID // MERGE) ** 2
SIZES = {"classification": dict(prompts=32, new=8, warm=40), "detection": dict(prompts=16, new=15, warm=250)}[args.task]

WORDS = ["<|endoftext|>", "<|im_start|>", "<|im_end|>", "<|vision_start|>", "<|vision_end|>", "<|image_pad|>", "<|video_pad|>",
         "<think>", "</think>", "<answer>", "</answer>", "user\n", "assistant\n", "\n", "What digit is this?", "Find all ", "s.",
         "[{'Position': [", ", ", "], 'Confidence': ", "}, {'Position': [", "}]", "No Objects", "look",
         *map(str, range(10)), *(f"c{v}" for v in range(0, 1001, 20)), *(f"{v / 10:.1f}" for v in range(11))]
ID = {word: i for i, word in enumerate(WORDS)}
TEXT = [re.sub(r"^c(?=\d)", "", word) for word in WORDS] + [""] * (args.vocabulary - len(WORDS))
PAD, END, IMAGE = ID["<|endoftext|>"], ID["<|im_end|>"], ID["<|image_pad|>"]

# ***** pictures *****

rows = np.loadtxt(args.digits, delimiter=",", dtype=np.float32)[:-500]
DIGITS, LABELS = rows[:, :64].reshape(-1, 8, 8) / 16, rows[:, 64].astype(int)
rng = np.random.default_rng(args.seed)


def zoomed(digit, scale, top, left):
    """The digit on a black canvas, bilinear, its corner at (top, left) and `scale` pixels for one of its own."""
    def weights(start):
        at = (np.arange(SIDE) + 0.5 - start) / scale - 0.5
        return np.maximum(0, 1 - abs(at[:, None] - np.arange(8)))
    return (weights(top) @ digit @ weights(left).T).astype(np.float32)


def filling(i):
    """A digit that fills the canvas, moved by at most 4 pixels and scaled a little."""
    scale = SIDE / 8 * rng.choice([0.85, 0.92, 1.0, 1.08])
    start = (SIDE - 8 * scale) / 2
    return zoomed(DIGITS[i], scale, start + rng.integers(-4, 5), start + rng.integers(-4, 5))


def scene():
    """A small digit, its class, and its box in thousandths, in steps of 20."""
    i, scale = rng.integers(len(DIGITS)), rng.choice([2, 2.5, 3])
    image = zoomed(DIGITS[i], scale, *rng.integers(0, SIDE - int(8 * scale) + 1, 2))
    y, x = np.where(image > 0.25)
    box = [int(round(v / SIDE * 50) * 20) for v in (x.min(), y.min(), x.max() + 1, y.max() + 1)]
    return image, LABELS[i], box


def pixels(images):
    """[N * patches, 1176]: merge blocks, channel, frame, y, x."""
    mean, std = [np.array(v, np.float32)[None, :, None, None] for v in
                 ([0.48145466, 0.4578275, 0.40821073], [0.26862954, 0.26130258, 0.27577711])]
    x = ((np.stack(images)[:, None] - mean) / std)[:, None].repeat(2, 1)
    x = x.reshape(len(images), 2, 3, GRID // MERGE, MERGE, PATCH, GRID // MERGE, MERGE, PATCH).transpose(0, 3, 6, 4, 7, 2, 1, 5, 8)
    return torch.from_numpy(np.ascontiguousarray(x.reshape(-1, 3 * 2 * PATCH * PATCH)))


# ***** tasks: images, prompts, supervised completions, rewards *****

def prompt(*words):
    return [ID["<|im_start|>"], ID["user\n"], ID["<|vision_start|>"], *[IMAGE] * TOKENS, ID["<|vision_end|>"], *(ID[w] for w in words),
            END, ID["\n"], ID["<|im_start|>"], ID["assistant\n"]]


def classify(count, seen):
    chosen = rng.choice(seen, count)
    answers = [[ID["<think>"], ID["look"], ID["</think>"], ID["<answer>"], ID[str(LABELS[i])], ID["</answer>"], END] for i in chosen]
    return [filling(i) for i in chosen], [prompt("What digit is this?")] * count, answers, [str(LABELS[i]) for i in chosen]


def detect(count, seen):
    scenes = [seen[i] for i in rng.integers(0, len(seen), count)]
    answers = []
    for _, _, box in scenes:
        numbers = [ID[w] for v in box for w in (", ", f"c{v}")][1:]
        sure = ID[f"{rng.integers(5, 11) / 10:.1f}"]  # A confidence that says nothing: GRPO is to find it.
        answers.append([ID["<answer>"], ID["[{'Position': ["], *numbers, ID["], 'Confidence': "], sure, ID["}]"], ID["</answer>"], END])
    return [s[0] for s in scenes], [prompt("Find all ", str(s[1]), "s.") for s in scenes], answers, [s[2] for s in scenes]


def class_reward(text, label):
    match = re.search("<answer>(.*?)</answer>", text)
    form = re.fullmatch(r"<think>.*?</think>\s*<answer>.*?</answer>", text, re.S)
    return float((match.group(1) if match else text).strip() == label) + float(form is not None)


def iou(a, b):
    w, h = min(a[2], b[2]) - max(a[0], b[0]), min(a[3], b[3]) - max(a[1], b[1])
    if w <= 0 or h <= 0:
        return 0.0
    return w * h / ((a[2] - a[0]) * (a[3] - a[1]) + (b[2] - b[0]) * (b[3] - b[1]) - w * h)


def box_reward(text, gold):
    form = float(re.fullmatch("<answer>.*?</answer>", text, re.S) is not None)
    try:
        found = json.loads(re.search("<answer>(.*?)</answer>", text).group(1).replace("'", '"'))
        found = sorted(((one["Confidence"], one["Position"]) for one in found), key=lambda one: -one[0])
        overlaps = [iou(box, gold) for _, box in found]
    except (AttributeError, TypeError, KeyError, IndexError, ValueError):
        return form
    hits = [v > 0.5 and not any(w > 0.5 for w in overlaps[:i]) for i, v in enumerate(overlaps)]
    if not found:
        return form
    sure = [c if hit else 1 - c for (c, _), hit in zip(found, hits)]
    return form + sum(v for v, hit in zip(overlaps, hits) if hit) / len(found) + min(1, max(0, sum(sure) / len(sure)))


# ***** the policy *****

model = Qwen2VLForConditionalGeneration._from_config(Qwen2VLConfig(
    text_config=dict(
        vocab_size=args.vocabulary, hidden_size=128, intermediate_size=384, num_hidden_layers=4, num_attention_heads=4, num_key_value_heads=2,
        max_position_embeddings=2048, rms_norm_eps=1e-6, tie_word_embeddings=True, initializer_range=0.06, bos_token_id=PAD,
        eos_token_id=END, pad_token_id=PAD, rope_parameters=dict(rope_type="default", rope_theta=10000.0, mrope_section=[4, 6, 6])),
    vision_config=dict(depth=2, embed_dim=96, hidden_size=128, num_heads=4, mlp_ratio=2, patch_size=PATCH, spatial_merge_size=MERGE,
                       temporal_patch_size=2, in_channels=3, initializer_range=0.06, hidden_act="quick_gelu"),
    tie_word_embeddings=True, image_token_id=IMAGE, video_token_id=ID["<|video_pad|>"], vision_start_token_id=ID["<|vision_start|>"],
    vision_end_token_id=ID["<|vision_end|>"]), attn_implementation="sdpa")
body, embedding = model.model.language_model, model.model.get_input_embeddings()
for name, parameter in model.named_parameters():
    parameter.requires_grad = args.train == "all" or "visual" not in name or "merger" in name
trained = [p for p in model.parameters() if p.requires_grad]


def features(images):
    grid = torch.tensor([[1, GRID, GRID]] * len(images))
    return model.model.visual(pixels(images), grid_thw=grid).pooler_output.view(len(images), TOKENS, -1)


def embedded(ids, seen):
    """Of a sampled image token the embedding stays: only the prompt's three first tokens are followed by an image."""
    x = embedding(ids)
    return torch.cat([x[:, :3], seen, x[:, 3 + TOKENS :]], 1)


def places(length, prompt_length):
    """[3, length] time, height, width; after an image the longer side counts, not its tokens."""
    side, after = GRID // MERGE, length - 3 - TOKENS
    assert prompt_length > 3 + TOKENS
    image = torch.stack([torch.full((TOKENS,), 3), 3 + torch.arange(TOKENS) // side, 3 + torch.arange(TOKENS) % side])
    return torch.cat([torch.arange(3).expand(3, 3), image, torch.arange(3 + side, 3 + side + after).expand(3, after)], 1)


def completion_logits(ids, seen, prompt_length):
    """What predicts the tokens behind the prompt."""
    at = places(ids.shape[1] - 1, prompt_length)[:, None].expand(3, len(ids), -1)
    hidden = body(inputs_embeds=embedded(ids[:, :-1], seen), position_ids=at, use_cache=False).last_hidden_state
    return model.lm_head(hidden[:, prompt_length - 1 :])


@torch.no_grad()
def sampled(images, prompts):
    """Completions [N * GROUP, T] with their mask; those of a prompt follow each other."""
    ids, length = torch.tensor(prompts), len(prompts[0])
    out = body(inputs_embeds=embedded(ids, features(images)), position_ids=places(length, length)[:, None].expand(3, len(ids), -1),
               use_cache=True)
    cache, hidden = out.past_key_values, out.last_hidden_state[:, -1:].repeat_interleave(GROUP, 0)
    cache.batch_repeat_interleave(GROUP)
    done, tokens, start = torch.zeros(len(hidden), dtype=torch.bool), [], int(places(length, length).max()) + 1
    for t in range(SIZES["new"]):
        drawn = torch.multinomial(F.softmax(model.lm_head(hidden[:, -1]), -1), 1)[:, 0].masked_fill(done, PAD)
        tokens.append(drawn)
        done |= drawn == END
        if t == SIZES["new"] - 1 or done.all():
            break
        out = body(inputs_embeds=embedding(drawn)[:, None], position_ids=torch.full((3, len(drawn), 1), start + t),
                   past_key_values=cache, use_cache=True)
        hidden = out.last_hidden_state
    tokens = torch.stack(tokens, 1)
    ended = (tokens == END).cumsum(1) - (tokens == END).long()
    return tokens, (ended == 0).float()


def applied(optimizer, loss):
    optimizer.zero_grad(set_to_none=True)
    loss.backward()
    torch.nn.utils.clip_grad_norm_(trained, 1.0)
    optimizer.step()


def supervised(optimizer, images, prompts, answers):
    ids = torch.tensor([p + a for p, a in zip(prompts, answers)])
    logits = completion_logits(ids, features(images), len(prompts[0]))
    applied(optimizer, F.cross_entropy(logits.flatten(0, 1), ids[:, len(prompts[0]) :].flatten()))


def text_of(row):
    row = row.tolist()
    return "".join(TEXT[i] for i in (row[: row.index(END)] if END in row else row) if i != PAD)


def train_step(optimizer, images, prompts, gold, reward):
    """Mean reward, tokens sampled, seconds of sampling."""
    began = time.perf_counter()
    tokens, mask = sampled(images, prompts)
    seconds = time.perf_counter() - began
    rewards = torch.tensor([reward(text_of(row), gold[i // GROUP]) for i, row in enumerate(tokens)]).view(-1, GROUP)
    advantages = ((rewards - rewards.mean(1, keepdim=True)) / (rewards.std(1, keepdim=True) + 1e-4)).view(-1, 1)
    ids = torch.cat([torch.tensor(prompts).repeat_interleave(GROUP, 0), tokens], 1)
    logits = completion_logits(ids, features(images).repeat_interleave(GROUP, 0), len(prompts[0]))
    logprobs = F.log_softmax(logits, -1).gather(2, tokens[..., None])[..., 0]
    ratio = torch.exp(logprobs - logprobs.detach())
    applied(optimizer, ((-ratio * advantages * mask).sum(1) / mask.sum(1)).mean())
    return rewards.mean().item(), int(mask.sum()), seconds


def main():
    make, reward = {"classification": (classify, class_reward), "detection": (detect, box_reward)}[args.task]
    ten = np.concatenate([np.flatnonzero(LABELS == c)[:10] for c in range(10)])
    few, many = (ten, ten) if args.task == "classification" else ([scene() for _ in range(2000)], [scene() for _ in range(4000)])
    adamw = lambda rate: torch.optim.AdamW(trained, lr=rate, betas=(0.9, 0.98), weight_decay=0)
    optimizer = adamw(1e-3)
    for _ in range(SIZES["warm"] if args.warm is None else args.warm):
        supervised(optimizer, *make(32, few)[:3])
    optimizer, steps = adamw(3e-4), []
    for step in range(args.steps):
        began = time.perf_counter()
        optimizer.param_groups[0]["lr"] = 3e-4 * min(1, (step + 1) / 10)
        images, prompts, _, gold = make(SIZES["prompts"], many)
        got, tokens, sampling = train_step(optimizer, images, prompts, gold, reward)
        steps.append((time.perf_counter() - began, sampling, tokens, got))
        print(f"train step {step + 1}: {steps[-1][0]:.3f} s, of it sampling {sampling:.3f}, reward {got:.3f}", flush=True)
    seconds, sampling, tokens, _ = zip(*steps[2:])
    median, count = statistics.median(seconds), statistics.mean(tokens)
    ends = [statistics.mean(got for *_, got in part) for part in (steps[:5], steps[-5:])]
    print(json.dumps(dict(
        task=args.task, train=args.train, threads=args.threads, parameters=sum(p.numel() for p in model.parameters()),
        median_seconds=median, least_seconds=min(seconds), sampling_share=statistics.median(a / b for a, b in zip(sampling, seconds)),
        tokens_per_second=count / median, tokens_per_completion=count / SIZES["prompts"] / GROUP,
        reward_first=ends[0], reward_last=ends[1], peak_mib=resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024,
        load=LOAD, torch=torch.__version__)))


if __name__ == "__main__":
    main()
