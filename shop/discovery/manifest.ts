/** How the shop stands on a home screen. */
import { brand } from "../brand.ts";

const PAPER = "#f6f4ef";

const icon = (name: string, size: number, purpose: string) => ({
  src: `/${name}.png`,
  sizes: `${size}x${size}`,
  type: "image/png",
  purpose,
});

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
    icons: [icon("icon-192", 192, "any"), icon("icon-512", 512, "any"), icon("icon-maskable-512", 512, "maskable")],
    shortcuts: [
      { name: "Shop", url: "/shop" },
      { name: "Cart", url: "/cart" },
    ],
  };
}
