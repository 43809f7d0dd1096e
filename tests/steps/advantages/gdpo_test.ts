import { gdpo } from "../../../steps/advantages/gdpo.ts";
import { assertClose } from "./golden_cases.ts";

const ROOT = Math.SQRT1_2;
const batch = {
  rewards: [1, 0, 3, 1],
  groups: [0, 0, 1, 1],
  lengths: [1, 3, 2, 2],
  components: { right: [1, 0, 0, 1], short: [0, 0, 30, null] },
};
const given = (options: Record<string, unknown>) => gdpo.params.parse({ eps: 0, finish: "none", ...options });

Deno.test("gdpo.advantages() normalises each reward in its group before it adds them up, by weight", () => {
  assertClose(gdpo.advantages(given({}), batch), [ROOT, -ROOT, -ROOT, ROOT], "one scored of two adds nothing");
  const both = { ...batch, components: { right: [1, 0, 0, 1], short: [0, 5, 30, 10] } };
  assertClose(
    gdpo.advantages(given({ reward_weights: { short: 0.5 } }), both),
    [ROOT / 2, -ROOT / 2, -ROOT / 2, ROOT / 2],
    "weights",
  );
});

Deno.test("gdpo.advantages() normalises the sum over the batch (TRL) or over its tokens (verl)", () => {
  const std = Math.sqrt(4 * 0.5 / 3);
  assertClose(
    gdpo.advantages(given({ finish: "batch" }), batch),
    [ROOT, -ROOT, -ROOT, ROOT].map((x) => x / std),
    "batch",
  );
  const tokens = [1, -1, -1, -1, -1, -1, 1, 1].map((sign) => sign * ROOT), mean = tokens.reduce((a, b) => a + b) / 8;
  const deviation = Math.sqrt(tokens.reduce((sum, x) => sum + (x - mean) ** 2, 0) / 7);
  assertClose(
    gdpo.advantages(given({ finish: "tokens" }), batch),
    [ROOT, -ROOT, -ROOT, ROOT].map((x) => (x - mean) / deviation),
    "tokens",
    [1e-6, 1e-6],
  );
});

Deno.test("gdpo.advantages() takes the completion's reward where rewards have no names, and leaves out what is not scored", () => {
  const alone = { ...batch, rewards: [1, 0, null, 1], components: {} };
  assertClose(gdpo.advantages(given({}), alone), [ROOT, -ROOT, 0, 0], "sum");
});
