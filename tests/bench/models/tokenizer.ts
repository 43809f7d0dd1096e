/** How long a tokenizer.json of 151,665 tokens takes to read. @module */
import { loadTokenizer } from "../../../data/hub/tokenizer.ts";
import type { Part, TrialContext } from "./figure.ts";

const MOST_SECONDS = 1.5, TEXT = "Natalia sold clips to 48 of her friends in April, and then half as many in May. ";

function read({ folder }: TrialContext) {
  const began = performance.now(), tokenizer = loadTokenizer(folder);
  const seconds = (performance.now() - began) / 1000;
  const text = TEXT.repeat(200), start = performance.now(), ids = tokenizer.encode(text);
  const rate = ids.length / (performance.now() - start);
  if (tokenizer.decode(ids) !== text) throw new Error("Cannot time a tokenizer: it does not give the text back");
  return Promise.resolve([
    { what: `tokenizer.json of ${tokenizer.vocabSize} tokens`, value: seconds, unit: "s", most: MOST_SECONDS },
    { what: "encode", value: rate, unit: "tok/ms" },
  ]);
}

export const TOKENIZER: Part = { about: "Read a tokenizer.json of 150,000 tokens", trials: { read } };
