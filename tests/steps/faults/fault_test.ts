import assert from "node:assert/strict";
import { DIAGNOSES } from "../../../steps/diagnoses/mod.ts";
import { ENTRY, type Fault, faultsOf } from "../../../steps/faults/fault.ts";
import { FAULTS } from "../../../steps/faults/mod.ts";
import { STEPS } from "../../../steps/mod.ts";

Deno.test("setting() changes the given parameters and keeps the others", () => {
  const fault = faultsOf("apply_update").setting({
    about: "x",
    causes: ["learning_rate_zero"],
    rule: "exact",
    lookAlike: "grpo",
  }, (_, params) => ({ a: Number(params["a"]) + 1 }));
  assert.deepEqual(fault.before!({}, { a: 1, b: 2 }, null as never), { a: 2, b: 2 });
});

Deno.test("every fault acts on a step, does something, has defaults and a cause the doctor knows", () => {
  assert.ok(Object.keys(FAULTS).length >= 45);
  for (const [kind, entry] of Object.entries(FAULTS)) {
    const fault = entry as Fault;
    assert.ok(Object.hasOwn(STEPS, fault.step), kind);
    assert.ok(fault.before || fault.around || fault.after, kind);
    assert.ok(fault.params.safeParse({}).success, kind);
    for (const key of Object.keys(ENTRY)) assert.ok(!Object.hasOwn(fault.params.shape, key), `${kind}: "${key}"`);
    for (const cause of fault.causes) assert.ok(Object.hasOwn(DIAGNOSES, cause), `${kind}: ${cause}`);
  }
});
