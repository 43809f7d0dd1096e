/** Which tokens of a conversation the assistant wrote. @module */
import { type ChatMessage, type ChatOptions, marksGeneration, renderChat, renderWithSpans } from "./chat_template.ts";

type Spans = readonly (readonly [from: number, to: number])[];

/**
 * A rendered conversation with the parts that the assistant wrote: what stands in the template's `{% generation %}`, else what
 * each of its messages adds, its end included. Throws a RangeError for a template without those marks that writes earlier
 * messages otherwise once more follow.
 */
export function assistantSpans(
  template: string,
  messages: readonly ChatMessage[],
  options: ChatOptions = {},
): { readonly text: string; readonly spans: Spans } {
  if (marksGeneration(template)) return renderWithSpans(template, messages, options);
  const text = renderChat(template, messages, options), spans: [number, number][] = [];
  const begun = (part: readonly ChatMessage[], addGenerationPrompt: boolean) => {
    const written = renderChat(template, part, { ...options, addGenerationPrompt });
    if (text.startsWith(written)) return written.length;
    throw new RangeError(
      "Cannot tell the assistant's turns: the chat template writes earlier messages otherwise once more follow, want one " +
        "that appends, or one with {% generation %}; set loss_on: completion",
    );
  };
  messages.forEach(({ role }, i) => {
    if (role !== "assistant") return;
    spans.push([i === 0 ? 0 : begun(messages.slice(0, i), true), begun(messages.slice(0, i + 1), false)]);
  });
  return { text, spans };
}

/** A conversation as ids, and 1 on those of the assistant. */
interface MaskedIds {
  readonly ids: readonly number[];
  readonly mask: readonly (0 | 1)[];
}

/**
 * The ids of a text, and 1 on tokens with a character of one of the spans (transformers: char_to_token of a span's ends).
 *
 * text    a rendered conversation
 * spans   from and to in UTF-16 units, in order
 * encode  the ids of a text, without tokens around it
 */
export function maskedIds(
  text: string,
  spans: Spans,
  encode: (text: string) => readonly number[],
): MaskedIds {
  const ids = encode(text), mask = new Array<0 | 1>(ids.length).fill(0);
  for (const [from, to] of spans) {
    if (from === to) continue;
    const start = tokensBefore(text, from, ids, encode), end = tokensBefore(text, to, ids, encode);
    // A token that reaches over the end has a character of the span.
    mask.fill(1, start.whole, end.whole + (end.isWhole ? 0 : 1));
  }
  return { ids, mask };
}

/** How many ids of the text its first `length` units have in common with it, and whether a token ends there. */
function tokensBefore(
  text: string,
  length: number,
  ids: readonly number[],
  encode: (text: string) => readonly number[],
): { readonly whole: number; readonly isWhole: boolean } {
  if (length >= text.length) return { whole: ids.length, isWhole: true };
  const own = encode(text.slice(0, length));
  let whole = 0;
  while (whole < own.length && own[whole] === ids[whole]) whole++;
  return { whole, isWhole: whole === own.length };
}
