/** A headless Chromium over its DevTools protocol, for tests that look at a page as a person's browser would. @module */
import { join } from "node:path";

const PROGRAMS = ["chromium", "chromium-browser", "google-chrome", "chrome"];

/** The Chromium of this machine; null where there is none. NONZERO_CHROMIUM names another. */
export function findChromium(): string | null {
  const named = Deno.env.get("NONZERO_CHROMIUM");
  return [...named ? [named] : [], ...PROGRAMS].find((program) => {
    try {
      return new Deno.Command(program, { args: ["--version"], stdout: "null", stderr: "null" }).outputSync().success;
    } catch {
      return false;
    }
  }) ?? null;
}

type Answer = {
  readonly id: number;
  readonly result?: Record<string, unknown>;
  readonly error?: { readonly message: string };
};

export class Page implements AsyncDisposable {
  readonly #waiting = new Map<number, PromiseWithResolvers<Record<string, unknown>>>();
  /** What the page printed to its console as an error, and what it threw. */
  readonly errors: string[] = [];
  #id = 0;

  private constructor(
    readonly socket: WebSocket,
    readonly child: Deno.ChildProcess,
    readonly profile: string,
  ) {
    socket.onmessage = ({ data }) => this.#hear(JSON.parse(data));
  }

  /** Opens an empty page of `width` × `height` pixels. */
  static async open(program: string, { width = 1200, height = 900, dark = false } = {}): Promise<Page> {
    const profile = await Deno.makeTempDir();
    const child = new Deno.Command(program, {
      args: [
        "--headless=new",
        "--no-sandbox",
        "--disable-gpu",
        "--hide-scrollbars",
        "--no-first-run",
        "--remote-debugging-port=0",
        `--user-data-dir=${profile}`,
        `--window-size=${width},${height}`,
        "about:blank",
      ],
      stdout: "null",
      stderr: "null",
    }).spawn();
    const port = await until(async () =>
      /* it is there before it is written */
      /^\d+(?=\n)/.exec(await Deno.readTextFile(join(profile, "DevToolsActivePort")))?.[0] ?? null
    );
    const pages = await until(async () => {
      const list = await (await fetch(`http://127.0.0.1:${port}/json/list`)).json() as Record<string, string>[];
      return list.find(({ type }) => type === "page") ?? null;
    });
    const socket = new WebSocket(pages["webSocketDebuggerUrl"]!);
    await new Promise((resolve, reject) => {
      socket.onopen = resolve;
      socket.onerror = reject;
    });
    const page = new Page(socket, child, profile);
    await page.send("Page.enable");
    await page.send("Runtime.enable");
    await page.send("Emulation.setDeviceMetricsOverride", { width, height, deviceScaleFactor: 1, mobile: false });
    const features = [{ name: "prefers-color-scheme", value: dark ? "dark" : "light" }];
    await page.send("Emulation.setEmulatedMedia", { features });
    return page;
  }

  async goto(url: string): Promise<void> {
    await this.send("Page.navigate", { url });
    await this.wait("document.readyState === 'complete'");
  }

  /** The value of an expression in the page; of a promise what it comes to. */
  async evaluate<Value>(expression: string): Promise<Value> {
    const { result, exceptionDetails } = await this.send("Runtime.evaluate", {
      expression,
      awaitPromise: true,
      returnByValue: true,
    }) as { result: { value: Value }; exceptionDetails?: { text: string; exception?: { description?: string } } };
    if (exceptionDetails) throw new Error(exceptionDetails.exception?.description ?? exceptionDetails.text);
    return result.value;
  }

  /** Waits until an expression is true in the page. */
  async wait(expression: string, seconds = 30): Promise<void> {
    await until(async () => await this.evaluate<boolean>(`Boolean(${expression})`) || null, seconds);
  }

  /** Presses a key where the page has its focus. */
  async press(key: string, text = ""): Promise<void> {
    await this.send("Input.dispatchKeyEvent", { type: "keyDown", key, ...(text ? { text } : {}) });
    await this.send("Input.dispatchKeyEvent", { type: "keyUp", key });
  }

  /** Moves the mouse, with a button held where `held`. */
  async mouse(
    type: "mouseMoved" | "mousePressed" | "mouseReleased",
    x: number,
    y: number,
    held = false,
  ): Promise<void> {
    const button = type === "mouseMoved" && !held ? "none" : "left";
    await this.send("Input.dispatchMouseEvent", { type, x, y, button, buttons: held ? 1 : 0, clickCount: 1 });
  }

  /** A picture of the window, or of the whole page. */
  async screenshot(path: string, whole = false): Promise<void> {
    const { data } = await this.send("Page.captureScreenshot", { format: "png", captureBeyondViewport: whole });
    await Deno.writeFile(path, Uint8Array.fromBase64(String(data)));
  }

  send(method: string, params: Record<string, unknown> = {}): Promise<Record<string, unknown>> {
    const id = ++this.#id, answer = Promise.withResolvers<Record<string, unknown>>();
    this.#waiting.set(id, answer);
    this.socket.send(JSON.stringify({ id, method, params }));
    return answer.promise;
  }

  #hear(message: Answer & { readonly method?: string; readonly params?: Record<string, unknown> }): void {
    if (message.method === "Runtime.exceptionThrown") {
      const details = message.params!["exceptionDetails"] as { text: string; exception?: { description?: string } };
      this.errors.push(details.exception?.description ?? details.text);
    }
    if (message.method === "Runtime.consoleAPICalled" && message.params!["type"] === "error") {
      this.errors.push(JSON.stringify(message.params!["args"]));
    }
    const waiting = this.#waiting.get(message.id);
    if (!waiting) return;
    this.#waiting.delete(message.id);
    if (message.error) waiting.reject(new Error(message.error.message));
    else waiting.resolve(message.result ?? {});
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const closed = new Promise((resolve) => this.socket.onclose = resolve);
    this.socket.close();
    await closed;
    try {
      this.child.kill("SIGKILL");
    } catch { /* it has gone by itself */ }
    await this.child.status;
    // Its children may still write for a moment.
    await until(() => Deno.remove(this.profile, { recursive: true }).then(() => true), 5).catch(() => {});
  }
}

/** Asks again until there is an answer that is not null; an error is an answer to come. */
export async function until<Value>(ask: () => Promise<Value | null>, seconds = 30): Promise<Value> {
  const end = performance.now() + 1000 * seconds;
  for (let last: unknown = null;;) {
    try {
      const answer = await ask();
      if (answer !== null) return answer;
    } catch (error) {
      last = error;
    }
    if (performance.now() > end) throw new Error(`Not within ${seconds} s: ${ask}`, { cause: last });
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}
