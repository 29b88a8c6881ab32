/** The emails and replies of a conversation. */
import { Link, useLocation } from "react-router";
import { Alert } from "#app/ui/feedback/alert.tsx";
import { When } from "#app/ui/admin/when.tsx";
import type { Route } from "./+types/thread.ts";

type Thread = Route.ComponentProps["loaderData"]["thread"];

type EntryProps = {
  by: string;
  at: Date;
  state?: string;
  email?: Thread["emails"][number];
  /** Whom answers go to. */
  to: string;
  children: string;
};

function Entry({ by, at, state, email, to, children }: EntryProps) {
  return (
    <article className="grid gap-1 border-t border-line py-4">
      <header className="flex flex-wrap items-baseline justify-between gap-x-4">
        <h2>{by}</h2>
        <p className="text-ink-soft">
          <When at={at} />
          {state && <span className={state === "not delivered" ? "font-medium text-error" : ""}>{`, ${state}`}</span>}
        </p>
      </header>
      <p className="max-w-prose wrap-anywhere whitespace-pre-wrap">{children}</p>
      {email?.replyTo && (
        <p className="text-ink-soft">{`This email asks for replies to ${email.replyTo}. Yours go to ${to}.`}</p>
      )}
      {email && <Rest {...email} />}
    </article>
  );
}

/** Quoted history, pictures and refused attachments of an email. */
function Rest({ history, pictures, refused }: Thread["emails"][number]) {
  const address = `${useLocation().pathname}/pictures`;
  return (
    <>
      {pictures.length > 0 && (
        <ul aria-label="Pictures" className="mt-2 flex flex-wrap gap-2">
          {pictures.map(({ id, name }) => (
            <li key={id}>
              <a href={`${address}/${id}`} target="_blank" rel="noreferrer">
                <img src={`${address}/${id}`} alt={name} className="size-36 rounded-lg object-cover" />
              </a>
            </li>
          ))}
        </ul>
      )}
      {refused.length > 0 && (
        <p className="text-ink-soft">{`Not kept: ${refused.join(", ")}. The inbox keeps pictures only.`}</p>
      )}
      {history && (
        <details>
          <summary className="text-ink-soft">Earlier emails below it</summary>
          <p className="mt-1 max-w-prose border-l-2 border-line pl-3 wrap-anywhere whitespace-pre-wrap text-ink-soft">
            {history}
          </p>
        </details>
      )}
    </>
  );
}

const WARNINGS = {
  "other-sender":
    "This email answers another customer’s conversation or order, from another address. It may be the same person, or someone pretending to be. Check before you say anything about the order.",
  "forged-address":
    "This email was sent to an address that the shop did not make. Check who wrote it before you answer.",
  unreadable:
    "The shop could not read this email: it is damaged, or made so that reading it costs too much. Ask its sender to write again, or read it where your mail provider keeps it.",
};
const AUTOMATIC =
  "This looks like an automatic email, such as a newsletter, an out-of-office reply or a bounce. No one was notified. A reply moves it to the messages of people, as “Move to messages” does.";

/** Why to be careful with a conversation, and what it claims to answer. */
export function Doubts({ warning, claimedId, isAutomatic }: Pick<Thread, "warning" | "claimedId" | "isAutomatic">) {
  if (!warning && !isAutomatic) return null;
  return (
    <Alert className="mb-4 px-5 py-4">
      <span>{`${[warning && WARNINGS[warning], isAutomatic && AUTOMATIC].filter(Boolean).join(" ")} `}</span>
      {claimedId && (
        <Link to={`/admin/messages/${claimedId}`} className="admin-link">
          View the conversation it answers
        </Link>
      )}
    </Alert>
  );
}

/** The sender of an email that asks for answers at another address. */
export function SentFrom({ sentFrom, email }: Pick<Thread, "sentFrom" | "email">) {
  if (!sentFrom) return null;
  return (
    <p className="mb-2 max-w-prose wrap-anywhere text-ink-soft">
      {`Sent from ${sentFrom}, which asks for replies to ${email}. Nothing proves that they are the same person, so no order was linked.`}
    </p>
  );
}

/** The message, its sender's emails and the replies, oldest first. */
export function Entries({ thread }: { thread: Thread }) {
  const { name, email: to, message, createdAt, emails, replies } = thread;
  const later = [
    ...emails.filter(({ isFirst }) => !isFirst).map((email) => ({ by: name, text: email.written, email, ...email })),
    ...replies.map((reply) => ({ ...reply, by: reply.by ?? "Former staff", text: reply.body })),
  ].toSorted((a, b) => a.createdAt.getTime() - b.createdAt.getTime());
  const first = emails.find(({ isFirst }) => isFirst);
  return (
    <>
      <Entry by={name} at={createdAt} to={to} {...(first && { email: first })}>
        {message}
      </Entry>
      {later.map(({ id, by, text, createdAt: at, ...more }) => (
        <Entry key={id} by={by} at={at} to={to} {...more}>
          {text}
        </Entry>
      ))}
    </>
  );
}
