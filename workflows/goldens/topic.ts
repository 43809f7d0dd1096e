/** What a topic of goldens is: which cases it takes, and how they are evaluated with the functions that steps call. @module */
import type { SafetensorsFile } from "../../data/hub/safetensors_read.ts";
import type { DType } from "../../gpu/onnx/graph.ts";
import type { GraphRunner } from "./run_graph.ts";

/** A value of a golden file, its "nan", "inf" and "-inf" as numbers. */
export type Data = null | boolean | number | string | readonly Data[] | { readonly [name: string]: Data };

/** One call of the original function: what went in, what came out (`{ error: type }` where it raised). */
export interface FormulaCase<Params = Data, Inputs = Data> {
  readonly name: string;
  readonly params: Params;
  readonly inputs: Inputs;
  readonly outputs: Data;
}

/** How near a number must be: |got - want| <= relative · |want| + absolute. */
export interface Tolerance {
  readonly relative: number;
  readonly absolute: number;
}

/** The float types that a formula is evaluated in. */
export type Float = Extract<DType, "float32" | "float64">;

/** What evaluation may need besides the case. */
export interface Tools {
  /** The type that graphs must compute in this time. */
  readonly dtype: Float;
  readonly graphs: GraphRunner;
}

/** A formula of the goldens' first schema: JSON with `cases` of name, params, inputs and outputs. */
export interface FormulaTopic<Params = Data, Inputs = Data> {
  /** One line: what is computed, by which of our functions. */
  readonly about: string;
  /** By file, without ".json": whether the case is this topic's. No case may be two topics'. */
  readonly takes: Readonly<Record<string, (golden: FormulaCase) => boolean>>;
  /** True where the formula is a graph: it is evaluated in float32 as well. */
  readonly graph?: true;
  /** True where inputs are texts, in which "nan" is no number. */
  readonly texts?: true;
  /** Outputs by the goldens' names; more than the case has are not looked at. Throws where the original raises. */
  evaluate(golden: FormulaCase<Params, Inputs>, tools: Tools): unknown;
  /** By output: 0 where an element is a leftover that nobody reads (padding), in the shape of the output. */
  counted?(golden: FormulaCase<Params, Inputs>): Readonly<Record<string, Data>>;
}

/** Identity that forgets the types of one topic's cases: they are those of its file, which the comparison then proves. */
export function defineTopic<Params, Inputs>(topic: FormulaTopic<Params, Inputs>): FormulaTopic {
  return topic as unknown as FormulaTopic;
}

/** One number, or list of them, that a program of the second schema gave. */
export interface Check {
  /** Which one, e.g. `logprobs`. */
  readonly name: string;
  readonly want: Data | ArrayLike<number>;
  readonly got: unknown;
  readonly tolerance: Tolerance;
}

interface TorchCase {
  readonly name: string;
  checks(): Promise<readonly Check[]> | readonly Check[];
}

/** A file of the goldens' second schema, and where what it names lies. */
export interface TorchFile {
  /** Without ".json". */
  readonly name: string;
  readonly document: Readonly<Record<string, unknown>>;
  /** The document of another file in the same folder, without ".json". */
  readonly beside: (name: string) => Readonly<Record<string, unknown>>;
  /** The tensors of the file that `tensors` names, or of another one beside it. */
  readonly tensors: (name?: string) => SafetensorsFile;
  /** The folder of a model that the document names. RangeError where it is not there. */
  readonly model: (named: string) => string;
}

/** Values of a program of the second schema (whole models, optimizers, tokenizers): every file has a form of its own. */
export interface TorchTopic {
  readonly about: string;
  /** By the file's name, without ".json". */
  readonly takes: (file: string) => boolean;
  cases(file: TorchFile): Promise<readonly TorchCase[]> | readonly TorchCase[];
}
