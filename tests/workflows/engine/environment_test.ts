/** The CPU class is what kernels choose by, nothing else. @module */
import assert from "node:assert/strict";
import { cpuClass, environmentOf } from "../../../workflows/engine/environment.ts";
import { fakePlan } from "./fake_steps.ts";

Deno.test("cpuClass() reads the extensions of x86 and ARM and ignores the rest", () => {
  const { arch } = Deno.build;
  assert.equal(cpuClass("model name : X\nflags\t\t: fpu fma avx sse avx2\n"), `${arch} avx avx2 fma`);
  assert.equal(cpuClass("Features\t: fp asimd sve\n"), `${arch} asimd sve`);
  assert.equal(cpuClass(null), arch);
});

Deno.test("environmentOf() takes one thread when deterministic, and what was found over what was asked", () => {
  const { settings } = fakePlan("name: e\ndeterministic: true\nsteps: [{ uses: act }]", { log: [] });
  const environment = environmentOf(settings, { backend: "napi", versions: { model: "1" } });
  assert.equal(environment.threads, 1);
  assert.equal(environment.backend, "napi");
  assert.equal(environment.device, "cpu");
  assert.equal(environment.versions.model, "1");
  assert.match(environment.versions.onnxruntime!, /^\d+\.\d+\.\d+$/);
});
