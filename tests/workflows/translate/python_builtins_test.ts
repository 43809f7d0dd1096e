import assert from "node:assert/strict";
import { type Call, combined, evaluated, isCall, UNKNOWN } from "../../../workflows/translate/python_builtins.ts";

const call = (name: string, ...positional: Call["positional"]): Call => ({
  call: name,
  positional,
  keywords: [],
  line: 1,
});

Deno.test("combined() computes with numbers, joins texts and lists, and is unknown else", () => {
  assert.deepEqual([combined("**", 2, -3), combined("//", 7, 2), combined("%", -1, 3), combined("+", "a", "b")], [
    0.125,
    3,
    2,
    "ab",
  ]);
  assert.deepEqual(combined("*", [1], 3), [1, 1, 1]);
  assert.deepEqual([combined("/", 1, 0), combined("+", 1, "a"), combined("@", 1, 2)], [UNKNOWN, UNKNOWN, UNKNOWN]);
});

Deno.test("evaluated() knows plain calls and leaves the others", () => {
  assert.deepEqual([evaluated(call("float", "1e-6")), evaluated(call("int", 2.7)), evaluated(call("max", 1, 4))], [
    1e-6,
    2,
    4,
  ]);
  assert.deepEqual([evaluated(call("os.environ.get", "A", "b")), evaluated(call("os.environ.get", "A"))], [
    "b",
    UNKNOWN,
  ]);
  assert(isCall(evaluated(call("LoraConfig"))) && !isCall({}));
});
