/** Token ids and texts of transformers' tokenizers against `loadTokenizer`. @module */
import { loadTokenizer } from "../../../data/hub/tokenizer.ts";
import type { Check, TorchTopic } from "../topic.ts";

interface Decoded {
  readonly ids: readonly number[];
  readonly decoded: string;
  readonly decoded_skip_special: string;
}
interface Document {
  readonly model: string;
  readonly encode: readonly (Decoded & { readonly text: string })[];
  readonly decode: readonly Decoded[];
}

const EXACT = { relative: 0, absolute: 0 };

export const tokenization: TorchTopic = {
  about: "transformers' AutoTokenizer: text to ids and back, with and without special tokens (data/hub/tokenizer.ts)",
  takes: (file) => file === "tokenization",
  cases({ document, model }) {
    const { model: named, encode, decode } = document as unknown as Document;
    const tokenizer = loadTokenizer(model(named));
    const decodes = ({ ids, decoded, decoded_skip_special }: Decoded): Check[] => [
      { name: "decoded", want: decoded, got: tokenizer.decode(ids, { skipSpecialTokens: false }), tolerance: EXACT },
      { name: "decoded_skip_special", want: decoded_skip_special, got: tokenizer.decode(ids), tolerance: EXACT },
    ];
    return [
      ...encode.map((one, i) => ({
        name: `encode/${i}`,
        checks:
          () => [{ name: "ids", want: one.ids, got: tokenizer.encode(one.text), tolerance: EXACT }, ...decodes(one)],
      })),
      ...decode.map((one, i) => ({ name: `decode/${i}`, checks: () => decodes(one) })),
    ];
  },
};
