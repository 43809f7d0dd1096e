/** Every fault that `bench mutations` tries. @module */
import { DATA } from "./data.ts";
import { DIAGNOSES } from "./diagnoses.ts";
import { DOCTOR_PAGE } from "./doctor_page.ts";
import { EXPLORE } from "./explore.ts";
import { FEW_BITS } from "./few_bits.ts";
import { GPU } from "./gpu.ts";
import { LAUNCHES } from "./launches.ts";
import { LIVE } from "./live.ts";
import { MODELS } from "./models.ts";
import { POSTS } from "./posts.ts";
import { PREFERENCES } from "./preferences.ts";
import { NOTEBOOKS } from "./notebooks.ts";
import { STEPS } from "./steps.ts";
import { SWEEPS } from "./sweeps.ts";
import type { Mutation } from "./mutation.ts";
import { VISION } from "./vision.ts";
import { WORKFLOWS } from "./workflows.ts";

export const MUTATIONS: readonly Mutation[] = [
  ...GPU,
  ...FEW_BITS,
  ...MODELS,
  ...VISION,
  ...DATA,
  ...STEPS,
  ...PREFERENCES,
  ...POSTS,
  ...DIAGNOSES,
  ...NOTEBOOKS,
  ...WORKFLOWS,
  ...DOCTOR_PAGE,
  ...LAUNCHES,
  ...EXPLORE,
  ...LIVE,
  ...SWEEPS,
];
