/**
 * A byte-level BPE tokenizer of our own, as the files transformers loads (PreTrainedTokenizerFast).
 *
 * Ids: 256 bytes in GPT-2's order ("!" is 0), then the merges, the added texts, and the special tokens. Digits stay single tokens:
 * the split (Qwen2's) isolates each one, so no merge can span two.
 * @module
 */

interface ByteLevelOptions {
  /** Texts to learn merges from; none: bytes only. */
  readonly texts?: readonly string[];
  /** Texts that are one token each wherever they stand, the longest of those that begin at a place: parts of prompts and answers. */
  readonly addedTexts?: readonly string[];
  /** Most tokens in all, added and special ones included; default 600, at least 256 and the special ones. */
  readonly maxTokens?: number;
  /** A pair must occur so often to become a token; default 2. */
  readonly minCount?: number;
  /** Special tokens; the first pads, the second ends. Default `<pad>`, `<eos>`. */
  readonly specialTokens?: readonly string[];
  readonly chatTemplate?: string;
  /** Written as model_max_length, tokens; default 2048. */
  readonly maxLength?: number;
}

/** Qwen2's split; each digit apart. */
const SPLIT =
  "(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\\r\\n\\p{L}\\p{N}]?\\p{L}+|\\p{N}| ?[^\\s\\p{L}\\p{N}]+[\\r\\n]*|\\s*[\\r\\n]+|\\s+(?!\\S)|\\s+";

/** The printable character that stands for each byte, and the bytes in the order of those characters (GPT-2). */
export function byteCharacters(): { readonly characterOf: readonly string[]; readonly order: readonly number[] } {
  const characterOf = new Array<string>(256);
  const printable = (byte: number) =>
    (byte >= 33 && byte <= 126) || (byte >= 161 && byte <= 172) || (byte >= 174 && byte <= 255);
  let next = 256;
  for (let byte = 0; byte < 256; byte++) characterOf[byte] = String.fromCharCode(printable(byte) ? byte : next++);
  const order = Array.from({ length: 256 }, (_, byte) => byte)
    .sort((a, b) => characterOf[a]!.charCodeAt(0) - characterOf[b]!.charCodeAt(0));
  return { characterOf, order };
}

/** The files of the tokenizer: name to text, for a model folder. Throws RangeError when `maxTokens` is too small. */
export function byteLevelTokenizer(options: ByteLevelOptions = {}): Map<string, string> {
  const { texts = [], addedTexts = [], maxTokens = 600, minCount = 2, maxLength = 2048 } = options;
  const { specialTokens = ["<pad>", "<eos>"] } = options, whole = [...addedTexts, ...specialTokens];
  const [pad, eos] = specialTokens;
  if (pad === undefined || eos === undefined || new Set(specialTokens).size !== specialTokens.length) {
    throw new RangeError(
      `Cannot make a tokenizer with special tokens [${specialTokens}]: want two or more, all different`,
    );
  }
  if (new Set(whole).size !== whole.length || addedTexts.some((text) => text.length < 2)) {
    throw new RangeError(
      `Cannot make a tokenizer with added texts ${JSON.stringify(addedTexts)}: want two characters or more each, all ` +
        "different, and none a special token",
    );
  }
  const room = maxTokens - 256 - whole.length;
  if (room < 0) {
    throw new RangeError(`Cannot make a tokenizer of ${maxTokens} tokens: want at least ${256 + whole.length}`);
  }
  const { characterOf, order } = byteCharacters();
  const merges = learnMerges(texts, room, minCount, characterOf);
  const vocab: Record<string, number> = {};
  // "0" to "9" are integer-like keys, which an object puts first; the ids are what counts.
  order.forEach((byte, id) => vocab[characterOf[byte]!] = id);
  merges.forEach(([left, right], index) => vocab[left + right] = 256 + index);
  const added = whole.map((content, index) => ({
    id: 256 + merges.length + index,
    ...wholeToken(content, index >= addedTexts.length),
  }));
  const settings = {
    add_prefix_space: false,
    added_tokens_decoder: Object.fromEntries(added.map(({ id, ...token }) => [String(id), token])),
    additional_special_tokens: specialTokens.slice(2),
    bos_token: null,
    ...(options.chatTemplate === undefined ? {} : { chat_template: options.chatTemplate }),
    clean_up_tokenization_spaces: false,
    eos_token: eos,
    model_max_length: maxLength,
    pad_token: pad,
    tokenizer_class: "PreTrainedTokenizerFast",
    unk_token: null,
  };
  const { special: _, ...mapToken } = wholeToken("", true);
  const specials = { eos_token: { ...mapToken, content: eos }, pad_token: { ...mapToken, content: pad } };
  return new Map([
    ["tokenizer.json", json(tokenizerJson(vocab, merges, added))],
    ["tokenizer_config.json", json(settings)],
    ["special_tokens_map.json", json(specials)],
  ]);
}

const json = (value: unknown) => `${JSON.stringify(value, null, 1)}\n`;

const wholeToken = (content: string, special: boolean) => ({
  content,
  single_word: false,
  lstrip: false,
  rstrip: false,
  normalized: false,
  special,
});

/** What the library of Hugging Face reads, each step of it set out. */
function tokenizerJson(vocab: Record<string, number>, merges: [string, string][], added: readonly unknown[]) {
  const byteLevel = (extra: Record<string, boolean>) => ({ type: "ByteLevel", add_prefix_space: false, ...extra });
  return {
    version: "1.0",
    truncation: null,
    padding: null,
    added_tokens: added,
    normalizer: null,
    pre_tokenizer: {
      type: "Sequence",
      pretokenizers: [
        { type: "Split", pattern: { Regex: SPLIT }, behavior: "Isolated", invert: false },
        byteLevel({ trim_offsets: true, use_regex: false }),
      ],
    },
    post_processor: byteLevel({ trim_offsets: false, use_regex: true }),
    decoder: byteLevel({ trim_offsets: true, use_regex: true }),
    model: {
      type: "BPE",
      dropout: null,
      unk_token: null,
      continuing_subword_prefix: null,
      end_of_word_suffix: null,
      fuse_unk: false,
      byte_fallback: false,
      ignore_merges: false,
      vocab,
      merges,
    },
  };
}

/** Byte-pair merges: the most frequent pair each time, the alphabetically first among equals; at most `room`. */
function learnMerges(
  texts: readonly string[],
  room: number,
  minCount: number,
  characterOf: readonly string[],
): [string, string][] {
  const words = new Map<string, number>();
  const encoder = new TextEncoder();
  for (const text of texts) {
    for (const [word] of text.matchAll(new RegExp(SPLIT, "gu"))) words.set(word, (words.get(word) ?? 0) + 1);
  }
  const pieces = [...words].map(([word, count]) => ({
    count,
    parts: Array.from(encoder.encode(word), (byte) => characterOf[byte]!),
  }));
  const merges: [string, string][] = [];
  while (merges.length < room) {
    const counts = new Map<string, number>();
    for (const { count, parts } of pieces) {
      for (let i = 0; i + 1 < parts.length; i++) {
        const pair = `${parts[i]} ${parts[i + 1]}`;
        counts.set(pair, (counts.get(pair) ?? 0) + count);
      }
    }
    let best: string | null = null;
    let most = minCount - 1;
    for (const [pair, count] of counts) {
      if (count > most || (count === most && best !== null && pair < best)) [best, most] = [pair, count];
    }
    if (best === null) break;
    const [left, right] = best.split(" ") as [string, string];
    merges.push([left, right]);
    for (const piece of pieces) {
      const merged: string[] = [];
      for (let i = 0; i < piece.parts.length; i++) {
        const joins = piece.parts[i] === left && piece.parts[i + 1] === right;
        merged.push(joins ? left + right : piece.parts[i]!);
        if (joins) i++;
      }
      piece.parts = merged;
    }
  }
  return merges;
}
