/** Pulls into a cache of the test's own, from a server of its own. @module */
import { join } from "node:path";
import type { HubEnvironment } from "../../../../data/hub/remote/environment.ts";
import { pull, type Pulled, type PullOptions } from "../../../../data/hub/remote/pull.ts";
import { parseRepository } from "../../../../data/hub/remote/repository.ts";
import { type Faults, type Hosted, type HubServer, hubServer } from "./hub_server.ts";

export interface Place {
  readonly server: HubServer;
  readonly cache: string;
  readonly environment: HubEnvironment;
  readonly told: string[];
  pull(address: string, options?: PullOptions): Promise<Pulled>;
  /** The server's last fault is gone. */
  heal(): void;
}

/** Runs `body` with a server of the repositories and an empty cache; both are gone afterwards. */
export async function withHub(
  repositories: readonly Hosted[],
  faults: Faults,
  body: (place: Place) => Promise<void>,
  token: string | null = null,
): Promise<void> {
  await using server = hubServer(repositories, faults);
  const folder = Deno.makeTempDirSync(), cache = join(folder, "hub"), told: string[] = [];
  const environment: HubEnvironment = {
    cache,
    endpoint: server.endpoint,
    offline: false,
    token: () => token,
    tokenPath: join(folder, "token"),
  };
  try {
    await body({
      server,
      cache,
      environment,
      told,
      pull: (address, options) =>
        pull(parseRepository(address), { environment, patience: 1, tell: (text) => told.push(text), ...options }),
      heal: () => Object.keys(server.faults).forEach((name) => delete server.faults[name as keyof Faults]),
    });
  } finally {
    Deno.removeSync(folder, { recursive: true });
  }
}
