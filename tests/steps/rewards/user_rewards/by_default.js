/** A user's reward file with a default export that returns a typed array. */
export default ({ texts }) => Float64Array.from(texts, (text) => text === "right" ? 1 : 0);
