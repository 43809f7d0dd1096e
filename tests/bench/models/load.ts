/** How long a bfloat16 folder takes to load, and how much memory. @module */
import { openRuntime } from "../../../gpu/session.ts";
import { policyFromFolder } from "../../../steps/resources/open_policy.ts";
import { peakRssMb } from "../rows.ts";
import type { Part, TrialContext } from "./figure.ts";

const MOST_SECONDS = 10, MOST_MEMORY = 1.3;

async function bfloat16({ folder, threads }: TrialContext) {
  const runtime = await openRuntime({ backend: "ffi", device: "cpu", threads }), began = performance.now();
  const policy = policyFromFolder(runtime, folder, { chat: { always: false }, images: folder });
  const seconds = (performance.now() - began) / 1000, size = policy.model.parameters * 4 / 2 ** 20;
  const peak = peakRssMb();
  policy.release();
  return [
    { what: "load a bf16 folder as float32", value: seconds, unit: "s", most: MOST_SECONDS },
    { what: "peak memory / float32 size", value: peak / size, unit: "×", most: MOST_MEMORY },
  ];
}

export const LOAD: Part = { about: "Load a bfloat16 folder as float32", trials: { bfloat16 } };
