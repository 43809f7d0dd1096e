"""Pictures and rows of prompts with images, made from a seed: what vision_goldens.py measures Qwen2.5-VL on."""
import numpy as np
import torch
from PIL import Image
from transformers.models.qwen2_vl.image_processing_pil_qwen2_vl import Qwen2VLImageProcessorPil

PAD, END, IMAGE, IMAGE_START, IMAGE_END = 501, 503, 510, 508, 509
# Windows are 4 x 4 patches: cut at the right; a whole number of them both ways; cut at the right and below.
GRIDS = [(4, 6), (8, 4), (6, 10)]


def pictures(rng):
    """pixel_values of GRIDS by the slow image processor of pictures with edges and slopes, rounded to bfloat16."""
    processor = Qwen2VLImageProcessorPil(size={"shortest_edge": 3136, "longest_edge": 12544})
    values = []
    for h, w in GRIDS:
        y, x = np.mgrid[0 : h * 14, 0 : w * 14]
        rgb = np.stack([x * rng.randrange(3, 9) + y * 3, x * y // 2, (x ^ y) * rng.randrange(3, 9)], -1) % 256
        rgb[h * 4 : h * 7, w * 3 : w * 6] = [rng.randrange(256) for _ in range(3)]
        out = processor(images=[Image.fromarray(rgb.astype(np.uint8))], return_tensors="pt")
        assert out["image_grid_thw"].tolist() == [[1, h, w]]
        values.append(out["pixel_values"].float())
    return torch.cat(values).bfloat16()


def rows_of_three(rng):
    """Rows in groups of 2: a prompt with one image, with two, with none."""
    text = lambda n: [rng.randrange(3, 500) for _ in range(n)]
    image = lambda i: [IMAGE_START, *[IMAGE] * (GRIDS[i][0] * GRIDS[i][1] // 4), IMAGE_END]
    prompts = [text(3) + image(0) + text(4), image(1) + text(2) + image(2) + text(3), text(5)]
    prompts = [p for p in prompts for _ in range(2)]
    completions = [text(4) + [END], text(7), text(1) + [END], text(6) + [END], text(3) + [END], text(5) + [END]]
    P, T = max(map(len, prompts)), max(map(len, completions))
    pads = lambda n: [PAD] * n
    batch = dict(
        prompt_ids=[pads(P - len(p)) + p for p in prompts], prompt_mask=[[0] * (P - len(p)) + [1] * len(p) for p in prompts],
        completion_ids=[c + pads(T - len(c)) for c in completions],
        completion_mask=[[1] * len(c) + [0] * (T - len(c)) for c in completions])
    both = lambda kind: [a + b for a, b in zip(batch[f"prompt_{kind}"], batch[f"completion_{kind}"])]
    ids = both("ids")
    types = [[int(i == IMAGE) for i in row] for row in ids]
    return dict(images_of_row=[[0], [0], [1, 2], [1, 2], [], []], group=2, **batch, input_ids=ids, attention_mask=both("mask"),
                mm_token_type_ids=types, image_grid_thw=[[1, h, w] for h, w in GRIDS])
