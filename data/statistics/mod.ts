/** Statistics of rows: each exists once, here. @module */
export { expectedTies, groupMoments, NO_SPREAD, uniqueFraction, zeroSpreadFraction } from "./group_spread.ts";
export { groupNumbers, groupRows, numberGroups } from "./groups.ts";
export { type Moments, moments } from "./moments.ts";
export { nth } from "./nth.ts";
export { Quantiles, type Spread } from "./quantiles.ts";
export { whitenOverTokens, whitenTokens } from "./token_whitening.ts";
