/** Jinja as Python runs it, where npm:@huggingface/jinja 0.5.11 writes another text: values in the output, keys named as methods, two filters. @module */
import { Environment, Interpreter } from "@huggingface/jinja";

/** A value of the interpreter, as far as it is looked at. */
interface Value {
  readonly type: string;
  readonly value: unknown;
  readonly builtins: ReadonlyMap<string, Value>;
  toString(): string;
}

interface Node {
  readonly type: string;
  readonly value?: unknown;
}

interface Member extends Node {
  readonly object: Node;
  readonly property: Node;
  readonly computed: boolean;
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

/** A node of ours: what it holds is the value. */
const EVALUATED = "Evaluated";

/** The parts of the library's interpreter that it keeps to itself; its class has them under these names. */
const Base = Interpreter as unknown as new (environment: Environment) => {
  run(program: unknown): Value;
  evaluate(node: Node | undefined, environment: Environment): Value;
  evaluateMemberExpression(node: Member, environment: Environment): Value;
  applyFilter(operand: Value, filter: Node, environment: Environment): Value;
};

class PythonInterpreter extends Base {
  /** The text of a block: what stands in it as Python's str has it. */
  evaluateBlock(statements: readonly Node[], environment: Environment): Value {
    let text = "";
    for (const statement of statements) {
      const found = this.evaluate(statement, environment);
      if (found.type === "NullValue" ? !SILENT.includes(statement.type) : found.type !== "UndefinedValue") {
        text += written(found);
      }
    }
    return textValue(text);
  }

  /** Behind a dot a method stands before a key: a schema may have the key "items". */
  override evaluateMemberExpression(node: Member, environment: Environment): Value {
    if (!node.computed && node.property.type === "Identifier") {
      const object = this.evaluate(node.object, environment), method = object.builtins.get(String(node.property.value));
      if (object.type === "ObjectValue" && method !== undefined) return method;
      return super.evaluateMemberExpression({ ...node, object: { type: EVALUATED, value: object } }, environment);
    }
    return super.evaluateMemberExpression(node, environment);
  }

  override evaluate(node: Node | undefined, environment: Environment): Value {
    return node?.type === EVALUATED ? node.value as Value : super.evaluate(node, environment);
  }

  override applyFilter(operand: Value, filter: Node, environment: Environment): Value {
    const name = filter.type === "Identifier" ? filter.value : null;
    if (operand.type === "StringValue" && name === "capitalize") return textValue(capitalized(String(operand.value)));
    if (operand.type === "StringValue" && name === "title") return textValue(titled(String(operand.value)));
    return super.applyFilter(operand, filter, environment);
  }
}

/** A text as a value; only an environment makes one. */
const textValue = (text: string) => new Environment().set("text", text) as unknown as Value;

const capitalized = (text: string) =>
  text.replace(/^./su, (first) => first.toUpperCase()).replace(/(?<=^.).*/su, (rest) => rest.toLowerCase());
/** Jinja's: each part behind white space, "-" or a bracket. */
const titled = (text: string) => text.split(/([-\s({[<]+)/u).map(capitalized).join("");

/** Python's str of a value. */
function written(value: Value): string {
  switch (value.type) {
    case "BooleanValue":
      return value.value ? "True" : "False";
    case "NullValue":
      return "None";
    case "ArrayValue":
      return `[${(value.value as Value[]).map(quoted).join(", ")}]`;
    case "TupleValue": {
      const items = (value.value as Value[]).map(quoted);
      return items.length === 1 ? `(${items[0]},)` : `(${items.join(", ")})`;
    }
    case "ObjectValue":
      return `{${
        [...value.value as Map<string, Value>].map(([key, item]) => `${quotedText(key)}: ${quoted(item)}`).join(", ")
      }}`;
  }
  return value.toString();
}

/** Python's repr. */
const quoted = (value: Value) => value.type === "StringValue" ? quotedText(String(value.value)) : written(value);

function quotedText(text: string): string {
  const quote = text.includes("'") && !text.includes('"') ? '"' : "'";
  const inner = text.replaceAll("\\", "\\\\").replaceAll("\n", "\\n").replaceAll("\r", "\\r").replaceAll("\t", "\\t");
  return quote + (quote === "'" ? inner.replaceAll("'", "\\'") : inner) + quote;
}

/** Runs a parsed template with variables. */
export function runTemplate(program: unknown, variables: Readonly<Record<string, unknown>>): string {
  const environment = new Environment();
  for (const [name, value] of Object.entries(variables)) environment.set(name, value);
  return String(new PythonInterpreter(environment).run(program).value);
}
