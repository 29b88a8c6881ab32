/** Clients that ask again and again, and remember what was not answered. */
import { Agent, request } from "node:http";
import { setTimeout as pause } from "node:timers/promises";

export type Answer = { status: number; connection: string; text: string };

/** One request on one of the agent's connections. */
export const ask = (agent: Agent, url: string, path: string) =>
  new Promise<Answer>((done, failed) => {
    const asked = request(url + path, { agent }, (response) => {
      let text = "";
      response.setEncoding("utf8");
      response.on("data", (chunk: string) => (text += chunk));
      response.on("error", failed);
      response.on("end", () =>
        done({ status: response.statusCode ?? 0, connection: response.headers.connection ?? "", text }),
      );
    });
    asked.on("error", failed).end();
  });

export const PATHS = ["/", "/shop", "/cart", "/healthz", "/product/travel-sleeve"];

const CLIENTS = 12;
/** Between two requests of one client: at any moment some are under way, and what is tested comes to its turn, too. */
export const PAUSE_MS = 100;

/** Half of the clients stay connected until they are told to close; the others connect anew for each request. */
export function startBusyClients(url: string, paths = PATHS) {
  const failures: string[] = [];
  let answered = 0;
  let isAsking = true;
  const all = Array.from({ length: CLIENTS }, async (_, i) => {
    const agent = new Agent({ keepAlive: i % 2 === 0, maxSockets: 1 });
    for (let n = i; isAsking; n++) {
      const path = paths[n % paths.length] ?? "/";
      await ask(agent, url, path).then(
        ({ status }) => (status === 200 ? answered++ : failures.push(`${path}: ${status}`)),
        (error: Error) => failures.push(`${path}: ${error.message}`),
      );
      await pause(PAUSE_MS);
    }
    agent.destroy();
  });
  return {
    answered: () => answered,
    /** Ends them; returns what was not answered with 200. */
    async stop(): Promise<string[]> {
      isAsking = false;
      await Promise.all(all);
      return failures;
    },
  };
}
