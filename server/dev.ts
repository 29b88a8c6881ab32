/** `npm run dev`: one process, with the shop reloaded by Vite as its files change. */
import { getRequestListener } from "@hono/node-server";
import { createServer } from "vite";
import { serve, type Loaded, type Shop } from "./serve.ts";
import { greeting, start } from "./web.ts";

async function load(server: Parameters<Parameters<typeof serve>[0]>[0]): Promise<Loaded> {
  const vite = await createServer({ server: { middlewareMode: { server }, hmr: { server } }, appType: "custom" });
  const loadApp = async () =>
    (await vite.ssrLoadModule("/server/app.ts")) as Omit<Shop, "prepareDatabase" | "startWorker">;
  const { prepareDatabase } = (await vite.ssrLoadModule("/server/prepare.ts")) as Pick<Shop, "prepareDatabase">;
  const { startWorker } = (await vite.ssrLoadModule("/server/worker.ts")) as Pick<Shop, "startWorker">;
  return {
    shop: { ...(await loadApp()), prepareDatabase, startWorker },
    listener: (request, response) =>
      vite.middlewares(request, response, async () => {
        const { app } = await loadApp();
        await getRequestListener(app.fetch)(request, response);
      }),
    close: () => vite.close(),
  };
}

await start(async (given, env) => ({
  running: await serve(load, given),
  says: greeting(env),
  adds: async () => (await import("./first-owner.ts")).firstOwnerLine(),
}));
