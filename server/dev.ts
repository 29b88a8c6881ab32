/** `npm run dev`: the same process, with the shop reloaded by Vite as its files change. */
import { getRequestListener } from "@hono/node-server";
import { createServer } from "vite";
import { start, type Shop } from "./web.ts";

await start(async (server) => {
  const vite = await createServer({ server: { middlewareMode: { server }, hmr: { server } }, appType: "custom" });
  const load = async () =>
    (await vite.ssrLoadModule("/server/app.ts")) as Pick<Shop, "app" | "cache" | "startDraining">;
  const { startWorker } = (await vite.ssrLoadModule("/server/worker.ts")) as Pick<Shop, "startWorker">;
  return {
    shop: { ...(await load()), startWorker },
    listener: (request, response) =>
      vite.middlewares(request, response, async () => {
        const { app } = await load();
        await getRequestListener(app.fetch)(request, response);
      }),
    close: () => vite.close(),
  };
});
