/** Finds comparisons in a row in a chat template: Python's `a == b == c` says both hold, and the library's tree does not. @module */

/** Tokens that end a comparison where they stand in the same brackets. */
const WORDS: readonly string[] = ["and", "or", "not", "if", "else", "elif", "for"];
const MARKS: readonly string[] = [
  "Equals",
  "Comma",
  "Colon",
  "OpenStatement",
  "CloseStatement",
  "OpenExpression",
  "CloseExpression",
];

/** Throws SyntaxError for two comparisons in a row without brackets between them. */
export function refuseChains(tokens: readonly { readonly type: string; readonly value: string }[]): void {
  const compared: boolean[] = [false];
  // In `{% for x in list %}` the first "in" compares nothing.
  let isLoop = false;
  for (const { type, value } of tokens) {
    const top = compared.length - 1;
    if (type.startsWith("Open") && !MARKS.includes(type)) compared.push(false);
    else if (type.startsWith("Close") && !MARKS.includes(type)) compared.pop();
    else if (type === "Identifier" && value === "in" && isLoop && top === 0) isLoop = false;
    else if (type === "ComparisonBinaryOperator" || (type === "Identifier" && value === "in")) {
      if (compared[top]) {
        throw new SyntaxError(`it compares three values in a row at "${value}", want brackets or "and"`);
      }
      compared[top] = true;
    } else if (MARKS.includes(type) || (type === "Identifier" && WORDS.includes(value))) {
      // "not in" is one operator.
      if (value !== "not") compared[top] = false;
      if (type === "Identifier" && value === "for") isLoop = true;
    }
  }
}
