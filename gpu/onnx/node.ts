/** What a node of the graph is: an op, its inputs, its attributes. @module */
import type { OpType } from "./ops.ts";
import type { Value } from "./value.ts";

/** An integer, a list of integers, a string, or a float (marked, because 1 is both). */
export type Attribute = number | readonly number[] | string | { readonly float: number };
export type Attributes = Readonly<Record<string, Attribute>>;

export interface Node {
  readonly op: OpType;
  readonly inputs: readonly (Value | null)[];
  readonly attributes: Attributes;
  readonly outputs: readonly Value[];
  /** Position in the graph: inputs always come from smaller positions. */
  readonly index: number;
}

export interface MatMulOptions {
  readonly transposeA?: boolean;
  readonly transposeB?: boolean;
  /** Factor on the product. */
  readonly alpha?: number;
}
