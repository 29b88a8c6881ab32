import type { Config } from "@react-router/dev/config";

export default {
  ssr: true,
  // The route manifest is small; loading it whole saves a request for every visible link.
  routeDiscovery: { mode: "initial" },
  // One file a route, since browsers open six HTTP/1.1 connections.
  splitRouteModules: false,
  // Forms of other sites are refused by the server (isSameOrigin in server/app.ts). The router's check compares with the
  // proxy's http URL, which differs from the shop's https origin.
  allowedActionOrigins: ["**"],
} satisfies Config;
