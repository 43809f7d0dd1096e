/** Jinja as Python runs it, where npm:@huggingface/jinja 0.5.11 writes another text: values, operators, methods, filters. @module */
import { Environment, Interpreter } from "@huggingface/jinja";
import { messageOf } from "../../error_text.ts";
import { operated } from "./python_operators.ts";
import {
  CHOOSING,
  chosen,
  hasCase,
  itemsOf,
  loopItems,
  OF_ITEMS,
  OF_TEXTS,
  refuseUndefined,
  uniqueItems,
} from "./python_filters.ts";
import { capitalized, decimalOf, stripped, titleCased, titled } from "./python_text.ts";
import { floatValue, isNumber, jsonText, kind, listOf, type Value, valueOf, written } from "./python_values.ts";
import { TemplateBudget } from "./template_budget.ts";
import { markedLine, TemplateFault } from "./template_program.ts";

interface Node {
  readonly type: string;
  readonly value?: unknown;
}

interface Member extends Node {
  readonly object: Node;
  readonly property: Node;
  readonly computed: boolean;
}

interface Binary extends Node {
  readonly operator: { readonly value: string };
  readonly left: Node;
  readonly right: Node;
}

interface Loop extends Node {
  readonly iterable: Node & { readonly lhs?: Node };
}

interface Call extends Node {
  readonly callee: Node;
  readonly args: readonly (Node & { readonly key?: Node })[];
}

/** Nodes that write nothing themselves where they give null. */
const SILENT: readonly string[] = [
  "Set",
  "Macro",
  "If",
  "For",
  "Comment",
  "Break",
  "Continue",
  "CallStatement",
  "FilterStatement",
];

/** Filters that write all that a value holds, and those that look at none of it. */
const WRITING: readonly string[] = ["tojson", "string", "join"];
const AT_ONCE: readonly string[] = ["length", "count", "first", "last", "default", "d"];

/** A node of ours: what it holds is the value. */
const EVALUATED = "Evaluated";

/** The parts of the library's interpreter that it keeps to itself; its class has them under these names. */
const Base = Interpreter as unknown as new (environment: Environment) => {
  run(program: unknown): Value;
  evaluate(node: Node | undefined, environment: Environment): Value;
  evaluateBinaryExpression(node: Binary, environment: Environment): Value;
  evaluateMemberExpression(node: Member, environment: Environment): Value;
  evaluateFor(node: Loop, environment: Environment): Value;
  applyFilter(operand: Value, filter: Node, environment: Environment): Value;
};

class PythonInterpreter extends Base {
  readonly #budget: TemplateBudget;
  /** Of the tag that was reached last. */
  line: number | null = null;

  constructor(environment: Environment, budget: TemplateBudget) {
    super(environment);
    this.#budget = budget;
  }

  /** The text of a block: what stands in it as Python's str has it. */
  evaluateBlock(statements: readonly Node[], environment: Environment): Value {
    let text = "";
    this.#budget.spend(1);
    for (const statement of statements) {
      const found = this.evaluate(statement, environment);
      this.#budget.walked(found);
      if (found.type !== "NullValue" || !SILENT.includes(statement.type)) text += written(found);
    }
    return valueOf(text);
  }

  override evaluateBinaryExpression(node: Binary, environment: Environment): Value {
    const operator = node.operator.value;
    if (operator === "and" || operator === "or") return super.evaluateBinaryExpression(node, environment);
    const left = this.evaluate(node.left, environment), right = this.evaluate(node.right, environment);
    this.#budget.walked(left);
    this.#budget.walked(right);
    const value = (value: Value) => ({ type: EVALUATED, value });
    return operated(operator, left, right) ??
      super.evaluateBinaryExpression({ ...node, left: value(left), right: value(right) }, environment);
  }

  /** Behind a dot a method stands before a key: a schema may have the key "items". Texts are counted by code points. */
  override evaluateMemberExpression(node: Member, environment: Environment): Value {
    const object = this.evaluate(node.object, environment);
    const name = !node.computed && node.property.type === "Identifier" ? String(node.property.value) : null;
    refuseUndefined(object, name ?? "[…]");
    if (name === "length" && object.type !== "ObjectValue") return valueOf(undefined); // JavaScript's
    const method = name === null ? undefined : object.builtins.get(name);
    if (object.type === "ObjectValue" && method !== undefined) return method;
    if (object.type === "StringValue") {
      this.#budget.made(object);
      const text = String(object.value);
      if (name !== null && /^[lr]?strip$/.test(name)) {
        return valueOf((characters?: string | null) => stripped(text, characters ?? null, name));
      }
      if (name === "title") return valueOf(() => titleCased(text));
      if (name === "capitalize") return valueOf(() => capitalized(text));
      if (node.computed && node.property.type !== "SliceExpression") {
        const at = this.evaluate(node.property, environment);
        if (at.type === "IntegerValue") return valueOf(Array.from(text).at(at.value as number));
      }
    }
    return super.evaluateMemberExpression({ ...node, object: { type: EVALUATED, value: object } }, environment);
  }

  override evaluate(node: Node | undefined, environment: Environment): Value {
    if (node?.type === EVALUATED) return node.value as Value;
    if (node?.type === "Comment") this.line = markedLine(node.value) ?? this.line;
    this.#budget.spend(1);
    const found = super.evaluate(node, environment);
    // What has a name was made before.
    if (node?.type !== "Identifier" && node?.type !== "MemberExpression") this.#budget.made(found);
    return found;
  }

  override evaluateFor(node: Loop, environment: Environment): Value {
    const { iterable } = node, isSelect = iterable.type === "SelectExpression";
    const list = loopItems(this.evaluate(isSelect ? iterable.lhs : iterable, environment));
    this.#budget.made(list);
    const given = { type: EVALUATED, value: list };
    return super.evaluateFor({ ...node, iterable: isSelect ? { ...iterable, lhs: given } : given }, environment);
  }

  override applyFilter(given: Value, filter: Node, environment: Environment): Value {
    return this.#filtered(given, filter, environment) ?? valueOf(undefined);
  }

  #filtered(given_: Value, filter: Node, environment: Environment): Value {
    const call = filter.type === "CallExpression" ? filter as Call : null, named = call ? call.callee : filter;
    const name = named.type === "Identifier" ? String(named.value) : "", nodes = call?.args ?? [];
    const operand = this.#asTaken(given_, name);
    if (WRITING.includes(name)) this.#budget.walked(operand);
    else if (!AT_ONCE.includes(name)) this.#budget.made(operand);
    const positional = nodes.filter(({ type }) => !/Keyword|Spread/.test(type));
    const given = () => {
      if (positional.length < nodes.length) throw new TypeError(`filter ${name} has arguments that are not read here`);
      return positional.map((node) => this.evaluate(node, environment));
    };
    const text = operand.type === "StringValue" ? String(operand.value) : null;
    if (CHOOSING.includes(name) && isList(operand)) return chosen(name, operand.value, given(), TESTS);
    if (name === "unique" && isList(operand) && nodes.length === 0) return uniqueItems(operand.value);
    if (name === "map" && isList(operand) && nodes.length > 0 && positional.length === nodes.length) {
      const [word, ...args] = nodes, callee = { type: "Identifier", value: written(this.evaluate(word, environment)) };
      const each = { type: "CallExpression", callee, args };
      return listOf(operand.value.map((item) => this.applyFilter(item, args.length > 0 ? each : callee, environment)));
    }
    switch (name) {
      case "tojson":
        return valueOf(jsonText(operand, this.#jsonStyle(nodes, environment)));
      case "string":
        return valueOf(written(operand));
      case "join": {
        const parts = text !== null ? Array.from(text) : isList(operand) ? operand.value.map(written) : null;
        if (parts === null) break;
        const [separator] = given();
        return valueOf(parts.join(separator ? written(separator) : ""));
      }
      case "int":
      case "float": {
        if (text === null && !isNumber(operand)) break;
        const [otherwise] = given(), found = text === null ? Number(operand.value) : decimalOf(text);
        if (found === null) return otherwise ?? (name === "int" ? valueOf(0) : floatValue(0));
        return name === "int" ? valueOf(Math.trunc(found) + 0) : floatValue(found);
      }
    }
    if (text !== null) {
      if (name === "length" || name === "count") return valueOf(Array.from(text).length);
      if (name === "capitalize") return valueOf(capitalized(text));
      if (name === "title") return valueOf(titled(text));
      if (name === "trim") return valueOf(stripped(text, given()[0]?.value as string | undefined ?? null, "strip"));
    }
    return super.applyFilter(operand, filter, environment);
  }

  /** A filter of texts takes what str writes, one of lists a text's characters, and nothing where nothing is there. */
  #asTaken(value: Value, name: string): Value {
    if (OF_TEXTS.includes(name)) return value.type === "StringValue" ? value : valueOf(written(value));
    const isNothing = value.type === "UndefinedValue" || (value.type === "NullValue" && CHOOSING.includes(name));
    if (isNothing && [...OF_ITEMS, "length", "count", "join"].includes(name)) return listOf([]);
    return OF_ITEMS.includes(name) && ["StringValue", "ObjectValue", "TupleValue"].includes(value.type)
      ? listOf(itemsOf(value)!)
      : value;
  }

  /** What `tojson` of transformers is told by name. */
  #jsonStyle(nodes: Call["args"], environment: Environment) {
    const style = { indent: null as number | null, ascii: false, sorted: false, separators: null as string[] | null };
    for (const node of nodes) {
      if (node.type !== "KeywordArgumentExpression") throw new TypeError("tojson has arguments without a name");
      const value = this.evaluate(node.value as Node, environment), key = String(node.key!.value);
      const name = { indent: "indent", ensure_ascii: "ascii", sort_keys: "sorted", separators: "separators" }[key];
      if (name === undefined) throw new TypeError(`tojson knows no argument ${key}`);
      Object.assign(style, { [name]: isList(value) ? value.value.map(written) : value.value ?? null });
    }
    if (typeof style.indent !== "number" && style.indent !== null) throw new TypeError("tojson's indent is no number");
    const [item = style.indent === null ? ", " : ",", key = ": "] = style.separators ?? [];
    return { ...style, separators: [item, key] as const };
  }
}

const isList = (value: Value): value is Value & { readonly value: Value[] } =>
  value.type === "ArrayValue" || value.type === "TupleValue";

const isSequence = (value: Value) => isList(value) || ["StringValue", "ObjectValue"].includes(value.type);

/** The library's tests that say something else than Python's. */
const TESTS = (Environment as unknown as { TESTS: Map<string, (a: Value, b: Value) => boolean> }).TESTS;
const COMPARED: Readonly<Record<string, readonly string[]>> = {
  "==": ["==", "eq", "equalto"],
  "!=": ["!=", "ne"],
  "<": ["<", "lt", "lessthan"],
  "<=": ["<=", "le"],
  ">": [">", "gt", "greaterthan"],
  ">=": [">=", "ge"],
  in: ["in"],
};
for (const [operator, names] of Object.entries(COMPARED)) {
  for (const name of names) {
    TESTS.set(name, (a: Value, b: Value | undefined) => {
      const found = b === undefined ? null : operated(operator, a, b);
      if (found === null) throw new TypeError(`a test ${name} has nothing that it can compare with`);
      return found.value as boolean;
    });
  }
}
TESTS.set("number", isNumber);
TESTS.set("iterable", (value) => isList(value) || /^(?:String|Object|Undefined)/.test(value.type));
for (const name of ["sequence", "callable"]) {
  const own = TESTS.get(name);
  TESTS.set(
    name,
    (value, other) => value.type === "UndefinedValue" || (name === "sequence" ? isSequence(value) : own!(value, other)),
  );
}
TESTS.set("lower", (value) => hasCase(written(value), "toLowerCase"));
TESTS.set("upper", (value) => hasCase(written(value), "toUpperCase"));
TESTS.set("odd", (value) => Math.abs(parity(value)) === 1);
TESTS.set("even", (value) => parity(value) === 0);

function parity(value: Value): number {
  if (!isNumber(value)) throw new TypeError(`it asks whether a ${kind(value)} value is odd or even, want a number`);
  return Number(value.value) % 2;
}

/** Runs a parsed template with variables. Throws a TemplateFault, also where it would not end. */
export function runTemplate(
  program: unknown,
  variables: Readonly<Record<string, unknown>>,
  budget = new TemplateBudget(),
): string {
  const environment = new Environment();
  for (const [name, value] of Object.entries(variables)) environment.set(name, value);
  const interpreter = new PythonInterpreter(environment, budget);
  try {
    return String(interpreter.run(program).value);
  } catch (cause) {
    const message = messageOf(cause), isDeep = /call stack size/.test(message);
    throw new TemplateFault(isDeep ? "a macro of it calls itself without an end" : message, interpreter.line, {
      cause,
    });
  }
}
