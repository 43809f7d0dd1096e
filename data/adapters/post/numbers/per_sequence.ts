/** KL that is summed over a completion: "9 nats per sequence", where a token has a hundredth of it. @module */

const SUMMED =
  /(?:nats?|KL)\s?(?:\/|per|pro|par|por|на)\s?(?:sequence|seq|completion|response|sample|Sequenz|séquence|secuencia|sequência|последовательность)|(?<!\p{L})(?:summed|sum(?: of KL)? over|total(?:ed)? over|summiert|sommé\p{L}*|sumad\p{L}*|somad\p{L}*)(?!\p{L})[^.;]{0,24}(?:sequence|completion|response|tokens|Sequenz|séquence|secuencia|sequência)|每(?:条|个)?(?:序列|回复|样本)的?\s?KL|KL[^，。]{0,8}(?:按序列|序列(?:级|求和|总和))/iu;

/** The name of a metric as its sentence means it. */
export const perSequence = (name: string, sentence: string): string =>
  name === "kl" && SUMMED.test(sentence) ? "objective/kl" : name;
