/** The resources a run holds besides its tables. @module */
import type { Resource } from "./resource.ts";

/** Closed union of resources; the engine saves and restores each by its `Resource` interface. */
export interface Resources {
  policy: Resource;
  reference: Resource;
  optimizer: Resource;
}
