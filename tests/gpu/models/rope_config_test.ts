import assert from "node:assert/strict";
import {
  readRopes,
  type Rope,
  ropeDictionary,
  type RopeFamily,
  sectionsOf,
  writeRopes,
} from "../../../gpu/models/rope_config.ts";

const SIZES = { maxPositions: 64, rotaryDim: 4 };
const LONG = { short_factor: [1, 2], long_factor: [3, 4] };

/** Of a model whose positions have one axis. */
function writtenRopes(ropes: { readonly rope: Rope; readonly localRope: Rope | null }, family: RopeFamily) {
  return writeRopes({ ...ropes, mropeSection: null }, family);
}

function read(json: Record<string, unknown>, family: RopeFamily = {}) {
  return readRopes({ rope_theta: 100, ...json }, family, SIZES);
}

Deno.test("ropeDictionary() is rope_scaling where that holds something, else rope_parameters", () => {
  const rope_parameters = { rope_type: "default" }, rope_scaling = { type: "linear", factor: 2 };
  assert.equal(ropeDictionary({ rope_parameters, rope_scaling }), rope_scaling);
  assert.equal(ropeDictionary({ rope_parameters, rope_scaling: null }), rope_parameters);
  assert.equal(ropeDictionary({ rope_parameters, rope_scaling: {} }), rope_parameters);
  assert.deepEqual(ropeDictionary({}), {});
});

Deno.test("a rope that is no object is refused, and truncate is what transformers takes it for", () => {
  for (const rope_scaling of ["linear", 4, true, [1]]) {
    assert.throws(() => ropeDictionary({ rope_scaling }), /"rope_scaling" is .*, want an object/);
  }
  assert.throws(() => ropeDictionary({ rope_parameters: "yarn" }), /"rope_parameters" is "yarn", want an object/);
  const yarn = { rope_type: "yarn", factor: 2, original_max_position_embeddings: 16 };
  const truncate = (value: unknown) => {
    const { scaling } = read({ rope_scaling: { ...yarn, truncate: value } }).rope;
    return scaling?.type === "yarn" && scaling.truncate;
  };
  assert.deepEqual([truncate(undefined), truncate(null), truncate(false)], [true, false, false]);
  assert.throws(() => truncate(0), /"truncate" is 0, want true or false/);
});

Deno.test("readRopes() takes theta of the dictionary before that beside it", () => {
  assert.deepEqual(read({}).rope, { theta: 100, scaling: null });
  assert.deepEqual(read({ rope_parameters: { rope_theta: 7, rope_type: "default" } }).rope, {
    theta: 7,
    scaling: null,
  });
});

for (
  const [what, json, scaling] of [
    ["linear", { type: "linear", factor: 2 }, { type: "linear", factor: 2 }],
    ["dynamic", { rope_type: "dynamic", factor: 2 }, { type: "dynamic", factor: 2 }],
    ["yarn by its defaults", { rope_type: "yarn", factor: 1, original_max_position_embeddings: 16 }, {
      type: "yarn",
      factor: 1,
      attentionFactor: 1,
      betaFast: 32,
      betaSlow: 1,
      originalPositions: 16,
      truncate: true,
    }],
    ["yarn without a factor: that of its contexts", { rope_type: "yarn", original_max_position_embeddings: 16 }, {
      type: "yarn",
      factor: 4,
      attentionFactor: 0.1 * Math.log(4) + 1,
      betaFast: 32,
      betaSlow: 1,
      originalPositions: 16,
      truncate: true,
    }],
    ["yarn with mscale", { rope_type: "yarn", factor: 4, mscale: 2, mscale_all_dim: 1, truncate: false }, {
      type: "yarn",
      factor: 4,
      attentionFactor: (0.2 * Math.log(4) + 1) / (0.1 * Math.log(4) + 1),
      betaFast: 32,
      betaSlow: 1,
      originalPositions: 64,
      truncate: false,
    }],
    ["longrope", { rope_type: "longrope", original_max_position_embeddings: 16, ...LONG }, {
      type: "longrope",
      shortFactors: [1, 2],
      longFactors: [3, 4],
      attentionFactor: Math.sqrt(1 + Math.log(4) / Math.log(16)),
      originalPositions: 16,
    }],
  ] as const
) {
  Deno.test(`readRopes() reads ${what}, and writtenRopes() writes it so that it is read again`, () => {
    const ropes = read({ rope_scaling: json });
    assert.deepEqual(ropes, { rope: { theta: 100, scaling }, localRope: null });
    assert.deepEqual(read(writtenRopes(ropes, {})), ropes);
  });
}

Deno.test("readRopes() of a family with aliases and the original context outside (phi3)", () => {
  const family: RopeFamily = { types: ["default", "longrope"], aliases: { su: "longrope" }, originalOutside: true };
  // transformers writes it in both places; the one outside holds.
  const rope_scaling = { type: "su", original_max_position_embeddings: 8, ...LONG };
  const json = { rope_scaling, original_max_position_embeddings: 32 };
  const ropes = read(json, family);
  assert.equal(ropes.rope.scaling?.type, "longrope");
  assert.equal(ropes.rope.scaling.originalPositions, 32);
  const written = writtenRopes(ropes, family);
  assert.equal(written.original_max_position_embeddings, 32);
  assert.deepEqual(read(written, family), ropes);
  assert.throws(() => read({ rope_scaling: { type: "linear", factor: 2 } }, family), /rope type "linear"/);
});

Deno.test("readRopes() of a family with a local rope (gemma3) reads both forms of transformers", () => {
  const four = { rope_theta: 1e6, rope_local_base_freq: 500, rope_scaling: { rope_type: "linear", factor: 8 } };
  const five = {
    rope_theta: 1,
    rope_local_base_freq: 2,
    rope_parameters: {
      full_attention: { rope_theta: 1e6, rope_type: "linear", factor: 8 },
      sliding_attention: { rope_theta: 500, rope_type: "default" },
    },
  };
  const rope: Rope = { theta: 1e6, scaling: { type: "linear", factor: 8 } };
  const want = { rope, localRope: { theta: 500, scaling: null } };
  for (const json of [four, five]) assert.deepEqual(read(json, { local: true }), want);
  assert.deepEqual(read(writtenRopes(read(four, { local: true }), { local: true }), { local: true }), want);
  const scaled = { rope, localRope: { theta: 500, scaling: { type: "linear", factor: 2 } } as Rope };
  assert.deepEqual(read(writtenRopes(scaled, { local: true }), { local: true }), scaled);
  assert.throws(
    () => read({ rope_parameters: { rope_theta: 3 } }, { local: true }),
    /"rope_parameters" has "rope_theta"/,
  );
});

for (
  const [json, message] of [
    [
      { rope_scaling: { rope_type: "proportional" } },
      /rope type "proportional" is not supported, want "default", "linear"/,
    ],
    [{ rope_scaling: { type: "mrope", mrope_section: [1] } }, /the rope has "mrope_section", which is not supported/],
    [{ rope_scaling: { type: "linear" } }, /"factor" is missing/],
    [{ rope_scaling: { type: "longrope", short_factor: [1], long_factor: [1, 2] } }, /"short_factor" is a list of 1/],
    [{ rope_parameters: { full_attention: {} } }, /the rope has "full_attention"/],
    [{ rope_theta: -1 }, /"rope_theta" is -1/],
  ] as const
) {
  Deno.test(`readRopes() refuses ${JSON.stringify(json)}`, () => {
    assert.throws(() => read(json), { name: "TypeError", message });
  });
}

Deno.test("sectionsOf() reads three sections that fill half a head, and they are written back", () => {
  const family = { sections: true, types: ["default"], aliases: { mrope: "default" } } as const;
  const json = (mrope_section: unknown) => ({ rope_theta: 100, rope_scaling: { type: "mrope", mrope_section } });
  assert.deepEqual(sectionsOf(json([2, 3, 3]), family, 16), [2, 3, 3]);
  assert.equal(sectionsOf({}, {}, 16), null);
  const rope = read(json([2, 3, 3]), family);
  assert.deepEqual(writeRopes({ ...rope, mropeSection: [2, 3, 3] }, family), json([2, 3, 3]));
  for (const wrong of [[2, 3, 4], [2, 6], [2, 3, 2.5], [8, 0, 0], "2,3,3", undefined]) {
    assert.throws(() => sectionsOf(json(wrong), family, 16), { name: "TypeError", message: /"mrope_section" is / });
  }
});
