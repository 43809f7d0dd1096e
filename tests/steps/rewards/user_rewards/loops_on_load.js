/** A user's reward file that never finishes loading. */
for (;;);
export const score = ({ texts }) => texts.map(() => 1);
