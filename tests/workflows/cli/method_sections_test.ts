import assert from "node:assert/strict";
import { STEPS } from "../../../steps/mod.ts";
import { METHOD_SECTIONS } from "../../../workflows/cli/method_sections.ts";

Deno.test("METHOD_SECTIONS name options that their steps have", () => {
  for (const { title, entries, also, ...first } of METHOD_SECTIONS) {
    for (const { step, option, reads } of [first, ...(also ? [also] : [])]) {
      const known = Object.keys(STEPS[step as keyof typeof STEPS].params.shape);
      const named = Object.entries(entries).flatMap(([name, entry]) => reads?.(entry as object, name) ?? []);
      for (const one of [...(option === null ? [] : [option]), ...named]) {
        assert(known.includes(one), `${title}: ${one}`);
      }
    }
    for (const name of also?.names ?? []) assert(Object.hasOwn(entries, name), `${title}: ${name}`);
  }
});

Deno.test("METHOD_SECTIONS have every option of train_preferences' losses of pairs", () => {
  const named = METHOD_SECTIONS.flatMap(({ step, option, entries, reads }) =>
    step !== "train_preferences"
      ? []
      : [option, ...Object.entries(entries).flatMap(([name, entry]) => reads?.(entry as object, name) ?? [])]
  );
  for (const option of ["discopop_tau", "f_divergence_alpha", "label_smoothing", "use_weighting"]) {
    assert(named.includes(option), option);
  }
});
