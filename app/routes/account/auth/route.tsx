import { Suspense } from "react";
import { Await, data, Navigate, redirect } from "react-router";
import { isGoogleReady } from "../../../session/auth.server.ts";
import { readSession } from "../../../session/customer.server.ts";
import { writeToShop } from "../../../http/browser-write.ts";
import { pageMeta } from "../../../http/page-meta.ts";
import { redirectTarget } from "../../../session/redirect-target.ts";
import type { Route } from "./+types/route.ts";
import { CONNECTION_LOST, type AuthActionResult } from "../../../session/auth-result.ts";
import { AuthPage } from "./auth-page.tsx";
import { authAction } from "./action.server.ts";
import { googleError } from "./google-errors.ts";

type AuthData = { target: string; tab: "sign-in" | "sign-up"; googleProblem: string | null };

export const meta: Route.MetaFunction = () => [
  ...pageMeta({ title: "Sign in", description: "Your orders, your wishlist and your details.", path: "/auth" }),
  { name: "robots", content: "noindex" },
];

export { goingBackHeaders as headers } from "../../../http/cache-headers.ts";

export async function loader({ request }: Route.LoaderArgs) {
  const { searchParams } = new URL(request.url);
  const target = redirectTarget(searchParams.get("redirect"));
  const { customer, awaitsSecondFactor } = await readSession(request);
  if (customer) throw redirect(target);
  if (awaitsSecondFactor) throw redirect(`/auth/two-factor?redirect=${encodeURIComponent(target)}`);
  const tab = searchParams.get("tab") === "sign-up" ? "sign-up" : "sign-in";
  return data<AuthData>({
    target,
    tab,
    googleProblem: isGoogleReady() ? googleError(searchParams.get("error")) : null,
  });
}

export const action = ({ request, context }: Route.ActionArgs) => authAction(request, context);

/** The page opens at once and shows a spinner until it is known who is signed in. */
export function clientLoader({
  serverLoader,
}: Route.ClientLoaderArgs): Promise<AuthData> | { loading: Promise<AuthData | { signedInTo: string }> } {
  if (location.pathname === "/auth") return serverLoader();
  return {
    loading: serverLoader().catch((failure: unknown) => {
      const to = failure instanceof Response ? failure.headers.get("Location") : null;
      if (to === null) throw failure;
      return { signedInTo: to };
    }),
  };
}

const LOST_TITLES = new Map<unknown, string>([
  ["sign-in", "Login failed"],
  ["sign-up", "Signup failed"],
]);

export const clientAction = (call: Route.ClientActionArgs) =>
  writeToShop<AuthActionResult>(call, {
    key: "result",
    lost: (form) => ({
      result: { status: "error" },
      toast: { title: LOST_TITLES.get(form.get("intent")) ?? "Error", description: CONNECTION_LOST },
    }),
  });

export default function Auth({ loaderData, actionData }: Route.ComponentProps) {
  const actionResult = actionData as AuthActionResult | undefined;
  if (!("loading" in loaderData)) return <AuthPage {...loaderData} actionResult={actionResult} />;
  return (
    <Suspense fallback={<Spinner />}>
      <Await resolve={loaderData.loading}>
        {(loaded) =>
          "signedInTo" in loaded ? (
            <Navigate to={loaded.signedInTo} replace />
          ) : (
            <AuthPage {...loaded} actionResult={actionResult} />
          )
        }
      </Await>
    </Suspense>
  );
}

function Spinner() {
  return (
    <div role="status" className="page grid min-h-[70vh] place-content-center">
      <span className="size-9 animate-spin rounded-full border-3 border-line border-t-leaf motion-reduce:animate-none" />
      <span className="sr-only">Loading...</span>
    </div>
  );
}
