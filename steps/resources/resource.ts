/** What the engine needs of a resource: its state as named arrays, so that a checkpoint can hold it. @module */

/** The state of a resource. Arrays are views of live memory: write them out before the next update. */
export interface ResourceState {
  /** Small JSON: counters, names, settings. */
  readonly json: Readonly<Record<string, unknown>>;
  /** Floats, or codes of a byte, by name; the shapes are for readers, the bytes are what counts. */
  readonly arrays: ReadonlyMap<
    string,
    { readonly shape: readonly number[]; readonly data: Float32Array | Uint8Array }
  >;
}

export interface Resource {
  save(): ResourceState | Promise<ResourceState>;
  /** Restores bitwise what `save` gave. Throws when names or sizes differ. */
  restore(state: ResourceState): void | Promise<void>;
  /** Frees sessions and device memory. */
  release(): void;
}
