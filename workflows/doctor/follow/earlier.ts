/** What comes first: a result, a time, or an order to end. @module */

/**
 * The result of `work`, or null after `ms` (null: never) or when `end` is aborted. Keeps nothing of `end` afterwards.
 */
export function earlier<Result>(work: Promise<Result>, ms: number | null, end: AbortSignal): Promise<Result | null> {
  const { promise, resolve, reject } = Promise.withResolvers<Result | null>();
  const timer = ms === null ? undefined : setTimeout(resolve, ms, null), ended = () => resolve(null);
  if (end.aborted) ended();
  end.addEventListener("abort", ended);
  work.then(resolve, reject);
  return promise.finally(() => {
    clearTimeout(timer);
    end.removeEventListener("abort", ended);
  });
}
