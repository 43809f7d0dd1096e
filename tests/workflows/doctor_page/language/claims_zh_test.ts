/** Every claim has its name in Chinese, and a metric keeps its own. */
import assert from "node:assert/strict";
import { PREDICATES } from "../../../../data/adapters/post/words/predicates.ts";
import { SUBJECTS } from "../../../../data/adapters/post/words/subjects.ts";
import { claimEvidence } from "../../../../steps/diagnoses/told/claimed.ts";
import { claimInChinese, PREDICATES_ZH, SUBJECTS_ZH } from "../../../../workflows/doctor_page/language/claims_zh.ts";

Deno.test("claimInChinese() names every subject with every predicate as evidence writes them, no two alike", () => {
  assert.deepEqual(Object.keys(SUBJECTS_ZH).sort(), Object.keys(SUBJECTS).sort());
  assert.deepEqual(Object.keys(PREDICATES_ZH).sort(), Object.keys(PREDICATES).sort());
  const named = Object.keys(SUBJECTS).flatMap((subject) =>
    Object.keys(PREDICATES).map((predicate) => {
      const { name } = claimEvidence({ subject, predicate, text: "x", from: null, source: "a", line: 1 } as never);
      const chinese = claimInChinese(name);
      assert.match(chinese ?? "", /\p{Script=Han}/u, name);
      assert.doesNotMatch(chinese!, /[a-z]{3}|_/, name);
      return chinese;
    })
  );
  assert.equal(new Set(named).size, named.length);
});

Deno.test("claimInChinese() is none of what is no claim", () => {
  assert.equal(claimInChinese("chosen falls"), "优选一侧下降");
  assert.equal(claimInChinese("kl not finite"), "KL 不是有限值");
  for (const name of ["grad_norm", "reward", "rewards/chosen", "a prompt", "constructor toString"]) {
    assert.equal(claimInChinese(name), null);
  }
});
