import assert from "node:assert/strict";
import { isSetting } from "../../../../../data/adapters/post/stance/setting_words.ts";

const says = (text: string) => {
  const at = text.indexOf("["), end = text.indexOf("]") - 1;
  return isSetting(text.replace(/[[\]]/g, ""), at, end);
};

for (
  const text of [
    ...[
      "the [entropy] coefficient is 0",
      "[KL] loss weight 0.1",
      "[entropy] bonus",
      "a [KL] target of 6",
      "[clip range] 0.3",
    ],
    ...[
      "target [KL] of 6",
      "[KL] 系数",
      "[熵]的系数",
      "[KL]係数",
      "[KL] 계수",
      "coefficient d'[entropie]",
      "[KL]-Koeffizient",
    ],
    ...["coeficiente de [entropía]", "peso da [KL]", "коэффициент [KL]", "[length] penalty", "[grad norm] clipping"],
  ]
) Deno.test(`isSetting() is true of ${text}`, () => assert(says(text)));

for (
  const text of [
    ...["the [entropy] is 0", "[KL] loss explodes", "[clip range] is always hit", "the [reward] is weighty"],
    ...["the weight norm and [entropy]", "[KL] 很高", "[ratio] clip fraction"],
  ]
) Deno.test(`isSetting() is false of ${text}`, () => assert(!says(text)));
