import assert from "node:assert/strict";
import { Reference } from "../../../steps/resources/reference.ts";
import { withTinyPolicy } from "../contexts/training_run.ts";

Deno.test("Reference.save() says whether the copy is frozen; restore() brings it back bitwise, apart from the policy", () =>
  withTinyPolicy(async (run) => {
    const reference = run.resources.reference!;
    assert.deepEqual(reference.save().json, { kind: "copy", frozen: false });
    const sequences = run.policy.sequences(["1+2="], [[51, 52]]);
    const before = await reference.logprobs(sequences, 1);
    const state = structuredClone(reference.save());
    assert.equal(state.json["frozen"], true);

    run.policy.model.weights.values.upload(run.weights().map((value) => 1.5 * value));
    const late = new Reference("copy", run.policy);
    assert.notDeepEqual(await late.logprobs(sequences, 1), before, "a copy made now is another one");
    late.restore(state);
    assert.deepEqual(await late.logprobs(sequences, 1), before);
    late.release();
  }, { reference: "copy" }));

Deno.test("Reference.restore() of one that was not frozen leaves it to be made", () =>
  withTinyPolicy((run) => {
    const reference = new Reference("copy", run.policy);
    reference.restore({ json: { kind: "copy", frozen: false }, arrays: new Map() });
    run.policy.model.weights.values.upload(run.weights().fill(2));
    assert(reference.model().weights.toHuggingFace().get("model.norm.weight")!.data.every((value) => value === 2));
    reference.release();
  }));

Deno.test("Reference.restore() refuses another kind", () =>
  withTinyPolicy((run) => {
    const none = new Reference("none", run.policy);
    assert.throws(
      () => none.restore({ json: { kind: "copy", frozen: false }, arrays: new Map() }),
      /the checkpoint has "copy", want "none"/,
    );
  }));

Deno.test("Reference.logprobs() are those of its model at the given temperature", () =>
  withTinyPolicy(async (run) => {
    const sequences = run.policy.sequences(["1+2="], [[51, 52]]);
    const [cold] = await run.resources.reference!.logprobs(sequences, 0.5);
    assert.deepEqual(cold, (await run.policy.model.logprobs(sequences, { temperature: 0.5 })).logprobs[0]);
    assert.notDeepEqual(cold, (await run.policy.model.logprobs(sequences)).logprobs[0]);
  }, { reference: "copy" }));
