import { IDIOMS } from "./data/adapters/post/words/idioms.ts";
import { expression } from "./data/adapters/post/words/match.ts";
import { isDenied, isUnstated } from "./data/adapters/post/stance_of.ts";
for (const t of Deno.args) {
  for (const i of IDIOMS) {
    const m = [...t.matchAll(expression(i.words, i.signs))][0];
    if (m) {
      console.log(
        t,
        i.subject,
        i.predicate,
        JSON.stringify(m[0]),
        isDenied(t, m.index, m.index + m[0].length),
        isUnstated(t, t, false),
      );
    }
  }
}
