import assert from "node:assert/strict";
import { fallsBack, withFall } from "../../../../../data/adapters/post/numbers/falls_back.ts";
import { claimsOf, readPost, toldOf } from "../read_post.ts";

for (
  const text of [
    "The reward climbs from 0.2 to 0.6 by step 300, then drops to 0.1",
    "The reward climbs from 0.2 to 0.6 and then falls back to 0.1",
    "Der Reward steigt bis Schritt 300 von 0,2 auf 0,6 und fällt dann auf 0,1",
    "La récompense monte de 0,2 à 0,6 puis retombe à 0,1",
    "La recompensa sube de 0,2 a 0,6 y luego cae a 0,1",
    "A recompensa sobe de 0,2 para 0,6 e depois cai para 0,1",
    "Награда растёт с 0,2 до 0,6, а потом падает до 0,1",
    "奖励从 0.2 涨到 0.6，然后又掉到 0.1",
    "報酬は 0.2 から 0.6 まで上がり、その後 0.1 に落ちました",
    "보상이 0.2에서 0.6까지 올랐다가 0.1로 떨어졌습니다",
  ]
) {
  Deno.test(`fallsBack() hears what is lost in "${text}"`, async () => {
    assert.deepEqual(fallsBack(text), { subject: "reward", predicate: "collapses", value: 0.1, top: 0.6 });
    const intake = await readPost(`Hi, GRPO, a question?\n\n${text}.\n`);
    assert(claimsOf(intake).includes("3 reward.collapses"));
    assert(toldOf(intake).includes("3 reward series 0.2 0.6 0.1"));
  });
}

Deno.test("fallsBack() tells a fall from a dip, and hears nothing of what never rose, or of another metric", async () => {
  assert.equal(fallsBack("The reward climbs to 0.6, then drops to 0.4")?.predicate, "falls");
  assert.equal(fallsBack("The reward climbs to 0.6, then drops to 0.2")?.predicate, "collapses");
  assert.equal(fallsBack("The reward climbs from 0.2 to 0.6, then drops to 0.55")?.predicate, null);
  const dip = await readPost("Hi, GRPO?\n\nThe reward climbs from 0.2 to 0.6, then drops to 0.55.\n");
  assert.deepEqual(claimsOf(dip), ["3 reward.rises"]);
  for (
    const text of [
      "The reward climbs from 0.2 to 0.6 and the loss drops to 0.1",
      "The reward drops from 0.6 to 0.1",
      "The loss rises from 0.2 to 0.6, then drops to 0.1",
      "The reward is 0.6 at step 300",
    ]
  ) assert.equal(fallsBack(text), null, text);
});

Deno.test("withFall() puts what is left behind the best, and leaves other numbers alone", () => {
  const fallen = { subject: "reward", predicate: "collapses", value: 0.1, top: 0.6 } as const;
  const told = { values: [0.2, 0.6], relation: "course", from: null, to: 300 } as const;
  assert.deepEqual(withFall(told, fallen), { values: [0.2, 0.6, 0.1], relation: "series", from: null, to: null });
  assert.equal(withFall(told, null), told);
  const other = { ...told, values: [0.2, 0.5] };
  assert.equal(withFall(other, fallen), other);
});

Deno.test("fallsBack() reads in time that grows with the text", () => {
  for (const part of ["drops to 0.1 ", "0.6 ", "falls "]) fallsBack(part.repeat(5000));
});
