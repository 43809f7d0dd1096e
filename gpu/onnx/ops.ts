/**
 * Every ONNX op we emit: its shape rule and, beside it, its gradient rule.
 *
 * A gradient rule receives `dy` = dL/dy and returns dL/dx for each input, `null` where no gradient flows.
 * Rules ignore broadcasting: `gradients()` sums each dx to its input's shape. Longer rules are in derivatives.ts.
 * @module
 */
import * as blocks from "./block_quantized.ts";
import * as d from "./derivatives.ts";
import type { GradientRule } from "./derivatives.ts";
import * as rules from "./infer.ts";

export interface OpDefinition {
  readonly infer: rules.Infer;
  /** `null`: the op is not differentiable and blocks the gradient. */
  readonly gradient: GradientRule | null;
  /** "com.microsoft" for ONNX Runtime's own ops; the standard domain where absent. */
  readonly domain?: string;
  /** The ONNX op written to the model where our name differs. */
  readonly onnx?: string;
  /** Outputs nobody reads may be left out of the model. */
  readonly optionalOutputs?: true;
  /** The rule only multiplies and adds elementwise, so dy may stay unexpanded where a broadcast does the same. */
  readonly pointwise?: true;
}

const { broadcast, compare, same } = rules;
const pointwise = true, optionalOutputs = true, domain = "com.microsoft";

export const OPS = {
  // ***** elementwise, binary *****
  Add: { infer: broadcast, pointwise, gradient: ({ dy }) => [dy, dy] },
  Sub: { infer: broadcast, pointwise, gradient: ({ dy }) => [dy, dy.neg()] },
  Mul: { infer: broadcast, pointwise, gradient: ({ dy }, a, b) => [dy.mul(b!), dy.mul(a!)] },
  Div: { infer: broadcast, pointwise, gradient: ({ dy, y }, _a, b) => [dy.div(b!), dy.div(b!).mul(y).neg()] },
  Pow: { infer: rules.power, pointwise, gradient: d.pow },
  Min: { infer: broadcast, gradient: d.min },
  Max: { infer: broadcast, gradient: d.max },
  // ***** elementwise, unary *****
  Neg: { infer: same, pointwise, gradient: ({ dy }) => [dy.neg()] },
  Exp: { infer: same, pointwise, gradient: ({ dy, y }) => [dy.mul(y)] },
  Log: { infer: same, pointwise, gradient: ({ dy }, x) => [dy.div(x!)] },
  Sqrt: { infer: same, pointwise, gradient: ({ dy, y }) => [dy.mul(0.5).div(y)] },
  Abs: { infer: same, pointwise, gradient: ({ dy }, x) => [dy.mul(x!.sign())] },
  Reciprocal: { infer: same, pointwise, gradient: ({ dy, y }) => [dy.mul(y.mul(y).neg())] },
  Sigmoid: { infer: same, pointwise, gradient: ({ dy, y }) => [dy.mul(y.sub(y.mul(y)))] },
  Tanh: { infer: same, pointwise, gradient: ({ dy, y }) => [dy.mul(y.mul(y).neg().add(1))] },
  Erf: { infer: same, pointwise, gradient: d.erf },
  QuickGelu: { domain, infer: same, pointwise, gradient: d.quickGelu },
  FastGelu: { domain, infer: same, pointwise, gradient: d.fastGelu },
  Clip: { infer: same, gradient: ({ dy, y }, x) => [x!.equal(y).where(dy, 0), null, null] },
  Cast: { infer: rules.cast, gradient: d.cast },
  Identity: { infer: same, pointwise, gradient: ({ dy }) => [dy] },
  // ***** selection *****
  Where: { infer: rules.where, gradient: ({ dy }, c) => [null, c!.where(dy, 0), c!.where(0, dy)] },
  // ***** linear algebra *****
  MatMul: { infer: rules.matmul, gradient: d.matmul },
  FusedMatMul: { domain, infer: rules.matmul, gradient: d.matmul },
  Gemm: { infer: rules.gemm, gradient: d.gemm },
  MatMulNBits: { domain, infer: blocks.matmulNBits, gradient: blocks.matmulNBitsGradient },
  // ***** reductions *****
  ReduceSum: { infer: rules.reduce, gradient: d.reduceSum },
  ReduceMean: { infer: rules.reduce, gradient: d.reduceMean },
  ReduceMax: { infer: rules.reduce, gradient: d.reduceMax },
  ReduceSumSquare: { infer: rules.reduce, gradient: d.reduceSumSquare },
  CumSum: { infer: same, gradient: d.cumsum },
  Softmax: { infer: same, gradient: d.softmax },
  LogSoftmax: { infer: same, gradient: d.logSoftmax },
  TopK: { infer: rules.topK, gradient: d.topK },
  // ***** movement *****
  Transpose: { infer: rules.transpose, gradient: d.transpose },
  Reshape: {
    infer: rules.reshape,
    gradient: ({ dy }, x, shape) => [dy.reshape(x!.shape, { concealed: x!.graph.concealed.has(shape!) }), null],
  },
  Expand: { infer: rules.expand, gradient: ({ dy }) => [dy, null] },
  Concat: { infer: rules.concat, gradient: d.concat },
  Split: { infer: rules.split, gradient: d.split },
  Slice: { infer: rules.slice, gradient: d.slice },
  Pad: { infer: rules.pad, gradient: d.pad },
  // ***** look-up *****
  Gather: { infer: rules.gather, gradient: d.gather },
  GatherElements: {
    infer: rules.gatherElements,
    gradient: ({ dy, attributes }, x, indices) => [
      d.zerosLike(x!).scatterElements(indices!, dy, rules.int(attributes, "axis")),
      null,
    ],
  },
  GatherND: { infer: rules.gatherND, gradient: d.gatherND },
  ScatterElements: {
    infer: same,
    gradient: ({ dy, attributes }, _x, at) => [dy, null, dy.gatherElements(at!, rules.int(attributes, "axis"))],
  },
  ScatterND: { infer: same, gradient: ({ dy }, _x, at) => [dy, null, dy.gatherND(at!)] },
  // ***** transformer *****
  SimplifiedLayerNormalization: { infer: rules.rmsNorm, optionalOutputs, gradient: d.rmsNorm },
  RotaryEmbedding: {
    domain,
    infer: rules.rotary,
    gradient: ({ dy }, _x, positions, cos, sin) => [dy.rotary(positions!, cos!, sin!.neg()), null, null, null],
  },
  // ***** not differentiable *****
  StopGradient: { infer: same, onnx: "Identity", gradient: null },
  Greater: { infer: compare, gradient: null },
  GreaterOrEqual: { infer: compare, gradient: null },
  Less: { infer: compare, gradient: null },
  LessOrEqual: { infer: compare, gradient: null },
  Equal: { infer: compare, gradient: null },
  And: { infer: compare, gradient: null },
  Or: { infer: compare, gradient: null },
  IsNaN: { infer: rules.bool, gradient: null },
  IsInf: { infer: rules.bool, gradient: null },
  Sign: { infer: same, gradient: null },
  ArgMax: { infer: rules.argMax, gradient: null },
  ConstantOfShape: { infer: rules.constantOfShape, gradient: null },
  GatherBlockQuantized: { domain, infer: blocks.gatherBlockQuantized, gradient: null },
  // ***** inference only *****
  SkipSimplifiedLayerNormalization: { domain, infer: rules.skipRmsNorm, optionalOutputs, gradient: null },
  GroupQueryAttention: { domain, infer: rules.groupQueryAttention, gradient: null },
} satisfies Record<string, OpDefinition>;

export type OpType = keyof typeof OPS;

/** The ops that have a gradient rule; a test case is required for each. */
export type DifferentiableOp = {
  [Op in OpType]: (typeof OPS)[Op]["gradient"] extends null ? never : Op;
}[OpType];
