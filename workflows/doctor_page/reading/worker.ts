/** The worker of the page: reads, asks the rules and looks lines up while the page stays awake. @module */
import { config } from "zod";
import { messageOf } from "../../../data/error_text.ts";
import { GivenRun } from "./diagnose_given.ts";
import type { Answered, Asked } from "./messages.ts";

config({ jitless: true }); // The page forbids what is made into a program of text.

let run = new GivenRun();
const scope = self as unknown as {
  onmessage: (event: { readonly data: Asked }) => void;
  postMessage: (m: Answered) => void;
};

scope.onmessage = async ({ data: asked }) => {
  const { id } = asked;
  try {
    if (asked.ask === "lines") {
      const { path, from, count, words } = asked;
      return scope.postMessage({ id, answer: await run.lines(path, from, count, words) });
    }
    run = new GivenRun();
    const progress = (path: string, bytes: number) => scope.postMessage({ id, progress: { path, bytes } });
    scope.postMessage({ id, answer: await run.diagnose(asked.given, progress) });
  } catch (error) {
    scope.postMessage({ id, error: messageOf(error) });
  }
};
