import type { Config } from "@react-router/dev/config";

export default {
  ssr: true,
  // The site map is small: sending it once saves a request for every link that comes into view.
  routeDiscovery: { mode: "initial" },
} satisfies Config;
