import assert from "node:assert/strict";
import { isOfWorker, warns } from "../../../../../data/adapters/post/text/program_lines.ts";

Deno.test("warns() is true of warnings and errors of programs, isOfWorker() of lines of Ray", () => {
  for (const text of ["UserWarning: x", "torch.cuda.OutOfMemoryError: x", "[WARNING] x", "trainable params: 0"]) {
    assert(warns(text), text);
  }
  assert(!warns("I get a warning: what is it?"));
  assert(isOfWorker("(WorkerDict pid=12) x") && isOfWorker("[repeated 7x across cluster]"));
  assert(!isOfWorker("the worker (pid 12) died"));
});
