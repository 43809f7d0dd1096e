/** A user's reward file that forgot its function. */
export const rewards = 1;
