import { Link } from "react-router";
import { returnAddress } from "#shop/contact-addresses.server.ts";
import { carrierProvider } from "#shop/carriers/open-carrier.server.ts";
import type { Finding, TestName } from "#shop/go-live/checks.ts";
import { auditTest, tryAddress, tryMail, tryPayments, tryTax, type Tried } from "#shop/go-live/tests.server.ts";
import { paymentProviders } from "#shop/payments/open-provider.server.ts";
import { taxProvider } from "#shop/tax/open-tax.server.ts";
import { z } from "#shop/zod.ts";
import { config } from "#platform/config.server.ts";
import { db } from "#platform/database.server.ts";
import { done, refused } from "#app/http/form.server.ts";
import { consumeStaffMail, staffOf } from "#app/session/staff.server.ts";
import { Submit } from "#app/ui/form/form.tsx";
import { AdminForm } from "#app/ui/admin/field.tsx";
import { PageHead, Status } from "#app/ui/admin/page-head.tsx";
import { When } from "#app/ui/admin/when.tsx";
import { actions, handle, TOO_MANY_EMAILS, type Action } from "../action.server.ts";
import { loadFindings } from "./load.server.ts";
import type { Route } from "./+types/route.ts";

export const loader = async () => ({ findings: await loadFindings() });

async function answer(action: Action, test: TestName, tried: Tried) {
  await auditTest(db, action.by, test, tried);
  return tried.ok ? done(action, tried.text) : refused(action, tried.text);
}

/** A test whose provider is set up. */
const tries = <Provider,>(
  test: TestName,
  provider: () => Provider | null,
  run: (provider: Provider) => Promise<Tried>,
) =>
  handle(z.object({}), async (action) => {
    const found = provider();
    if (found === null) return refused(action, "This is not set up anymore. Reload the page.");
    return answer(action, test, await run(found));
  });

const paysBySandbox = () => config().payments?.by === "sandbox";

export const action = actions({
  mail: handle(z.object({}), async (action) => {
    const { email } = staffOf(action.context);
    const { permit } = await consumeStaffMail(action.context, email);
    if (!permit) return refused(action, TOO_MANY_EMAILS, { status: 429 });
    return answer(action, "mail", await tryMail(db, email, permit, config().smtpUrl !== null));
  }),
  payments: tries("payments", paymentProviders, (providers) => tryPayments(providers, paysBySandbox())),
  tax: tries("tax", taxProvider, (provider) => tryTax(provider, returnAddress(), paysBySandbox())),
  address: tries("address", carrierProvider, (carrier) =>
    tryAddress(carrier, returnAddress(), config().carriers?.by === "sandbox"),
  ),
});
export { clientAction } from "#app/ui/form/client-action.ts";
export { shouldRevalidate } from "../revalidate.ts";

const TESTS: Record<TestName, string> = {
  mail: "Send me a test email",
  payments: "Try the connection",
  tax: "Ask for a quote",
  address: "Ask the carriers",
};

export default function GoLiveScreen({ loaderData: { findings } }: Route.ComponentProps) {
  const missing = findings.filter(({ isDone }) => !isDone).length;
  return (
    <>
      <PageHead
        title="Go live"
        note={missing === 0 ? "Nothing is missing" : `${missing} of ${findings.length} missing`}
      />
      <p className="mb-4 max-w-prose text-ink-soft">
        What the shop needs before it sells. Names in capitals are set on the server where the shop runs. Whoever
        maintains it will find them, and each step, in docs/operations.md.
      </p>
      <ul className="max-w-5xl border-b border-line">
        {findings.map(({ key, ...finding }) => (
          <Row key={key} {...finding} />
        ))}
      </ul>
    </>
  );
}

function Row({ title, isDone, isOptional, text, at, link, test }: Omit<Finding, "key">) {
  return (
    <li className="grid items-start gap-x-6 gap-y-2 border-t border-line px-3 py-3 sm:grid-cols-[6rem_minmax(0,1fr)_auto]">
      {isOptional ? (
        <Status tone="quiet">Optional</Status>
      ) : (
        <Status tone={isDone ? "done" : "soon"}>{isDone ? "Done" : "Missing"}</Status>
      )}
      <div className="grid gap-1">
        <h2>{title}</h2>
        <p className="max-w-prose text-ink-soft">
          <span>{`${text} `}</span>
          {at && <When at={at} />}
        </p>
        {link && <ToSettle {...link} />}
      </div>
      {test && (
        <AdminForm intent={test} className="grid gap-2 sm:max-w-80 sm:justify-items-end">
          <Submit className="btn">{TESTS[test]}</Submit>
        </AdminForm>
      )}
    </li>
  );
}

function ToSettle({ label, href }: NonNullable<Finding["link"]>) {
  const className = "admin-link justify-self-start";
  return href.startsWith("/") ? (
    <Link to={href} className={className}>
      {label}
    </Link>
  ) : (
    <a href={href} className={className}>
      {label}
    </a>
  );
}
