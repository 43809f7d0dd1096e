/** The GPU that a post names: what it can compute in decides what can be advised. @module */

/** Names as people write them, with their generation: Volta and what is older knows no bf16, nor does Turing. */
const GPU =
  /(?<=^|\d[x×]|[^\p{L}\d-])(?:(?<old>(?:Tesla[ -]?)?(?:V100|P100|P40|T4)|Titan (?:V|RTX|Xp)|Quadro RTX ?\d{4}|(?:RTX ?|GeForce ?)?20[678]0(?:[ -]?Ti|[ -]?Super)?|GTX ?1[06]\d0(?:[ -]?Ti)?|1080[ -]?Ti)|(?<recent>[AH]\d0{2}|A[1-9]0|A[46]000|B200|L4|L40S?|(?:RTX ?)?[345]0[6789]0(?:[ -]?Ti)?|MI\d{3}X?|910[BC]))(?:[x×]\d+|s)?(?![\p{L}\d])/giu;
/** "2080" and "1660" alone are numbers; a name that is one needs a word for the machine beside it. */
const ONLY_DIGITS = /^\d{4}$/, MACHINE = /GPU|显卡|顯卡|卡|RTX|GeForce|CUDA|VRAM|グラボ|그래픽/i;

/** A GPU's name and where it stands; null where none is named, or one that knows bf16 beside one that does not. */
export function gpuNamed(text: string): { readonly name: string; readonly at: number } | null {
  const found = [...text.matchAll(GPU)].filter(({ 0: name }) => !ONLY_DIGITS.test(name) || MACHINE.test(text));
  const old = found.find(({ groups }) => groups?.["old"] !== undefined);
  return old === undefined || found.some(({ groups }) => groups?.["recent"] !== undefined)
    ? null
    : { name: old.groups!["old"]!, at: old.index };
}
