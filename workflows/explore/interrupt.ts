/** The stop button of a notebook: it ends what a cell does, and leaves the kernel alive. @module */
import { isNotebook } from "../../notebooks/display.ts";
import type { StopControl } from "../engine/stop.ts";

const stops = new Set<() => void>();
let listens = false;

/** From here on SIGINT, which would end the kernel, stops what a cell is doing. Does nothing outside a notebook. */
export function keepKernelAlive(): void {
  if (listens || !isNotebook()) return;
  listens = true;
  Deno.addSignalListener("SIGINT", interrupt);
}

/** What the stop button does: every run and every chart that follows one stops at its next safe point. */
export function interrupt(): void {
  for (const stop of [...stops]) stop();
}

/** Calls `stop` when the cell is interrupted or `signal` is aborted, until the returned function is called. */
export function onInterrupt(stop: () => void, signal?: AbortSignal): () => void {
  stops.add(stop);
  signal?.addEventListener("abort", stop);
  if (signal?.aborted) stop();
  return () => {
    stops.delete(stop);
    signal?.removeEventListener("abort", stop);
  };
}

/** The same for a run. */
export function interrupts(stop: StopControl, signal?: AbortSignal): () => void {
  return onInterrupt(() => stop.request("SIGINT"), signal);
}
