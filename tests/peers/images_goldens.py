"""Writes tests/goldens/images with Pillow and transformers' slow processor of images: python tests/peers/images_goldens.py.

The images are tiny files of every kind that is read, or refused by name; goldens.json has what Pillow makes of them, and
what Pillow and transformers make of noise that the test draws again.
"""
import base64
import hashlib
import json
import pathlib
import shutil
import struct
import sys
import zlib

import numpy as np
import PIL
import transformers
from PIL import Image, ImageCms, ImageOps
from transformers.models.qwen2_vl.image_processing_pil_qwen2_vl import Qwen2VLImageProcessorPil, smart_resize

OUT = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else "tests/goldens/images")
TORCH = pathlib.Path("tests/goldens/torch/images")
template = OUT / "qwen2_vl_template.jinja"  # of a model's folder, as it is
kept = template.read_bytes()
shutil.rmtree(OUT, ignore_errors=True)
OUT.mkdir(parents=True)


def noise(width, height):
    """Bytes of a linear congruential generator (Numerical Recipes), that any language draws alike."""
    state, values = 1, bytearray()
    for _ in range(width * height * 3):
        state = (state * 1664525 + 1013904223) % 2**32
        values.append(state >> 24)
    return np.frombuffer(bytes(values), np.uint8).reshape(height, width, 3)


def digest(array):
    return hashlib.sha256(np.ascontiguousarray(array).tobytes()).hexdigest()


def png16(name, values, color):
    """A PNG of 16 bits a sample, which Pillow writes only of grey."""
    raw = b"".join(b"\0" + row.astype(">u2").tobytes() for row in values)
    chunk = lambda kind, data: struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
    header = struct.pack(">IIBBBBB", values.shape[1], values.shape[0], 16, color, 0, 0, 0)
    content = chunk(b"IHDR", header) + chunk(b"IDAT", zlib.compress(raw)) + chunk(b"IEND", b"")
    (OUT / name).write_bytes(b"\x89PNG\r\n\x1a\n" + content)


image = Image.fromarray(noise(7, 5))
smooth = Image.fromarray(noise(4, 3)).resize((24, 18), Image.Resampling.BICUBIC)
alpha = image.convert("RGBA")
alpha.putalpha(Image.fromarray(noise(7, 5)[:, :, 0]))
image.save(OUT / "rgb.png")
image.convert("L").save(OUT / "grey.png")
image.convert("1").save(OUT / "one_bit.png")
Image.fromarray((np.arange(12).reshape(3, 4) % 4).astype(np.uint8)).save(OUT / "two_bits.png", bits=2)
image.convert("P", palette=Image.Palette.ADAPTIVE, colors=8).save(OUT / "palette.png")
image.convert("P").save(OUT / "palette_transparent.png", transparency=3)
alpha.save(OUT / "alpha.png")
alpha.convert("LA").save(OUT / "grey_alpha.png")
image.crop((0, 0, 1, 1)).save(OUT / "one_pixel.png")
wide = np.random.RandomState(1).randint(0, 65536, (3, 4, 4))
png16("rgb_16_bits.png", wide[:, :, :3], 2)
png16("alpha_16_bits.png", wide, 6)
png16("grey_16_bits.png", wide[:, :, 0], 0)
smooth.save(OUT / "rgb.jpg", quality=80)
smooth.convert("L").save(OUT / "grey.jpg")
smooth.convert("CMYK").save(OUT / "cmyk.jpg", quality=90)
smooth.save(OUT / "progressive_420.jpg", quality=60, subsampling=2, progressive=True)
profile = ImageCms.ImageCmsProfile(ImageCms.createProfile("XYZ"))
smooth.save(OUT / "profile.jpg", quality=90, icc_profile=profile.tobytes())
smooth.save(OUT / "lossy.webp", quality=70)
image.save(OUT / "lossless.webp", lossless=True)
alpha.save(OUT / "alpha.webp", lossless=True)
smooth.convert("RGBA").save(OUT / "alpha_lossy.webp", quality=60)
for orientation in range(1, 9):
    exif = Image.Exif()
    exif[0x0112] = orientation
    smooth.save(OUT / f"turned_{orientation}.jpg", exif=exif, quality=50)
exif = Image.Exif()
exif[0x0112] = 6
image.save(OUT / "turned_6.png", exif=exif)
image.save(OUT / "turned_6.webp", exif=exif, lossless=True)

decoded = {}
for path in sorted(OUT.iterdir()):
    with Image.open(path) as opened:
        mode = opened.mode
        upright = ImageOps.exif_transpose(opened).convert("RGB")
    pixels = np.asarray(upright)
    if path.name == "grey_16_bits.png":
        pixels = np.repeat((wide[:, :, :1] >> 8).astype(np.uint8), 3, 2)  # its upper bits: Pillow clips instead
    rgb = base64.b64encode(pixels.tobytes()).decode()
    decoded[path.name] = {"mode": mode, "width": upright.width, "height": upright.height, "rgb": rgb}

# What is refused.
frames = [image, ImageOps.mirror(image)]
for name in ["moving.gif", "moving.webp", "moving.png"]:
    frames[0].save(OUT / name, save_all=True, append_images=frames[1:], duration=100)
image.save(OUT / "image.bmp")
image.save(OUT / "image.tiff")

resized = []
for size, to in [
    [(7, 5), (28, 28)], [(1, 1), (56, 56)], [(31, 23), (84, 56)], [(101, 150), (84, 112)], [(101, 150), (84, 140)],
    [(150, 101), (112, 84)], [(64, 64), (84, 56)], [(64, 64), (56, 84)], [(300, 2), (28, 28)], [(2, 300), (28, 28)],
    [(64, 64), (44, 34)], [(64, 64), (64, 28)], [(64, 64), (28, 64)], [(40, 30), (40, 30)], [(640, 480), (308, 224)],
]:
    result = Image.fromarray(noise(*size)).resize(to, Image.Resampling.BICUBIC)
    resized.append({"size": size, "to": to, "sha256": digest(np.asarray(result)), "first": np.asarray(result).ravel()[:12].tolist()})

limits = [[3136, 12544], [3136, 1003520], [200704, 12845056]]
sizes = [
    (84, 70), (31, 23), (101, 150), (1, 1), (1, 200), (200, 1), (1, 201), (14, 14), (42, 42), (70, 98), (1280, 960),
    (4000, 3000), (448, 448), (13, 2600), (56, 56), (57, 55), (112, 112), (126, 126), (20000, 101), (28, 5600), (5601, 28),
]
smart = []
for width, height in sizes:
    for low, high in limits:
        try:
            to_height, to_width = smart_resize(height, width, 28, low, high)
            smart.append([width, height, low, high, to_width, to_height])
        except ValueError:
            smart.append([width, height, low, high, None, None])

patches = []
settings = {"min_pixels": 3136, "max_pixels": 12544}
others = {"patch_size": 8, "merge_size": 1, "temporal_patch_size": 3, "image_mean": [0.5, 0.4, 0.3], "image_std": [0.5, 0.6, 0.7]}


def cut(name, picture, given):
    result = Qwen2VLImageProcessorPil(**given)(picture, return_tensors="np")
    values = result["pixel_values"].astype(np.float32)
    spots = [[int(r), int(c), float(values[r, c])] for r, c in [(0, 0), (1, 5), (values.shape[0] - 1, values.shape[1] // 2)]]
    patches.append({"image": name, "settings": given, "grid": result["image_grid_thw"][0].tolist(),
                    "shape": list(values.shape), "sha256": digest(values), "spots": spots})


for path in sorted(TORCH.glob("*.png")):
    cut(path.name, Image.open(path).convert("RGB"), settings)
for width, height in [(1, 1), (7, 5), (97, 61), (3, 500), (1280, 960)]:
    cut([width, height], Image.fromarray(noise(width, height)), settings)
cut([50, 40], Image.fromarray(noise(50, 40)), {"min_pixels": 640, "max_pixels": 2560, **others})

source = {"program": "Pillow, transformers", "version": f"{PIL.__version__}, {transformers.__version__}",
          "file": "models/qwen2_vl/image_processing_pil_qwen2_vl.py", "function": "Qwen2VLImageProcessorPil, smart_resize; Image.resize, Image.convert"}
(OUT / "goldens.json").write_text("\n".join([
    "{",
    f' "source": {json.dumps(source)},',
    ' "decoded": {\n' + ",\n".join(f"  {json.dumps(k)}: {json.dumps(v)}" for k, v in decoded.items()) + "\n },",
    *(f' "{key}": [\n' + ",\n".join("  " + json.dumps(one) for one in value) + "\n ]" + ("," if key != "patches" else "")
      for key, value in [("resized", resized), ("smart_resize", smart), ("patches", patches)]),
    "}", ""]))
template.write_bytes(kept)
