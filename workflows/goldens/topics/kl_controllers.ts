/** The adaptive KL coefficients of verl and OpenRLHF against that of `apply_update`. @module */
import { klController, nextKlCoefficient } from "../../../steps/controllers/kl_coefficient.ts";
import { defineTopic } from "../topic.ts";

/** verl's names, then OpenRLHF's. */
interface Params {
  readonly type?: string;
  readonly kl_coef?: number;
  readonly target_kl?: number;
  readonly horizon?: number;
  readonly init_kl_coef?: number;
  readonly target?: number;
}
interface Inputs {
  readonly current_kl?: readonly number[];
  readonly n_steps?: readonly number[];
}

export const klControllers = defineTopic<Params, Inputs>({
  about: "verl core_algos and OpenRLHF KL controllers (steps/controllers/kl_coefficient.ts)",
  takes: {
    verl_kl_controller: () => true,
    openrlhf: ({ name }) => name.startsWith("kl_controller/"),
    edge: ({ name }) => name.startsWith("verl/kl_controller"),
  },
  evaluate({ params, inputs: { current_kl = [], n_steps = [] } }) {
    const { horizon = 10000, target_kl, target = target_kl } = params;
    const { type = target === undefined ? "fixed" : "adaptive" } = params; // OpenRLHF's are two classes
    const controller = klController(type, { target: target ?? 0.1, horizon });
    let coefficient = params.kl_coef ?? params.init_kl_coef ?? 0;
    return {
      kl_coef: current_kl.map((kl, i) => coefficient = nextKlCoefficient(coefficient, controller, kl, n_steps[i]!)),
    };
  },
});
