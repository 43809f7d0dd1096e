/** Reads a Python script that makes a trainer: the arguments of its configuration and of the trainer call. @module */
import { type Call, isCall, type Keyword, type PythonValue } from "./python_builtins.ts";
import { requiredParameters } from "./python_functions.ts";
import { pythonTokens, type Token } from "./python_tokens.ts";
import { Expressions } from "./python_values.ts";
import { isRecord, isUnresolved, type Value, type Written } from "./written.ts";

/** What a script says. */
interface PythonScript {
  /** grpo, kto, …, or null where no trainer is made. */
  readonly trainer: string | null;
  readonly options: readonly Written[];
  readonly notes: readonly string[];
  /** It takes the arguments of its configuration from the command line or a file. */
  readonly parses: boolean;
  /** Its functions with the parameters that they must be given. */
  readonly functions: Readonly<Record<string, readonly string[]>>;
}

const CONFIG = /^(?:\w+\.)*(GRPO|KTO|DPO|SFT|RLOO|Reward|PPO|ORPO|CPO|OnlineDPO|GKD)Config$/;
const TRAINER = /^(?:\w+\.)*\w*?(GRPO|KTO|DPO|SFT|RLOO|Reward|PPO|ORPO|CPO|OnlineDPO|GKD)Trainer$/;
const ADAPTER = /(?:^|\.)(?:LoraConfig|get_peft_model)$/;
const SKIPPED = new Set([
  "import",
  "from",
  "assert",
  "del",
  "raise",
  "global",
  "nonlocal",
  "pass",
  "break",
  "continue",
  "@",
]);
/** Parts of a value: lists of lists of the same list grow without end. */
const MOST_PARTS = 20_000;
const MOST_NAMES = 20, LONGEST_NAME = 200;
const OPENING = new Set(["if", "elif", "else", "for", "while", "with", "try", "except", "finally", "async"]);

/** Reads a script; what cannot be evaluated stays as its text. */
export function readPython(text: string): PythonScript {
  const tokens = pythonTokens(text), scope = new Map<string, PythonValue>(), calls: Call[] = [];
  const attributes: { readonly path: string; readonly keyword: Keyword }[] = [];
  const configs = new Map<string, string>(); // classes of the script that extend a configuration
  const fields: { readonly owner: string; readonly keyword: Keyword }[] = [];
  const functions = new Map<string, readonly string[]>();
  let klass: { readonly name: string; readonly indent: number } | null = null;
  const names = (name: string) => scope.get(name);
  const expressionAt = (at: number) =>
    new Expressions(tokens, at, names, (call) => {
      calls.push(call);
      const [option] = call.positional, fallback = call.keywords.find(({ name }) => name === "default");
      if (/(?:^|\.)add_argument$/.test(call.call) && typeof option === "string" && fallback) {
        scope.set(`*.${option.replace(/^--?/, "").replaceAll("-", "_")}`, fallback.value);
      }
    });
  let at = 0;
  while (at < tokens.length) {
    const token = tokens[at]!;
    if (token.kind === "newline" || token.text === ";") {
      at++;
      continue;
    }
    if (klass !== null && token.indent <= klass.indent) klass = null;
    if (SKIPPED.has(token.text)) at = lineEnd(tokens, at);
    else if (token.text === "class") {
      const base = tokens.slice(at, at + 12).find(({ text }) => CONFIG.test(text))?.text;
      klass = { name: tokens[at + 1]?.text ?? "", indent: token.indent };
      if (base !== undefined) configs.set(klass.name, base);
      at = blockStart(tokens, at);
    } else if (token.text === "def" || token.text === "async" && tokens[at + 1]?.text === "def") {
      const own = requiredParameters(tokens, at);
      if (own !== null) functions.set(own.name, own.parameters);
      // Inside, a parameter is what the caller gives, whatever the script calls so elsewhere.
      for (const name of own?.parameters ?? []) scope.set(name, { unresolved: name });
      at = parameters(tokens, at, scope, expressionAt);
    } else if (OPENING.has(token.text)) {
      if (token.text === "for") { for (const name of loopNames(tokens, at)) scope.set(name, { unresolved: name }); }
      at = blockStart(tokens, at);
    } else {
      if (token.text === "return" || token.text === "await") at++;
      const target = assignmentTarget(tokens, at);
      const expression = expressionAt(target === null ? at : target.value);
      const value = expression.value();
      at = Math.max(expression.at, at + 1);
      if (target === null) continue;
      const keyword = { name: target.names[0]!, value, line: token.line };
      if (klass !== null) {
        const fallback = isCall(value) && /(?:^|\.)field$/.test(value.call) ? member(value, "default") : value;
        fields.push({ owner: klass.name, keyword: { ...keyword, value: fallback ?? { unresolved: "field" } } });
        if (fallback !== undefined) scope.set(`*.${keyword.name}`, fallback);
      } else if (keyword.name.includes(".")) {
        attributes.push({ path: keyword.name, keyword });
        scope.set(keyword.name, value);
      } else {for (const [i, name] of target.names.entries()) {
          scope.set(name, target.names.length > 1 && Array.isArray(value) ? value[i] ?? { unresolved: name } : value);
        }}
    }
  }
  return { ...chosen({ calls, configs, fields, attributes, scope }), functions: Object.fromEntries(functions) };
}

interface Found {
  readonly calls: readonly Call[];
  readonly configs: ReadonlyMap<string, string>;
  readonly fields: readonly { readonly owner: string; readonly keyword: Keyword }[];
  readonly attributes: readonly { readonly path: string; readonly keyword: Keyword }[];
  readonly scope: ReadonlyMap<string, PythonValue>;
}

/** The last trainer of the script, its configuration, and what is set on either. */
function chosen({ calls, configs, fields, attributes, scope }: Found): Omit<PythonScript, "functions"> {
  const trainers = calls.filter(({ call }) => TRAINER.test(call)), trainer = trainers.at(-1);
  const isConfig = ({ call }: Call) =>
    CONFIG.test(call) || configs.has(call) || /(?:^|\.)(?:\w*TrainingArguments)$/.test(call);
  const given = trainer?.keywords.find(({ name }) => name === "args" || name === "config")?.value;
  const config = isCall(given) && isConfig(given) ? given : calls.filter(isConfig).at(-1);
  const kind = (trainer && TRAINER.exec(trainer.call)?.[1]) ??
    (config && (CONFIG.exec(config.call) ?? CONFIG.exec(configs.get(config.call) ?? ""))?.[1]) ?? null;
  // A parser makes the configuration: its values stand elsewhere.
  const parses = config === undefined && calls.some(({ call }) => /(?:TrlParser|HfArgumentParser)$/.test(call));
  const notes = trainers.slice(0, -1).map(({ call, line }) =>
    `line ${line} makes another trainer, ${call}: it is not translated; give it in a file of its own`
  );
  const changed = calls.filter(({ call }) => /\.(?:map|filter|select|train_test_split|rename_columns?)$/.test(call));
  if (changed.length > 0) {
    const lines = [...new Set(changed.map(({ line }) => line))].join(", ");
    notes.push(`the script changes its data (line ${lines}): do the same to the rows of the file`);
  }
  const options = [
    ...fields.filter(({ owner }) => configs.has(owner)).map(({ keyword }) => keyword),
    ...(config?.positional.length ? [{ name: "output_dir", value: config.positional[0]!, line: config.line }] : []),
    ...config?.keywords ?? [],
    ...attributes.filter(({ path }) => ownerIs(path, config, scope)).map(({ path, keyword }) => ({
      ...keyword,
      name: path.slice(path.lastIndexOf(".") + 1),
    })),
    ...trainerOptions(trainer),
  ];
  return {
    trainer: kind?.toLowerCase().replace("onlinedpo", "online_dpo") ?? null,
    options: options.flatMap(written),
    notes,
    parses,
  };
}

/** `args.beta = 0.1` sets an option of the configuration that `args` names. */
function ownerIs(path: string, config: Call | undefined, scope: ReadonlyMap<string, PythonValue>): boolean {
  return config !== undefined && scope.get(path.slice(0, path.lastIndexOf("."))) === config;
}

/** What the trainer gets besides its configuration; a positional model too. */
function trainerOptions(trainer: Call | undefined): Keyword[] {
  if (trainer === undefined) return [];
  const named = trainer.keywords.filter(({ name }) => name !== "args" && name !== "config");
  const [model] = trainer.positional;
  return [...(model === undefined ? [] : [{ name: "model", value: model, line: trainer.line }]), ...named];
}

/** A keyword as options: adapters and models are taken apart. */
function written({ name, value, line }: Keyword): Written[] {
  if (isCall(value) && ADAPTER.test(value.call)) {
    const own = value.keywords.map((keyword) => ({
      name: `peft_config.${keyword.name}`,
      value: plain(keyword.value),
      line,
    }));
    const [base] = value.positional;
    return [
      ...(base === undefined ? [] : written({ name, value: base, line })),
      ...(own.length ? own : [{ name: "peft_config", value: value.call, line }]),
    ];
  }
  const kind = isCall(value) ? /(?:^|\.)from_(json|csv|parquet)$/.exec(value.call)?.[1] : undefined;
  if (isCall(value) && kind !== undefined) {
    const file = value.positional[0] ?? member(value, "path_or_paths") ?? { unresolved: `${value.call}(…)` };
    return [{ name, value: kind, line }, { name: `${name}.data_files`, value: plain(file), line }];
  }
  if (isCall(value) && /(?:from_pretrained|load_dataset|load_from_disk|from_list|from_dict)$/.test(value.call)) {
    const source = value.positional[0] ?? member(value, "pretrained_model_name_or_path") ??
      member(value, "model_name") ??
      member(value, "path");
    const rest = value.keywords.filter(({ name }) =>
      !["pretrained_model_name_or_path", "model_name", "path"].includes(name)
    );
    return [
      { name, value: source === undefined ? { unresolved: `${value.call}(…)` } : plain(source), line },
      ...(/load_dataset$/.test(value.call) && value.positional[1] !== undefined
        ? [{ name: `${name}.name`, value: plain(value.positional[1]), line }]
        : []),
      ...rest.map((keyword) => ({ name: `${name}.${keyword.name}`, value: plain(keyword.value), line: keyword.line })),
    ];
  }
  const whole = plain(value);
  // What the model is made with are options of their own.
  return name === "model_init_kwargs" && isRecord(whole) && !("()" in whole)
    ? Object.entries(whole).map(([key, one]) => ({ name: `${name}.${key}`, value: one, line }))
    : [{ name, value: whole, line }];
}

/** A call as a dict with its name under "()" and what stands without a name under "*". */
function plain(value: PythonValue, budget: { left: number } = { left: MOST_PARTS }): Value {
  if (--budget.left < 0) return { unresolved: "…" };
  const inner = (one: PythonValue) => plain(one, budget);
  if (isCall(value)) {
    return {
      "()": value.call,
      ...(value.positional.length ? { "*": value.positional.map(inner) } : {}),
      ...Object.fromEntries(value.keywords.map(({ name, value }) => [name, inner(value)])),
    };
  }
  if (Array.isArray(value)) return value.map(inner);
  if (typeof value !== "object" || value === null || isUnresolved(value)) return value as Value;
  return Object.fromEntries(
    Object.entries(value as Record<string, PythonValue>).map(([key, one]) => [key, inner(one)]),
  );
}

const member = (call: Call, name: string) => call.keywords.findLast((keyword) => keyword.name === name)?.value;

/** `a = `, `a.b = `, `a: int = `, `a, b = `: the names and where the value starts; null for what assigns nothing. */
function assignmentTarget(tokens: readonly Token[], from: number) {
  const names: string[] = [];
  let at = from;
  while (tokens[at]?.kind === "name" && names.length < MOST_NAMES) {
    let name = tokens[at++]!.text;
    while (tokens[at]?.text === "." && tokens[at + 1]?.kind === "name" && name.length < LONGEST_NAME) {
      name += `.${tokens[at + 1]!.text}`;
      at += 2;
    }
    names.push(name);
    if (tokens[at]?.text !== ",") break;
    at++;
  }
  if (names.length === 0) return null;
  if (tokens[at]?.text === ":") {
    let depth = 0;
    while (tokens[at] !== undefined && tokens[at]!.kind !== "newline" && (depth > 0 || tokens[at]!.text !== "=")) {
      if ("([{".includes(tokens[at]!.text)) depth++;
      if (")]}".includes(tokens[at]!.text)) depth--;
      at++;
    }
  }
  return tokens[at]?.text === "=" && tokens[at]!.kind === "operator" ? { names, value: at + 1 } : null;
}

/** `for a, b in`: names with another value each round. */
function loopNames(tokens: readonly Token[], from: number): string[] {
  const head = tokens.slice(from + 1, from + 2 * MOST_NAMES), end = head.findIndex(({ text }) => text === "in");
  return head.slice(0, Math.max(0, end)).filter(({ kind }) => kind === "name").map(({ text }) => text);
}

function lineEnd(tokens: readonly Token[], at: number): number {
  while (at < tokens.length && tokens[at]!.kind !== "newline") at++;
  return at;
}

/** Behind the colon of a block's head: what stands there is a statement. */
function blockStart(tokens: readonly Token[], from: number): number {
  let depth = 0;
  for (let at = from; at < tokens.length; at++) {
    const { kind, text } = tokens[at]!;
    if (kind === "newline") return at;
    if (kind !== "operator") continue;
    if ("([{".includes(text)) depth++;
    else if (")]}".includes(text)) depth--;
    else if (text === ":" && depth === 0) return at + 1;
  }
  return tokens.length;
}

/** Defaults of a function's parameters count as values: `def train(lr: float = 1e-6)`. */
function parameters(
  tokens: readonly Token[],
  from: number,
  scope: Map<string, PythonValue>,
  expressionAt: (at: number) => Expressions,
): number {
  const end = blockStart(tokens, from);
  for (let at = from; at < end; at++) {
    if (tokens[at]!.kind !== "name" || !["(", ","].includes(tokens[at - 1]?.text ?? "")) continue;
    const target = assignmentTarget(tokens, at);
    if (target !== null && target.value < end && target.names.length === 1) {
      scope.set(target.names[0]!, expressionAt(target.value).value());
    }
  }
  return end;
}
