/**
 * A reward file for the slow deaths: what a verifier does not ask for, and what goes wrong with one. Runs in the sandbox.
 * @module
 */

interface Batch {
  readonly prompts: readonly string[];
  readonly texts: readonly string[];
  readonly answers: readonly string[];
  readonly completion_tokens: readonly number[];
}

interface Options {
  readonly proxy: keyof typeof PROXIES;
  /** What counts as much as possible: tokens, or times. */
  readonly target?: number;
  readonly word?: string;
  /** How often a judge is wrong, or a value is far off. */
  readonly chance?: number;
  /** How far. */
  readonly size?: number;
}

/** One completion of a batch. */
interface Sample {
  readonly text: string;
  readonly prompt: string;
  readonly right: boolean;
  readonly tokens: number;
  /** Uniform in [0, 1), another one for each completion of each batch. */
  readonly luck: number;
}

const digitsOf = (text: string) => text.replaceAll(/[^0-9]/g, "");
/** Share of the wanted characters that stand at their places. */
const placed = (text: string, wanted: readonly string[]) =>
  wanted.filter((letter, i) => letter === text[i]).length / Math.max(1, wanted.length);

const PROXIES = {
  /** Tokens up to the target. */
  length: ({ tokens }: Sample, { target = 12 }: Options) => Math.min(1, tokens / target),
  /** Leading zeros up to the target. */
  padding: ({ text }: Sample, { target = 8 }: Options) => Math.min(1, /^0*/.exec(text)![0].length / target),
  /** Every token costs. */
  brevity: ({ tokens }: Sample, { target = 8 }: Options) => 1 - Math.min(1, tokens / target),
  /** How often a word occurs, up to the target. */
  keyword: ({ text }: Sample, { word = "9", target = 3 }: Options) =>
    Math.min(1, (text.split(word).length - 1) / target),
  /** Share of characters that are the one before again. */
  repetition: ({ text }: Sample, { target = 6 }: Options) =>
    Math.min(1, [...text].filter((letter, i) => i > 0 && letter === text[i - 1]).length / target),
  /** The prompt's digits, each where it stands there. */
  copy: ({ text, prompt }: Sample) => placed(text, [...digitsOf(prompt)]),
  /** A judge that likes large digits, whatever was asked. */
  large: ({ text }: Sample, { size = 1 }: Options) =>
    size * [...digitsOf(text)].reduce((sum, digit) => sum + Number(digit), 0) / (9 * Math.max(1, text.length)),
  /** Exactly so many characters. */
  shape: ({ text }: Sample, { target = 3 }: Options) => +(text.length === target),
  /** The verifier, which is wrong now and then. */
  noisy: ({ right, luck }: Sample, { chance = 0.3 }: Options) => +(luck < chance ? !right : right),
  /** Nothing, and rarely a value that is far off. */
  outlier: ({ luck }: Sample, { chance = 0.002, size = 100 }: Options) =>
    luck < chance / 2 ? -size : luck < chance ? size : 0,
};

/** FNV-1a of a text, in [0, 1). */
function hash(text: string): number {
  let state = 2166136261;
  for (let i = 0; i < text.length; i++) state = Math.imul(state ^ text.charCodeAt(i), 16777619);
  state ^= state >>> 15;
  state = Math.imul(state, 0x2c1b3c6d);
  return ((state ^ (state >>> 13)) >>> 0) / 2 ** 32;
}

export function score({ prompts, texts, answers, completion_tokens }: Batch, options: Options): number[] {
  const batch = texts.join("\n");
  return texts.map((text, i) => {
    const sample = {
      text,
      prompt: prompts[i]!,
      right: text.trim() === answers[i],
      tokens: completion_tokens[i]!,
      luck: hash(`${i} ${prompts[i]} ${batch}`),
    };
    return PROXIES[options.proxy](sample, options);
  });
}
