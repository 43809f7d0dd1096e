/** Whether a tokenizer belongs to a model, by their sizes. @module */

/** Models pad their embedding to a round number of rows; the largest in use: 51,200 rows for 50,295 tokens (Phi-2). */
const PADDING = 1.05;
const ROUND = 128;

/** Why a tokenizer with `tokens` does not fit an embedding of `rows`, as a sentence; null where it does. */
export function vocabularyProblem(tokens: number, rows: number): string | null {
  const sizes = `its tokenizer has ${tokens} tokens and its embedding ${rows} rows`;
  const remedy = "use the tokenizer that belongs to it";
  if (tokens > rows) return `${sizes}, want at least as many rows as tokens; ${remedy}`;
  if (rows <= Math.ceil(tokens * PADDING / ROUND) * ROUND) return null;
  return `${sizes}: ${rows - tokens} rows can be sampled and have no text; ${remedy}`;
}
