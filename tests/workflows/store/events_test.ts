/** One line per event, whatever was there before. @module */
import assert from "node:assert/strict";
import { join } from "node:path";
import { eventText, openEvents } from "../../../workflows/store/events.ts";
import { withFolder } from "../engine/fake_runs.ts";

Deno.test("openEvents() appends, ends a half line of a crash and tells the listener", () =>
  withFolder((folder) => {
    const path = join(folder, "events.jsonl");
    Deno.writeTextFileSync(path, '{"event":"run_started"}\n{"event":"tra');
    const heard: string[] = [];
    const log = openEvents(folder, ({ event }) => heard.push(event), () => new Date(0));
    log.write({ event: "message", text: "a\nb" });
    log.close();
    log.write({ event: "message", text: "a step that was given up talks after the end" });
    assert.equal(
      Deno.readTextFileSync(path),
      '{"event":"run_started"}\n{"event":"tra\n{"event":"message","text":"a\\nb","time":"1970-01-01T00:00:00.000Z"}\n',
    );
    assert.deepEqual(heard, ["message"]);
  }));

Deno.test("openEvents() begins a new log with its first event", () =>
  withFolder((folder) => {
    const log = openEvents(folder, () => {}, () => new Date(0));
    log.write({ event: "message" });
    log.close();
    assert.match(Deno.readTextFileSync(join(folder, "events.jsonl")), /^{"event":"message",/);
  }));

Deno.test("eventText() writes NaN as a text, for null means absent", () => {
  assert.equal(eventText({ event: "e", loss: NaN, kl: null }), '{"event":"e","loss":"NaN","kl":null}');
});
