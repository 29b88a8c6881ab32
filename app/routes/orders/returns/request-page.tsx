import type { ReactNode } from "react";
import { Link } from "react-router";
import { orderNumber, orderPath } from "#shop/orders/order.ts";
import { KIND_WORDS } from "#shop/returns/return.ts";
import { Picture } from "#app/ui/product/picture.tsx";
import { Alert } from "#app/ui/feedback/alert.tsx";
import { dayText } from "#shop/policy-text.ts";
import { requestPath } from "./paths.ts";
import { KINDS } from "./request-form.ts";
import { LinesForm, SendForm } from "./request-forms.tsx";
import type { RequestData } from "./request.server.ts";

type Props = { orderId: string; asked: RequestData };

const HEADINGS = { kind: "What can we do for you?", lines: "What are you sending back?", send: "Check and send" };

export function RequestPage({ orderId, asked }: Props) {
  return (
    <div className="page pt-8 pb-24 lg:pt-14 lg:pb-32">
      <div className="mx-auto max-w-[760px]">
        <Back orderId={orderId} asked={asked} />
        <p className="mb-3 font-semibold text-leaf tabular-nums">
          {`Order ${orderNumber(orderId)}${asked.step === "kind" ? "" : `: ${KIND_WORDS[asked.kind].toLowerCase()}`}`}
        </p>
        <h1 className="heading">{HEADINGS[asked.step]}</h1>
        {asked.step === "kind" && <Kinds orderId={orderId} kinds={asked.kinds} />}
        {asked.step === "lines" && <LinesForm orderId={orderId} asked={asked} />}
        {asked.step === "send" && <Review orderId={orderId} asked={asked} />}
      </div>
    </div>
  );
}

function Back({ orderId, asked }: Props) {
  const start = requestPath(orderId);
  const to =
    asked.step === "kind" ? orderPath(orderId) : asked.step === "lines" ? start : `${start}?kind=${asked.kind}`;
  return (
    <Link to={to} className="text-link mb-4 inline-flex min-h-11 items-center">
      {asked.step === "kind" ? "Back to your order" : "Back"}
    </Link>
  );
}

type Of<Step extends RequestData["step"]> = Extract<RequestData, { step: Step }>;

/** Possible kinds first; the others say why not, once if it is the same. */
function Kinds({ orderId, kinds }: { orderId: string; kinds: Of<"kind">["kinds"] }) {
  const possible = kinds.filter(({ why }) => why === null);
  const others = kinds.filter(({ why }) => why !== null);
  const reasons = new Set(kinds.map(({ why }) => why));
  const [sole] = reasons.size === 1 ? reasons : [];
  return (
    <>
      {possible.length === 0 && (
        <p className="mt-4 text-lg text-ink-soft">{`Nothing in this order can be returned right now. ${sole ?? ""}`}</p>
      )}
      <ul className="mt-8 grid gap-4 empty:hidden">
        {possible.map(({ kind, until }) => (
          <li
            key={kind}
            className="relative rounded-card bg-card p-6 transition-shadow duration-200 hover:shadow-[inset_0_0_0_1.5px_var(--color-ink)]"
          >
            <h2 className="text-xl font-semibold">
              <Link
                to={`${requestPath(orderId)}?kind=${kind}`}
                className="after:absolute after:inset-0 after:rounded-card"
              >
                {KINDS[kind].title}
              </Link>
            </h2>
            <p className="mt-1.5 text-ink-soft">{KINDS[kind].text}</p>
            {until && <p className="mt-1.5">{`Until ${dayText(until)}`}</p>}
          </li>
        ))}
      </ul>
      {others.length > 0 && !sole && (
        <section aria-labelledby="not-now" className="mt-12">
          <h2 id="not-now" className="text-xl font-semibold">
            Not available right now
          </h2>
          <dl className="mt-4 grid gap-4">
            {others.map(({ kind, why }) => (
              <div key={kind}>
                <dt className="font-medium">{KINDS[kind].title}</dt>
                <dd className="text-ink-soft">{why}</dd>
              </div>
            ))}
          </dl>
        </section>
      )}
      {others.length > 0 && (
        <p className="mt-6 text-ink-soft">
          Something else?{" "}
          <Link to={`/support?order=${orderNumber(orderId)}#contact`} className="text-link">
            Contact us
          </Link>
        </p>
      )}
    </>
  );
}

function Review({ orderId, asked }: { orderId: string; asked: Of<"send"> }) {
  return (
    <>
      <ul className="mt-6 grid gap-4">
        {asked.lines.map(({ lineId, name, thumbnail, units }) => (
          <li key={lineId} className="flex items-center gap-4">
            <Picture
              name={thumbnail ?? ""}
              alt=""
              sizes="64px"
              className="w-16"
              imgClassName="aspect-square w-full rounded-[10px] object-cover"
            />
            <p className="font-medium">{units > 1 ? `${units} × ${name}` : name}</p>
          </li>
        ))}
      </ul>
      <Terms terms={asked.terms} />
      {asked.kind === "exchange" && asked.choices.length === 0 ? (
        <Alert className="mt-8 px-5 py-4">
          There’s nothing in stock to exchange it for right now.{" "}
          <Link to={`${requestPath(orderId)}?kind=return`} className="text-link">
            Return it for a refund
          </Link>
        </Alert>
      ) : (
        <SendForm orderId={orderId} asked={asked} />
      )}
    </>
  );
}

function Terms({ terms }: { terms: Of<"send">["terms"] }) {
  return (
    <dl className="mt-8 grid gap-x-8 gap-y-5 rounded-card bg-card p-6 sm:grid-cols-[200px_minmax(0,1fr)] sm:p-8">
      {terms.map(({ label, text, isMoney }) => (
        <Term key={label} label={label} isMoney={isMoney}>
          {text}
        </Term>
      ))}
    </dl>
  );
}

function Term({ label, isMoney, children }: { label: string; isMoney: boolean; children: ReactNode }) {
  return (
    <div className="contents">
      <dt className={isMoney ? "text-xl font-semibold tabular-nums" : "font-medium"}>{label}</dt>
      <dd className="text-ink-soft max-sm:-mt-3">{children}</dd>
    </div>
  );
}
