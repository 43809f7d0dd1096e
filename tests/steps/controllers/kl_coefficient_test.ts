import assert from "node:assert/strict";
import { ADAPTIVE_KL, klController, nextKlCoefficient } from "../../../steps/controllers/kl_coefficient.ts";
import { readCases } from "../../gpu/safetensors.ts";

interface Case {
  readonly name: string;
  readonly params: Readonly<Record<string, number | string>>;
  readonly inputs: { readonly current_kl: number[]; readonly n_steps: number[] };
  readonly outputs: { readonly kl_coef: number[] };
}
const verl: Case[] = readCases("goldens/formulas/verl_kl_controller.json");
const openrlhf: Case[] = (readCases("goldens/formulas/openrlhf.json") as Case[])
  .filter(({ name }) => name.startsWith("kl_controller"));

for (const [system, cases] of Object.entries({ verl, openrlhf })) {
  Deno.test(`nextKlCoefficient() follows ${system}'s controllers in ${cases.length} cases`, () => {
    assert(cases.length >= 8);
    for (const { name, params, inputs, outputs } of cases) {
      const controller = klController(String(params["type"] ?? "adaptive"), {
        target: Number(params["target_kl"] ?? params["target"]),
        horizon: Number(params["horizon"]),
      });
      let coefficient = Number(params["kl_coef"] ?? params["init_kl_coef"]);
      inputs.current_kl.forEach((kl, i) => {
        coefficient = nextKlCoefficient(coefficient, controller, kl, inputs.n_steps[i]!);
        const want = outputs.kl_coef[i]!;
        const near = Object.is(coefficient, want) || Math.abs(coefficient - want) <= 1e-9 * Math.abs(want);
        assert(near, `${name} ${i}: ${coefficient}, want ${want}`);
      });
    }
  });
}

Deno.test("nextKlCoefficient() without a controller stays, and its notes name what it follows", () => {
  assert.equal(nextKlCoefficient(0.1, null, NaN, 8), 0.1);
  assert.equal(nextKlCoefficient(0.1, { target: 0.1, horizon: 100 }, Infinity, 8), 0.1 * (1 + 0.2 * 8 / 100));
  assert.match(ADAPTIVE_KL.formula, /kl_target/);
});

Deno.test("klController() refuses what adapts to nothing", () => {
  assert.equal(klController("fixed", { target: 0, horizon: 0 }), null);
  assert.throws(() => klController("adaptive", { target: 0.1, horizon: 0 }), /horizon 0, want numbers above 0/);
  assert.throws(() => klController("x", { target: 0.1, horizon: 1 }), /type is "x", want fixed or adaptive/);
});
