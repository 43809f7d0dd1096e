/** Operators of a chat template as Python has them, where JavaScript's would give another value. @module */
import {
  contains,
  equal,
  floatValue,
  integerText,
  isNumber,
  kind,
  type Value,
  valueOf,
  written,
} from "./python_values.ts";

/** The value of an operator, neither `and` nor `or`; null where the library's is Python's or a refusal. */
export function operated(operator: string, left: Value, right: Value): Value | null {
  switch (operator) {
    case "==":
      return valueOf(equal(left, right));
    case "!=":
      return valueOf(!equal(left, right));
    case "in":
      return valueOf(contains(right, left));
    case "not in":
      return valueOf(!contains(right, left));
    case "~":
      return valueOf(written(left) + written(right));
    case "+":
      // JavaScript puts anything behind a text.
      if ((left.type === "StringValue") !== (right.type === "StringValue")) {
        throw new TypeError(`it adds a ${kind(left)} to a ${kind(right)}, want two texts: write ~ for +`);
      }
      if ([left.type, right.type].includes("TupleValue")) throw new TypeError("it adds tuples, want lists");
  }
  return isNumber(left) && isNumber(right) ? arithmetic(operator, left, right) : null;
}

/** Arithmetic of integers and floats; truth values are integers. */
function arithmetic(operator: string, left: Value, right: Value): Value | null {
  const a = Number(left.value), b = Number(right.value), isFloat = [left.type, right.type].includes("FloatValue");
  const number = (value: number) => isFloat ? floatValue(value) : exact(value);
  if (["/", "//", "%"].includes(operator) && b === 0) throw new RangeError("it divides by zero");
  switch (operator) {
    case "+":
      return number(a + b);
    case "-":
      return number(a - b);
    case "*":
      return number(a * b);
    case "/":
      return floatValue(a / b);
    case "//":
      return number(Math.floor(a / b));
    case "%": {
      // The sign is the divisor's.
      const rest = a % b;
      return number(rest === 0 ? (b < 0 ? -0 : 0) : (rest < 0) === (b < 0) ? rest : rest + b);
    }
    case "<":
      return valueOf(a < b);
    case ">":
      return valueOf(a > b);
    case "<=":
      return valueOf(a <= b);
    case ">=":
      return valueOf(a >= b);
  }
  return null;
}

/** An integer of which every digit is known. */
function exact(value: number): Value {
  integerText(value + 0);
  return valueOf(value + 0);
}
