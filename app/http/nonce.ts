/** What marks the scripts that a page was rendered with, for its policy to allow them; in a browser there is none. */
import { createContext } from "react";

export const Nonce = /* @__PURE__ */ createContext<string | undefined>(undefined);
