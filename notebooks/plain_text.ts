/** Text of a run without the characters that no page and no picture may hold. @module */

/** What XML has no place for, lone surrogates among it, and the controls from DEL on. */
const NO_XML = /[^\t\n\r\u0020-\u007e\u00a0-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu;

/** Controls and broken characters become U+FFFD: they are shown, not sent. */
export function plainText(text: string): string {
  return text.replace(NO_XML, "\ufffd");
}

/** Text becomes safe inside HTML text and attribute values; control characters are shown, not sent. */
export function escapeHtml(value: string): string {
  return plainText(value).replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;").replaceAll("'", "&#39;");
}
