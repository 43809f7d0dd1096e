/** The CPU class is what kernels choose by, nothing else. @module */
import assert from "node:assert/strict";
import { cpuClass, environmentOf, findEnvironment } from "../../../workflows/engine/environment.ts";
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

Deno.test("findEnvironment() takes what is given, and finds what the machine has with a line for what it lacks", () => {
  const { settings } = fakePlan("name: e\nsteps: [{ uses: act }]", { log: [] });
  const given = environmentOf(settings, { backend: "napi" });
  assert.deepEqual(findEnvironment(settings, given), { environment: given, notes: [] });
  const { environment, notes } = findEnvironment(settings);
  assert.equal(environment.backend, "ffi");
  // Without CUDA there is a line, with it there is none.
  assert.equal(notes.length, environment.device === "cuda" ? 0 : 1);
  for (const note of notes) assert.match(note, /^device: cpu \(cuda not used: [^\n]+\)$/);
});
