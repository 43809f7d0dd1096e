/** A server on this machine that answers with given statuses and keeps what it heard. @module */

/** Method, type and body of every request. */
type Heard = [method: string, type: string | null, body: string][];

export async function serving(
  statuses: readonly number[],
  body: (url: string, heard: Heard) => Promise<void>,
): Promise<void> {
  const heard: Heard = [];
  const server = Deno.serve({ port: 0, hostname: "127.0.0.1", onListen: () => {} }, async (request) => {
    const status = statuses[heard.length] ?? 200;
    heard.push([request.method, request.headers.get("content-type"), await request.text()]);
    return new Response(null, { status, headers: status === 302 ? { location: "http://example.invalid/" } : {} });
  });
  try {
    await body(`http://127.0.0.1:${server.addr.port}/hook?key=secret`, heard);
  } finally {
    await server.shutdown();
  }
}
