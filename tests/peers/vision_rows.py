"""A tiny Qwen2.5-VL's configuration, pictures, and rows of prompts with images made from a seed, for vision_goldens.py."""
import numpy as np
import torch
from PIL import Image
from transformers.models.qwen2_vl.image_processing_pil_qwen2_vl import Qwen2VLImageProcessorPil

PAD, END, IMAGE, IMAGE_START, IMAGE_END = 501, 503, 510, 508, 509
# Windows are 4 x 4 patches: cut at the right; a whole number of them both ways; cut at the right and below.
GRIDS = [(4, 6), (8, 4), (6, 10)]

IDS = dict(image_token_id=IMAGE, video_token_id=IMAGE + 1, vision_start_token_id=IMAGE_START, vision_end_token_id=IMAGE_END)
# As transformers 4 wrote it and the hub has it: flat, `in_chans` beside no `in_channels`.
QWEN2_5 = dict(
    architectures=["Qwen2_5_VLForConditionalGeneration"], attention_dropout=0.0, bos_token_id=PAD, eos_token_id=END,
    pad_token_id=PAD, **IDS, vision_token_id=IMAGE + 1, hidden_act="silu", hidden_size=48, initializer_range=0.02, intermediate_size=40,
    max_position_embeddings=2048, max_window_layers=2, model_type="qwen2_5_vl", num_attention_heads=3, num_hidden_layers=2,
    num_key_value_heads=1, rms_norm_eps=1e-6, rope_theta=10000.0, sliding_window=2048, tie_word_embeddings=False,
    torch_dtype="bfloat16", transformers_version="4.51.0", use_cache=True, use_sliding_window=False, vocab_size=512,
    rope_scaling=dict(type="mrope", mrope_section=[2, 3, 3]),
    vision_config=dict(
        depth=4, hidden_act="silu", hidden_size=24, intermediate_size=20, num_heads=2, in_chans=3, out_hidden_size=48, patch_size=14,
        spatial_merge_size=2, spatial_patch_size=14, window_size=56, fullatt_block_indexes=[1, 3], tokens_per_second=2,
        temporal_patch_size=2, model_type="qwen2_5_vl"),
)


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
