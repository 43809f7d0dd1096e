/**
 * Sends one JSON text to one address: a program of its own, so that only it may use the network, and only to that host.
 *
 * Reads `{"url", "body"}` from standard input: an address may hold a secret, and arguments are everybody's to see.
 * @module
 */

const WAIT_MS = 20_000;
const TRIES = 3;

/** The status of the answer; tries again where the server is not there or has a bad moment. */
export async function send(url: string, body: string, pauseMs = 2000): Promise<number> {
  for (let tried = 1;; tried++) {
    try {
      const answer = await fetch(url, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body,
        redirect: "manual",
        signal: AbortSignal.timeout(WAIT_MS),
      });
      await answer.body?.cancel();
      if (answer.status < 500 || tried === TRIES) return answer.status;
    } catch (error) {
      if (tried === TRIES) throw error;
    }
    await new Promise((resolve) => setTimeout(resolve, pauseMs * tried));
  }
}

if (import.meta.main) {
  const { url, body } = JSON.parse(await new Response(Deno.stdin.readable).text()) as Record<"url" | "body", string>;
  try {
    const status = await send(url, body);
    if (status >= 200 && status < 300) Deno.exit(0);
    console.error(`it answered ${status}`);
  } catch (error) {
    // The address stays out of the message.
    console.error(error instanceof DOMException ? "it did not answer in time" : `it cannot be reached`);
  }
  Deno.exit(1);
}
