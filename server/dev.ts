/** `npm run dev`: the same process, with the shop reloaded by Vite as its files change. */
import { getRequestListener } from "@hono/node-server";
import { createServer } from "vite";
import { start, type Shop } from "./start.ts";

process.env.NODE_ENV ??= "development";

await start(async (server) => {
  const vite = await createServer({ server: { middlewareMode: { server }, hmr: { server } }, appType: "custom" });
  const load = async () => (await vite.ssrLoadModule("/server/app.ts")) as Shop;
  return {
    shop: await load(),
    listener: (request, response) =>
      vite.middlewares(request, response, async () => {
        const { app } = await load();
        await getRequestListener(app.fetch)(request, response);
      }),
    close: () => vite.close(),
  };
});
