import { useEffect, useRef } from "react";
import { Link } from "react-router";
import { db } from "#platform/database.server.ts";
import { waitlistSchema } from "#shop/waitlist/waitlist-form.ts";
import { joinWaitlist } from "#shop/waitlist/waitlist.server.ts";
import { done, failed, invalid, readForm, refused } from "#app/http/form.server.ts";
import { dismissWaitlist } from "#app/ui/chrome/local-storage.ts";
import { parseForm } from "#app/ui/form/parse-form.ts";
import { Picture } from "#app/ui/product/picture.tsx";
import { reportError } from "#platform/log.server.ts";
import { readCampaign } from "#app/session/cookies.server.ts";
import { readCustomer } from "#app/session/customer.server.ts";
import { callerNetwork, rateLimits } from "#app/session/rate-limits.server.ts";
import { privateMeta } from "#app/http/page-meta.ts";
import type { Route } from "./+types/join.ts";
import { INTRO, Joined, useWaitlistResult, type WaitlistData, WaitlistForm } from "./waitlist-form.tsx";

export { goingBackHeaders as headers } from "#platform/cache-headers.ts";

export const meta: Route.MetaFunction = () => privateMeta("Join the waitlist");

const STATUS = { limited: 429, "no-account": 500 } as const;

export async function action({ request, context }: Route.ActionArgs) {
  const form = await readForm(request, ["email", "phone", "utm_source", "utm_campaign"]);
  const submission = parseForm(form, waitlistSchema);
  if (submission.status !== "success") return invalid(submission);
  try {
    const caller = { network: callerNetwork(context), customer: await readCustomer(request) };
    const { email, utmSource, utmCampaign } = submission.value;
    // The form has the campaign of the page's URL; later pages have that of the visit.
    const campaign = utmSource || utmCampaign ? { utmSource, utmCampaign } : readCampaign(request.headers);
    const result = await joinWaitlist(db, rateLimits, { ...submission.value, ...campaign }, caller);
    if (result.ok) {
      const data = { isRegistered: false, email, isConfirmed: result.isConfirmed };
      return done<WaitlistData>(submission, undefined, { data: data as WaitlistData });
    }
    if (result.reason === "already-registered") {
      const message = "This email is already on our waitlist. Check your inbox for the verification link.";
      const data = { isRegistered: true } as const;
      return done<WaitlistData>(submission, message, { title: "Already registered!", data, status: 409 });
    }
    const status = STATUS[result.reason];
    return refused(submission, result.message ?? "Please try again later.", { title: "Something went wrong", status });
  } catch (error) {
    reportError(error, "nobody was put on the waitlist");
    return failed(submission);
  }
}

export { clientAction } from "#app/ui/form/client-action.ts";

/** The waitlist's page, for visitors who have closed the popup or use no JavaScript. */
export default function JoinWaitlist() {
  const answer = useWaitlistResult();
  const joinedAs = answer?.isRegistered === false ? answer : null;
  const title = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    if (answer) dismissWaitlist("joined");
    if (joinedAs) title.current?.focus();
  }, [answer, joinedAs]);
  return (
    <div className="page section grid items-center gap-x-16 gap-y-12 lg:grid-cols-2">
      <Picture
        name="pro-earth-green-open"
        alt=""
        sizes="(min-width: 1320px) 580px, (min-width: 1024px) 46vw, 92vw"
        priority
        className="order-last lg:col-start-2 lg:row-start-1"
        imgClassName="aspect-4/3 w-full rounded-card object-cover lg:aspect-square"
      />
      <div className="w-full max-w-[440px]">
        <h1 ref={title} tabIndex={-1} className="heading outline-none">
          {joinedAs ? "You're in!" : "Join the waitlist"}
        </h1>
        {joinedAs ? (
          <>
            <Joined {...joinedAs} />
            <Link to="/shop" className="button button-primary mt-8">
              Visit the shop
            </Link>
          </>
        ) : (
          <>
            <p className="mt-4 text-lg text-ink-soft">{INTRO}</p>
            <WaitlistForm />
          </>
        )}
      </div>
    </div>
  );
}
