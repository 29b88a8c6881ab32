/** The browser's half of every act: where the shop does not answer, that is said where the act was done. */
import { CONNECTION_LOST } from "../../session/auth-result.ts";
import { writeToShop } from "../../http/browser-write.ts";
import type { ActResult } from "../../ui/admin/act-result.ts";

type Call = { request: Request; serverAction: () => Promise<unknown> };

/** What was typed into a form that is not sent, so that nothing of it is lost. */
export const typedInto = (form: FormData): Record<string, string> =>
  Object.fromEntries([...form].map(([name, value]) => [name, typeof value === "string" ? value : ""]));

/** A route's `clientAction`. */
export const actInBrowser = (call: Call) =>
  writeToShop<ActResult>(call, {
    key: "act",
    lost: (form) => ({
      act: new URL(call.request.url).searchParams.get("act") ?? "",
      key: typedInto(form).key ?? "",
      ok: false,
      message: CONNECTION_LOST,
      typed: typedInto(form),
    }),
  });
