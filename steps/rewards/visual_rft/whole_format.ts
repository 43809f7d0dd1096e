/** The shape that Visual-RFT's `format_reward` wants of a completion. @module */
import { inPython } from "./python_text.ts";

const OPEN = "<think>", CLOSE = "</answer>", BETWEEN = new RegExp(inPython(String.raw`</think>\s*<answer>`), "g");

/**
 * True where `<think>.*?</think>\s*<answer>.*?</answer>` matches the whole text, dots line ends too (grpo.py
 * format_reward: re.fullmatch with DOTALL). Whatever lies in the blocks is accepted, so that the first border between
 * two blocks decides: searched without that pattern, which takes minutes on many borders.
 */
export function hasWholeFormat(text: string): boolean {
  if (!text.startsWith(OPEN) || !text.endsWith(CLOSE)) return false;
  BETWEEN.lastIndex = OPEN.length;
  const border = BETWEEN.exec(text);
  return border !== null && border.index + border[0].length <= text.length - CLOSE.length;
}
