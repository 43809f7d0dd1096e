import assert from "node:assert/strict";
import { followsTexts } from "../../../workflows/doctor/follows.ts";
import { oneExamined, oneFinding } from "./one_examined.ts";

Deno.test("followsTexts() says the first clause of three after-effects in a line, and names the others", () => {
  const { diagnosis } = oneExamined(), long = "the reward\nfell ".repeat(20);
  const effects = ["a", "b", "c", "d", "e"].map((cause) =>
    oneFinding({ cause, message: cause === "b" ? long : "The reward fell to 0.0000049998488149588695; rate 1e-6" })
  );
  const examined = oneExamined({ diagnosis: { ...diagnosis, afterEffects: effects } });
  const [a, b, c, ...rest] = followsTexts(examined, false);
  assert.equal(a, "a: The reward fell to 5e-6");
  assert.match(b!, /^b: the reward fell .{90,}…$/);
  assert(b!.length < 130, b);
  assert.match(c!, /^c: /);
  assert.deepEqual(rest, ["d, e"]);
  assert.match(followsTexts(examined, true).at(-1)!, /^e: The reward/);
  assert.deepEqual(followsTexts(oneExamined({ diagnosis: { ...diagnosis, afterEffects: [] } }), false), []);
});
