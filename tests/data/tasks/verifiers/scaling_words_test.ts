import assert from "node:assert/strict";
import { isScaling } from "../../../../data/tasks/verifiers/scaling_words.ts";

Deno.test("isScaling() knows words and letters that multiply from units and things", () => {
  const scaling =
    "k K kk M MM B T bn mn mio million millions billion Milliarden thousand thousandths dozen lakh crores" +
    " hundred half thirds twentieths score fold grand lac 万 тысяч";
  for (const word of scaling.split(" ")) assert(isScaling(word), word);
  const others = "m mm g s h kg km apples months paths lengths baths teeth L N x square kin pill";
  for (const word of others.split(" ")) assert(!isScaling(word), word);
});
