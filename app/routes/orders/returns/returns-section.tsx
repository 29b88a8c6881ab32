import { Link } from "react-router";
import { ReturnActions, ReturnRefusal } from "./return-actions.tsx";
import type { ReturnView } from "./return-view.ts";

/** Returns on their order's page, where the emails about them lead. */
export function Returns({ returns }: { returns: ReturnView[] }) {
  if (returns.length === 0) return null;
  return (
    <section
      id="returns"
      aria-labelledby="returns-title"
      className="mt-14 scroll-mt-28 border-t border-line pt-10 lg:mt-20 lg:pt-14"
    >
      <h2 id="returns-title" className="mb-5 text-2xl font-semibold">
        {returns.length === 1 ? "Your return" : "Your returns"}
      </h2>
      <ReturnRefusal />
      <ul className="grid gap-5">
        {returns.map((orderReturn) => (
          <li key={orderReturn.number} className="rounded-card bg-card p-6 sm:p-8">
            <p className="font-semibold text-leaf tabular-nums">{`${orderReturn.kind} ${orderReturn.number}`}</p>
            <h3 className="mt-1 text-xl font-semibold">{orderReturn.title}</h3>
            <p className="mt-1.5 text-ink-soft">{orderReturn.lead}</p>
            <div className="mt-5 flex flex-wrap gap-3">
              <ReturnActions orderReturn={orderReturn} />
              <Link to={orderReturn.path} className="button button-quiet">
                View return
              </Link>
            </div>
          </li>
        ))}
      </ul>
    </section>
  );
}
