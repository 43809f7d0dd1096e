"""The vision towers of Qwen2-VL and Qwen2.5-VL, and the positions of their tokens, a second time: numpy in float64.

Written from the papers' description, not from transformers' code: no token is moved. A patch has a place (y, x) and an image; it
sees the patches of its image, or in a block with windows those of them whose place, divided by the window, is the same.
"""
import math

import numpy as np


def places(grid, merge):
    """Image, y and x of each patch: images in order, in one the blocks of merge x merge patches row by row, in one its patches."""
    out = []
    for image, (_, h, w) in enumerate(grid):
        for by in range(h // merge):
            for bx in range(w // merge):
                out += [(image, by * merge + y, bx * merge + x) for y in range(merge) for x in range(merge)]
    return np.array(out)


def normed(x, weights, name):
    """LayerNorm where there is a bias, else RMSNorm; both of them add 1e-6."""
    if f"{name}.bias" in weights:
        x = x - x.mean(-1, keepdims=True)
    x = x / np.sqrt((x * x).mean(-1, keepdims=True) + 1e-6) * weights[f"{name}.weight"]
    return x + weights.get(f"{name}.bias", 0)


def linear(x, weights, name):
    return x @ weights[f"{name}.weight"].T.astype(np.float64) + weights[f"{name}.bias"]


def sigmoid(x):
    return 1 / (1 + np.exp(-x))


def gelu(x):
    """The exact one."""
    return 0.5 * x * (1 + np.vectorize(math.erf)(x / math.sqrt(2)))


def turned(x, at):
    """x [N, heads, D] turned by y in pairs (i, i + D/2) for i < D/4, by x for the rest; frequencies 10000^(-4i / D) for both."""
    d = x.shape[-1]
    frequency = 10000.0 ** (-4 * np.arange(d // 4) / d)
    angle = np.concatenate([at[:, 1:2] * frequency, at[:, 2:3] * frequency], -1)[:, None]
    a, b = x[..., : d // 2], x[..., d // 2 :]
    return np.concatenate([a * np.cos(angle) - b * np.sin(angle), b * np.cos(angle) + a * np.sin(angle)], -1)


def tower(weights, config, pixels, grid):
    """[depth + 1, patches, width] after the embedding and each block, and [tokens, hidden] merged."""
    vision = config["vision_config"]
    merge, heads, patch = vision["spatial_merge_size"], vision["num_heads"], vision["patch_size"]
    at = places(grid, merge)
    same_image = at[:, None, 0] == at[None, :, 0]
    window = vision.get("window_size")
    tile = at // [1, window // patch, window // patch] if window else at
    same_window = (tile[:, None] == tile[None]).all(-1)
    embedding = weights["visual.patch_embed.proj.weight"]
    x = pixels.astype(np.float64) @ embedding.reshape(len(embedding), -1).T
    states = [x]
    for block in range(vision["depth"]):
        name = f"visual.blocks.{block}"
        q, k, v = linear(normed(x, weights, f"{name}.norm1"), weights, f"{name}.attn.qkv").reshape(len(x), 3, heads, -1).swapaxes(0, 1)
        q, k = turned(q, at), turned(k, at)
        score = np.einsum("nhd,mhd->hnm", q, k) / math.sqrt(q.shape[-1])
        whole = window is None or block in vision["fullatt_block_indexes"]
        score[:, ~(same_image if whole else same_window)] = -np.inf
        share = np.exp(score - score.max(-1, keepdims=True))
        share /= share.sum(-1, keepdims=True)
        x = x + linear(np.einsum("hnm,mhd->nhd", share, v).reshape(x.shape), weights, f"{name}.attn.proj")
        y = normed(x, weights, f"{name}.norm2")
        if window is None:
            y = linear(y, weights, f"{name}.mlp.fc1")
            x = x + linear(y * sigmoid(1.702 * y), weights, f"{name}.mlp.fc2")
        else:
            gate = linear(y, weights, f"{name}.mlp.gate_proj")
            x = x + linear(gate * sigmoid(gate) * linear(y, weights, f"{name}.mlp.up_proj"), weights, f"{name}.mlp.down_proj")
        states.append(x)
    y = normed(x, weights, "visual.merger.ln_q").reshape(len(x) // merge**2, -1)
    return np.stack(states), linear(gelu(linear(y, weights, "visual.merger.mlp.0")), weights, "visual.merger.mlp.2")


def positions(ids, image_token, grids, merge):
    """(time, height, width) of each token of a row without padding: an image's tokens share one time and are followed by
    what comes after its longer side."""
    out, next_, i, grids = [], 0, 0, iter(grids)
    while i < len(ids):
        if ids[i] != image_token:
            out.append([next_] * 3)
            next_, i = next_ + 1, i + 1
            continue
        _, h, w = next(grids)
        h, w = h // merge, w // merge
        out += [[next_, next_ + y, next_ + x] for y in range(h) for x in range(w)]
        next_, i = next_ + max(h, w), i + h * w
    return out
