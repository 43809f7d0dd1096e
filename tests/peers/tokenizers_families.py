"""Small tokenizers with each family's pipeline, and what the library tokenizers makes of texts.

  --write MODELS GOLDENS   trains them on texts of our own, writes one JSON each and the golden file
  --fuzz MODELS SEED N     prints ids and decoded texts of N random strings for each, as JSON
"""
import json
import random
import sys
from pathlib import Path

from tokenizers import AddedToken, Regex, Tokenizer, __version__, decoders, models, normalizers, pre_tokenizers, processors, trainers

CORPUS = [
    "The river runs past seven old mills, and nobody remembers when the last one stopped grinding.",
    "She counted 12 apples, 345 pears and 6789 plums; it's what we've always done, isn't it?",
    "def add(left, right):\n    return left + right  # a comment\n\n\nprint(add(1, 2))\n",
    "Der Fluß fließt über die Brücke; häßliche Wörter mögen schöne Umlaute: äöüß ÄÖÜ.",
    "Le garçon a mangé une crêpe à côté du château, où l'été n'était pas fini.",
    "El niño comió piñas y la cigüeña voló — ¿qué más? ¡Nada!",
    "Старый мост стоит над рекой, и никто не помнит, когда его построили.",
    "古い橋は川の上に立っている。誰もいつ建てられたか覚えていません。",
    "老桥横跨在河上，没有人记得它是什么时候建成的。",
    "الجسر القديم فوق النهر ولا أحد يتذكر متى بُني.",
    "पुराना पुल नदी के ऊपर खड़ा है।",
    "오래된 다리가 강 위에 서 있다.",
    "Emoji: 😀 👍🏽 👩‍👩‍👧 🇫🇮 and signs → ≤ ½ ² №.",
    "  two spaces,   three,\tone tab,\r\na line of Windows, and the end.  ",
    '{"name": "Ada", "age": 36, "tags": ["x", "y"]}\n<b>bold</b> https://example.org/a?b=c&d=1',
] * 3

TEXTS = [
    "", " ", "  ", "\n", "\n\n", "\t", "a", " a", "a ", "Hello world", " Hello  world ", "Hello\nworld\n\n\nagain",
    "it's we've I'll he'd I'M DON'T 'tis", "12 345 6789 3.14 1,000,000 ½ ² ③ ٣ १२", "äöüß ÄÖÜ é e\u0301 ñ n\u0303 ﬁ Å \u212b",
    "Старый мост 古い橋 老桥 الجسر पुल 다리 ไทย עברית", "😀👍🏽👩‍👩‍👧🇫🇮 a😀b", "\u00a0nbsp\u2003em\u3000wide\u200bzero\ufeffbom\u0085nel\u2028ls",
    "def f(x):\n\treturn x**2  # ok\r\n", "<|im_start|>user\nhi<|im_end|>\n<|im_start|>assistant\n", "<s>[INST] hi [/INST] yes</s>",
    "<bos><start_of_turn>user\nhi<end_of_turn>\n", "a<|end|>  b  <|end|>\n c", "<0x41><0xE2>", "▁▁ a▁b", "Ġa Ċ", "x" * 40 + " " * 20 + "y",
    "<|begin_of_text|><|start_header_id|>user<|end_header_id|>\n\nhi<|eot_id|>", "tool<tool_call>{}</tool_call>  <think>\n\n</think>",
    "word<mask>word <mask> word", "a<x>  b <y>c<x> \t <x>    <y> \t<y>", "  <mask>  x", "<unk> <pad>", "a\u0000b\u001f\u007f", "🏳️‍🌈" * 3, "…—–“”‘’«»", "ⅷ ª º ʰ ₂ ͏a", "\U0001F9FF\U00020000\U0010FFFF",
]

QWEN = r"(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+"
LLAMA3 = QWEN.replace(r"\p{N}| ?", r"\p{N}{1,3}| ?")
O200K = (
    r"[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]*[\p{Ll}\p{Lm}\p{Lo}\p{M}]+(?i:'s|'t|'re|'ve|'m|'ll|'d)?"
    r"|[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]+[\p{Ll}\p{Lm}\p{Lo}\p{M}]*(?i:'s|'t|'re|'ve|'m|'ll|'d)?"
    r"|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n/]*|\s*[\r\n]+|\s+(?!\S)|\s+"
)
TEKKEN = r"[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]*[\p{Ll}\p{Lm}\p{Lo}\p{M}]+|[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]+[\p{Ll}\p{Lm}\p{Lo}\p{M}]*|\p{N}| ?[^\s\p{L}\p{N}]+[\r\n/]*|\s*[\r\n]+|\s+(?!\S)|\s+"


def special(text, **more):
    return AddedToken(text, special=True, normalized=more.pop("normalized", False), **more)


def split_bytes(pattern):
    return pre_tokenizers.Sequence([
        pre_tokenizers.Split(Regex(pattern), "isolated", invert=False),
        pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=False),
    ])


def framed(bos, ids):
    return processors.TemplateProcessing(single=f"{bos} $A", pair=f"{bos} $A {bos}:1 $B:1", special_tokens=[(bos, ids[bos])])


def sentencepiece_decoder(strip):
    parts = [decoders.Replace("▁", " "), decoders.ByteFallback(), decoders.Fuse()]
    return decoders.Sequence(parts + ([decoders.Strip(" ", 1, 0)] if strip else []))


LLAMA_NORM = lambda: normalizers.Sequence([normalizers.Prepend("▁"), normalizers.Replace(" ", "▁")])
NO_WORDS = lambda: None
CHATML = [special("<|endoftext|>"), special("<|im_start|>"), special("<|im_end|>")]
SENTENCE = [special("<unk>"), special("<s>"), special("</s>")]
TAGS = [AddedToken(t, special=False, normalized=False) for t in ("<tool_call>", "</tool_call>", "<think>", "</think>")]

# name: normalizer, pre_tokenizer, decoder, bytes of UTF-8 or bytes that fall back, options of BPE, tokens, first token of a text
FAMILIES = {
    "qwen2": (normalizers.NFC, lambda: split_bytes(QWEN), decoders.ByteLevel, False, {}, CHATML + TAGS, None),
    "llama2": (LLAMA_NORM, NO_WORDS, lambda: sentencepiece_decoder(True), True, {}, SENTENCE, "<s>"),
    "llama3": (NO_WORDS, lambda: split_bytes(LLAMA3), decoders.ByteLevel, False, {"ignore_merges": True}, [
        special("<|begin_of_text|>"), special("<|end_of_text|>"), special("<|start_header_id|>"), special("<|end_header_id|>"),
        special("<|eot_id|>"),
    ], "<|begin_of_text|>"),
    "mistral": (NO_WORDS, lambda: pre_tokenizers.Metaspace("▁", prepend_scheme="first", split=False), lambda: sentencepiece_decoder(True), True, {},
                SENTENCE + [special("[INST]"), special("[/INST]")], "<s>"),
    "mistral_tekken": (NO_WORDS, lambda: split_bytes(TEKKEN), decoders.ByteLevel, False, {"ignore_merges": True}, SENTENCE + [special("[INST]"), special("[/INST]")], "<s>"),
    "smollm2": (NO_WORDS, lambda: pre_tokenizers.Sequence([pre_tokenizers.Digits(individual_digits=True), pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=True)]),
                decoders.ByteLevel, False, {}, CHATML, None),
    "phi3": (LLAMA_NORM, NO_WORDS, lambda: sentencepiece_decoder(True), True, {}, SENTENCE + [special("<|endoftext|>"), special("<|user|>", rstrip=True), special("<|end|>", rstrip=True)], None),
    "phi4_mini": (NO_WORDS, lambda: split_bytes(O200K), decoders.ByteLevel, False, {}, [special("<|endoftext|>"), special("<|user|>"), special("<|end|>", rstrip=True)], None),
    "gemma": (lambda: normalizers.Replace(" ", "▁"), lambda: pre_tokenizers.Split(" ", "merged_with_previous"), lambda: sentencepiece_decoder(False), True, {},
              [special("<pad>"), special("<eos>"), special("<bos>"), special("<unk>"), special("<start_of_turn>"), special("<end_of_turn>"),
               AddedToken("<mask>", normalized=False), AddedToken("\n\n", normalized=False), AddedToken("▁▁", normalized=False), AddedToken("<b>", normalized=False)], "<bos>"),
    "olmo2": (normalizers.NFC, lambda: split_bytes(LLAMA3), decoders.ByteLevel, False, {}, [
        special("<|endoftext|>"), special("<|pad|>"), AddedToken("    ", normalized=True), AddedToken("  ", normalized=True), AddedToken("\t", normalized=True),
        AddedToken("<x>", rstrip=True, normalized=True), AddedToken("<y>", lstrip=True, normalized=True),
    ], None),
    "granite": (NO_WORDS, lambda: pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=True), decoders.ByteLevel, False, {}, [
        special("<|end_of_text|>"), special("<|start_of_role|>"), special("<|end_of_role|>"), AddedToken("<mask>", lstrip=True, normalized=True), AddedToken("word", single_word=True, normalized=False),
    ], None),
}


def byte_tokens():
    return [f"<0x{byte:02X}>" for byte in range(256)]


def build(name):
    normalizer, words, decoder, falls_back, options, tokens, first = FAMILIES[name]
    unk = next((t.content for t in tokens if t.content == "<unk>"), None)
    if falls_back:
        options = {**options, "byte_fallback": True, "fuse_unk": True}
    tokenizer = Tokenizer(models.BPE(unk_token=unk, **options) if falls_back else models.BPE(**options))
    if normalizer():
        tokenizer.normalizer = normalizer()
    if words():
        tokenizer.pre_tokenizer = words()
    tokenizer.decoder = decoder()
    names = [t.content for t in tokens if t.special]
    trainer = trainers.BpeTrainer(
        vocab_size=(256 + 330 if falls_back else 256 + 200), show_progress=False, max_token_length=12, min_frequency=2,
        special_tokens=names + (byte_tokens() if falls_back else []),
        initial_alphabet=[] if falls_back else pre_tokenizers.ByteLevel.alphabet(), limit_alphabet=120 if falls_back else 256,
    )
    tokenizer.train_from_iterator(CORPUS, trainer)
    written = json.loads(tokenizer.to_str())
    # Bytes are tokens of the vocabulary alone, as SentencePiece has them.
    written["added_tokens"] = []
    tokenizer = Tokenizer.from_str(json.dumps(written))
    tokenizer.add_tokens(tokens)
    if first:
        tokenizer.post_processor = framed(first, {first: tokenizer.token_to_id(first)})
    elif not falls_back:
        tokenizer.post_processor = processors.ByteLevel(trim_offsets=False)
    return tokenizer


def judged(tokenizer, text):
    ids = tokenizer.encode(text, add_special_tokens=False).ids
    return {
        "ids": ids, "framed": tokenizer.encode(text).ids,
        "decoded": tokenizer.decode(ids, skip_special_tokens=False), "skipped": tokenizer.decode(ids, skip_special_tokens=True),
    }


def random_text(draw, tokenizer):
    contents = [t.content for t in tokenizer.get_added_tokens_decoder().values()]
    ranges = [(32, 126), (32, 126), (9, 13), (160, 591), (768, 879), (880, 1279), (0x4E00, 0x4F00), (0x1F300, 0x1F6FF), (0x2000, 0x2070), (0xAC00, 0xAD00), (0x900, 0x97F), (0, 0x2FFFF)]
    text = ""
    for _ in range(draw.randint(0, 12)):
        kind = draw.random()
        if kind < 0.15:
            text += draw.choice(contents)
        elif kind < 0.3:
            text += draw.choice([" ", "  ", "\n", "\t", "\r\n", "   \n", "\u00a0", "\u0085", "\ufeff", "\u3000", "▁", "▁▁", "'s", "<0x41>"]) * draw.randint(1, 3)
        elif kind < 0.6:
            sentence = draw.choice(CORPUS)
            at = draw.randrange(len(sentence))
            text += sentence[at : at + draw.randint(1, 20)]
        else:
            low, high = draw.choice(ranges)
            text += "".join(chr(c) for c in (draw.randint(low, high) for _ in range(draw.randint(1, 6))) if not 0xD800 <= c <= 0xDFFF)
    return text


def golden(tokenizer, name):
    draw = random.Random(f"ids of {name}")
    size = tokenizer.get_vocab_size()
    lists = [[draw.randrange(size + 3) for _ in range(draw.randint(1, 12))] for _ in range(20)]
    return {
        "encode": [judged(tokenizer, text) for text in TEXTS],
        "decode": [{"ids": ids, "decoded": tokenizer.decode(ids, skip_special_tokens=False), "skipped": tokenizer.decode(ids)} for ids in lists],
    }


def main():
    mode, models_folder = sys.argv[1], Path(sys.argv[2])
    if mode == "--write":
        models_folder.mkdir(parents=True, exist_ok=True)
        found = {"source": f"tokenizers {__version__}, tests/peers/tokenizers_families.py", "texts": TEXTS, "families": {}}
        for name in FAMILIES:
            tokenizer = build(name)
            written = json.loads(tokenizer.to_str())
            (models_folder / f"{name}.json").write_text(json.dumps(written, ensure_ascii=False, separators=(",", ":")) + "\n")
            found["families"][name] = golden(tokenizer, name)
        Path(sys.argv[3]).write_text(json.dumps(found, ensure_ascii=True, separators=(",", ":")) + "\n")
    else:
        found = {}
        for name in FAMILIES:
            tokenizer = Tokenizer.from_file(str(models_folder / f"{name}.json"))
            draw = random.Random(f"{sys.argv[3]} {name}")
            texts = [random_text(draw, tokenizer) for _ in range(int(sys.argv[4]))]
            size = tokenizer.get_vocab_size()
            lists = [[draw.randrange(size) for _ in range(draw.randint(1, 10))] for _ in texts]
            found[name] = {"encode": [{"text": text, **judged(tokenizer, text)} for text in texts],
                           "decode": [{"ids": ids, "decoded": tokenizer.decode(ids, skip_special_tokens=False), "skipped": tokenizer.decode(ids)} for ids in lists]}
        print(json.dumps(found))


main()
