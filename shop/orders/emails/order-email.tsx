/** The shape that the emails about an order share: words, what it is about, and where it is shown. */
import { Column, Row } from "react-email";
import {
  EmailButton,
  EmailHeading,
  emailHtml,
  EmailLayout,
  EmailLink,
  EmailText,
  SOFT_INK,
} from "../../mail/email-layout.tsx";
import type { Email, EmailShop } from "../../mail/email.ts";
import { preOrderWords } from "../../catalog/ships-from.ts";
import { formatMoney } from "../../money.ts";
import type { OrderItem } from "../orders.server.ts";

const CELL = { padding: "12px 0", borderBottom: "1px solid #e2e0da", verticalAlign: "top" } as const;

/** A row of a sum: what it is, and its amount as it is read. */
export type Sum = [label: string, amount: string];
type MailedLink = {
  label: string;
  href: string;
  /** It answers the same question as the button. */ isButton?: boolean;
};

export type OrderEmail = {
  to: string;
  subject: string;
  heading: string;
  /** Each a paragraph; the first is also what a mail program shows beside the subject. */
  words: string[];
  /** Lines of the order, and what they come to. */
  items?: readonly OrderItem[];
  sums?: Sum[];
  /** The first is the button. */
  links: [MailedLink, ...MailedLink[]];
  /** Small, at the end. */
  notes?: string[];
};

/** An email about an order, in HTML and as text with all its links. */
export function orderEmail(email: OrderEmail, shop: EmailShop): Email {
  const { to, subject, heading, words, items = [], sums = [], links, notes = [] } = email;
  const [button, ...others] = links;
  const text = [
    ...words,
    [...itemsText(items), ...sums.map(([label, amount]) => `${label}: ${amount}`)].join("\n"),
    ...links.map(({ label, href }) => `${label}: ${href}`),
    ...notes,
  ].filter((part) => part !== "");
  const html = emailHtml(
    <EmailLayout subject={subject} preview={words[0] ?? subject} shop={shop}>
      <EmailHeading>{heading}</EmailHeading>
      {words.map((paragraph, i) => (
        <EmailText key={paragraph} look="soft" above={i === 0 ? 0 : 12}>
          {paragraph}
        </EmailText>
      ))}
      {(items.length > 0 || sums.length > 0) && <OrderLines items={items} sums={sums} />}
      <EmailButton href={button.href}>{button.label}</EmailButton>
      {others.map(({ label, href, isButton }) =>
        isButton ? (
          <EmailButton key={label} href={href} isOther>
            {label}
          </EmailButton>
        ) : (
          <EmailText key={label} above={24}>
            <EmailLink href={href}>{label}</EmailLink>
          </EmailText>
        ),
      )}
      {notes.map((note) => (
        <EmailText key={note} look="small" above={24}>
          {note}
        </EmailText>
      ))}
    </EmailLayout>,
  );
  return { to, subject, text: text.join("\n\n"), html };
}

const promiseOf = ({ shipsFrom = null }: OrderItem) => preOrderWords({ shipsFrom }, new Date());

export const itemsText = (items: readonly OrderItem[]): string[] =>
  items.flatMap((item) => [
    `${item.quantity} x ${item.name}  ${formatMoney(item.priceCents * item.quantity)}`,
    ...[promiseOf(item)].flatMap((promise) => (promise ? [`    ${promise}`] : [])),
  ]);

/** Lines of an order, and what they come to; the last sum stands out. */
export function OrderLines({ items, sums }: { items: readonly OrderItem[]; sums: Sum[] }) {
  return (
    <div style={{ paddingTop: "24px" }}>
      {items.map((item) => (
        <Row key={item.name}>
          <Column style={CELL}>
            {item.name}
            <br />
            <span style={{ color: SOFT_INK, fontSize: "14px" }}>
              {item.quantity} at {formatMoney(item.priceCents)}
              {promiseOf(item) && <br />}
              {promiseOf(item)}
            </span>
          </Column>
          <Column align="right" style={{ ...CELL, whiteSpace: "nowrap" }}>
            {formatMoney(item.priceCents * item.quantity)}
          </Column>
        </Row>
      ))}
      {sums.map(([label, amount], i) => {
        const isLast = i === sums.length - 1;
        const style = isLast ? { padding: "12px 0 0", fontWeight: 700 } : { padding: "8px 0 0", color: SOFT_INK };
        return (
          <Row key={label}>
            <Column style={style}>{label}</Column>
            <Column align="right" style={style}>
              {amount}
            </Column>
          </Row>
        );
      })}
    </div>
  );
}
