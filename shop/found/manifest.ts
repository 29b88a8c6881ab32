/** How the shop stands on a home screen. */
import { brand } from "../brand.ts";

const PAPER = "#f6f4ef";

export function webManifest() {
  return {
    id: "/",
    name: brand.name,
    short_name: brand.name,
    description: brand.tagline,
    lang: "en-US",
    start_url: "/",
    scope: "/",
    display: "minimal-ui",
    background_color: PAPER,
    theme_color: PAPER,
    categories: ["shopping", "food"],
    icons: [192, 512].flatMap((size) =>
      ["any", "maskable"].map((purpose) => ({
        src: `/icon-${size}.png`,
        sizes: `${size}x${size}`,
        type: "image/png",
        purpose,
      })),
    ),
    shortcuts: [
      { name: "Shop", url: "/shop" },
      { name: "Cart", url: "/cart" },
    ],
  };
}
