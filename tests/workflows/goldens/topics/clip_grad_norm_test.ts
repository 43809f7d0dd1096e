import { clipGradNorm } from "../../../../workflows/goldens/topics/clip_grad_norm.ts";
import { holdsTorch } from "../held.ts";

Deno.test("clip_grad_norm holds every case of it", () => holdsTorch(clipGradNorm, 12));
