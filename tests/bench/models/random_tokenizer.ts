/** A byte-level BPE tokenizer of any size with merges nobody learned: the files that transformers loads. @module */
import { byteCharacters, byteLevelTokenizer } from "../../../data/hub/byte_level_tokenizer.ts";
import { below } from "./random_values.ts";

const LONGEST = 16; // Bytes of a token; those of published vocabularies have 6 on average.
/** Frequent letters first: a merge takes one of the first tokens more often than one of the last. */
const LETTERS = " etaoinshrdlucmwfgypbvkxqjz";
const OTHERS = 20; // One of so many parts of a merge is a byte that is no letter.

/**
 * Texts of the files by name: `base` tokens (256 bytes, then merges of tokens that were there before) and `special` ones,
 * of which the first ends a text, the second and third begin and end a message.
 */
export function randomTokenizer(base: number, special: number, maxLength: number): Map<string, string> {
  const named = ["<|endoftext|>", "<|im_start|>", "<|im_end|>"];
  const specialTokens = Array.from({ length: special }, (_, i) => named[i] ?? `<|special_${i}|>`);
  const files = byteLevelTokenizer({ maxLength, specialTokens, maxTokens: 256 + special, chatTemplate: CHAT });
  const made = JSON.parse(files.get("tokenizer.json")!), vocab = made.model.vocab as Record<string, number>;
  const merges = randomMerges(base - 256);
  merges.forEach(([left, right], i) => vocab[left + right] = 256 + i);
  made.model.merges = merges.map(([left, right]) => `${left} ${right}`);
  for (const token of made.added_tokens) token.id += merges.length;
  const config = JSON.parse(files.get("tokenizer_config.json")!);
  config.added_tokens_decoder = Object.fromEntries(
    Object.entries(config.added_tokens_decoder).map(([id, token]) => [Number(id) + merges.length, token]),
  );
  config.pad_token = named[0];
  config.eos_token = named[2];
  return new Map([
    ...files,
    ["tokenizer.json", JSON.stringify(made, null, 1)],
    ["tokenizer_config.json", JSON.stringify(config, null, 1)],
    ["special_tokens_map.json", JSON.stringify({ pad_token: named[0], eos_token: named[2] })],
  ]);
}

const CHAT = "{% for m in messages %}<|im_start|>{{ m.role }}\n{{ m.content }}<|im_end|>\n{% endfor %}" +
  "{% if add_generation_prompt %}<|im_start|>assistant\n{% endif %}";

/** Pairs of tokens, each new one their join; the least of two draws prefers what came early, as learned merges do. */
function randomMerges(count: number): [string, string][] {
  const { characterOf } = byteCharacters(), draw = below(11);
  const tokens = [...LETTERS].map((letter) => characterOf[letter.charCodeAt(0)]!), space = tokens[0]!;
  const others = characterOf.filter((character) => !tokens.includes(character));
  const known = new Set(characterOf), merges: [string, string][] = [];
  const token = () =>
    draw(OTHERS) === 0 ? others[draw(others.length)]! : tokens[Math.min(draw(tokens.length), draw(tokens.length))]!;
  while (merges.length < count) {
    const left = token(), right = token(), both = left + right;
    if (right.startsWith(space) || both.length > LONGEST || known.has(both)) continue;
    known.add(both);
    tokens.push(both);
    merges.push([left, right]);
  }
  return merges;
}
