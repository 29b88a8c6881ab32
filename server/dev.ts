/** The shop in development, reloaded by Vite. */
import type { Server } from "node:http";
import { getRequestListener } from "@hono/node-server";
import { createServer } from "vite";
import type { Loaded } from "./serve.ts";

export async function load(server: Server): Promise<Loaded> {
  const vite = await createServer({ server: { middlewareMode: { server }, hmr: { server } }, appType: "custom" });
  const loadModule = async <Module>(file: string) => (await vite.ssrLoadModule(file)) as Module;
  const loadApp = () => loadModule<typeof import("./app.ts")>("/server/app.ts");
  return {
    shop: {
      ...(await loadApp()),
      ...(await loadModule<typeof import("./worker.ts")>("/server/worker.ts")),
    },
    listener: (request, response) =>
      vite.middlewares(request, response, async () => {
        const { app } = await loadApp();
        await getRequestListener(app.fetch)(request, response);
      }),
    close: () => vite.close(),
  };
}
