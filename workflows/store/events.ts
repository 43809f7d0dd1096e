/** events.jsonl: what happened in a run, one line per event, each written by one call and without fsync. @module */
import { join } from "node:path";
import { RUN_FILES } from "../../data/run_folder.ts";
import type { StepEvent } from "../../steps/step.ts";
import { endsCut, writeAll, writing } from "./write_file.ts";

/** An event as stored: `time` is ISO 8601 in UTC. */
export interface RunEvent extends StepEvent {
  readonly time: string;
}

export interface EventLog {
  /** Writes an event; after `close` it is dropped, for a step that was given up may still talk. */
  write(event: StepEvent): void;
  close(): void;
}

/** Opens a run's event log for appending; a half line that a crash left is ended first. */
export function openEvents(folder: string, listener: (event: RunEvent) => void, now: () => Date): EventLog {
  const path = join(folder, RUN_FILES.events);
  const file = writing(path, 0, () => Deno.openSync(path, { append: true, create: true, read: true }));
  const encoder = new TextEncoder();
  if (endsCut(file)) writing(path, 1, () => writeAll(file, encoder.encode("\n")));
  let closed = false;
  return {
    write(event) {
      if (closed) return;
      const stored: RunEvent = { ...event, time: now().toISOString() };
      const bytes = encoder.encode(eventText(stored) + "\n");
      listener(stored);
      writing(path, bytes.length, () => writeAll(file, bytes));
    },
    close() {
      closed = true;
      file.close();
    },
  };
}

/** One line of JSON; NaN and the infinities become texts, for null means absent. */
export function eventText(event: StepEvent): string {
  return JSON.stringify(
    event,
    (_, value) => typeof value === "number" && !Number.isFinite(value) ? String(value) : value,
  );
}
