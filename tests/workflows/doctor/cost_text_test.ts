import assert from "node:assert/strict";
import { costText } from "../../../workflows/doctor/cost_text.ts";
import { oneCost } from "./one_examined.ts";

const SAID = { machine: undefined, samples: true, isWarning: false };

Deno.test("costText() says how much of what, in hours, GPU hours and money", () => {
  assert.equal(
    costText(oneCost(), { ...SAID, machine: { gpus: 8, hourCost: 2.5, currency: "EUR" } }),
    "55 % of the rollouts taught nothing (6.2 of 11.3 h, 49.6 GPU hours, 124 EUR)",
  );
  assert.equal(
    costText(oneCost({ share_of_run: 0.55 }), SAID),
    "the rollouts since then taught nothing (6.2 of 11.3 h)",
  );
  assert.equal(
    costText(oneCost({ rollouts: 1, hours: 11.3 }), { ...SAID, samples: false }),
    "no train step taught anything (11.3 h)",
  );
});

Deno.test("costText() takes tokens where hours are not known, and says nothing where nothing is", () => {
  const tokens = { hours: null, tokens: 1.2e6, of: { hours: null, tokens: 3.4e6 } };
  assert.equal(
    costText(oneCost({ ...tokens, waste: "cut" }), SAID),
    "55 % of the rollouts were cut off before their end (1.2 of 3.4 million tokens)",
  );
  assert.equal(costText(oneCost({ hours: null }), SAID), "55 % of the rollouts taught nothing");
  assert.equal(costText(oneCost({ rollouts: null }), SAID), null);
  assert.equal(costText(oneCost({ rollouts: 0.001 }), SAID), null);
  assert.equal(costText(oneCost({ waste: "none" }), SAID), null);
});

Deno.test("costText() of a warning is a risk, of a slow machine a time; short runs are told in minutes or seconds", () => {
  assert.equal(
    costText(oneCost({ waste: "wrong", share_of_run: 0.55, hours: 0.5, of: { hours: 1, tokens: null } }), {
      ...SAID,
      isWarning: true,
    }),
    "at risk: the rollouts since then (30 of 60 min)",
  );
  const bare = { waste: "wrong", hours: null } as const, risk = { ...SAID, isWarning: true };
  assert.equal(costText(oneCost({ ...bare, share_of_run: 0.55 }), risk), null, "no number");
  assert.equal(costText(oneCost({ ...bare, share_of_run: 0.9 }), risk), "at risk: 55 % of the rollouts");
  assert.equal(costText(oneCost({ waste: "slow" }), SAID), "6.2 of 11.3 h were spent waiting");
  const short = { hours: 0.001, of: { hours: 0.02, tokens: null } };
  assert.equal(costText(oneCost(short), SAID), "55 % of the rollouts taught nothing (3.6 of 72 s)");
});
