import type { Config } from "@react-router/dev/config";

export default {
  ssr: true,
  // The site map is small: sending it once saves a request for every link that comes into view.
  routeDiscovery: { mode: "initial" },
  // A file per route, and not another for its loader in the browser: each takes a connection of the few there are.
  splitRouteModules: false,
  // The server has refused forms of other sites already (isSameOrigin in server/app.ts). The router's own check compares
  // with the address that a proxy asks, which is http where the shop is on https.
  allowedActionOrigins: ["**"],
} satisfies Config;
